"""Which deals a catalogue is about, and how they are cut into chunks."""

from __future__ import annotations

import hashlib
import io
import random
from pathlib import Path

import numpy as np
import pytest

from boulanger.engine.deals.codes import format_code
from boulanger.engine.errors import BoulangerError
from boulanger.solver.catalogue import lists as lists_module
from boulanger.solver.catalogue import sources as sources_module
from boulanger.solver.catalogue.chunks import Chunk, ChunkPlan, ChunkSpans, default_chunk_size
from boulanger.solver.catalogue.sources import (
    ListSource,
    Piece,
    Source,
    num_duplicates,
    parse_source,
    parse_sources,
    read_list,
)
from boulanger.solver.catalogue.task import Task
from boulanger.solver.deals.code_dealer import CodeDealers

LAST_CODE = 2**35 - 1


def deals_of(pieces: list[Piece] | tuple[Piece, ...]) -> list[tuple[str, int]]:
    return [(piece.dealer, int(number)) for piece in pieces for number in piece.numbers]


def deals(source: Source) -> list[tuple[str, int]]:
    return deals_of(list(source.pieces(0, source.num_deals)))


def read_text(text: str) -> ListSource:
    return read_list(io.BytesIO(text.encode()), "list.txt")


@pytest.mark.parametrize(
    ("text", "canonical", "expected"),
    [
        ("ms:17", "ms:17", [("ms", 17)]),
        ("MS: 1..3", "ms:1..3", [("ms", 1), ("ms", 2), ("ms", 3)]),
        ("ms:5..5", "ms:5", [("ms", 5)]),
        ("bk1:859..860", "bk1:859..860", [("bk1", 859), ("bk1", 860)]),
        ("BK1-C4-AAAAA24", "bk1:860", [("bk1", 860)]),
        ("bk1-c2-aaaaa23..BK1-C4-AAAAA24", "bk1:859..860", [("bk1", 859), ("bk1", 860)]),
        ("random:2@7", "random:2@7", [("random@7", 0), ("random@7", 1)]),
        ("Random:0..1@7", "random:2@7", [("random@7", 0), ("random@7", 1)]),
        ("random:5..6@7", "random:5..6@7", [("random@7", 5), ("random@7", 6)]),
        ("random:5..5@7", "random:5..5@7", [("random@7", 5)]),
        ("random:1@7", "random:1@7", [("random@7", 0)]),
    ],
)
def test_a_range(text: str, canonical: str, expected: list[tuple[str, int]]) -> None:
    source = parse_source(text)
    assert (source.text, deals(source)) == (canonical, expected)
    assert (source.digest, source.bad_lines, source.num_bare) == (None, (), 0)
    assert deals(parse_source(source.text)) == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("ms:5..3", "'ms:5..3' ends before it begins; write the lower end first"),
        ("ms:1..", "'ms:1..' has no number"),
        ("ms:..5", "'ms:..5' has no number"),
        ("ms:1-5", "'ms:1-5' is not a source of deals; a range is written ms:1..5"),
        ("ms:1..1,000", "'ms:1..1,000' has separators in its number; write digits alone: 1000"),
        ("ms:1..8589934592", "'ms:1..8589934592' is beyond the last deal"),
        ("bk1:0..34359738368", "'bk1:0..34359738368' is beyond the last deal"),
        ("random:10", "'random:10' has no seed; random deals are written random:NUMBER@SEED"),
        ("random:0@1", "'random:0@1' contains no deals; at least 1 expected"),
        ("random:-5@1", "'random:-5@1' is negative"),
        ("random:5@1.5", "'random:5@1.5' is not a whole number in digits; seeds of random deals"),
        ("BK1-C4-AAAAA2..BK1-C4-AAAAA77", "'BK1-C4-AAAAA2' has 6 letters after its last hyphen"),
        ("BK1-C4-AAAAA24..ms:5", "'ms:5' has 1 part, but a code has 3"),
        ("BK1-C4-AAAAA20", "'BK1-C4-AAAAA20' has '0' among its last seven letters"),
        ("nowhere.txt", "'nowhere.txt' is neither a source of deals nor a file that exists"),
        ("", "'' is neither a source of deals nor a file that exists"),
        ("a\0b", "'a\\x00b' cannot be read: embedded null byte"),
        ("/", "'/' is a directory"),
    ],
)
def test_a_text_that_is_no_source(text: str, fault: str) -> None:
    with pytest.raises(BoulangerError) as caught:
        parse_source(text)
    assert str(caught.value).startswith(fault)
    assert "\n" not in str(caught.value)


def test_a_list_has_deals_of_all_kinds() -> None:
    source = read_text(
        "\ufeffBK1-C4-AAAAA24\r\n\n# a comment\n  ms:17  # and another\n860\nbk1-c1-aaaaaab\n"
        "random:5@1\nbk1:7\nMS:17"
    )
    assert deals(source) == [
        ("bk1", 860),
        ("ms", 17),
        ("bk1", 860),
        ("bk1", 1),
        ("random@1", 5),
        ("bk1", 7),
        ("ms", 17),
    ]
    assert (source.bad_lines, source.num_bare) == ((), 1)


