"""Makes tests/data/perft.json: how many positions can be reached, by depth, by the oracle's count.

Run as `python -m tests.make_perft`, which takes about a minute and always writes the same file.
Everything in it comes from tests/oracle.py alone; what its numbers count is said at
`oracle.perft` ("raw") and `oracle.perft_closed` ("closed"). The boards:

- Microsoft deals 1 to 10, with 0, 1, 2, 4 or 6 cells;
- deals 11 to 20, each on a random walk after 20 to 60 raw plies, with some plies left; two of them
  also with one cell, the cards of the others put on columns (so it need not be reachable);
- deals 21, 23 and 24 after walks that dig the shortest column, to a board with an empty column and
  with a run in an emptied column;
- deals 25 and 26 with spades taken from where they lie and put on their king, which makes columns
  of more than 12 cards (so it need not be reachable);
- random endgames.

The depth is 4, or 3 where there are many positions.
"""

import json
import random
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from tests import oracle
from tests.oracle import Board

Ply = tuple[str, str, oracle.Move]
"""(card, kind of destination, move), see `oracle.distinct_plies`."""

PERFT_PATH = Path(__file__).parent / "data" / "perft.json"

DEPTH = 4
MANY_POSITIONS = 800
"""At depth 3; some five times as many follow at depth 4, which would take many seconds."""

CELLS_OF_DEALS = {1: 4, 2: 2, 3: 1, 4: 4, 5: 0, 6: 6, 7: 2, 8: 1, 9: 4, 10: 4}
CELLS_OF_WALKS = {11: 4, 12: 2, 13: 4, 14: 4, 15: 2, 16: 3, 17: 4, 18: 4, 19: 3, 20: 6}
PLIES_OF_WALKS = {11: 20, 12: 25, 13: 20, 14: 30, 15: 20, 16: 25, 17: 35, 18: 30, 19: 30, 20: 60}
ONE_CELL_WALKS = (13, 16)
CELLS_OF_DIGS = {21: 4, 23: 5, 24: 6}
CELLS_AND_CARDS_OF_ENDGAMES = [(4, 24), (2, 30), (1, 36), (0, 36)]
LONG_RUNS = {25: "KQJT987", 26: "KQJT98765432"}


def perft_boards() -> Iterator[tuple[str, Board]]:
    """The boards of the file with their names, the same ones at each call."""
    for number, num_cells in CELLS_OF_DEALS.items():
        yield f"ms{number}-cells{num_cells}", oracle.ms_deal(number, num_cells)
    for number, num_cells in CELLS_OF_WALKS.items():
        num_plies = PLIES_OF_WALKS[number]
        board = walk_board(number, num_cells, num_plies)
        yield f"ms{number}-cells{num_cells}-walk{num_plies}", board
    for number in ONE_CELL_WALKS:
        board = walk_board(number, CELLS_OF_WALKS[number], PLIES_OF_WALKS[number])
        yield f"ms{number}-cells1-walk{PLIES_OF_WALKS[number]}", with_one_cell(board)
    for number, num_cells in CELLS_OF_DIGS.items():
        yield f"ms{number}-cells{num_cells}-dug", dug_board(number, num_cells)
    for number, ranks in LONG_RUNS.items():
        yield f"ms{number}-long-column", long_column_board(number, ranks)
    rng = random.Random(0)
    for num_cells, num_left in CELLS_AND_CARDS_OF_ENDGAMES:
        board = oracle.random_endgame(rng, num_cells, num_left)
        yield f"endgame-cells{num_cells}-left{num_left}", board


