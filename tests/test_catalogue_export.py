"""`boulanger export`: each list against picking rows one by one, and against `solve`."""

from __future__ import annotations

import csv
import io
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from boulanger.solver.catalogue import export as export_module
from tests.catalogues import Row, classified_rows, part_paths, write_catalogue
from tests.command import DEALER_TOLD, Answer, besides_dealer, check_bad_input, run, start

CELLS = (1, 2, 4)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return [
        *classified_rows("bk1", range(1000, 1150), CELLS),
        *classified_rows("ms", range(1, 151), CELLS),
        *classified_rows("random@12345", range(100), CELLS),
        *classified_rows("bk1", range(34359738367, 34359738267, -1), CELLS, max_nodes=100),
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, rows: list[Row]) -> Path:
    folder = tmp_path_factory.mktemp("catalogue")
    write_catalogue(folder, rows, CELLS, chunk_size=64)
    return folder


def picked(rows: list[Row], **verdicts: str) -> list[Row]:
    """The rows with verdicts such as c4="winnable"."""
    return [row for row in rows if all(row.verdicts[int(n[1])] == v for n, v in verdicts.items())]


QUERIES: list[tuple[list[str], dict[str, str], int]] = [
    ([], {}, 4),
    (["--cells", "2"], {}, 2),
    (["--winnable"], {"c4": "winnable"}, 4),
    (["--winnable", "--cells", "2"], {"c2": "winnable"}, 2),
    (["--unwinnable", "--cells", "1"], {"c1": "unwinnable"}, 1),
    (["--undecided", "--cells", "4"], {"c4": "undecided"}, 4),
    (["--where", "4=winnable", "--where", "2=unwinnable"],
     {"c4": "winnable", "c2": "unwinnable"}, 4),
    (["--where", "2=unwinnable", "--where", "4=WINNABLE"],
     {"c4": "winnable", "c2": "unwinnable"}, 2),
    (["--where", "2=winnable", "--cells", "4"], {"c2": "winnable"}, 4),
    (["--winnable", "--where", "2=undecided"], {"c4": "winnable", "c2": "undecided"}, 4),
    (["--winnable", "--cells", "2", "--where", "1=unwinnable", "--where", "4=winnable"],
     {"c2": "winnable", "c1": "unwinnable"}, 2),
]  # fmt: skip


def names(rows: list[Row], num_cells: int) -> str:
    return "".join(row.name(num_cells) + "\n" for row in rows)


@pytest.mark.parametrize(("args", "verdicts", "num_cells"), QUERIES, ids=lambda v: str(v)[:60])
def test_lists_hold_the_rows_that_fit_in_order(
    folder: Path, rows: list[Row], args: list[str], verdicts: dict[str, str], num_cells: int
) -> None:
    fitting = picked(rows, **verdicts)
    assert fitting
    answer = run("export", str(folder), *args)
    assert (answer.code, answer.out) == (0, names(fitting, num_cells))
    note = "boulanger: note: deals without a game code do not say how many cells; add --cells "
    has_bare = any(row.source != "bk1" for row in fitting)
    told = DEALER_TOLD if any(row.source == "bk1" for row in fitting) else ""
    bare = f"{note}{num_cells}\n" if has_bare and num_cells != 4 else ""
    assert answer.err == bare + told

    table = run("export", str(folder), *args, "--format", "csv")
    assert (table.code, table.err) == (0, told)
    assert list(csv.DictReader(io.StringIO(table.out))) == [csv_row(r, num_cells) for r in fitting]


def csv_row(row: Row, num_cells: int) -> dict[str, str]:
    texts = {
        "deal": row.name(num_cells),
        "source": row.source,
        "number": str(row.number),
        "code": row.code or "",
    }
    for n in CELLS:
        texts[f"verdict_{n}"] = row.verdicts[n]
        texts[f"nodes_{n}"] = "" if row.nodes[n] is None else str(row.nodes[n])
        texts[f"inferred_{n}"] = "true" if row.inferred[n] else "false"
    return texts