def test_bad_lines_are_kept_with_their_numbers() -> None:
    data = (
        b"ms:1\nfoo\n\xff\xfe\nBK1-C4-AAAAA20\nms:-1\n1\tx\nms:2\n" + b"9" * 5000 + b"\nms:3\n0x1f"
    )
    source = read_list(io.BytesIO(data), "deals.txt")
    assert deals(source) == [("ms", 1), ("ms", 2), ("ms", 3)]
    assert [bad.line for bad in source.bad_lines] == [2, 3, 4, 5, 6, 8, 10]
    assert {bad.file for bad in source.bad_lines} == {"deals.txt"}
    faults = dict((bad.line, bad.fault) for bad in source.bad_lines)
    assert faults[2].startswith("'foo' is not a deal; a game code, ms:NUMBER")
    assert faults[3] == "is not text in UTF-8"
    assert "did you mean BK1-C4-AAAAA2O?" in faults[4]
    assert faults[5].startswith("'ms:-1' is negative")
    assert "beyond the last deal" in faults[8]
    assert source.bad_lines[4].text == "1\\tx"
    assert len(source.bad_lines[5].text) < 250


def test_a_lists_digest_is_that_of_the_file(tmp_path: Path) -> None:
    data = b"ms:1\nfoo\n" + b"x" * 5000 + b"\nms:2\n"
    (tmp_path / "list").write_bytes(data)
    source = parse_source(str(tmp_path / "list"))
    assert source.digest == hashlib.sha256(data).hexdigest()
    other = read_list(io.BytesIO(data.replace(b"ms:2", b"ms:3")), "list")
    assert other.digest != source.digest


def test_a_range_goes_before_a_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("ms:1", "BK1-C4-AAAAA24", "a..b"):
        Path(name).write_text("ms:5\n")
    assert deals(parse_source("ms:1")) == [("ms", 1)]
    assert deals(parse_source("./ms:1")) == [("ms", 5)]
    assert deals(parse_source("BK1-C4-AAAAA24")) == [("bk1", 860)]
    assert deals(parse_source("./BK1-C4-AAAAA24")) == [("ms", 5)]
    assert deals(parse_source("a..b")) == [("ms", 5)]


def test_sources_without_any_deal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").write_text("# nothing\n\n")
    Path("bad").write_text("foo\n")
    with pytest.raises(BoulangerError, match=r"^there are no deals in 'empty'$"):
        parse_sources(["empty"])
    with pytest.raises(BoulangerError, match="the first bad line, 1: 'foo' is not a deal"):
        parse_sources(["empty", "bad"])
    assert len(parse_sources(["empty", "ms:1"])) == 2
    with pytest.raises(BoulangerError, match="'-' may be given only once"):
        parse_sources(["-", "ms:1", "-"])


def random_sources(rng: random.Random) -> list[Source]:
    names = ["ms:1", "bk1:5", "random:3@1", "random:4@2", "BK1-C4-AAAAA24"]
    sources: list[Source] = [
        parse_source(f"ms:{start}..{start + rng.randrange(30)}") for start in range(3)
    ]
    sources += [
        read_text("\n".join(rng.choice(names) for _ in range(rng.randrange(20)))) for _ in range(3)
    ]
    rng.shuffle(sources)
    return sources


@pytest.mark.parametrize("seed", range(20))
def test_chunks_are_the_deals_in_order(seed: int) -> None:
    rng = random.Random(seed)
    sources = random_sources(rng)
    expected = [deal for source in sources for deal in deals(source)]
    chunk_size = rng.randrange(1, 40)
    plan = ChunkPlan(sources, chunk_size)
    chunks = [Chunk(i, plan.pieces(i)) for i in range(plan.num_chunks)]
    assert [deal for chunk in chunks for deal in deals_of(chunk.pieces)] == expected
    assert [chunk.num_deals for chunk in chunks[:-1]] == [chunk_size] * (len(chunks) - 1)
    spans = ChunkSpans([(plan.num_deals, chunk_size)])
    assert spans.num_chunks == plan.num_chunks
    assert [chunk.num_deals for chunk in chunks] == [
        spans.place(i).num_deals for i in range(plan.num_chunks)
    ]
    assert plan.num_deals == len(expected)


def test_huge_ranges_cost_nothing() -> None:
    sources = parse_sources([f"bk1:0..{LAST_CODE}", f"random:{2**64 - 1}@{2**64 - 1}"])
    plan = ChunkPlan(sources, 1000)
    assert plan.num_deals == 2**35 + 2**64 - 1
    last = plan.pieces(plan.num_chunks - 1)
    assert deals_of(last)[-1] == (f"random@{2**64 - 1}", 2**64 - 2)


def test_the_number_of_chunks_suits_the_number_of_deals() -> None:
    sizes = [
        default_chunk_size(num_deals, Task((4,))) for num_deals in (1, 32_000, 10**6, 10**7, 10**9)
    ]
    assert sizes == [1000, 1000, 10_000, 50_000, 50_000]
    assert np.all(np.diff(sizes) >= 0)


