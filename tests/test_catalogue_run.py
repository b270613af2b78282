"""`boulanger classify`: a run that was stopped, however, ends as one that was not."""

from __future__ import annotations

import errno
import io
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boulanger.engine.errors import CatalogueError
from boulanger.solver import files
from boulanger.solver.catalogue import local
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.folder import Folder
from boulanger.solver.catalogue.local import work_locally
from boulanger.solver.catalogue.manifest import Block, Manifest, SourceName
from boulanger.solver.catalogue.runner import Run
from boulanger.solver.catalogue.sources import Piece, parse_sources
from boulanger.solver.catalogue.task import Stamp, Task, WorkersError
from boulanger.solver.catalogue.work import MadePart, own_stamp, prepare, work_on
from boulanger.solver.cli.catalogue_progress import CatalogueBar
from tests import truth
from tests.catalogues import (
    GOES_ON,
    contents,
    manifest_of,
    num_parts,
    part_paths,
    start_classify,
    write_manifest,
)
from tests.catalogues import classify_command as run
from tests.command import besides_dealer

# None takes near so long, but a worker that is waited for in vain must not hang all.
pytestmark = pytest.mark.timeout(300)

SOURCES = ("ms:1..2000", "bk1:0..999", "random:1000@1")
# Small chunks, and quick ones: some hundredths of a second each.
QUICK = (*SOURCES, "--chunk-size", "100", "--workers", "1")
QUICK_BY_TWO = (*QUICK[:-1], "2")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalogue of `QUICK`."""
    prepare(["ms", "bk1", "random@1"])
    folder = tmp_path_factory.mktemp("undisturbed") / "catalogue"
    answer = run(*QUICK, "--out", str(folder))
    assert (answer.code, answer.err) == (0, "")
    assert num_parts(folder) == 40
    return folder


# What a run makes.


def test_the_answer_is_a_line_for_each_number_of_cells(tmp_path: Path) -> None:
    answer = run("ms:1..1000", "--out", str(tmp_path / "c"))
    assert (answer.code, answer.err) == (0, "")
    won = [
        1000 - sum(deal <= 1000 for deal in truth.unwinnable_deals(num_cells))
        for num_cells in (4, 2, 1)
    ]
    assert answer.out.splitlines() == [
        f"{cells}: {n:,} of 1,000 winnable ({n / 10:.2f} %), {1000 - n:,} unwinnable, 0 undecided"
        for cells, n in zip(("4 cells", "2 cells", "1 cell"), won, strict=True)
    ]


def test_json(tmp_path: Path) -> None:
    folder = str(tmp_path / "c")
    arguments = ("ms:1..100", "--cells", "4,1", "--out", folder, "--json")
    first, second = (json.loads(run(*arguments).out) for _ in range(2))
    assert (first["out"], first["deals"], first["new"], first["rejected"]) == (folder, 100, 100, 0)
    assert [row["cells"] for row in first["cells"]] == [4, 1]
    assert sum(row["unwinnable"] for row in first["cells"]) == sum(
        sum(deal <= 100 for deal in truth.unwinnable_deals(num_cells)) for num_cells in (4, 1)
    )
    assert {**second, "new": 100} == first
    assert second["new"] == 0


def test_two_workers_make_what_one_makes(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    assert run(*QUICK_BY_TWO, "--out", str(folder)).code == 0
    assert contents(folder) == contents(undisturbed)


def test_the_manifest(undisturbed: Path) -> None:
    manifest = manifest_of(undisturbed)
    assert manifest["format"] == 2
    assert manifest["sources"] == list(SOURCES)
    assert manifest["cells"] == [1, 2, 4]
    assert manifest["max_nodes"] is None
    assert [block["chunk_size"] for block in manifest["blocks"]] == [100]
    assert (manifest["num_deals"], manifest["num_chunks"], manifest["num_rejected"]) == (
        4000,
        40,
        0,
    )
    assert manifest["search"] == own_stamp().search
    assert manifest["pyarrow"] == pa.__version__


def test_a_finished_catalogue_is_left_as_it_is(undisturbed: Path) -> None:
    def times() -> dict[Path, int]:
        files = [path for path in undisturbed.rglob("*.parquet")]
        return {path: path.stat().st_mtime_ns for path in files}

    before = times()
    answer = run(*QUICK, "--out", str(undisturbed))
    assert answer.code == 0
    assert "of 4,000 winnable" in answer.out
    assert times() == before


def test_a_deal_left_undecided_is_exit_code_3(tmp_path: Path) -> None:
    answer = run(*["ms:1..100", "--max-nodes", "20", "--cells", "4", "--out"], str(tmp_path))
    assert answer.code == 3
    assert not answer.out.endswith(" 0 undecided\n")


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_shows_the_rates_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    bar = CatalogueBar((1, 4))
    bar.started(1000, 100, np.array([[99, 1, 0], [25, 75, 0]]))
    bar.advanced(300, np.array([[392, 8, 0], [100, 299, 1]]))
    bar.close()
    shown = screen.getvalue().split("\r")[-1]
    assert "400/1.00k" in shown
    assert " deals/s" in shown
    assert "won with cells 4: 74.75 %, 1: 2.00 %" in shown


# Lists.


def test_bad_lines_are_reported_and_kept_and_the_rest_goes_on(tmp_path: Path) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text("ms:1\nfoo\n# comment\n860\nBK1-C4-AAAAA20\n\nms:2\n")
    folder = tmp_path / "c"
    for _ in range(2):
        answer = run(str(deals), "--out", str(folder))
        assert answer.code == 2
        assert "of 3 winnable" in answer.out
        errors = answer.err.splitlines()
        assert "numbers alone (1) are read as those of game codes" in errors[0]
        assert f"{str(deals)!r}, line 2: 'foo' is not a deal" in errors[1]
        assert f"{str(deals)!r}, line 5: 'BK1-C4-AAAAA20' has '0'" in errors[2]
        assert "rejected.txt" in errors[3]
    rejected = [line.split("\t") for line in (tmp_path / "c.rejected.txt").read_text().splitlines()]
    assert [fields[:3] for fields in rejected] == [
        [str(deals), "2", "foo"],
        [str(deals), "5", "BK1-C4-AAAAA20"],
    ]
    assert "did you mean BK1-C4-AAAAA2O?" in rejected[1][3]
    rows = pq.read_table(folder).to_pylist()
    assert [(row["source"], row["number"]) for row in rows] == [("ms", 1), ("bk1", 860), ("ms", 2)]
    assert manifest_of(folder)["num_rejected"] == 2


def test_only_the_first_bad_lines_are_shown(tmp_path: Path) -> None:
    text = "".join(f"bad{i}\n" for i in range(30)) + "ms:1\n"
    answer = run("-", "--out", str(tmp_path / "c"), stdin=text)
    assert answer.code == 2
    errors = answer.err.splitlines()
    assert len(errors) == 11
    assert errors[0].startswith("boulanger: standard input, line 1: 'bad0' is not a deal")
    assert errors[10].startswith("boulanger: note: 20 more bad lines; all are in ")
    assert len((tmp_path / "c.rejected.txt").read_text().splitlines()) == 30


def test_a_list_must_be_the_same_to_go_on(tmp_path: Path) -> None:
    arguments = ("-", "--cells", "1", "--out", str(tmp_path / "c"))
    assert run(*arguments, stdin="ms:1\nms:2\n").code == 0
    assert run(*arguments, stdin="ms:1\nms:2\n").code == 0
    answer = run(*arguments, stdin="ms:1\nms:3\n")
    assert answer.code == 2
    assert "made with other options (sources: - (" in answer.err


# What a run refuses.


@pytest.mark.parametrize(
    ("arguments", "difference"),
    [
        (("ms:1..11",), "sources: ms:1..10 there, ms:1..11 here"),
        (("ms:1..10", "--cells", "4"), "--cells: 1,2,4 there, 4 here"),
        (("ms:1..10", "--max-nodes", "7"), "--max-nodes: none there, 7 here"),
        (("ms:1..10", "--chunk-size", "7"), "--chunk-size: 1000 there, 7 here"),
    ],
)
def test_other_options_are_refused(
    arguments: tuple[str, ...], difference: str, tmp_path: Path
) -> None:
    folder = tmp_path / "c"
    assert run("ms:1..10", "--out", str(folder)).code == 0
    before = contents(folder)
    answer = run(*arguments, "--out", str(folder))
    assert (answer.code, answer.out) == (2, "")
    assert f"made with other options ({difference}): go on with it as it was begun" in answer.err
    assert contents(folder) == before
    assert run("ms:01..10", "--cells", "1,4,2,1", "--out", str(folder)).code == 0


def test_another_search_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    assert run("ms:1..10", "--out", str(folder)).code == 0
    manifest = manifest_of(folder)
    del manifest["digest"]
    write_manifest(folder, {**manifest, "search": 1})
    answer = run("ms:1..10", "--out", str(folder))
    assert answer.code == 2
    assert "signature of the search (of another version): 1 there" in answer.err
    # The program may be of another version, if it searches alike.
    write_manifest(folder, {**manifest, "boulanger": "0.0.1", "commit": None})
    assert run("ms:1..10", "--out", str(folder)).code == 0


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(b"")
    answer = run("ms:1", "--out", str(tmp_path))
    assert answer.code == 2
    assert "is no catalogue, and 'photo.png' is in it" in answer.err
    assert os.listdir(tmp_path) == ["photo.png"]
    (tmp_path / "photo.png").unlink()
    (tmp_path / "manifest.json").write_text("{}")
    assert "holds a catalogue of an older version" in run("ms:1", "--out", str(tmp_path)).err
    (tmp_path / "_manifest.parquet").write_bytes(b"PAR1")
    answer = run("ms:1", "--out", str(tmp_path))
    assert answer.code == 2
    assert "is damaged, or not the manifest of a catalogue" in answer.err


def test_what_a_run_leaves_that_is_stopped_at_its_beginning_is_taken_up(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / ".boulanger-12.tmp").write_bytes(b"PAR1")
    assert run("ms:1", "--out", str(tmp_path)).code == 0
    assert not list(tmp_path.rglob("*.tmp"))


def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    manifest = Manifest((Block((SourceName("ms:1"),), 1, 0, 1000),), (4,))
    with Folder(tmp_path, manifest), pytest.raises(CatalogueError, match="another run is writing"):
        Folder(tmp_path, manifest)
    Folder(tmp_path, manifest).close()


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("ms:1", "--cells", "9"), "numbers of cells from 0 to 8 expected, such as 4 or 4,2,1"),
        (("ms:1", "--cells", "4,,1"), "numbers of cells from 0 to 8 expected"),
        (("ms:1", "--cells", "5..9"), "numbers of cells from 0 to 8 expected"),
        (("ms:1", "--cells", "3..1"), "numbers of cells from 0 to 8 expected"),
        (("ms:1", "--cells", "0-8"), "a range of numbers of cells is written 0..8, not '0-8'"),
        (("ms:1-100",), "'ms:1-100' is not a source of deals; a range is written ms:1..100"),
        (("ms:1", "--shard", "0/2"), "I/N expected with I from 1 to N, such as 2/8, not '0/2'"),
        (("ms:1", "--shard", "3/2"), "I/N expected with I from 1 to N"),
        (("ms:1", "--wait", "9"), "--wait goes with --cluster"),
        (("ms:1", "--shared-folder"), "--shared-folder goes with --cluster or --scheduler-file"),
        (("ms:1", "--cluster", "a:1", "--scheduler-file", "f"), "exclude each other"),
        (("ms:1", "--scheduler-file", "nowhere"), "there is no file 'nowhere'"),
        (("ms:1", "--cluster", "env"), "--cluster env needs an address in DASK_SCHEDULER_ADDRESS"),
        (("ms:1", "--workers", "0"), "a whole number from 1 on expected, not '0'"),
        (("ms:1", "--chunk-size", "x"), "a whole number from 1 on expected, not 'x'"),
        (("ms:1", "--chunk-size", "2000000"), "at most 1000000 deals expected, not '2000000'"),
        (("ms:1", "--max-nodes", str(2**32)), "a limit up to 4294967295 expected"),
        (("ms:1", "--workers", "1", "--cluster", "a:1"), "exclude each other"),
        (("ms:1", "--cluster", "nowhere"), "'nowhere' is not the address of a Dask scheduler"),
        (("ms:2..1",), "'ms:2..1' ends before it begins"),
    ],
)
def test_bad_arguments(arguments: tuple[str, ...], fault: str, tmp_path: Path) -> None:
    answer = run(*arguments, "--out", str(tmp_path / "c"))
    assert (answer.code, answer.out) == (2, "")
    assert fault in answer.err
    assert len(answer.err.splitlines()) == 1


# What may go wrong.


def test_half_written_and_damaged_files_are_made_anew(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    shutil.copytree(undisturbed, folder)
    parts = part_paths(folder)
    (folder / "parts" / ".boulanger-3.tmp").write_bytes(b"PAR1")
    parts[5].unlink()
    data = parts[6].read_bytes()
    parts[6].write_bytes(data[: len(data) // 2])
    parts[7].write_bytes(b"")
    # A part of another chunk in the place of one, with a digest that is right.
    parts[8].unlink()
    shutil.copy(parts[9], str(parts[9]).replace("-000009-", "-000008-"))
    answer = run(*QUICK, "--out", str(folder), "--json")
    assert json.loads(answer.out)["new"] == 400
    assert contents(folder) == contents(undisturbed)


def test_a_full_disk_stops_the_run_and_loses_nothing(
    undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "c"
    num_left = 12

    def fsync_until_full(descriptor: int) -> None:
        nonlocal num_left
        num_left -= 1
        if num_left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", fsync_until_full)
        answer = run(*QUICK, "--out", str(folder))
    assert (answer.code, answer.out) == (4, "")
    assert answer.err == f"boulanger: cannot be written: No space left on device; {GOES_ON}"
    assert num_parts(folder) == 11  # and the manifest
    assert not list(folder.rglob("*.tmp"))
    assert not multiprocessing.active_children()
    assert run(*QUICK, "--out", str(folder)).code == 0
    assert contents(folder) == contents(undisturbed)


@pytest.mark.slow
@pytest.mark.ci
def test_a_limit_of_the_system_on_files_is_no_other(tmp_path: Path) -> None:
    """A part of 4000 deals is longer than the limit, so the write itself fails."""
    prepare(["ms"])
    folder = tmp_path / "c"
    arguments = ("ms:1..4000", "--cells", "1", "--out", str(folder), "--chunk-size", "4000")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    out, err = (process := start_classify(*arguments, limit=limit)).communicate(timeout=120)
    assert (process.returncode, out) == (4, "")
    assert err == f"boulanger: cannot be written: File too large; {GOES_ON}\n"
    assert [path.name for path in folder.rglob("*.parquet")] == ["_manifest.parquet"]
    assert run(*arguments).code == 0


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """Not even by root."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    answer = run("ms:1", "--out", str(blocked))
    assert (answer.code, answer.out) == (2, "")
    assert "is a file; a folder expected" in answer.err
    answer = run("ms:1", "--out", "/proc/boulanger/catalogue")
    assert (answer.code, answer.out) == (4, "")
    assert answer.err.startswith("boulanger: cannot be written: '/proc/boulanger")


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    task = Task((1, 4))
    chunks = [Chunk(i, (Piece("ms", range(100 * i, 100 * i + 100)),)) for i in range(12)]
    parts = work_locally(iter(chunks), task, 2)
    done = [next(parts)]
    victims = multiprocessing.active_children()
    assert len(victims) == 2
    for victim in victims:
        os.kill(victim.pid or 0, signal.SIGKILL)
    done += parts
    assert sorted(part.index for part in done) == list(range(12))
    for part in done:
        assert part.data == work_on(chunks[part.index], task).data
    assert not multiprocessing.active_children()


