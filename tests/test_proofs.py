"""Proofs of lost boards: the checker against the oracle, and against proofs that were tampered."""

from __future__ import annotations

import ast
import hashlib
import random
import subprocess
import sys
import zlib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from boulanger.engine.deals.dealers import MS
from boulanger.engine.position import Position
from boulanger.solver.answers.text import show_text
from boulanger.solver.cli.reading import read_deal
from boulanger.solver.proof import check_proof as checker
from boulanger.solver.proof.certificate import CanBeWonError, game_of, prove, write
from tests import oracle
from tests.bridge import to_position
from tests.command import check_bad_input, run
from tests.games import ms
from tests.truth import unwinnable_deals

CHECKER = Path(checker.__file__).resolve()
MAX_POSITIONS = 3_000


def text_of(card: int) -> str:
    return "A23456789TJQK"[card & 15] + oracle.SUITS[card >> 4]


def board_of(game: checker.Game, position: tuple[int, int, int]) -> oracle.Board:
    """A position of the checker's, card by card on the oracle's board."""
    front, cells, bottoms = position
    depths = game.depths(front)
    placed, home = game.close(depths)
    lying = checker.CARDS & ~placed & ~home & ~cells & ~bottoms
    columns = [list(column[:depth]) for column, depth in zip(game.columns, depths, strict=True)]
    for bottom, column in zip(
        checker.cards_of(bottoms), [c for c in columns if not c], strict=False
    ):
        column.append(bottom)
    for column in columns:
        while column and column[-1] & 15 and lying >> column[-1] - 1 & 1:
            column.append(column[-1] - 1)
    in_cells = [text_of(card) for card in checker.cards_of(cells)]
    ranks = {suit: (home >> 16 * i & 0x1FFF).bit_length() for i, suit in enumerate(oracle.SUITS)}
    return oracle.board_from_columns(
        [[text_of(card) for card in column] for column in columns],
        in_cells + [None] * (game.num_cells - len(in_cells)),
        ranks,
        game.num_cells,
    )