def test_the_chunks_of_blocks_come_one_after_the_other() -> None:
    spans = ChunkSpans([(10, 4), (3, 5), (8, 4)])
    places = [spans.place(i) for i in range(spans.num_chunks)]
    assert [(p.block, p.place, p.num_deals) for p in places] == [
        (0, 0, 4), (0, 1, 4), (0, 2, 2), (1, 0, 3), (2, 0, 4), (2, 1, 4)
    ]  # fmt: skip


def test_chunks_suit_a_cluster() -> None:
    """So large that the scheduler keeps up, so small that all threads have work."""

    def size(num_deals: int, num_threads: int, *cells: int) -> int:
        return default_chunk_size(num_deals, Task(cells), num_threads)

    assert size(2**28, 1000, 4) == 100_000
    assert size(2**28, 1000, 1) == 500_000
    assert size(2**28, 1000, 1, 2, 4) <= size(2**28, 1000, 4)
    # And never so small that a folder has millions of files.
    assert size(2**35, 1, 4) == 1_000_000
    assert size(2**28, 1, 4) == 20_000
    assert size(10**6, 1000, 4) <= 10_000
    assert size(10**6, 10, 4) <= 50_000
    for num_threads in (1, 30, 1000):
        for num_deals in (1000, 10**6, 10**9):
            assert 1000 <= size(num_deals, num_threads, 4) <= 1_000_000
    # No worker has come yet: many will.
    assert size(2**28, 0, 4) == size(2**28, 100, 4)


@pytest.mark.parametrize("seed", range(10))
def test_a_list_read_in_blocks_is_that_read_line_by_line(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    lines = [_random_line(rng) for _ in range(400)]
    end = rng.choice(["\n", "\r\n"])
    text = end.join(lines) + rng.choice(["", end])
    whole = read_text(text)
    expected, bad, bare = [], [], 0
    for i, line in enumerate(lines, start=1):
        body = line.partition("#")[0].strip()
        try:
            expected += [sources_module._parse_line(body, CodeDealers())] if body else []
            bare += body.isdigit()
        except BoulangerError as error:
            bad.append((i, str(error)))
    assert deals(whole) == expected
    assert [(line.line, line.fault) for line in whole.bad_lines] == bad
    assert whole.num_bare == bare
    monkeypatch.setattr(lists_module, "_BLOCK_BYTES", rng.randrange(1, 300))
    again = read_text(text)
    assert (deals(again), again.bad_lines, again.digest) == (
        expected,
        whole.bad_lines,
        whole.digest,
    )


def _random_line(rng: random.Random) -> str:
    number = rng.choice([rng.randrange(50), rng.randrange(2**36), rng.randrange(2**34)])
    letters = "".join(rng.choices("ABCXYZ234567ab189", k=rng.choice([6, 7, 7, 7, 7])))
    return rng.choice(
        [f"BK1-C{rng.randrange(10)}-{letters}", f"bk1-c4-{letters}", f"ms:{number}",
         f"MS: {number}", f"bk1:{number}", f"BK1:00{number}", str(number), f" {number} # {number}",
         f"random:{number}@{rng.randrange(3)}", "foo", "1.5", "-3", "ms:12a", f"ms:{number}\t",
         f"code:{number}", f"code:{number}@bk1",
         "", "# x", "ms:"]
    )  # fmt: skip


def test_a_million_codes_take_no_call_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is pinned is not the time, which machines differ in, but that lines go together."""
    text = "".join(f"{format_code(7 * i, 4)}\n" for i in range(50_000))
    monkeypatch.setattr(sources_module, "_parse_line", lambda *args: pytest.fail(str(args)))
    seen: list[int] = []
    source = read_list(io.BytesIO(text.encode()), "list.txt", None, seen.append)
    assert source.numbers.tolist() == [7 * i for i in range(50_000)]
    assert sum(seen) == len(text)


def test_deals_that_are_there_twice_are_counted() -> None:
    def count(*texts: str, lines: str = "") -> int:
        listed = [read_text(lines)] if lines else []
        return num_duplicates([*map(parse_source, texts), *listed])

    assert count("ms:1..10") == 0
    assert count("ms:1..10", "ms:5..20") == 6
    assert count("ms:1..10", "ms:11..20", "bk1:1..20", "random:20@1", "random:20@2") == 0
    assert count("ms:1..10", "ms:2..3", "ms:3..12") == 2 + 8
    assert count(lines="ms:1\nms:1\nbk1:1\nms:2\nms:1\n") == 2
    assert count("ms:1..2", "ms:5..6", lines="ms:2\nms:3\nms:6\nms:6\nms:7\n") == 3
    assert count(f"random:{2**64 - 1}@1", lines=f"random:{2**64 - 2}@1\n") == 1


@pytest.mark.parametrize("seed", range(20))
def test_duplicates_are_those_of_a_plain_count(seed: int) -> None:
    sources = random_sources(random.Random(seed))
    everything = [deal for source in sources for deal in deals(source)]
    assert num_duplicates(sources) == len(everything) - len(set(everything))
