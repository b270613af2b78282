"""Lists of moves in every style: the cases, what players say, what is refused, round trips."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boulanger.engine.boards.text import parse_board
from boulanger.engine.errors import NotationError
from boulanger.engine.game import replay
from boulanger.engine.movelists.reading import is_moves, read_moves
from boulanger.engine.movelists.writing import MOVE_WRITERS, write_moves
from boulanger.engine.moves import Action
from boulanger.engine.notation import parse_action
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, legal_actions
from tests.board_samples import microsoft_deal
from tests.strategies import cards

CASES = Path(__file__).parent / "data" / "cases"
MS_24 = microsoft_deal(24)

# A run of three (9H-7H) in column 1 and two empty columns, 7 and 8.
RUNS = Position(
    (
        cards("KS JS QS KH 9H 8H 7H"), cards("JH TH"), cards("KC JC QC QH"), cards("TC 9C"),
        cards("8C"), cards("TS 9S"), (), (),
    ),
    (None, None, None, None, None, None),
    (8, 6, 13, 7),
)  # fmt: skip
RUNS.check()


@pytest.mark.parametrize(
    ("name", "number", "num_moves", "style"),
    [
        ("fcs-moves-snx-ms3.txt", 3, 96, "output"),
        ("fcs-moves-snx-ms24.txt", 24, 102, "output"),
        ("fcs-full-transcript-ms24-sn.txt", 24, 102, "output"),
        ("fcs-ms3.sol", 3, 96, "sentences"),
        ("patsolve-win-ms24.txt", 24, 95, "words"),
        ("codegolf-moves-ms24.txt", 24, 95, "f-home"),
        ("alaatm-moves-ms24.txt", 24, 93, "compact"),
        ("rainfall-moves-ms24.txt", 24, 95, "places"),
        ("hawkfish-moves-ms24.txt", 24, 95, "arrows"),
    ],
)
def test_the_cases_are_won(name: str, number: int, num_moves: int, style: str) -> None:
    replayed = replay(microsoft_deal(number), (CASES / name).read_text())
    assert replayed.is_won
    assert replayed.num_actions == num_moves
    assert replayed.style == style
    assert "read as" in replayed.notes[0]


def test_the_body_of_a_list_is_legal_in_freecell_solvers_notation_alone() -> None:
    text = (CASES / "fcs-moves-snx-ms3-body.txt").read_text()
    replayed = replay(microsoft_deal(3), text)
    assert replayed.fault is None
    assert replayed.style == "fcs"
    assert "takes one card" in replayed.notes[0]


def test_moves_from_a_state_with_a_card_in_cell_b() -> None:
    position = parse_board((CASES / "fcs-p-state-blank-cell.txt").read_bytes()).position
    assert replay(position, (CASES / "fcs-rest-of-24.moves").read_text()).is_won


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("4h", "4h"),
        ("AS home", "4h"),
        ("AS out", "4h"),
        ("ace of spades home", "4h"),
        ("7 to a", "7a"),
        ("7-a", "7a"),
        ("7>a", "7a"),
        ("7 a", "7a"),
        ("7a7b", "7a 7b"),
        ("JD to cell", "7a"),
        ("JD to cell b", "7b"),
        ("jd b", "7b"),
        ("JD from column 7 to cell a", "7a"),
        ("column 7 to cell c", "7c"),
        ("JD to freecell", "7a"),
        ("JD to temp", "7a"),
        ("JD onto QD", "72"),
        ("move JD onto QD", "72"),
        ("jack of diamonds onto queen of diamonds", "72"),
        ("1. AS home 2. JD to cell".replace(" 2.", "\n2."), "4h 7a"),
        ("AS home, then JD to cell; 7b", "4h 7a 7b"),
        ("AS home. JD to cell.", "4h 7a"),
        ("JD: 7 => 2", "72"),
        ("Move a card from stack 6 to freecell 2", "7c"),
        ("Move a card from stack 3 to the foundations\nnoise\n", "4h"),
        ("3h61{1}", "4h 72"),
        ("4 h1 / 7 2", "4h 72"),
    ],
)
def test_ways_to_say_moves_on_deal_24(text: str, moves: str) -> None:
    expected = MS_24
    for move in moves.split():
        expected = apply_action(expected, parse_action(expected, move))
    found = read_moves(MS_24, text)
    assert found.fault is None, found.fault
    assert found.position == expected
    assert is_moves(text)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("run of 3 from 1 to 7", "17v3"),
        ("run from 1 to 2", "12"),
        ("3 cards from column 1 to column 8", "18v3"),
        ("9H to empty column", "17v3"),
        ("9H-7H (3 cards) from column 1 to empty column 8", "18v3"),
        ("8H to an empty pile".replace("an ", ""), "17v2"),
        ("7H to empty column 8", "18v1"),
        ("9H onto TH", "12"),
        ("1 7 2", "17v2"),
        ("06{2}", "17v2"),
    ],
)
def test_ways_to_say_runs(text: str, moves: str) -> None:
    found = read_moves(RUNS, text)
    assert found.fault is None, found.fault
    assert found.actions == (parse_action(RUNS, moves),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("9H home", "one by one"),
        ("KS to cell", "KS is covered: column 1 ends in 7H"),
        ("AS to cell", "AS is home already"),
        ("8C from column 2 to cell", "8C is in column 5, not in column 2"),
        ("8C to cell g", "there is no cell g: 6 in play"),
        ("8C onto QH", "8C cannot go on QH"),
        ("8C onto KS", "KS is not at the end of a column"),
        ("column 9 to cell", "there is no column 9"),
        ("run of 4 from 1 to 7", "are not a run"),
    ],
)
def test_moves_in_words_that_cannot_be_played(text: str, reason: str) -> None:
    found = read_moves(RUNS, text)
    assert found.fault is not None
    assert reason in str(found.fault.error)


@pytest.mark.parametrize("text", ["6D", "7D 6C", "2H", "3D\n4C"])
def test_names_of_cards_are_no_moves(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_moves(MS_24, text)
    message = str(caught.value)
    assert repr(text.split()[0]) in message
    assert "it is a card" in message
    assert text.split()[0].lower() in message


def test_names_of_cards_among_moves_are_moves() -> None:
    assert read_moves(MS_24, "4H 7A 7D").fault is None
    assert read_moves(MS_24, "6d").fault is None


def test_no_v_is_one_card_if_the_list_fails_otherwise() -> None:
    # Our reading of 17 takes three cards, after which 8H is not at the end of column 1.
    one = read_moves(RUNS, "17 1a")
    assert one.style == "notation"
    assert len(one.position.columns[6]) == 3
    other = read_moves(RUNS, "17 78")
    assert other.fault is None
    first_of_two = read_moves(RUNS, "17 1a 1b 7a".replace("7a", "1c"))
    assert first_of_two.fault is None


def test_a_list_with_v_that_fits_both_readings_is_refused() -> None:
    with pytest.raises(NotationError, match="read in two ways"):
        read_moves(RUNS, "17 48v2")
    assert read_moves(RUNS, "17v1 48v2").fault is None


def test_f_is_a_cell_or_home_but_never_silently() -> None:
    # With six cells 5F can be cell f, and 8C can go home.
    with pytest.raises(NotationError, match="read in two ways"):
        read_moves(RUNS, "5F")
    assert read_moves(RUNS, "5h").position.foundations[3] == 8
    assert read_moves(RUNS, "5F 5F").fault is not None
    assert read_moves(RUNS, "5F 4F 4F").position.foundations[3] == 10


def random_game(seed: int, num_actions: int) -> tuple[Position, list[Action]]:
    rng = random.Random(seed)
    position = start = microsoft_deal(rng.randint(1, 32000))
    actions = []
    for _ in range(num_actions):
        legal = legal_actions(position)
        if not legal:
            break
        home = [action for action in legal if action.destination.zone == 2]
        action = rng.choice(home or legal)
        actions.append(action)
        position = apply_action(position, action)
    return start, actions


@given(st.integers(0, 10**6), st.sampled_from(sorted(MOVE_WRITERS)))
def test_what_is_written_in_a_style_is_read_back(seed: int, style: str) -> None:
    start, actions = random_game(seed, 40)
    text = "\n".join(write_moves(start, actions, style))
    try:
        found = read_moves(start, text)
    except NotationError as error:
        assert style == "fcs"
        assert "two ways" in str(error)
        return
    assert found.fault is None
    if style != "fcs" or "v" in text:
        assert found.actions == tuple(actions)


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    try:
        found = read_moves(MS_24, text)
    except NotationError as error:
        assert str(error)
    else:
        assert found.fault is None or str(found.fault.error)
