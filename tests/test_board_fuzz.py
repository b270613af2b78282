"""Mutated boards and lists of moves: no traceback, no hang, no board that a strict reading denies.

The strict reading here is a few lines of its own: what it reads, the readers must read as that.
"""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from boulanger.engine.boards.text import parse_board
from boulanger.engine.boards.writing import format_board
from boulanger.engine.cards import NUM_CARDS, RANK_LETTERS, SUIT_LETTERS
from boulanger.engine.errors import BoardError, BoulangerError, NotationError
from boulanger.engine.movelists.reading import read_moves
from boulanger.engine.notes import Note
from boulanger.engine.words import LANGUAGES
from tests.board_samples import BOARDS, microsoft_deal
from tests.board_writers import WRITERS

CASES = Path(__file__).parent / "data" / "cases"
PIECES = [
    b"", b" ", b"  ", b"\n", b"\n\n", b"\t", b":", b": ", b"-", b"--", b"[]", b"[", b"]", b"{",
    b"}", b'"', b",", b"#", b"//", b";", b"<", b">", b"|", b"7H", b"10D", b"\xe2\x99\xa5",
    b"Foundations:", b"FC: ", b"H-4", b"1", b"0", b"v", b"\x1b[31m", b"\xff", b"\x00",
    b"\xf0\x9f\x83\x8b",
]  # fmt: skip
SLOWEST = 5.0  # seconds for one reading on a busy machine


def sources() -> list[bytes]:
    files = [path for path in (*CASES.iterdir(), *BOARDS.iterdir()) if path.suffix != ".md"]
    texts = [path.read_bytes() for path in files]
    for number in (1, 24):
        written = [writer.write(microsoft_deal(number)) for writer in WRITERS]
        texts += [text.encode() for text in written if text is not None]
    return texts


def mutated(rng: random.Random, data: bytes, other: bytes) -> bytes:
    board = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        start = rng.randint(0, len(board))
        end = min(len(board), start + rng.choice((0, 0, 1, 2, 3, 10, 40)))
        kind = rng.random()
        if kind < 0.6:
            board[start:end] = rng.choice(PIECES)
        elif kind < 0.8:  # a line moved, doubled or dropped
            lines = bytes(board).split(b"\n")
            line = lines.pop(rng.randrange(len(lines)))
            for _ in range(rng.choice((0, 1, 2))):
                lines.insert(rng.randint(0, len(lines)), line)
            board = bytearray(b"\n".join(lines))
        else:
            piece = rng.randint(0, len(other))
            board[start:end] = other[piece : piece + rng.choice((1, 3, 20, 200))]
    return bytes(board)


def strict_columns(data: bytes) -> tuple[tuple[int, ...], ...] | None:
    """The columns of a text that is eight lines with colons and nothing else but cells."""
    try:
        lines = data.decode("ascii").split("\n")
    except UnicodeDecodeError:
        return None
    lines = [line for line in lines if line and not line.startswith(("Freecells:", "Foundations:"))]
    if len(lines) != 8 or not all(re.fullmatch(r":(?: [A2-9TJQK][SHDC])*", n) for n in lines):
        return None
    columns = tuple(
        tuple(
            13 * SUIT_LETTERS.index(word[1]) + RANK_LETTERS.index(word[0]) for word in n.split()[1:]
        )
        for n in lines
    )
    cards = [card for column in columns for card in column]
    return columns if len(cards) == len(set(cards)) == NUM_CARDS else None


def assert_can_be_said(said: BoulangerError | Note, data: bytes) -> None:
    """In each language, on one line; in another one than English it is another sentence."""
    sentences = {language: said.text(language) for language in LANGUAGES}
    assert all(sentences.values()), data
    assert not any("\n" in sentence for sentence in sentences.values()), data
    assert len(set(sentences.values())) > 1, (data, said)


def fuzz_boards(seed: int, seconds: float, rounds: int) -> int:
    rng = random.Random(seed)
    texts = sources()
    end = time.perf_counter() + seconds
    num_read = 0
    for _ in range(rounds):
        if time.perf_counter() > end:
            break
        data = mutated(rng, rng.choice(texts), rng.choice(texts))
        started = time.perf_counter()
        try:
            board = parse_board(data)
        except BoardError as error:
            assert_can_be_said(error, data)
        else:
            num_read += 1
            board.position.check()
            assert parse_board(format_board(board.position)).position == board.position, data
            for note in board.notes:
                assert_can_be_said(note, data)
            strict = strict_columns(data)
            shape = [len(column) for column in board.position.columns]
            is_fresh_rows = board.reader == "rows" and shape == [7] * 4 + [6] * 4
            assert strict is None or board.position.columns == strict or is_fresh_rows, data
        assert time.perf_counter() - started < SLOWEST, data
    return num_read


def fuzz_moves(seed: int, seconds: float, rounds: int) -> None:
    rng = random.Random(seed)
    texts = [path.read_bytes() for path in CASES.iterdir() if "moves" in path.name]
    start = microsoft_deal(24)
    end = time.perf_counter() + seconds
    for _ in range(rounds):
        if time.perf_counter() > end:
            break
        data = mutated(rng, rng.choice(texts), rng.choice(texts))
        started = time.perf_counter()
        try:
            found = read_moves(start, data.decode("utf-8", "replace"))
        except NotationError as error:
            assert_can_be_said(error, data)
        else:
            if found.fault is not None:
                assert_can_be_said(found.fault.error, data)
            for note in found.notes:
                assert_can_be_said(note, data)
        assert time.perf_counter() - started < SLOWEST, data


def test_a_few_mutated_boards_and_moves() -> None:
    assert fuzz_boards(1, 20, 400) > 20
    fuzz_moves(1, 10, 60)


@pytest.mark.slow
@pytest.mark.ci
def test_a_minute_of_mutated_boards_and_moves() -> None:
    fuzz_boards(2, 45, 10**9)
    fuzz_moves(2, 15, 10**9)


@pytest.mark.slow
def test_ten_minutes_of_mutated_boards_and_moves() -> None:
    seed = random.SystemRandom().randrange(10**9)
    print(f"seed {seed}")
    fuzz_boards(seed, 480, 10**9)
    fuzz_moves(seed, 120, 10**9)
