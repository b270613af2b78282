"""Any position in any format is read as that position or refused, never as another."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boulanger.engine.boards.text import parse_board
from boulanger.engine.boards.writing import format_board
from boulanger.engine.cards import NUM_CARDS, card_text
from boulanger.engine.errors import BoardError
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, legal_actions
from tests.board_samples import any_positions, microsoft_deal
from tests.board_writers import WRITERS, Writer

# Formats in which no position of a game may be refused.
ALWAYS_READ = {
    "own", "JSON", "columns, colons", "Freecell Solver's state", "rows, gaps written",
    "JSON objects", "KPatience", "PDDL", "deal order", "UTF-16", "numbered columns", "French",
    "German", "Hungarian", "Croatian", "Hebrew", "in words",
}  # fmt: skip


def game_position(rng: random.Random, num_actions: int) -> Position:
    """A board after that many random actions of a random game."""
    deck = list(range(NUM_CARDS))
    rng.shuffle(deck)
    position = Position.from_deal(deck, rng.choice((4, 4, 4, 2, 1, 3, 5, 8)))
    for _ in range(num_actions):
        actions = legal_actions(position)
        if not actions:
            break
        home = [action for action in actions if action.destination.zone == 2]
        onto = [action for action in actions if action.destination.zone == 0]
        position = apply_action(
            position, rng.choice(home or (rng.random() < 0.8 and onto) or actions)
        )
    return position


def eight_high(rng: random.Random) -> Position:
    """A position of a game whose longest column has eight cards."""
    while True:
        position = game_position(rng, rng.randint(5, 60))
        if max(map(len, position.columns)) == 8:
            return position


def outcome(writer: Writer, position: Position) -> str:
    """ "read", "refused" or "not written"; an assertion fails if another board was read."""
    text = writer.write(position)
    if text is None or position.is_won:
        return "not written"
    data = text.encode("utf-16") if writer.name == "UTF-16" else text.encode()
    try:
        board = parse_board(data, position.num_cells)
    except BoardError as error:
        assert "\n" not in str(error)
        return "refused"
    if writer.loses:
        assert sorted(board.position.columns) == sorted(position.columns)
        assert sorted(c for c in board.position.cells if c is not None) == sorted(
            c for c in position.cells if c is not None
        )
        assert board.position.foundations == position.foundations
    else:
        assert board.position == position, (writer.name, text, board.notes)
    if "rows" in writer.name and board.reader == "rows":
        assert any("read as rows" in note for note in board.notes)
    return "read"


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.name)
def test_fresh_deals_are_read_in_every_format(writer: Writer) -> None:
    for number in (1, 24, 11982):
        assert outcome(writer, microsoft_deal(number)) == "read"


def _try_all(positions: list[Position]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {writer.name: Counter() for writer in WRITERS}
    for position in positions:
        for writer in WRITERS:
            result = outcome(writer, position)
            counts[writer.name][result] += 1
            assert result != "refused" or writer.name not in ALWAYS_READ, (writer.name, position)
    return counts


def test_positions_of_games() -> None:
    rng = random.Random(1)
    counts = _try_all([game_position(rng, rng.randint(0, 120)) for _ in range(60)])
    for name, count in counts.items():
        assert count["refused"] <= 15, (name, count)


def test_rows_that_are_eight_high() -> None:
    rng = random.Random(2)
    counts = _try_all([eight_high(rng) for _ in range(60)])
    for name in ("rows, blanks", "rows, blanks kept", "rows, suit first", "rows, tens wide"):
        assert counts[name]["read"] >= 50, counts[name]


@given(any_positions(), st.sampled_from(WRITERS))
def test_any_position(position: Position, writer: Writer) -> None:
    outcome(writer, position)


@pytest.mark.slow
def test_ten_thousand_positions() -> None:
    rng = random.Random(3)
    for _ in range(100):
        positions = [game_position(rng, rng.randint(0, 150)) for _ in range(70)]
        _try_all([*positions, *(eight_high(rng) for _ in range(30))])


def test_the_written_form_is_read_back_even_if_as_rows_it_is_a_fresh_deal() -> None:
    rows = [list(row) for row in zip(*(c[:6] for c in microsoft_deal(1).columns), strict=True)]
    rows.append([column[6] for column in microsoft_deal(1).columns[:4]])
    position = Position((*(tuple(row) for row in rows), ()), (None,) * 4, (0, 0, 0, 0))
    text = format_board(position)
    assert parse_board(text).position == position
    assert parse_board(text.replace("# columns\n", "")).position == microsoft_deal(1)


def test_lines_that_are_called_columns_are_never_rows() -> None:
    """Found by mutation: a line that is no board's must not make rows of labelled columns."""
    position = microsoft_deal(1)
    lines = [
        f"Column {c}: " + " ".join(map(card_text, column))
        for c, column in enumerate(position.columns, start=1)
    ]
    assert parse_board("\n".join(lines)).position == position
    text = "\n".join(["Foundations: H-0 C-0 D-0 S-0", "< - - - -", *lines])
    assert parse_board(text).position == position


def test_tens_tell_where_columns_stand_when_those_at_both_ends_are_empty() -> None:
    """Found by hypothesis: two columns four characters apart were taken to be five apart."""
    tens = [card for card in range(39) if card % 13 == 9]
    others = [card for card in range(39) if card % 13 != 9]
    columns = (*[()] * 5, tuple(others[:14]), (*others[14:], *tens), ())
    position = Position(columns, (), (0, 0, 0, 13))
    (write,) = [writer.write for writer in WRITERS if writer.name == "rows, tens wide"]
    board = parse_board(write(position))
    assert board.position == position
