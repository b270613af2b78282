"""Baker's Game once more, from plain lists of cards: the yardstick for engine and solver.

Written from the rules alone, slow and plain, and importing nothing of the project, so that a
mistake would have to be made twice, in two unlike ways, to go unseen.

A card is two characters, rank (A 2-9 T J Q K) and suit (S H D C): "TH" is the ten of hearts. A
place is one character: "1".."8" for the columns, "a".."g" and "i" for the cells (h is skipped),
"h" for home, that is the foundations. A *raw* move is any legal move: nothing is forced, nothing
goes home by itself.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

RANKS = "A23456789TJQK"
SUITS = "SHDC"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]

COLUMN_PLACES = "12345678"
CELL_PLACES = "abcdefgi"
HOME = "h"

Move = tuple[str, str]
"""A single-card move: (source, destination)."""

Action = tuple[str, str, int]
"""A move of one or more cards at once: (source, destination, number of cards)."""

Key = tuple[tuple[tuple[str, ...], ...], tuple[str, ...], tuple[int, ...]]
"""A physical position: the columns in sorted order, each from its first card to its exposed one;
the cells in sorted order, "" for a free one; the foundations' top ranks in the order of SUITS. An
empty column sorts before all others, and a free cell before all others."""


class BoardTooLargeError(Exception):
    """An exhaustive search met more positions than it was allowed."""


@dataclass
class Board:
    """Eight columns of cards, the last card exposed; the cells; the top rank (0..13) by suit."""

    columns: list[list[str]]
    cells: list[str | None]
    foundations: dict[str, int]

    @property
    def num_cells(self) -> int:
        """How many cells the game has, free or not."""
        return len(self.cells)

    def copy(self) -> "Board":
        """Another board with the same cards."""
        return Board(
            [list(column) for column in self.columns], list(self.cells), dict(self.foundations)
        )


def rank_of(card: str) -> int:
    """1 for an ace .. 13 for a king."""
    return RANKS.index(card[0]) + 1


def suit_of(card: str) -> str:
    """One of "S", "H", "D", "C"."""
    return card[1]


def is_parent(upper: str, card: str) -> bool:
    """Whether `card` may lie on `upper`: same suit, `upper` exactly one rank higher."""
    return suit_of(upper) == suit_of(card) and rank_of(upper) == rank_of(card) + 1


# ---------------------------------------------------------------------------------------- boards


def board_from_columns(
    columns: Iterable[str | Sequence[str]],
    cells: Iterable[str | None] = (),
    foundations: dict[str, int] | None = None,
    num_cells: int = 4,
) -> Board:
    """A board from its cards; a column is a list of cards, or one text with blanks between them.

    Missing columns and cells are empty, missing suits of `foundations` have rank 0. Raises
    ValueError unless each of the 52 cards is in exactly one place.
    """
    column_lists = [c.split() if isinstance(c, str) else list(c) for c in columns]
    cell_list = list(cells)
    ranks = {suit: 0 for suit in SUITS} | (foundations or {})
    if len(column_lists) > 8:
        raise ValueError(f"{len(column_lists)} columns: at most 8")
    if not 0 <= num_cells <= len(CELL_PLACES):
        raise ValueError(f"{num_cells} cells: 0 to {len(CELL_PLACES)}")
    if len(cell_list) > num_cells:
        raise ValueError(f"{len(cell_list)} cells given: at most {num_cells}")
    if set(ranks) != set(SUITS) or not all(0 <= rank <= 13 for rank in ranks.values()):
        raise ValueError(f"foundations {ranks}: ranks 0..13 for the suits {SUITS}")
    column_lists += [[] for _ in range(8 - len(column_lists))]
    cell_list += [None] * (num_cells - len(cell_list))

    cards = [card for column in column_lists for card in column]
    cards += [card for card in cell_list if card is not None]
    cards += [RANKS[i] + suit for suit in SUITS for i in range(ranks[suit])]
    if sorted(cards) != sorted(CARDS):
        wrong = sorted(c for c in {*cards, *CARDS} if cards.count(c) != CARDS.count(c))
        raise ValueError(f"each of the 52 cards must be in one place, see {' '.join(wrong)}")
    return Board(column_lists, cell_list, ranks)


def ms_deal(number: int, num_cells: int = 4) -> Board:
    """Deal `number` (1..32000) of Microsoft FreeCell; the m-th card goes to column m mod 8.

    The generator is the C library's x' = 214013 x + 2531011 mod 2^31, which gives x' / 2^16; see
    https://rosettacode.org/wiki/Deal_cards_for_FreeCell.
    """
    if not 1 <= number <= 32000:
        raise ValueError(f"deal number {number}: 1 to 32000")
    deck = [rank + suit for rank in RANKS for suit in "CDHS"]
    columns: list[list[str]] = [[] for _ in range(8)]
    state = number
    for m in range(52):
        state = (214013 * state + 2531011) % 2**31
        i = (state // 2**16) % len(deck)
        deck[i], deck[-1] = deck[-1], deck[i]
        columns[m % 8].append(deck.pop())
    return board_from_columns(columns, num_cells=num_cells)


def is_won(board: Board) -> bool:
    """Whether all 52 cards are home."""
    return all(board.foundations[suit] == 13 for suit in SUITS)


def cards_left(board: Board) -> int:
    """How many cards are not home."""
    return 52 - sum(board.foundations.values())


def physical_key(board: Board) -> Key:
    """Equal for two boards if and only if they differ in the order of columns and cells alone."""
    return (
        tuple(sorted(tuple(column) for column in board.columns)),
        tuple(sorted(card or "" for card in board.cells)),
        tuple(board.foundations[suit] for suit in SUITS),
    )


# ---------------------------------------------------------------------------- single-card moves


def places(board: Board) -> str:
    """The letters of all places: columns, cells, home."""
    return COLUMN_PLACES + CELL_PLACES[: board.num_cells] + HOME


def column_at(board: Board, place: str) -> list[str]:
    """The column "1".."8" itself, not a copy."""
    return board.columns[COLUMN_PLACES.index(place)]


def card_at(board: Board, place: str) -> str | None:
    """The card that could leave `place`: a column's exposed card, or a cell's; None if there is
    none, and for home always."""
    if place == HOME:
        return None
    if place in CELL_PLACES:
        return board.cells[CELL_PLACES.index(place)]
    column = column_at(board, place)
    return column[-1] if column else None


def why_not(board: Board, source: str, destination: str) -> str | None:
    """None if this single-card move is legal, else the reason why it is not."""
    for place in (source, destination):
        if len(place) != 1 or place not in places(board):
            return f"no place {place!r}"
    card = card_at(board, source)
    if card is None:
        return f"no card can leave {source}"
    if source == destination:
        return f"{source} is source and destination"
    if destination == HOME:
        top = board.foundations[suit_of(card)]
        if rank_of(card) != top + 1:
            return f"{card} does not follow rank {top} on its foundation"
    elif destination in CELL_PLACES:
        if source in CELL_PLACES:
            return "a card does not move from a cell to a cell"
        if card_at(board, destination) is not None:
            return f"cell {destination} is occupied"
    else:
        upper = card_at(board, destination)
        if upper is not None and not is_parent(upper, card):
            return f"{card} does not go on {upper}"
    return None


def legal_moves(board: Board) -> list[Move]:
    """Every legal single-card move, nothing forced and nothing left out.

    All free cells and all empty columns are listed, a lone card's move from its column to an
    empty column too. A card in a cell does not move to a cell.
    """
    letters = places(board)
    return [(s, d) for s in letters for d in letters if why_not(board, s, d) is None]


def apply_move(board: Board, source: str, destination: str) -> Board:
    """The board after one card has moved; the given board stays as it was.

    Raises ValueError if the move is not legal.
    """
    reason = why_not(board, source, destination)
    if reason is not None:
        raise ValueError(f"illegal move {source}{destination}: {reason}")
    after = board.copy()
    card = card_at(board, source)
    assert card is not None
    if source in CELL_PLACES:
        after.cells[CELL_PLACES.index(source)] = None
    else:
        column_at(after, source).pop()
    if destination == HOME:
        after.foundations[suit_of(card)] += 1
    elif destination in CELL_PLACES:
        after.cells[CELL_PLACES.index(destination)] = card
    else:
        column_at(after, destination).append(card)
    return after


def close(board: Board) -> Board:
    """The board after all possible foundation moves, until none is left."""
    while True:
        home_moves = [(s, d) for s, d in legal_moves(board) if d == HOME]
        if not home_moves:
            return board
        board = apply_move(board, *home_moves[0])


# --------------------------------------------------------------------------------------- actions


def run_length(column: Sequence[str]) -> int:
    """How many cards at the end of a column are in order: one suit, consecutive ranks."""
    if not column:
        return 0
    length = 1
    while length < len(column) and is_parent(column[-length - 1], column[-length]):
        length += 1
    return length


def supermove_limit(num_free_cells: int, num_empty_columns: int) -> int:
    """The most cards that move at once; an empty destination column must not be counted."""
    return (num_free_cells + 1) << num_empty_columns


def board_limit(board: Board, destination: str) -> int:
    """The most cards that move at once to this column."""
    num_empty = sum(
        1 for place in COLUMN_PLACES if place != destination and not column_at(board, place)
    )
    return supermove_limit(board.cells.count(None), num_empty)


def legal_actions(board: Board) -> list[Action]:
    """Every legal action, nothing forced: the single-card moves of `legal_moves` with length 1,
    and the moves of runs between columns, into an empty column once for each length.

    A whole column that is a run may move to an empty column.
    """
    actions = []
    for source in places(board):
        for destination in places(board):
            if source in COLUMN_PLACES and destination in COLUMN_PLACES:
                run = run_length(column_at(board, source))
                most = min(run, board_limit(board, destination))
                target = card_at(board, destination)
                for length in range(1, most + 1):
                    head = column_at(board, source)[-length]
                    if source != destination and (target is None or is_parent(target, head)):
                        actions.append((source, destination, length))
            elif why_not(board, source, destination) is None:
                actions.append((source, destination, 1))
    return actions


def apply_action(board: Board, text: str) -> Board:
    """The board after one action in standard FreeCell notation, such as 26, a5, 3h, 5a, 28v3.

    From column to column, onto a card, the run whose head fits on that card moves; into an empty
    column the longest run that may, or as many cards as the hexadecimal digit after v says (onto a
    card it may be given too, and must be right). Raises ValueError if the action is not legal.
    """
    match = re.fullmatch(r"(.)(.)(?:v([1-9A-Da-d]))?", text)
    if match is None:
        raise ValueError(f"illegal action {text!r}: not of the form 26, a5, 3h, 5a, 28v3")
    source, destination, digit = match.groups()
    if source in COLUMN_PLACES and destination in COLUMN_PLACES:
        return _move_run(board, text, source, destination, int(digit, 16) if digit else None)
    if digit is not None:
        raise ValueError(f"illegal action {text!r}: v is for moves between columns")
    return apply_move(board, source, destination)


def _move_run(board: Board, text: str, source: str, destination: str, wanted: int | None) -> Board:
    """Moves `wanted` cards between two columns, or as many as the target says if it is None."""

    def illegal(reason: str) -> ValueError:
        return ValueError(f"illegal action {text!r}: {reason}")

    cards = column_at(board, source)
    if source == destination:
        raise illegal(f"{source} is source and destination")
    if not cards:
        raise illegal(f"no card can leave {source}")
    target = card_at(board, destination)
    limit = board_limit(board, destination)
    if target is None:
        length = wanted or min(run_length(cards), limit)
    else:
        if suit_of(cards[-1]) != suit_of(target):
            raise illegal(f"{cards[-1]} and {target} are of two suits")
        length = rank_of(target) - rank_of(cards[-1])
        if length <= 0:
            raise illegal(f"{cards[-1]} is not below {target}")
        if wanted not in (None, length):
            raise illegal(f"onto {target} {length} cards would move, not {wanted}")
    if length > run_length(cards):
        raise illegal(f"{length} cards would move, {run_length(cards)} are in order")
    if length > limit:
        raise illegal(f"{length} cards would move, {limit} can")
    after = board.copy()
    column_at(after, destination).extend(cards[-length:])
    del column_at(after, source)[-length:]
    return after


def replay(board: Board, actions: Iterable[str]) -> tuple[Board, int]:
    """The board after the actions, and the score they bring.

    10 for each card put home, 5 for each card put from a cell onto the tableau. Raises ValueError
    at the first action that is not legal.
    """
    score = 0
    for text in actions:
        board = apply_action(board, text)
        if text[1] == HOME:
            score += 10
        elif text[0] in CELL_PLACES and text[1] in COLUMN_PLACES:
            score += 5
    return board, score


# ----------------------------------------------------------------------------------------- perft


def distinct_plies(board: Board) -> list[tuple[str, str, Move]]:
    """The legal single-card moves, one for each (card, kind of destination).

    A kind is "home", "cell", "empty column" or the parent card: of several free cells only one
    counts, and of several empty columns. A lone card's move to an empty column is among them.
    """
    plies: dict[tuple[str, str], Move] = {}
    for source, destination in legal_moves(board):
        card = card_at(board, source)
        assert card is not None
        if destination == HOME:
            kind = "home"
        elif destination in CELL_PLACES:
            kind = "cell"
        else:
            kind = card_at(board, destination) or "empty column"
        plies.setdefault((card, kind), (source, destination))
    return [(card, kind, move) for (card, kind), move in plies.items()]


def perft(board: Board, depth: int) -> list[tuple[int, int]]:
    """(paths, distinct positions) after exactly 0, 1 .. `depth` raw single-card plies.

    A ply counts once for each (card, kind of destination), where the kinds are home, a cell, an
    empty column, the card's parent. So a lone card's move from its column to an empty column
    counts as a path, though it changes nothing physically; of several free cells (or empty
    columns) only one counts; a move from cell to cell does not exist. Foundation moves are plies
    like others, and none is forced. Two positions are distinct if their physical keys differ. A
    position counts at each depth at which it can be reached.
    """
    return _perft(board, depth, _raw_successors)


def perft_closed(board: Board, depth: int) -> list[tuple[int, int]]:
    """(paths, distinct positions) after 0, 1 .. `depth` plies that are not foundation moves.

    The board is closed first and again after each ply: all foundation moves that can be made are
    made and do not count. A ply counts once for each (card, kind of destination), where the kinds
    are a cell, an empty column, the card's parent; two kinds count as two paths even where the
    card goes home at once from both. A lone card's move from its column to an empty column is no
    ply here, nor is a move from cell to cell.
    """
    return _perft(close(board), depth, closed_successors)


def _perft(
    board: Board, depth: int, successors: Callable[[Board], list[Board]]
) -> list[tuple[int, int]]:
    # What can follow depends on the physical position alone, so paths that meet go on together.
    level = {physical_key(board): (board, 1)}
    counts = [(1, 1)]
    for _ in range(depth):
        next_level: dict[Key, tuple[Board, int]] = {}
        for before, num_paths in level.values():
            for after in successors(before):
                key = physical_key(after)
                known = next_level.get(key, (after, 0))
                next_level[key] = (known[0], known[1] + num_paths)
        level = next_level
        counts.append((sum(num_paths for _, num_paths in level.values()), len(level)))
    return counts


def _raw_successors(board: Board) -> list[Board]:
    return [apply_move(board, *move) for _, _, move in distinct_plies(board)]


def closed_successors(board: Board) -> list[Board]:
    """The closed boards one ply away from a closed one, a board for each ply of `perft_closed`."""
    boards = []
    for _, kind, (source, destination) in distinct_plies(board):
        is_lone = source in COLUMN_PLACES and len(column_at(board, source)) == 1
        if kind != "home" and not (is_lone and kind == "empty column"):
            boards.append(close(apply_move(board, source, destination)))
    return boards


# ----------------------------------------------------------------------------- exhaustive search


def winnable(board: Board, max_positions: int | None = None) -> bool:
    """Whether the board can be won: complete search over raw plies, nothing forced or pruned.

    The verdict does not depend on the order in which positions are visited; the newest come first,
    since that finds most wins early. Raises BoardTooLargeError if it meets more than
    `max_positions` positions without an answer.
    """
    start = physical_key(board)
    seen = {start}
    waiting = [start]
    while waiting:
        before = waiting.pop()
        if before[2] == _WON:
            return True
        for after in _ply_keys(before):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        _check_size(seen, max_positions)
    return False


def shortest_plies(board: Board, max_positions: int | None = None) -> int | None:
    """The fewest single-card moves that win, foundation moves counted; None if none do.

    Raises BoardTooLargeError if the search meets more than `max_positions` positions.
    """
    return _shortest(board, _ply_keys, max_positions)


def shortest_actions(board: Board, max_positions: int | None = None) -> int | None:
    """The fewest actions that win; None if none do.

    A run of any legal length that moves at once counts 1, each card put home counts 1.
    Raises BoardTooLargeError if the search meets more than `max_positions` positions.
    """
    return _shortest(board, _action_keys, max_positions)


def _shortest(
    board: Board, successors: Callable[[Key], list[Key]], max_positions: int | None
) -> int | None:
    """Complete search for the fewest steps to the position with all cards home.

    Every win puts each card home that is not there yet, one step each. So the fewest steps are
    these and the fewest others; positions are visited in the order of the number of others needed
    to reach them, where a foundation move costs nothing.
    """
    done: set[Key] = set()
    level = {physical_key(board)}
    num_others = 0
    while level:
        next_level: set[Key] = set()
        waiting = list(level)
        while waiting:
            before = waiting.pop()
            if before in done:
                continue
            done.add(before)
            if before[2] == _WON:
                return cards_left(board) + num_others
            for after in successors(before):
                if after[2] != before[2]:
                    waiting.append(after)
                else:
                    next_level.add(after)
            _check_size(done, max_positions)
        level = next_level - done
        num_others += 1
    return None


def _check_size(seen: set[Key], max_positions: int | None) -> None:
    if max_positions is not None and len(seen) > max_positions:
        raise BoardTooLargeError(f"more than {max_positions} positions")


# The search works on keys, since most of its time would go into boards otherwise. These two
# functions say once more what follows from a position, without the moves that change nothing
# physically; the tests compare them with `legal_moves` and `legal_actions`.

_WON = (13, 13, 13, 13)
_PARENT = {card: upper for card in CARDS for upper in CARDS if is_parent(upper, card)}
_RANK = {card: rank_of(card) for card in CARDS}
_SUIT_INDEX = {card: SUITS.index(suit_of(card)) for card in CARDS}


def _ply_keys(key: Key) -> list[Key]:
    """The positions one raw single-card ply away."""
    columns, cells, foundations = key
    has_empty = not columns[0]
    keys: list[Key] = []
    for i, column in enumerate(columns):
        if not column:
            continue
        card, stays = column[-1], column[:-1]
        if _goes_home(card, foundations):
            keys.append((_with(columns, i, stays), cells, _raised(foundations, card)))
        for j, target in enumerate(columns):
            if target and target[-1] == _PARENT.get(card) and i != j:
                moved = _with(columns, i, stays, j, (*target, card))
                keys.append((moved, cells, foundations))
        if has_empty and stays:
            keys.append((_with(columns, i, stays, 0, (card,)), cells, foundations))
        if cells and cells[0] == "":
            filled = tuple(sorted((*cells[1:], card)))
            keys.append((_with(columns, i, stays), filled, foundations))
    for i, card in enumerate(cells):
        if card == "":
            continue
        emptied = ("", *cells[:i], *cells[i + 1 :])
        if _goes_home(card, foundations):
            keys.append((columns, emptied, _raised(foundations, card)))
        for j, target in enumerate(columns):
            if target and target[-1] == _PARENT.get(card):
                keys.append((_with(columns, j, (*target, card)), emptied, foundations))
        if has_empty:
            keys.append((_with(columns, 0, (card,)), emptied, foundations))
    return keys


def _action_keys(key: Key) -> list[Key]:
    """The positions one raw action away."""
    keys = _ply_keys(key)
    columns, cells, foundations = key
    num_empty = columns.count(())
    limit = supermove_limit(cells.count(""), num_empty)
    for i, column in enumerate(columns):
        for length in range(2, run_length(column) + 1):
            stays, run = column[:-length], column[-length:]
            for j, target in enumerate(columns):
                if target and target[-1] == _PARENT.get(run[0]) and i != j and length <= limit:
                    keys.append((_with(columns, i, stays, j, target + run), cells, foundations))
            # The first column is an empty one. It is the destination, which halves the limit.
            if num_empty and stays and 2 * length <= limit:
                keys.append((_with(columns, i, stays, 0, run), cells, foundations))
    return keys


def _goes_home(card: str, foundations: tuple[int, ...]) -> bool:
    return _RANK[card] == foundations[_SUIT_INDEX[card]] + 1


def _raised(foundations: tuple[int, ...], card: str) -> tuple[int, ...]:
    ranks = list(foundations)
    ranks[_SUIT_INDEX[card]] += 1
    return tuple(ranks)


def _with(
    columns: tuple[tuple[str, ...], ...],
    i: int,
    column_i: tuple[str, ...],
    j: int | None = None,
    column_j: tuple[str, ...] = (),
) -> tuple[tuple[str, ...], ...]:
    """The columns in sorted order after column i, and column j if given, have been replaced."""
    replaced = list(columns)
    replaced[i] = column_i
    if j is not None:
        replaced[j] = column_j
    replaced.sort()
    return tuple(replaced)


# --------------------------------------------------------------------------------- random boards


def random_endgame(rng: random.Random, num_cells: int, num_left: int) -> Board:
    """A random board with `num_left` cards (0..52) not home.

    The foundations' ranks are random; so is the number of cells and of columns that are taken.
    Nearly any small board with room left can be won, so half of the boards are made hard: as many
    cells and columns taken as there are cards for, and low cards mostly under high ones.
    """
    is_hard = rng.random() < 0.5
    ranks = {suit: 13 for suit in SUITS}
    for _ in range(num_left):
        ranks[rng.choice([suit for suit in SUITS if ranks[suit] > 0])] -= 1
    cards = [card for card in CARDS if rank_of(card) > ranks[suit_of(card)]]
    rng.shuffle(cards)
    if is_hard:
        cards.sort(key=lambda card: rank_of(card) - ranks[suit_of(card)] + rng.uniform(0, 2))
    num_in_cells = min(num_cells, num_left) if is_hard else rng.randint(0, min(num_cells, num_left))
    cells: list[str | None] = [cards.pop() for _ in range(num_in_cells)]
    cells += [None] * (num_cells - num_in_cells)
    rng.shuffle(cells)
    num_columns = 8 if is_hard else rng.randint(1, 8)
    columns: list[list[str]] = [[] for _ in range(8)]
    for i, card in enumerate(cards):
        # Each column that is to be taken gets one card first.
        columns[i if i < num_columns else rng.randrange(num_columns)].append(card)
    rng.shuffle(columns)
    return board_from_columns(columns, cells, ranks, num_cells)


def random_walk(rng: random.Random, board: Board, steps: int) -> Iterator[Board]:
    """The board itself, then the boards after each of up to `steps` random raw plies.

    Ends early where no ply is legal. Each (card, kind of destination) is as likely as any other.
    """
    yield board
    for _ in range(steps):
        plies = distinct_plies(board)
        if not plies:
            return
        _, _, move = rng.choice(plies)
        board = apply_move(board, *move)
        yield board
