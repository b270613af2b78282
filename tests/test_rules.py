"""The rules on `Position`: literal boards, and properties on random ones."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boulanger.engine.cards import parse_card
from boulanger.engine.errors import IllegalMoveError
from boulanger.engine.moves import (
    Action,
    Place,
    Ply,
    Zone,
    cell_place,
    column_place,
    foundation_place,
)
from boulanger.engine.position import CELL_LETTERS, NUM_COLUMNS, Position
from boulanger.engine.rules import (
    apply_action,
    apply_ply,
    can_stack,
    check_action,
    close,
    legal_actions,
    legal_plies,
    longest_movable_run,
    moving_cards,
    pending_home,
    run_length,
    supermove_limit,
)
from boulanger.engine.supermoves import expand, gather
from tests.strategies import (
    SEEDS,
    board,
    cards,
    positions,
    random_deal,
    random_runs_board,
    random_walk,
)

HOME = Zone.FOUNDATION
C1, C2, C3, C4, C5, C6, C7, C8 = map(column_place, range(NUM_COLUMNS))
A, B = cell_place(0), cell_place(1)


def refusal(position: Position, action: Action) -> str:
    with pytest.raises(IllegalMoveError) as caught:
        check_action(position, action)
    return str(caught.value)


# Spades and clubs are home, hearts up to 2, diamonds up to 10.
SMALL = board(
    "KH 9H 8H 7H", "TH 6H 5H", "JH QH 3H", "KD QD JD", cells="4H - - -", home=(13, 2, 10, 13)
)

ONTO_LIMITS = {
    0: (1, 2, 4),
    1: (2, 4, 8),
    2: (3, 6, 12),
    3: (4, 8, 16),
    4: (5, 10, 20),
}
INTO_LIMITS = {0: (1, 2), 1: (2, 4), 2: (3, 6), 3: (4, 8), 4: (5, 10)}


@pytest.mark.parametrize("num_free_cells", range(5))
def test_supermove_limit_is_the_table_of_the_rules(num_free_cells: int) -> None:
    onto = tuple(supermove_limit(num_free_cells, empty) for empty in (0, 1, 2))
    into = tuple(supermove_limit(num_free_cells, empty - 1) for empty in (1, 2))
    assert onto == ONTO_LIMITS[num_free_cells]
    assert into == INTO_LIMITS[num_free_cells]


SPADES = ["KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S", "5S", "4S", "3S", "2S", "AS"]


def spades_board(
    length: int, num_free_cells: int, num_empty_columns: int, *, is_onto: bool
) -> Position:
    """The last `length` spades end column 1; if `is_onto`, the others are column 2.

    All clubs are home, diamonds up to 7; the rest is in disorder in column 3 and stuffs the cells
    and columns that are not to be empty.
    """
    held = ["TH", "8H", "6H", "4H"][num_free_cells:]
    fillers = ["QD", "JD", "TD", "9D", "8D"][num_empty_columns - (not is_onto) :]
    odd = [
        "2H",
        "QH",
        "AH",
        "KH",
        "JH",
        "9H",
        "7H",
        "5H",
        "3H",
        "TH",
        "8H",
        "6H",
        "4H",
        "QD",
        "JD",
        "TD",
        "9D",
        "8D",
    ]
    others = SPADES[: len(SPADES) - length]
    columns = [["KD", *SPADES[len(others) :]], *([others] if is_onto else [])]
    columns.append([name for name in odd if name not in [*held, *fillers]])
    if not is_onto:
        columns[1] = others + columns[1]
    columns += [[name] for name in fillers]
    return board(
        *map(" ".join, columns),
        cells=" ".join([*held, *["-"] * num_free_cells]),
        home=(0, 0, 7, 13),
    )


@pytest.mark.parametrize("num_free_cells", range(5))
@pytest.mark.parametrize("num_empty_columns", range(3))
def test_the_table_onto_a_card(num_free_cells: int, num_empty_columns: int) -> None:
    limit = ONTO_LIMITS[num_free_cells][num_empty_columns]
    for length in range(1, 13):
        position = spades_board(length, num_free_cells, num_empty_columns, is_onto=True)
        assert position.num_free_cells == num_free_cells
        assert position.num_empty_columns == num_empty_columns
        action = Action(C1, C2, length)
        assert (action in legal_actions(position)) == (length <= limit)
        if length <= limit:
            assert longest_movable_run(position, 0, 1) == length
            after = apply_action(position, action)
            assert after.columns[:2] == (cards("KD"), cards(" ".join(SPADES)))
        else:
            assert longest_movable_run(position, 0, 1) == 0
            assert refusal(position, action) == (
                f"a run of {length} cards cannot move to column 2: with "
                f"{num_free_cells} free cell{'' if num_free_cells == 1 else 's'} and "
                f"{num_empty_columns} empty column{'' if num_empty_columns == 1 else 's'} "
                f"at most {limit} can"
            )


@pytest.mark.parametrize("num_free_cells", range(5))
@pytest.mark.parametrize("num_empty_columns", [1, 2])
def test_the_table_into_an_empty_column(num_free_cells: int, num_empty_columns: int) -> None:
    limit = INTO_LIMITS[num_free_cells][num_empty_columns - 1]
    position = spades_board(13, num_free_cells, num_empty_columns, is_onto=False)
    assert position.num_free_cells == num_free_cells
    assert position.num_empty_columns == num_empty_columns
    assert longest_movable_run(position, 0, 7) == limit
    everything = legal_actions(position, all_places=True)
    lengths = [a.length for a in everything if (a.source, a.destination) == (C1, C8)]
    assert lengths == list(range(1, limit + 1))
    after = apply_action(position, Action(C1, C8, limit))
    assert after.columns[7] == cards(" ".join(SPADES[-limit:]))


def test_can_stack() -> None:
    seven, eight = cards("7H 8H")
    assert can_stack(seven, eight)
    assert not can_stack(eight, seven)
    assert not can_stack(seven, parse_card("8D"))
    assert not can_stack(seven, parse_card("9H"))
    # Neighbours as numbers, but a king of one suit and an ace of the next.
    assert not can_stack(parse_card("KS"), parse_card("AH"))


@pytest.mark.parametrize(
    ("column", "length"),
    [
        ("", 0),
        ("5C", 1),
        ("9H 8H 7H", 3),
        ("KH 9H 8H 7H", 3),
        ("9H 8D 7H", 1),
        ("7H 8H", 1),
        ("AH KS", 1),
        ("KS AH", 1),
    ],
)
def test_run_length(column: str, length: int) -> None:
    assert run_length(cards(column)) == length


def test_longest_movable_run() -> None:
    assert longest_movable_run(SMALL, 0, 1) == 0  # TH is not at the end of column 2
    assert longest_movable_run(SMALL, 1, 0) == 2  # 6H 5H onto 7H
    assert longest_movable_run(SMALL, 0, 4) == 3
    assert longest_movable_run(SMALL, 0, 0) == 0
    assert longest_movable_run(SMALL, 4, 0) == 0


def test_legal_actions_of_a_small_board() -> None:
    assert legal_actions(SMALL) == [
        Action(C1, C5, 1),
        Action(C1, C5, 2),
        Action(C1, C5, 3),
        Action(C1, B),
        Action(C2, C1, 2),
        Action(C2, C5, 1),
        Action(C2, C5, 2),
        Action(C2, B),
        Action(C3, foundation_place(1)),
        Action(C3, C5),
        Action(C3, B),
        Action(C4, foundation_place(2)),
        Action(C4, C5, 1),
        Action(C4, C5, 2),
        Action(C4, B),
        Action(A, C2),
        Action(A, C5),
    ]
    # With the column of three diamonds whole, to each of the four empty columns, and cell to cell.
    everywhere = legal_actions(SMALL, all_places=True)
    assert Action(C4, C8, 3) in everywhere
    assert Action(A, B) in everywhere
    assert len(everywhere) == 17 + 3 * (3 + 2 + 1 + 2 + 1) + 4 + 2 * 4 + 3


def test_apply_action_moves_cards() -> None:
    after = apply_action(SMALL, Action(C2, C1, 2))
    assert after.columns[:2] == (cards("KH 9H 8H 7H 6H 5H"), cards("TH"))
    after = apply_action(after, Action(A, C1))
    assert after.columns[0][-1] == parse_card("4H")
    assert after.cells == (None,) * 4
    after = apply_action(after, Action(C3, foundation_place(1)))
    assert after.foundations == (13, 3, 10, 13)
    assert after.columns[2] == cards("JH QH")
    after = apply_action(after, Action(C3, cell_place(3)))
    assert after.cells == (None, None, None, parse_card("QH"))


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (Action(C1, C4), "7H cannot go on JD (column 4): only 8H takes it"),
        (Action(C2, C1), "5H cannot go on 7H (column 1): only 6H takes it"),
        (Action(C4, C1, 3), "KD cannot go on 7H (column 1): only an empty column takes a king"),
        (Action(C1, cell_place(4)), "cell e: only 4 cells are in play"),
        (Action(cell_place(7), C5), "cell i: only 4 cells are in play"),
        (Action(B, C5), "cell b is empty"),
        (Action(C5, C1), "column 5 is empty"),
        (Action(column_place(8), C1), "column 9: there are only columns 1 to 8"),
        (Action(column_place(-1), C1), "column 0: there are only columns 1 to 8"),
        (
            Action(C1, Place(HOME, 4)),
            "foundation 5: there are only the foundations of spades, hearts, diamonds and clubs",
        ),
        (Action(C1, A), "7H cannot go to cell a: 4H is there"),
        (Action(C1, B, 2), "2 cards cannot go to cell b: it holds one"),
        (Action(C1, C1), "7H is in column 1 already"),
        (Action(A, A), "4H is in cell a already"),
        (Action(A, C5, 2), "cell a holds one card, so 2 cannot move from it"),
        (Action(C1, C5, 0), "0 cards cannot move: a move takes at least one"),
        (Action(C1, C5, 5), "5 cards cannot move from column 1: it has only 4"),
        (
            Action(C1, C5, 4),
            "the last 4 cards of column 1, KH 9H 8H 7H, are not a run: "
            "only the last 3 are in order",
        ),
        (
            Action(C3, C5, 2),
            "the last 2 cards of column 3, QH 3H, are not a run: only the last one moves",
        ),
        (
            Action(C1, foundation_place(1)),
            "7H cannot go home: the hearts foundation waits for 3H",
        ),
        (
            Action(C1, foundation_place(0)),
            "7H cannot go to the spades foundation: it belongs to hearts",
        ),
        (
            Action(C4, foundation_place(2), 2),
            "2 cards cannot go home at once: they go one by one",
        ),
        (
            Action(foundation_place(1), C1),
            "nothing leaves the hearts foundation: a card that is home stays there",
        ),
    ],
)
def test_refusals_say_why(action: Action, sentence: str) -> None:
    assert refusal(SMALL, action) == sentence
    with pytest.raises(IllegalMoveError):
        apply_action(SMALL, action)


@pytest.mark.parametrize(
    ("num_cells", "sentence"),
    [(0, "no cells are in play"), (1, "only 1 cell is in play"), (2, "only 2 cells are in play")],
)
def test_refusal_counts_the_cells_in_play(num_cells: int, sentence: str) -> None:
    position = random_deal(1, num_cells)
    letter = CELL_LETTERS[num_cells]
    assert refusal(position, Action(C1, cell_place(num_cells))) == f"cell {letter}: {sentence}"


def test_refusal_above_the_limit_into_an_empty_column() -> None:
    position = board(
        "9H 8H 7H 6H", "KH", "QH", "JH", "TH", "5H", "4H", cells="3H -", home=(13, 2, 13, 13)
    )
    assert refusal(position, Action(C1, C8, 4)) == (
        "a run of 4 cards cannot move to column 8: "
        "with 1 free cell and 0 other empty columns at most 2 can"
    )
    assert longest_movable_run(position, 0, 7) == 2


def test_expand_sets_aside_in_cells_first() -> None:
    seven, eight, nine = cards("7H 8H 9H")
    assert expand(SMALL, Action(C1, C5, 3)) == (
        Ply(seven, C1, cell_place(1)),
        Ply(eight, C1, cell_place(2)),
        Ply(nine, C1, C5),
        Ply(eight, cell_place(2), C5),
        Ply(seven, cell_place(1), C5),
    )


@pytest.mark.parametrize(
    ("length", "num_plies"),
    [(1, 1), (2, 3), (3, 5), (4, 7), (5, 11), (6, 15), (7, 19), (8, 27)],
)
def test_expand_through_two_columns_and_a_cell(length: int, num_plies: int) -> None:
    """1 free cell and 2 empty columns: 8 cards at most, onto a card."""
    run = ["9S", "8S", "7S", "6S", "5S", "4S", "3S", "2S"]
    below, moving = run[: 8 - length], run[8 - length :]
    position = board(
        " ".join(["KH", *moving]),
        " ".join(["TS", *below]),
        "KS QS JS",
        "QH",
        "JH",
        "TH",
        cells="9H -",
        home=(1, 8, 13, 13),
    )
    plies = expand(position, Action(C1, C2, length))
    assert len(plies) == num_plies
    for ply in plies:
        position = apply_ply(position, ply)
    assert position.columns[1] == cards("TS " + " ".join(run))


def test_apply_ply_wants_its_card() -> None:
    with pytest.raises(IllegalMoveError, match="KS is not there to move: column 1 offers 7H"):
        apply_ply(SMALL, Ply(parse_card("KS"), C1, C5))


def test_gather_takes_the_longest_stretch() -> None:
    """Two cards go to column 5, then a third and all of them: one supermove in other words."""
    seven, eight = cards("7H 8H")
    detour = (
        Ply(seven, C1, B),
        Ply(eight, C1, C5),
        Ply(seven, B, C5),
        Ply(seven, C5, B),
        Ply(eight, C5, C6),
        Ply(seven, B, C6),
    )
    assert gather(SMALL, detour) == (Action(C1, C6, 2),)
    assert gather(SMALL, detour[:3]) == (Action(C1, C5, 2),)
    assert gather(SMALL, detour[:2]) == (Action(C1, B), Action(C1, C5))
    assert gather(SMALL, ()) == ()
    home = Ply(parse_card("3H"), C3, foundation_place(1))
    assert gather(SMALL, (home, *detour[:3])) == (home.action, Action(C1, C5, 2))


def test_close_and_pending_home() -> None:
    assert pending_home(SMALL) == (Action(C3, foundation_place(1)), Action(C4, foundation_place(2)))
    closed, played = close(SMALL)
    # 3H, 4H from its cell and so on to TH; then QH is on JH. All diamonds go.
    assert closed.foundations == (13, 10, 13, 13)
    assert closed.columns[:4] == (cards("KH"), (), cards("JH QH"), ())
    assert len(played) == 8 + 3
    assert close(closed) == (closed, ())


@given(positions())
def test_legal_actions_are_what_check_action_allows(position: Position) -> None:
    places = [
        *map(column_place, range(NUM_COLUMNS)),
        *map(cell_place, range(position.num_cells + 1)),
        *map(foundation_place, range(4)),
    ]
    allowed = set()
    for source in places:
        for destination in places:
            for length in range(14 if source.zone == destination.zone == Zone.COLUMN else 3):
                action = Action(source, destination, length)
                try:
                    check_action(position, action)
                except IllegalMoveError as error:
                    assert str(error)
                    assert "\n" not in str(error)
                else:
                    allowed.add(action)
    everything = legal_actions(position, all_places=True)
    assert len(everything) == len(set(everything))
    assert set(everything) == allowed


def up_to_naming(position: Position) -> tuple[object, ...]:
    held = sorted(card for card in position.cells if card is not None)
    return (tuple(sorted(position.columns)), tuple(held), position.foundations)


@given(positions())
def test_legal_actions_give_each_outcome_once(position: Position) -> None:
    here = up_to_naming(position)
    outcomes = [up_to_naming(apply_action(position, a)) for a in legal_actions(position)]
    everywhere = legal_actions(position, all_places=True)
    everything = {up_to_naming(apply_action(position, a)) for a in everywhere}
    assert len(outcomes) == len(set(outcomes))
    assert set(outcomes) == everything - {here}
    # Nothing but swaps of empty places is left only when nothing at all is, or all is won.
    assert bool(outcomes) == bool(everywhere)


@given(positions())
def test_longest_movable_run_is_the_longest_legal(position: Position) -> None:
    everything = legal_actions(position, all_places=True)
    for source in range(NUM_COLUMNS):
        for destination in range(NUM_COLUMNS):
            ends = (column_place(source), column_place(destination))
            lengths = [a.length for a in everything if (a.source, a.destination) == ends]
            longest = longest_movable_run(position, source, destination)
            assert longest == max(lengths, default=0)


@given(positions())
def test_actions_keep_the_board_legal(position: Position) -> None:
    for action in legal_actions(position, all_places=True):
        moved = moving_cards(position, action)
        after = apply_action(position, action)
        after.check()
        assert after != position
        assert all(can_stack(low, high) for high, low in pairwise(moved))


@settings(max_examples=200)
@given(positions())
def test_expand_equals_apply_action(position: Position) -> None:
    for action in legal_actions(position, all_places=True):
        plies = expand(position, action)
        assert len(plies) >= 2 * action.length - 1
        reached = position
        for ply in plies:
            reached = apply_ply(reached, ply)
        assert reached == apply_action(position, action)
        assert gather(position, plies) == (action,)


@given(SEEDS, st.integers(0, 8), st.integers(0, 60))
def test_gather_of_a_walk_reaches_the_same_board(seed: int, num_cells: int, steps: int) -> None:
    rng = random.Random(seed)
    start = random_runs_board(rng, num_cells)
    walk = random_walk(start, rng, steps)
    plies = [ply for before, action in walk for ply in expand(before, action)]
    actions = gather(start, plies)
    assert len(actions) <= len(plies)
    reached = start
    for action in actions:
        reached = apply_action(reached, action)
    assert reached == (apply_action(*walk[-1]) if walk else start)


@given(positions())
def test_legal_plies_are_the_actions_of_one_card(position: Position) -> None:
    for all_places in (False, True):
        singles = [a for a in legal_actions(position, all_places=all_places) if a.length == 1]
        plies = legal_plies(position, all_places=all_places)
        assert [ply.action for ply in plies] == singles
        for ply in plies:
            assert apply_ply(position, ply) == apply_action(position, ply.action)


@given(positions(), SEEDS)
def test_close_does_not_depend_on_the_order(position: Position, seed: int) -> None:
    closed, played = close(position)
    assert pending_home(closed) == ()
    reached = position
    for action in played:
        assert action in legal_actions(reached)
        reached = apply_action(reached, action)
    assert reached == closed
    rng = random.Random(seed)
    while pending := pending_home(position):
        position = apply_action(position, rng.choice(pending))
    assert position == closed
