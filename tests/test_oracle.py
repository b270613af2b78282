"""The oracle itself, on boards small enough to be worked out by hand, and on random ones."""

import json
import random
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import oracle
from tests.make_perft import PERFT_PATH
from tests.ms_deals import MS_1_COLUMNS, MS_11982_COLUMNS
from tests.oracle import Action, Board, Key

seeds = st.integers(0, 2**32)
few_examples = settings(max_examples=40, deadline=None)


def board_of(columns: list[str], num_cells: int, cells: Iterable[str] = ()) -> Board:
    """A board with each suit home below the lowest card that is given of it."""
    cards = [*" ".join(columns).split(), *cells]
    ranks = {
        suit: min([oracle.rank_of(c) for c in cards if oracle.suit_of(c) == suit], default=14) - 1
        for suit in oracle.SUITS
    }
    return oracle.board_from_columns(columns, cells, ranks, num_cells)


KING_ON_QUEEN = board_of(["QS KS"], num_cells=1)

FOUR_ON_KING = ["KS", "QS JS TS 9S", "QH", "KH", "QD", "KD", "QC", "KC"]
FOUR_ON_KING_ONE_EMPTY = ["KS", "QS JS TS 9S", "KH QH", "QD", "KD", "QC", "KC", ""]

JACKS_AND_KINGS_ON_TOP = [
    *("TS JS", "TH JH", "TD JD", "TC JC"),
    *("QS KS", "QH KH", "QD KD", "QC KC"),
]


# ---------------------------------------------------------------------------------------- boards


def test_deal_1() -> None:
    columns = oracle.ms_deal(1).columns
    assert tuple(" ".join(column) for column in columns) == MS_1_COLUMNS


def test_deal_11982() -> None:
    # The famous one that cannot be won at FreeCell.
    columns = oracle.ms_deal(11982).columns
    assert tuple(" ".join(column) for column in columns) == MS_11982_COLUMNS