def _die(log: str) -> None:
    """Ends the process, which is told in a file."""
    with open(log, "a") as file:
        file.write("x")
    os._exit(9)


class _Deadly(Chunk):
    """Ends any process that receives it."""

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return _die, (self.about,)


def test_a_chunk_that_kills_its_workers_is_an_error(tmp_path: Path) -> None:
    log = tmp_path / "deaths"
    good = [Chunk(i, (Piece("ms", range(10)),)) for i in range(20)]
    deadly = _Deadly(99, (Piece("ms", range(10)),), str(log))
    with pytest.raises(WorkersError, match=r"3 worker processes died over chunk 99, .* code 9"):
        list(work_locally(iter([*good[:2], deadly, *good[2:]]), Task((1,)), 2))
    assert not multiprocessing.active_children()
    assert log.read_text() == "xxx"


def test_a_part_of_another_version_is_not_taken(tmp_path: Path) -> None:
    run_of_two = Run(parse_sources(["ms:1..2000"]), tmp_path / "c", Task((1,)))

    def workers(chunks: Any, task: Task, stamp: Stamp) -> Iterator[MadePart]:
        for chunk in chunks:
            part = work_on(chunk, task)
            other = replace(part.stamp, boulanger="0.0.1") if chunk.index else part.stamp
            yield replace(part, stamp=other)

    with pytest.raises(WorkersError, match=r"a worker is of another version .*boulanger='0.0.1'"):
        run_of_two.work(workers)  # type: ignore[arg-type]
    assert num_parts(tmp_path / "c") == 1