@pytest.mark.parametrize("rows_a_group", [1, 100, 100_000])
def test_parquet(
    folder: Path,
    rows: list[Row],
    tmp_path: Path,
    rows_a_group: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(export_module, "_ROWS_A_GROUP", rows_a_group)
    out = tmp_path / "list.parquet"
    args = ["export", str(folder), "--winnable", "--format", "parquet", "--out", str(out)]
    fitting = picked(rows, c4="winnable")
    sentence = f"{len(fitting)} of {len(rows)} deals fit, written to {str(out)!r}"
    assert run(*args) == (0, "", f"boulanger: note: {sentence}\n{DEALER_TOLD}")
    table = pq.read_table(out)
    expected = []
    for row in fitting:
        values: dict[str, Any] = {
            "deal": row.name(4), "source": row.source, "number": row.number, "code": row.code
        }  # fmt: skip
        for n in CELLS:
            values |= {
                f"verdict_{n}": row.verdicts[n],
                f"nodes_{n}": row.nodes[n],
                f"inferred_{n}": row.inferred[n],
            }
        expected.append(values)
    assert table.to_pylist() == expected
    assert table.column_names == list(expected[0])


def test_an_empty_list(folder: Path, tmp_path: Path, rows: list[Row]) -> None:
    lost = [row for row in rows if set(row.verdicts.values()) == {"unwinnable"}]
    write_catalogue(tmp_path / "lost", lost, CELLS)
    note = f"boulanger: note: 0 of {len(lost)} deals fit\n"
    assert run("export", str(tmp_path / "lost"), "--winnable") == (0, "", note)
    args = ["export", str(tmp_path / "lost"), "--winnable", "--out", str(tmp_path / "list")]
    for form, num_rows in (("codes", 0), ("csv", 1)):
        assert run(*args, "--format", form).code == 0
        assert len((tmp_path / "list").read_text().splitlines()) == num_rows
    assert run(*args, "--format", "parquet").code == 0
    assert pq.read_table(tmp_path / "list").num_rows == 0


# What is listed is true.


def solved(name: str, num_cells: int) -> Answer:
    return run("solve", name, "--cells", str(num_cells))


@pytest.mark.parametrize(
    ("args", "codes"),
    [
        (["--where", "4=winnable", "--where", "2=unwinnable"], {4: 0, 2: 1}),
        (["--winnable", "--cells", "2"], {2: 0, 4: 0}),
        (["--unwinnable", "--cells", "4"], {4: 1, 2: 1, 1: 1}),
    ],
    ids=str,
)
def test_solve_agrees_one_by_one(folder: Path, args: list[str], codes: dict[int, int]) -> None:
    deals = run("export", str(folder), *args).out.split()
    assert len(deals) > 5
    for kind in ("BK1-", "ms:", "random:"):
        some = [deal for deal in deals if deal.startswith(kind)]
        assert some, kind
        for deal in random.Random(5).sample(some, min(5, len(some))):
            for num_cells, code in codes.items():
                assert solved(deal, num_cells).code == code, (deal, num_cells)


def test_codes_need_nothing_else_to_be_solved(folder: Path) -> None:
    deals = run("export", str(folder), "--where", "2=unwinnable").out.split()
    coded = [deal for deal in deals if deal.startswith("BK1-C2-")]
    for deal in random.Random(1).sample(coded, 5):
        answer = run("solve", deal)
        assert (answer.code, answer.err) == (1, "")


# Unfinished and damaged catalogues.


def test_an_unfinished_run_is_listed_as_far_as_it_goes(tmp_path: Path, rows: list[Row]) -> None:
    written = write_catalogue(tmp_path, rows, CELLS, 100, [0, 3])
    answer = run("export", str(tmp_path), "--winnable")
    assert (answer.code, answer.out) == (0, names(picked(written, c4="winnable"), 4))
    assert besides_dealer(answer.err) == (
        "boulanger: note: the run is unfinished: 3 of 5 parts; counts are of these\n"
    )


def test_a_damaged_part_leaves_no_list(tmp_path: Path, rows: list[Row]) -> None:
    write_catalogue(tmp_path / "c", rows, CELLS)
    path = part_paths(tmp_path / "c")[4]
    path.write_bytes(path.read_bytes()[:-100])
    (tmp_path / "list").write_text("an older list")
    for form in ("codes", "csv", "parquet"):
        answer = run(
            "export", str(tmp_path / "c"), "--format", form, "--out", str(tmp_path / "list")
        )
        check_bad_input(answer, f"{path.name}' is damaged")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["c", "list"]
        assert (tmp_path / "list").read_text() == "an older list"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"source": "stdin"}, "'stdin' is not a dealer"),
        ({"source": "random@"}, "'random@' is not a dealer"),
        ({"code": None}, "the deal of a game code has no code"),
    ],
)
def test_rows_that_are_no_deals(
    tmp_path: Path, rows: list[Row], change: dict[str, Any], reason: str
) -> None:
    row = Row(**{**vars(rows[0]), **change})
    write_catalogue(tmp_path, [row], CELLS)
    check_bad_input(run("export", str(tmp_path)), reason)


