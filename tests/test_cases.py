"""Every file of tests/data/cases gives what the README there says.

Moves are tested in `test_movelists`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boulanger.engine.boards.parsed import ParsedBoard
from boulanger.engine.boards.text import parse_board
from boulanger.engine.cards import parse_card
from boulanger.engine.deals.ms_search import find_ms_deal
from boulanger.engine.position import Position
from boulanger.solver.optimal.shortest import find_shortest
from boulanger.solver.optimal.solve import solve
from boulanger.solver.result import Measure, Verdict
from tests.board_samples import cards, error_of, microsoft_deal

CASES = Path(__file__).parent / "data" / "cases"
MOVE_FILES = {
    "alaatm-moves-ms24.txt", "codegolf-moves-ms24.txt", "fcs-moves-snx-ms24.txt",
    "fcs-moves-snx-ms3-body.txt", "fcs-moves-snx-ms3.txt", "fcs-rest-of-24.moves",
    "hawkfish-moves-ms24.txt", "patsolve-win-ms24.txt", "rainfall-moves-ms24.txt",
}  # fmt: skip
BOARD_FILES = sorted(
    path.name for path in CASES.iterdir() if path.name not in {*MOVE_FILES, "README.md"}
)
MS_FILES = [name for name in BOARD_FILES if re.search(r"ms\d+\b", name)] + [
    "kpat-shuffle-test-24-rows.txt", "rust-rows-advice-followed.txt", "fcs-transpose-1.txt",
]  # fmt: skip
# Those whose names do not say the deal.
NUMBERS = {
    "kpat-shuffle-test-24-rows.txt": 24, "rust-rows-advice-followed.txt": 1,
    "fcs-transpose-1.txt": 24,
}  # fmt: skip

# By number of cells, W for a board that can be won and L for one that cannot: from the program that
# wrote the file or from an independent exhaustive search.
VERDICTS = {
    "fcs-transpose-2.txt": "4W 3W 2L",
    "pr-solver-spiele-01.txt": "4L",
    "pr-solver-spiele-12.txt": "4W",
    "pr-solver-spiele-24.txt": "4W",
    "lordpengwin-board.json": "4W",
    "lordpengwin-board2.json": "4W",
    "lordpengwin-board3.json": "4W",
    "lordpengwin-board4.json": "4W",
    "lordpengwin-board6.json": "4W",
    "node-addon-unsolvable.json": "4W",  # its author thought not
    "ipc2000-freecell-13-3.pddl": "4W 3W 2L 1L",
    "pysol-test-ms123456.txt": "4W 3L 2L",
    "hawkfish-no_aces.txt": "4W",
    "hawkfish-two_aces.txt": "4W",
    "hawkfish-two_aces_two.txt": "4W",
    "hawkfish-AH3H3C2D.txt": "4W",
    "hawkfish-7CTC3H9S.txt": "4L",
    "hawkfish-AD8CKS9H.txt": "4L",
    "hawkfish-AS2D6DJH.txt": "4L",
    "fcs-10016-full-cells-empty-column.txt": "4L",
    "fcs-10016-bare-foundations.txt": "4W",
    "fcs-10016-lowercase-mixed-colons.txt": "4W",
    "fcs-eight-off-314.txt": "8W",
    "fcs-forecell-1977.txt": "4L",
}
# In moves of one card, with the cells of the board.
SHORTEST = {
    "fcs-transpose-2.txt": 82,
    "lordpengwin-board.json": 105,
    "lordpengwin-board2.json": 79,
    "lordpengwin-board4.json": 91,
    "lordpengwin-board6.json": 101,
    "brainjam-0004.txt": 68,
    "brainjam-0015.txt": 98,
    "brainjam-0336.txt": 92,  # published as 93
}


def read(name: str) -> ParsedBoard:
    return parse_board((CASES / name).read_bytes())


@pytest.mark.parametrize("name", BOARD_FILES)
def test_every_board_is_read(name: str) -> None:
    board = read(name)
    board.position.check()
    assert board.reader
    if board.reader == "rows":
        assert any("read as rows" in note for note in board.notes)


@pytest.mark.parametrize("name", MS_FILES)
def test_microsoft_deals(name: str) -> None:
    found = re.search(r"ms(\d+)", name)
    number = NUMBERS[name] if name in NUMBERS else int(found[1]) if found else 0
    assert read(name).position == microsoft_deal(number)


def test_rows_whose_ended_columns_leave_a_gap() -> None:
    assert read("fcs-transpose-2.txt").position == read("fcs-transpose-2-columns.txt").position
    boards = {read(f"fcs-transpose-{n}.txt").position for n in (3, 4, 5, 6, 7)}
    assert len(boards) == 1


def test_cells_in_their_places() -> None:
    position = read("fcs-p-state-blank-cell.txt").position
    assert position.cells == (None, parse_card("8H"), None, None)
    midgame = read("js-print-midgame.txt").position
    assert midgame.cells == (None, None, None, parse_card("2C"))
    assert midgame.foundations == (1, 1, 1, 1)
    assert read("fcs-fc-prefix-founds.txt").position.cells[0] == parse_card("QD")
    assert read("fcs-eight-off-314.txt").position.num_cells == 8
    assert read("resolvitaire-eight-off-0.json").position.num_cells == 8
    forecell = read("resolvitaire-forecell-same-suit-11.json").position
    assert forecell.cells == cards("9C 3H AD AC")


def test_empty_columns() -> None:
    position = read("pysolfc-export-first-column-empty.txt").position
    assert position.columns[0] == ()
    assert position.columns[1] == cards("9D 8D 7D")
    assert read("fcs-10016-full-cells-empty-column.txt").position.columns[7] == ()


def test_german_boards_equal_their_columns() -> None:
    for number in ("01", "12", "24"):
        german = read(f"pr-solver-spiele-{number}.txt")
        assert german.language == "German"
        assert "German" in german.notes[0]
        assert german.position == read(f"pr-solver-{number}-columns.txt").position


def test_rows_of_json() -> None:
    boards = [
        read(f"node-addon-unsolvable{end}").position for end in (".json", "-rows.txt", "-cols.txt")
    ]
    assert boards[0] == boards[1] == boards[2]


def test_the_planning_competitions_board_is_deal_3_in_another_order() -> None:
    board = read("ipc2000-freecell-13-3.pddl")
    assert sorted(board.position.columns) == sorted(microsoft_deal(3).columns)
    assert board.told_cells == 4
    assert "number the columns" in board.notes[0]


def test_the_first_state_of_a_transcript() -> None:
    for name, number in (("fcs-full-transcript-ms24-sn.txt", 24), ("fcs-ms3.sol", 3)):
        board = read(name)
        assert board.position == microsoft_deal(number)
        assert "the first one read" in board.notes[0]


@pytest.mark.parametrize("name", sorted(MOVE_FILES - {"fcs-rest-of-24.moves"}))
def test_moves_are_no_board(name: str) -> None:
    assert error_of((CASES / name).read_bytes())


def test_what_was_passed_over_is_told() -> None:
    assert any("passed over: line 1" in note for note in read("rosetta-heading-ms1.txt").notes)
    assert any("passed over" in note for note in read("rosetta-r-matrix-ms1.txt").notes)


def test_rows_may_not_be_told_to_be_columns() -> None:
    data = (CASES / "fcs-transpose-2.txt").read_bytes()
    rows = parse_board(data, layout="rows").position
    columns = parse_board(data, layout="columns").position
    assert rows == read("fcs-transpose-2.txt").position
    assert columns != rows
    assert isinstance(columns, Position)


@pytest.mark.parametrize("name", VERDICTS)
def test_published_verdicts(name: str) -> None:
    position = read(name).position
    for told in VERDICTS[name].split():
        verdict = solve(position.with_num_cells(int(told[0]))).verdict
        assert verdict is {"W": Verdict.WINNABLE, "L": Verdict.UNWINNABLE}[told[1]], told


@pytest.mark.parametrize("name", SHORTEST)
def test_published_lengths(name: str) -> None:
    result = find_shortest(read(name).position, Measure.PLIES)
    assert result.is_proven
    assert result.length == SHORTEST[name]


def test_a_board_is_found_among_microsofts_deals_or_is_none() -> None:
    found = find_ms_deal(read("pysol-test-ms123456.txt").position.columns)
    assert found is not None
    assert (found.number, found.is_same_order) == (123456, True)
    assert find_ms_deal(read("pysolfc-deal-123456.txt").position.columns) is None