def test_more_workers_than_the_system_can_wait_for_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Windows waits for some sixty; here for one."""
    monkeypatch.setattr(local, "_MAX_AWAITED", 1)
    chunks = [Chunk(i, (Piece("ms", range(10 * i, 10 * i + 10)),)) for i in range(6)]
    parts = work_locally(iter(chunks), Task((1,)), 2)
    assert sorted(part.index for part in parts) == list(range(6))


def test_a_fault_of_the_program_is_not_hidden() -> None:
    chunks = [Chunk(0, (Piece("nobody", range(10)),))]
    with pytest.raises(RuntimeError, match="chunk 0 failed") as caught:
        list(work_locally(iter(chunks), Task((1,)), 1))
    assert "'nobody' is not a dealer" in str(caught.value.__cause__)


def test_chunks_are_taken_one_by_one() -> None:
    taken = 0

    def chunks() -> Any:
        nonlocal taken
        for i in range(10**12):
            taken += 1
            yield Chunk(i, (Piece("ms", range(10)),))

    parts = work_locally(chunks(), Task((1,)), 2)
    assert len(list(islice(parts, 10))) == 10
    assert taken <= 12
    parts.close()
    assert not multiprocessing.active_children()


def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    process = start_classify(*QUICK, "--out", str(folder))
    while num_parts(folder) < 3:
        assert process.poll() is None
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert besides_dealer(err) == f"boulanger: interrupted; {GOES_ON}\n"
    assert 3 <= num_parts(folder) < 40
    assert not list(folder.rglob("*.tmp"))
    assert run(*QUICK, "--out", str(folder)).code == 0
    assert contents(folder) == contents(undisturbed)


@pytest.mark.slow
@pytest.mark.ci
def test_workers_end_when_the_run_alone_is_killed(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    process = start_classify(*QUICK, "--out", str(folder))
    while num_parts(folder) < 3:
        assert process.poll() is None
        time.sleep(0.002)
    process.kill()
    process.communicate(timeout=60)
    deadline = time.monotonic() + 60
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < deadline:
            os.killpg(process.pid, 0)
            time.sleep(0.01)
    assert num_parts(folder) < 40
    assert run(*QUICK, "--out", str(folder)).code == 0
    assert contents(folder) == contents(undisturbed)


def test_workers_that_cannot_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(process: multiprocessing.process.BaseProcess) -> None:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", refuse)
    answer = run("ms:1", "--workers", "1", "--out", str(tmp_path / "c"))
    assert (answer.code, answer.out) == (4, "")
    assert answer.err.startswith("boulanger: a worker process cannot be started: Resource temp")


@pytest.mark.slow
@pytest.mark.ci
def test_a_run_killed_five_times_ends_as_an_undisturbed_one(
    undisturbed: Path, tmp_path: Path
) -> None:
    """SIGKILL to the whole group, at a random moment after a random number of new parts.

    The first time none is waited for, so that it may be before there is a folder.
    """
    rng = random.Random(20240501)
    folder = tmp_path / "c"
    for i in range(5):
        process = start_classify(*QUICK, "--out", str(folder))
        goal = num_parts(folder) + rng.randrange(1, 7) if i else 0
        while num_parts(folder) < goal:
            assert process.poll() is None
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.03 if i else 1.0))
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        assert num_parts(folder) < 40
    assert num_parts(folder) >= 4
    answer = run(*QUICK, "--out", str(folder))
    assert (answer.code, answer.err) == (0, "")
    assert contents(folder) == contents(undisturbed)