# Bad input, and writing.


BAD_ARGUMENTS: list[tuple[list[str], str]] = [
    (["--cells", "3"], "has no verdicts for 3 cells; it has 1, 2, 4"),
    (["--where", "8=winnable"], "has no verdicts for 8 cells"),
    (["--where", "4=winnable", "--cells", "0"], "has no verdicts for 0 cells"),
    (["--cells", "nine"], "'nine'"),
    (["--where", "4"], "'4' is not a condition; CELLS=VERDICT expected, such as 4=winnable"),
    (["--where", "4=won"], "'4=won' is not a condition"),
    (["--winnable", "--unwinnable"], "--winnable and --unwinnable exclude each other"),
    (["--unwinnable", "--undecided"], "--unwinnable and --undecided exclude each other"),
    (["--winnable", "--where", "4=unwinnable"], "no deal is unwinnable with 4 cells and winnable"),
    (["--where", "4=unwinnable", "--where", "1=winnable"], "more cells never hurt"),
    (["--format", "xml"], "codes, csv, parquet or bits expected, not 'xml'"),
    (["--format", "parquet"], "--format parquet needs --out"),
    (["--out", "."], "is a directory; the name of a file expected"),
    (["--out", ""], "is a directory; the name of a file expected"),
    (["--out", "no-such-folder/list"], "'no-such-folder/list' cannot be written: No such file"),
    (["--out", "a\0b"], "cannot be written"),
]


@pytest.mark.parametrize(("args", "reason"), BAD_ARGUMENTS, ids=lambda value: str(value)[:60])
def test_bad_arguments(folder: Path, args: list[str], reason: str) -> None:
    check_bad_input(run("export", str(folder), *args), reason)


@pytest.mark.parametrize("form", ["codes", "csv", "parquet"])
def test_a_file_is_replaced_as_a_whole(folder: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / "list"
    out.write_text("an older list")
    with out.open() as opened_before:
        assert run("export", str(folder), "--format", form, "--out", str(out)).code == 0
        assert opened_before.read() == "an older list"
    assert [path.name for path in tmp_path.iterdir()] == ["list"]
    if form != "parquet":
        assert out.read_text() == run("export", str(folder), "--format", form).out


@pytest.mark.parametrize("form", ["codes", "csv", "parquet"])
def test_an_interrupted_list_leaves_nothing(
    folder: Path, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pick = export_module.fitting
    calls = []

    def interrupt(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return pick(*args)

    monkeypatch.setattr(export_module, "fitting", interrupt)
    answer = run("export", str(folder), "--format", form, "--out", str(tmp_path / "list"))
    assert answer == (130, "", "boulanger: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_goes_away(folder: Path, tmp_path: Path, rows: list[Row]) -> None:
    """After `head` nothing is written or said, and no further part is read."""
    broken = tmp_path / "c"
    write_catalogue(broken, rows * 40, CELLS, chunk_size=len(rows) * 20)
    path = part_paths(broken)[1]
    path.write_bytes(path.read_bytes()[:-100])
    # Unbuffered, Python takes a write that went through in part for a whole one.
    buffered = {name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = start("export", str(broken), stdout=subprocess.PIPE, env=buffered)
    assert process.stdout is not None
    assert process.stdout.readline() == f"{rows[0].name(4)}\n".encode()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        process = start("export", str(folder), stdout=full)
        errors = process.communicate()[1].decode()
    assert process.returncode == 2
    assert errors.count("\n") == 1
    assert "cannot be written" in errors


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_that_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    answer = run("export", str(folder), "--out", str(tmp_path / "list"))
    check_bad_input(answer, "cannot be written: Permission denied")