def walk_board(number: int, num_cells: int, num_plies: int) -> Board:
    """A board that a random walk meets after at least this many plies, with 6 plies left or more.

    Few walks last long with few cells. So the walk has eight, and the board is the first one that
    needs no more than `num_cells` of them.
    """

    def choose(rng: random.Random, board: Board, plies: list[Ply]) -> Ply:
        # A walk that does not care soon fills the cells and sticks.
        useful = [ply for ply in plies if ply[1] in ("home", *oracle.CARDS)]
        return rng.choice(useful if useful and rng.random() < 0.7 else plies)

    for seed in count():
        boards = list(walk(random.Random(seed), oracle.ms_deal(number, 8), choose))
        for board in boards[num_plies:]:
            in_cells = [card for card in board.cells if card is not None]
            if len(in_cells) <= num_cells:
                cells = in_cells + [None] * (num_cells - len(in_cells))
                fewer = Board(board.columns, cells, board.foundations)
                if len(oracle.distinct_plies(fewer)) >= 6:
                    return fewer
    raise AssertionError("count() does not end")


def with_one_cell(board: Board) -> Board:
    """The board with one cell; cards in other cells go on the shortest columns."""
    in_cells = [card for card in board.cells if card is not None]
    columns = [list(column) for column in board.columns]
    for card in in_cells[1:]:
        min(columns, key=len).append(card)
    return oracle.board_from_columns(columns, in_cells[:1], board.foundations, num_cells=1)


def dug_board(number: int, num_cells: int) -> Board:
    """A board with an empty column, and in a column whose dealt cards are gone a run of two or
    more; from the first seed that meets one."""

    def reluctance(rng: random.Random, board: Board, ply: Ply) -> float:
        _, kind, (source, _) = ply
        if kind in oracle.CARDS or kind == "home":
            return 0
        if source in oracle.CELL_PLACES:
            return 5 * rng.random()
        return len(oracle.column_at(board, source)) + 4 * rng.random()

    def choose(rng: random.Random, board: Board, plies: list[Ply]) -> Ply:
        return min(plies, key=lambda ply: reluctance(rng, board, ply))

    deal = oracle.ms_deal(number, num_cells)
    for seed in count():
        for board in walk(random.Random(seed), deal, choose):
            if [] in board.columns and any(
                len(column) == oracle.run_length(column) >= 2 and column[0] != dealt[0]
                for column, dealt in zip(board.columns, deal.columns, strict=True)
            ):
                return board
    raise AssertionError("count() does not end")


def walk(
    rng: random.Random, board: Board, choose: Callable[[random.Random, Board, list[Ply]], Ply]
) -> Iterator[Board]:
    """The board itself, then the boards after each of up to 60 chosen raw plies."""
    yield board
    for _ in range(60):
        plies = oracle.distinct_plies(board)
        if not plies:
            return
        _, _, move = choose(rng, board, plies)
        board = oracle.apply_move(board, *move)
        yield board


def long_column_board(number: int, ranks: str) -> Board:
    """The deal with the spades of these ranks, king first, as a run on the king's column."""
    run = [rank + "S" for rank in ranks]
    columns = []
    for column in oracle.ms_deal(number).columns:
        others = [card for card in column if card not in run]
        columns.append(others + run if run[0] in column else others)
    return oracle.board_from_columns(columns, num_cells=2)


def perft_entry(name: str, board: Board) -> dict[str, object]:
    """The board and its counts, as the file holds them: lists of [paths, distinct] by depth."""
    return {
        "name": name,
        "num_cells": board.num_cells,
        "columns": board.columns,
        "cells": board.cells,
        "foundations": board.foundations,
        "raw": _counts(oracle.perft, board),
        "closed": _counts(oracle.perft_closed, board),
    }


def _counts(perft: Callable[[Board, int], list[tuple[int, int]]], board: Board) -> object:
    counts = perft(board, DEPTH - 1)
    return counts if counts[-1][1] > MANY_POSITIONS else perft(board, DEPTH)


def main() -> None:
    """Writes the file, one board a line."""
    entries = [json.dumps(perft_entry(name, board)) for name, board in perft_boards()]
    source = json.dumps("python -m tests.make_perft; see its docstring and tests/oracle.py")
    PERFT_PATH.parent.mkdir(exist_ok=True)
    PERFT_PATH.write_text(
        f'{{"source": {source},\n"boards": [\n' + ",\n".join(entries) + "\n]}\n", encoding="ascii"
    )


if __name__ == "__main__":
    main()