@pytest.mark.parametrize("number", [0, 32001, -1])
def test_deal_number_out_of_range(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        oracle.ms_deal(number)


def test_board_from_columns_wants_each_card_once() -> None:
    ranks = {"S": 11, "H": 13, "D": 13, "C": 13}
    oracle.board_from_columns([["QS"], ["KS"]], (), ranks)
    with pytest.raises(ValueError, match="KS"):
        oracle.board_from_columns(["QS"], (), ranks)
    with pytest.raises(ValueError, match="QS"):
        oracle.board_from_columns(["QS KS"], ["QS"], ranks)
    with pytest.raises(ValueError, match="QX"):
        oracle.board_from_columns(["QX KS"], (), ranks)
    with pytest.raises(ValueError, match="2 cells given"):
        oracle.board_from_columns([], ["QS", "KS"], ranks, num_cells=1)


def test_physical_key_forgets_order_only() -> None:
    board = board_of(["JS", "KS"], num_cells=2, cells=["QS"])
    other = oracle.board_from_columns(["", "KS", "JS"], [None, "QS"], board.foundations, 2)
    assert oracle.physical_key(board) == oracle.physical_key(other)
    stacked = board_of(["KS JS"], num_cells=2, cells=["QS"])
    assert oracle.physical_key(board) != oracle.physical_key(stacked)


# ----------------------------------------------------------------------------- single-card moves


def test_legal_moves_by_hand() -> None:
    columns = ["JS", "KS", "", "", "QH", "KH", "QD KD", "KC QC"]
    ranks = {"S": 10, "H": 11, "D": 11, "C": 11}
    board = oracle.board_from_columns(columns, ["QS", None, None], ranks, 3)
    assert sorted("".join(move) for move in oracle.legal_moves(board)) == sorted(
        # To the cells b and c, and to the empty columns 3 and 4, from each of six columns.
        [source + to for source in "125678" for to in "bc34"]
        # Home; the queens onto kings; the queen of spades from its cell.
        + ["1h", "5h", "8h", "56", "a2", "a3", "a4"]
    )


@pytest.mark.parametrize(
    ("source", "destination", "reason"),
    [
        ("1", "b", "no place 'b'"),
        ("9", "1", "no place '9'"),
        ("3", "2", "no card can leave 3"),
        ("h", "1", "no card can leave h"),
        ("1", "1", "source and destination"),
        ("1", "a", "cell a is occupied"),
        ("1", "h", "KS does not follow rank 10"),
        ("a", "1", "JS does not go on KS"),
        ("a", "a", "source and destination"),
    ],
)
def test_illegal_moves(source: str, destination: str, reason: str) -> None:
    board = board_of(["KS", "QS"], num_cells=1, cells=["JS"])
    with pytest.raises(ValueError, match=reason):
        oracle.apply_move(board, source, destination)
    with pytest.raises(ValueError, match=reason):
        oracle.apply_action(board, source + destination)


def test_no_move_from_cell_to_cell() -> None:
    board = board_of(["KS"], num_cells=2, cells=["QS"])
    assert ("a", "b") not in oracle.legal_moves(board)
    with pytest.raises(ValueError, match="cell to a cell"):
        oracle.apply_action(board, "ab")


def test_cell_letters_skip_h() -> None:
    board = board_of(["QS KS"], num_cells=8)
    assert oracle.apply_action(board, "1i").cells == [None] * 7 + ["KS"]
    assert oracle.apply_action(board, "1g").cells == [None] * 6 + ["KS", None]


def test_close_plays_every_foundation_move() -> None:
    # The jack frees the queen in the cell, which frees the king under the queen of hearts.
    ranks = {"S": 10, "H": 11, "D": 13, "C": 13}
    board = oracle.board_from_columns(["KS QH", "KH JS"], ["QS"], ranks, 1)
    assert oracle.is_won(oracle.close(board))
    assert oracle.close(KING_ON_QUEEN) == KING_ON_QUEEN


# --------------------------------------------------------------------------------------- actions


@pytest.mark.parametrize(
    ("num_free_cells", "onto_a_card", "into_an_empty_column"),
    [
        (0, [1, 2, 4], [1, 2]),
        (1, [2, 4, 8], [2, 4]),
        (2, [3, 6, 12], [3, 6]),
        (3, [4, 8, 16], [4, 8]),
        (4, [5, 10, 20], [5, 10]),
    ],
)
def test_supermove_table(
    num_free_cells: int, onto_a_card: list[int], into_an_empty_column: list[int]
) -> None:
    for num_empty, limit in enumerate(onto_a_card):
        assert oracle.supermove_limit(num_free_cells, num_empty) == limit
    # The same on boards. All columns hold two cards at least, but for the empty ones at the end.
    for num_empty in (0, 1, 2):
        others = ["TH JH", "QH KH", "TD JD", "QD KD", "TC JC", "QC KC"]
        kept = others[: 6 - num_empty]
        kept[0] = " ".join([*others[6 - num_empty :], kept[0]])
        columns = ["AS KS", "QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", *kept]
        board = board_of(columns, num_free_cells)
        lengths = [n for s, d, n in oracle.legal_actions(board) if (s, d) == ("2", "1")]
        assert lengths == ([11] if onto_a_card[num_empty] >= 11 else [])
        if num_empty:
            lengths = [n for s, d, n in oracle.legal_actions(board) if (s, d) == ("2", "8")]
            limit = into_an_empty_column[num_empty - 1]
            assert lengths == list(range(1, limit + 1))


def test_run_onto_a_card() -> None:
    after = oracle.apply_action(board_of(FOUR_ON_KING, 3), "21")
    assert after.columns[:2] == [["KS", "QS", "JS", "TS", "9S"], []]
    with pytest.raises(ValueError, match="4 cards would move, 3 can"):
        oracle.apply_action(board_of(FOUR_ON_KING, 2), "21")
    # One cell and one empty column: 2 * 2.
    after = oracle.apply_action(board_of(FOUR_ON_KING_ONE_EMPTY, 1), "21")
    assert after.columns[:2] == [["KS", "QS", "JS", "TS", "9S"], []]
    assert oracle.apply_action(board_of(FOUR_ON_KING, 3), "21v4") == oracle.apply_action(
        board_of(FOUR_ON_KING, 3), "21"
    )


def test_part_of_a_run_onto_a_card() -> None:
    board = board_of(["KS QS", "JS TS 9S"], num_cells=0)
    assert oracle.apply_action(board, "21").columns[0] == ["KS", "QS", "JS", "TS", "9S"]


@pytest.mark.parametrize(
    ("text", "left", "moved"),
    [
        ("28", ["QS", "JS"], ["TS", "9S"]),
        ("28v1", ["QS", "JS", "TS"], ["9S"]),
        ("28v2", ["QS", "JS"], ["TS", "9S"]),
        ("48", [], ["QD"]),
        ("38", [], ["KH", "QH"]),
        ("38v1", ["KH"], ["QH"]),
    ],
)
def test_into_an_empty_column(text: str, left: list[str], moved: list[str]) -> None:
    # One free cell, and the destination does not count: 2 * 1.
    board = board_of(FOUR_ON_KING_ONE_EMPTY, 1)
    after = oracle.apply_action(board, text)
    assert after.columns[int(text[0]) - 1] == left
    assert after.columns[7] == moved


def test_hexadecimal_length() -> None:
    board = board_of(["KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"], num_cells=0)
    for text, length in [("12va", 10), ("12vA", 10), ("12vD", 13), ("12", 13), ("12v9", 9)]:
        assert len(oracle.apply_action(board, text).columns[1]) == length


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not of the form"),
        ("2", "not of the form"),
        ("218", "not of the form"),
        ("28v", "not of the form"),
        ("28v0", "not of the form"),
        ("28ve", "not of the form"),
        ("2 8", "not of the form"),
        ("22", "source and destination"),
        ("82", "no card can leave 8"),
        ("23", "two suits"),
        ("12", "KS is not below 9S"),
        ("28v3", "3 cards would move, 2 can"),
        ("28v5", "5 cards would move, 4 are in order"),
        ("21v3", "onto KS 4 cards would move, not 3"),
        ("2av1", "between columns"),
        ("2hv1", "between columns"),
        ("1h", "KS does not follow rank 8"),
        ("2b", "no place 'b'"),
        ("29", "no place '9'"),
        ("a1", "no card can leave a"),
        ("A1", "no place 'A'"),
    ],
)
def test_illegal_actions(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        oracle.apply_action(board_of(FOUR_ON_KING_ONE_EMPTY, 1), text)
    assert repr(text) in str(caught.value) or text in str(caught.value)


def test_run_must_be_in_order() -> None:
    board = board_of(["KS", "QS TS JS"], num_cells=4)
    with pytest.raises(ValueError, match="2 cards would move, 1 are in order"):
        oracle.apply_action(board, "21")


@pytest.mark.parametrize(
    ("actions", "score"),
    [
        ("", 0),
        ("1a", 0),
        ("1a 1h ah", 20),
        ("12 1h 2h", 20),
        ("1a 12 a1", 5),
        ("1a 12 a1 21", 5),
        ("1a 12 a1 21 1h 1h", 25),
        ("12 1a a2 2h 2h", 25),
    ],
)
def test_score(actions: str, score: int) -> None:
    after, scored = oracle.replay(KING_ON_QUEEN, actions.split())
    assert scored == score
    assert oracle.is_won(after) == actions.endswith("h")


def test_replay_refuses_an_illegal_action() -> None:
    with pytest.raises(ValueError, match="2h"):
        oracle.replay(KING_ON_QUEEN, ["12", "2h"])


# ----------------------------------------------------------------------------------------- perft


def test_perft_by_hand() -> None:
    # Depth 1: the king to the cell (A), or to an empty column (B).
    # From A: the queen home, the queen to another column (A again), the king to a column (B).
    # From B: the queen home, onto the king, to the cell, to another column (B again); the king to
    # the cell (A), to another column (B again). Paths 3 + 6; A, B and four others.
    assert oracle.perft(KING_ON_QUEEN, 2) == [(1, 1), (2, 2), (9, 6)]


def test_perft_closed_by_hand() -> None:
    # Both ways to lift the king win at once.
    assert oracle.perft_closed(KING_ON_QUEEN, 2) == [(1, 1), (2, 1), (0, 0)]
    # The board is closed first: nothing is left.
    board = board_of(["KS QS"], num_cells=1)
    assert oracle.perft_closed(board, 1) == [(1, 1), (0, 0)]


def test_perft_with_no_way_out() -> None:
    board = board_of(JACKS_AND_KINGS_ON_TOP, 0)
    assert oracle.perft(board, 2) == [(1, 1), (0, 0), (0, 0)]
    # With one cell any of the eight exposed cards can go there. A jack's ten then goes home, and
    # the jack after it; a king's queen stays.
    board = board_of(JACKS_AND_KINGS_ON_TOP, 1)
    assert oracle.perft(board, 1) == oracle.perft_closed(board, 1) == [(1, 1), (8, 8)]


def test_perft_counts_free_cells_and_empty_columns_once() -> None:
    board = board_of(["QS KS"], num_cells=4)
    assert oracle.perft(board, 1) == [(1, 1), (2, 2)]


def test_perft_file() -> None:
    """The stored counts are still what the oracle says, at the depths that take no time."""
    entries = json.loads(PERFT_PATH.read_text(encoding="ascii"))["boards"]
    assert len(entries) >= 20
    for entry in entries:
        board = oracle.board_from_columns(
            entry["columns"], entry["cells"], entry["foundations"], entry["num_cells"]
        )
        raw = [tuple(counts) for counts in entry["raw"]]
        closed = [tuple(counts) for counts in entry["closed"]]
        assert len(raw) >= 4 and len(closed) >= 4
        assert oracle.perft(board, 2) == raw[:3], entry["name"]
        assert oracle.perft_closed(board, 2) == closed[:3], entry["name"]


# ----------------------------------------------------------------------------- exhaustive search


@pytest.mark.parametrize(
    ("board", "plies", "actions"),
    [
        # Nothing to do.
        (oracle.board_from_columns([], (), dict.fromkeys("SHDC", 13), 0), 0, 0),
        # The king aside, and both home.
        (KING_ON_QUEEN, 3, 3),
        (board_of(["QS KS"], num_cells=0), 3, 3),
        (board_of(["KS QS"], num_cells=0), 2, 2),
        # Eight cards lie on the five: eight plies and nine home, but one supermove and nine home.
        (board_of(["5S KS QS JS TS 9S 8S 7S 6S"], num_cells=1), 17, 10),
        # No cell, seven empty columns: one of the eight has to move twice.
        (board_of(["5S KS QS JS TS 9S 8S 7S 6S"], num_cells=0), 18, 10),
        # Without a cell none of the eight higher cards can make way.
        (board_of(JACKS_AND_KINGS_ON_TOP, 0), None, None),
    ],
)
def test_shortest_by_hand(board: Board, plies: int | None, actions: int | None) -> None:
    assert oracle.shortest_plies(board) == plies
    assert oracle.shortest_actions(board) == actions
    assert oracle.winnable(board) == (plies is not None)


def test_one_cell_makes_way() -> None:
    assert not oracle.winnable(board_of(JACKS_AND_KINGS_ON_TOP, 0))
    assert oracle.winnable(board_of(JACKS_AND_KINGS_ON_TOP, 1))


def test_search_can_be_limited() -> None:
    for search in (oracle.winnable, oracle.shortest_plies, oracle.shortest_actions):
        with pytest.raises(oracle.BoardTooLargeError):
            search(oracle.ms_deal(1), 1000)


def plain_shortest(board: Board, successors: Callable[[Board], list[Board]]) -> int | None:
    """Breadth-first search with nothing clever in it."""
    seen: set[Key] = {oracle.physical_key(board)}
    level = [board]
    num_steps = 0
    while level:
        if any(oracle.is_won(before) for before in level):
            return num_steps
        next_level = []
        for before in level:
            for after in successors(before):
                if oracle.physical_key(after) not in seen:
                    seen.add(oracle.physical_key(after))
                    next_level.append(after)
        level = next_level
        num_steps += 1
    return None


def after_moves(board: Board) -> list[Board]:
    return [oracle.apply_move(board, *move) for move in oracle.legal_moves(board)]


def text_of(board: Board, action: Action) -> str:
    """The action's notation, with its length where two columns are concerned."""
    source, destination, length = action
    between_columns = source in oracle.COLUMN_PLACES and destination in oracle.COLUMN_PLACES
    return source + destination + (f"v{length:X}" if between_columns else "")


def after_actions(board: Board) -> list[Board]:
    return [
        oracle.apply_action(board, text_of(board, action)) for action in oracle.legal_actions(board)
    ]


@settings(max_examples=25, deadline=None)
@given(seeds, st.integers(0, 1), st.integers(0, 6))
def test_searches_against_a_plain_one(seed: int, num_cells: int, num_left: int) -> None:
    board = oracle.random_endgame(random.Random(seed), num_cells, num_left)
    assert oracle.shortest_plies(board) == plain_shortest(board, after_moves)
    assert oracle.shortest_actions(board) == plain_shortest(board, after_actions)


@pytest.mark.parametrize("seed", range(12))
def test_searches_agree_on_crowded_boards(seed: int) -> None:
    """Boards where nearly nothing moves, some of them lost: small to search, though many cards."""
    board = oracle.random_endgame(random.Random(seed), 0, 34)
    is_winnable = oracle.winnable(board)
    try:
        assert (oracle.shortest_plies(board, 5000) is not None) == is_winnable
        assert (oracle.shortest_actions(board, 5000) is not None) == is_winnable
    except oracle.BoardTooLargeError:
        assert is_winnable


# ------------------------------------------------------------------------------------- properties


def some_board(seed: int) -> Board:
    """A deal after a random walk, or a random endgame."""
    rng = random.Random(seed)
    if rng.random() < 0.5:
        deal = oracle.ms_deal(rng.randint(1, 32000), rng.randint(0, 8))
        return list(oracle.random_walk(rng, deal, rng.randint(0, 40)))[-1]
    return oracle.random_endgame(rng, rng.randint(0, 5), rng.randint(0, 52))


@few_examples
@given(seeds)
def test_moves_keep_the_cards_and_the_given_board(seed: int) -> None:
    rng = random.Random(seed)
    board = some_board(seed)
    before = board.copy()
    for after in oracle.random_walk(rng, board, 10):
        # Raises if a card is lost or doubled.
        again = oracle.board_from_columns(
            after.columns, after.cells, after.foundations, after.num_cells
        )
        assert again == after
        assert len(after.columns) == 8 and after.num_cells == board.num_cells
    assert board == before


@few_examples
@given(seeds)
def test_searches_see_the_legal_moves(seed: int) -> None:
    board = some_board(seed)
    key = oracle.physical_key(board)
    by_moves = {oracle.physical_key(after) for after in after_moves(board)}
    assert set(oracle._ply_keys(key)) == by_moves - {key}
    by_actions = {oracle.physical_key(after) for after in after_actions(board)}
    assert set(oracle._action_keys(key)) == by_actions - {key}


@few_examples
@given(seeds)
def test_legal_moves_are_those_that_can_be_applied(seed: int) -> None:
    board = some_board(seed)
    legal = set(oracle.legal_moves(board))
    texts = {text_of(board, action) for action in oracle.legal_actions(board)}
    assert {(s, d) for s, d, n in oracle.legal_actions(board) if n == 1} == legal
    for source in oracle.places(board):
        for destination in oracle.places(board):
            pair = source + destination
            assert can(oracle.apply_move, board, source, destination) == (
                (source, destination) in legal
            )
            assert can(oracle.apply_action, board, pair) == any(
                text.startswith(pair) for text in texts
            )
            for digit in "123456789ABCD":
                text = f"{pair}v{digit}"
                assert can(oracle.apply_action, board, text) == (text in texts)


def can(function: Callable[..., Board], *arguments: object) -> bool:
    """Whether the move or action raises no ValueError."""
    try:
        function(*arguments)
    except ValueError:
        return False
    return True


@few_examples
@given(seeds)
def test_close_ends_where_no_foundation_move_is_left(seed: int) -> None:
    closed = oracle.close(some_board(seed))
    assert all(destination != oracle.HOME for _, destination in oracle.legal_moves(closed))


@given(seeds, st.integers(0, 5), st.integers(0, 52))
@few_examples
def test_random_endgame(seed: int, num_cells: int, num_left: int) -> None:
    board = oracle.random_endgame(random.Random(seed), num_cells, num_left)
    assert oracle.cards_left(board) == num_left
    assert board.num_cells == num_cells
    assert board == oracle.random_endgame(random.Random(seed), num_cells, num_left)