def endgames(num_seeds: int) -> list[oracle.Board]:
    boards = []
    for seed in range(num_seeds):
        rng = random.Random(seed)
        num_left = rng.randint(3, 14) if seed % 2 else rng.randint(16, 30)
        boards.append(oracle.random_endgame(rng, seed // 2 % 3, num_left))
    return boards


# The checker's game is the game.


def test_the_checker_stands_alone_and_is_short() -> None:
    source = CHECKER.read_text()
    assert len(source.splitlines()) < 300
    imported = {
        name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in [getattr(node, "module", None), *(alias.name for alias in node.names)]
        if name
    }
    assert imported == {"hashlib", "sys", "zlib"}


def test_its_moves_are_the_oracles() -> None:
    """On random walks, the closed boards after each single move are the same."""
    num_compared = 0
    for board in endgames(60):
        game = game_of(to_position(board))
        rng = random.Random(num_compared)
        position = game.start()
        assert oracle.physical_key(board_of(game, position)) == oracle.physical_key(
            oracle.close(board)
        )
        for _ in range(12):
            here = board_of(game, position)
            expected = {oracle.physical_key(b) for b in oracle.closed_successors(here)}
            steps = list(game.moves(position))
            found = {oracle.physical_key(board_of(game, step)) for step in steps}
            # A lone card may also change one empty column for another, which changes nothing.
            assert expected <= found <= expected | {oracle.physical_key(here)}
            num_compared += 1
            if not steps:
                break
            position = rng.choice(steps)
    assert num_compared > 300


def test_its_microsoft_deals_are_the_dealers() -> None:
    for number in (1, 617, 11982, 32000, 123456, 2**31 - 1):
        assert game_of(ms(number)).columns == checker.microsoft_deal(number)
    columns = [[text_of(card) for card in c] for c in checker.microsoft_deal(617)]
    assert columns == oracle.ms_deal(617).columns


def test_relaxed_steps_are_allowed_wherever_real_moves_dig() -> None:
    """Lemma 2 on random walks: each real change of the front is a step of the relaxed game."""
    num_digs = 0
    for number in range(1, 40):
        game = game_of(ms(number, number % 4 + 1))
        rng = random.Random(number)
        position = game.start()
        for _ in range(60):
            steps = list(game.moves(position))
            if not steps:
                break
            allowed = set(game.relaxed_steps(position[0]))
            for step in steps:
                assert step[0] == position[0] or step[0] in allowed
                num_digs += step[0] != position[0]
            position = rng.choice(steps)
    assert num_digs > 1_000


# What is proven is so, and all that is so is proven.


def test_endgames_are_proven_just_when_they_are_lost() -> None:
    seen = set()
    for board in endgames(160):
        try:
            is_winnable = oracle.winnable(board, MAX_POSITIONS)
        except oracle.BoardTooLargeError:
            continue
        game = game_of(to_position(board))
        seen.add(is_winnable)
        if is_winnable:
            with pytest.raises(CanBeWonError):
                prove(game)
        else:
            proof = prove(game)
            assert sum(checker.check(game, proof)) > 0
    assert seen == {True, False}


@pytest.mark.parametrize("num_cells", [1, 2, 3, 4, 5])
def test_lost_microsoft_deals_are_proven(num_cells: int) -> None:
    for number in sorted(unwinnable_deals(num_cells))[: 4 if num_cells < 5 else 1]:
        game = game_of(ms(number, num_cells))
        proof = prove(game)
        num_positions, num_fronts = checker.check(game, proof)
        assert num_fronts > 0
        assert num_positions >= 0
        assert len(proof) < 200_000


def test_a_won_deal_has_no_proof() -> None:
    with pytest.raises(CanBeWonError):
        prove(game_of(ms(1)))


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("num_cells", [1, 2, 3, 4, 5])
def test_lost_microsoft_deals_are_proven_many(num_cells: int) -> None:
    numbers = sorted(unwinnable_deals(num_cells))
    num_tried = 125 if num_cells < 5 else 8  # these are long
    for number in numbers[:: len(numbers) // num_tried][:num_tried]:
        game = game_of(ms(number, num_cells))
        checker.check(game, prove(game))


# Tampering.

LOST = 23  # 3,262 positions and 4,871 dead fronts


@pytest.fixture(scope="module")
def lost() -> tuple[checker.Game, bytes]:
    game = game_of(ms(LOST))
    proof = prove(game)
    return game, proof


def refusal(game: checker.Game, proof: bytes) -> str:
    with pytest.raises(checker.WrongProof) as refused:
        checker.check(game, proof)
    return str(refused.value)


def test_a_changed_byte_is_refused(lost: tuple[checker.Game, bytes]) -> None:
    game, proof = lost
    rng = random.Random(1)
    for _ in range(1_000):
        changed = bytearray(proof)
        place = rng.randrange(len(changed))
        changed[place] ^= rng.randint(1, 255)
        assert "damaged" in refusal(game, bytes(changed))
    for length in (0, 1, 10, len(proof) - 1):
        refusal(game, proof[:length])
    refusal(game, proof + b"x")


def test_another_board_or_number_of_cells_is_refused(lost: tuple[checker.Game, bytes]) -> None:
    proof = lost[1]
    for position in (ms(LOST, 3), ms(LOST, 5), ms(LOST + 1), Position.from_deal(MS.deal(1), 4)):
        assert "another board" in refusal(game_of(position), proof)


@pytest.mark.parametrize(
    "num_dropped", [4, pytest.param(40, marks=[pytest.mark.slow, pytest.mark.ci])]
)
def test_what_is_left_out_is_missed(lost: tuple[checker.Game, bytes], num_dropped: int) -> None:
    """Every position and every front of a proof is needed, so none can be dropped unseen."""
    game, proof = lost
    positions, fronts = checker.read_proof(game, proof)
    rng = random.Random(num_dropped)
    for dropped in rng.sample(sorted(positions), num_dropped):
        refusal(game, write(game, positions - {dropped}, fronts))
    for front in rng.sample(sorted(fronts), num_dropped):
        refusal(game, write(game, positions, fronts - {front}))


def test_a_change_of_the_content_under_a_right_digest_proves_nothing_wrong() -> None:
    """A board that can be won: whatever is made of a proof's bytes, it is refused."""
    lost_game, won_game = game_of(ms(26)), game_of(ms(1))
    proof = prove(lost_game)
    content = zlib.decompress(proof[len(checker.MAGIC) : -32])
    head = checker.description(lost_game)
    rng = random.Random(3)
    for _ in range(100):
        changed = bytearray(content[len(head) :])
        for _ in range(rng.randint(0, 3)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        body = checker.MAGIC + zlib.compress(checker.description(won_game) + bytes(changed))
        refusal(won_game, body + hashlib.sha256(body).digest())


@pytest.mark.parametrize(
    ("positions", "fronts", "why"),
    [
        (set(), set(), "not in the proof"),
        ({(0, 0, 0)}, set(), "is won"),
        (set(), {0}, "is won"),
        ("start", set(), "a move leads out"),
        (set(), "start", "a step of the relaxed game leads out"),
        ({(10**9, 0, 0)}, set(), "not closed"),
        ({(9_834_495, 1, 0)}, set(), "two places"),
    ],
)
def test_forged_proofs_of_a_deal_that_can_be_won(
    positions: set[tuple[int, int, int]] | str, fronts: set[int] | str, why: str
) -> None:
    game = game_of(ms(1))
    start = game.start()
    made = write(
        game,
        {start} if isinstance(positions, str) else positions,
        {start[0]} if isinstance(fronts, str) else fronts,
    )
    assert why in refusal(game, made)


def test_every_step_out_of_what_is_listed_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each position every move is looked at, and of each front every step."""
    game = game_of(ms(1, 3))
    proof = prove(game)
    positions, fronts = checker.read_proof(game, proof)
    moves, steps = game.moves, game.relaxed_steps
    outside = next(front for front in range(1, 10**6) if front not in fronts)
    for position in random.Random(4).sample(sorted(positions), 3):
        for place in range(len(list(moves(position)))):
            patched = partial(leading_out, moves, position, place, (outside, 0, 0))
            with monkeypatch.context() as patch:
                patch.setattr(game, "moves", patched)
                assert "a move leads out" in refusal(game, proof)
    for front in random.Random(5).sample(sorted(f for f in fronts if list(steps(f))), 3):
        for place in range(len(list(steps(front)))):
            patched = partial(leading_out, steps, front, place, outside)
            with monkeypatch.context() as patch:
                patch.setattr(game, "relaxed_steps", patched)
                assert "a step of the relaxed game leads out" in refusal(game, proof)


def leading_out(listed: Any, changed: Any, place: int, outside: Any, asked: Any) -> list[Any]:
    """What `listed` says, but that the step number `place` from `changed` leads outside."""
    found = list(listed(asked))
    if asked == changed:
        found[place] = outside
    return found


def test_a_true_list_without_the_board_itself_proves_nothing() -> None:
    """Dead fronts of a deal that can be won: closed under steps, but the deal's is not there."""
    game = game_of(ms(1, 1))
    rng = random.Random(6)
    while True:
        depths = [rng.randrange(len(column) + 1) for column in game.columns]
        game.close(depths)
        front = game.front(depths)
        if front and front != game.start()[0] and not list(game.relaxed_steps(front)):
            break
    assert "the board itself is not in the proof" in refusal(game, write(game, set(), {front}))


# The commands.


def test_solve_writes_what_verify_and_the_checker_alone_accept(tmp_path: Path) -> None:
    proof, board = tmp_path / "p", tmp_path / "board.txt"
    answer = run("solve", f"ms:{LOST}", "--proof", str(proof))
    assert answer.code == 1
    assert run("verify", f"ms:{LOST}", "--proof", str(proof)).code == 0
    assert "is proven" in run("verify", f"ms:{LOST}", "--proof", str(proof)).out
    board.write_text(show_text(read_deal(f"ms:{LOST}")))
    for deal in (f"ms:{LOST}", str(board)):
        alone = subprocess.run(
            [sys.executable, str(CHECKER), deal, str(proof)],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert (alone.returncode, alone.stdout[:7]) == (0, "Proven:"), alone.stderr
    other = run("verify", f"ms:{LOST + 1}", "--proof", str(proof))
    assert other.code == 1
    assert "another board" in other.out


def test_no_proof_is_written_of_what_can_be_won(tmp_path: Path) -> None:
    proof = tmp_path / "p"
    answer = run("solve", "ms:1", "--proof", str(proof))
    assert answer.code == 0
    assert "no proof" in answer.err
    assert not proof.exists()


def test_verify_wants_moves_or_a_proof(tmp_path: Path) -> None:
    check_bad_input(run("verify", "ms:1"), "--moves")
    check_bad_input(run("verify", "ms:1", "--proof", str(tmp_path / "none")), "there is no file")
