"""Files are written whole, or written into where a rename would do harm."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from boulanger.solver.catalogue.export import DealList, ListFormat, Query
from boulanger.solver.catalogue.reader import Catalogue
from boulanger.solver.files import whole_file, write_whole
from tests.catalogues import classified_rows, write_catalogue

posix = pytest.mark.skipif(os.name == "nt", reason="needs modes, links and pipes")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_and_one_that_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"one")
    assert path.read_bytes() == b"one"
    write_whole(str(path), b"two", is_durable=True)
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), whole_file(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_reader_of_the_old_file_still_reads_that(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with path.open("rb") as before:
        write_whole(path, b"new")
        assert before.read() == b"old"


@posix
def test_the_mode_stays_and_a_new_file_gets_the_usual_one(tmp_path: Path) -> None:
    path, other = tmp_path / "file", tmp_path / "other"
    path.write_bytes(b"")
    path.chmod(0o640)
    write_whole(path, b"x")
    assert mode(path) == 0o640
    before = os.umask(0o027)
    try:
        write_whole(other, b"x")
    finally:
        os.umask(before)
    assert mode(other) == 0o640


@posix
@pytest.mark.parametrize("is_there", [True, False])
def test_the_target_of_a_link_is_replaced(tmp_path: Path, is_there: bool) -> None:
    (tmp_path / "deep").mkdir()
    target, link, second = tmp_path / "deep" / "file", tmp_path / "link", tmp_path / "second"
    if is_there:
        target.write_bytes(b"old")
    link.symlink_to("deep/file")
    second.symlink_to(link)
    write_whole(second, b"new")
    assert second.is_symlink() and link.is_symlink() and not target.is_symlink()
    assert target.read_bytes() == b"new"
    assert [path.name for path in target.parent.iterdir()] == ["file"]


@posix
def test_a_circle_of_links(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError):
        write_whole(tmp_path / "a", b"x")
    assert (tmp_path / "a").is_symlink()


@pytest.mark.parametrize("has_links", [True, False])
def test_a_new_file_is_never_put_over_another_one(
    tmp_path: Path, has_links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_links:  # as on some file systems
        monkeypatch.delattr(os, "link", raising=False)
    path = tmp_path / "file"
    write_whole(path, b"first", is_new=True)
    with pytest.raises(FileExistsError):
        write_whole(path, b"second", is_new=True)
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_a_device_stays_one(tmp_path: Path) -> None:
    """A device of our own where that is allowed, otherwise /dev/null, which only root can lose."""
    device = tmp_path / "null"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    except (OSError, AttributeError):
        device = Path(os.devnull)
        if os.geteuid() == 0:
            pytest.skip("a device to lose is needed")
    link = tmp_path / "link"
    link.symlink_to(device)
    for path in (device, link):
        write_whole(path, b"nothing")
    assert stat.S_ISCHR(device.stat().st_mode)
    assert link.is_symlink()


@posix
@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="needs /dev/stdout")
def test_standard_output_by_name(tmp_path: Path) -> None:
    """A pipe, and a file that the shell has opened: that is the one to write to, at its end."""
    code = (
        "from boulanger.solver.files import write_whole; import sys;"
        "write_whole(sys.argv[1], b'a'); write_whole(sys.argv[1], b'b')"
    )
    command = [sys.executable, "-c", code]
    (tmp_path / "link").symlink_to("/dev/stdout")
    for name in ("/dev/stdout", str(tmp_path / "link")):
        assert subprocess.run([*command, name], capture_output=True).stdout == b"ab"
        with (tmp_path / "out").open("wb") as file:
            file.write(b"first ")
            file.flush()
            subprocess.run([*command, name], stdout=file, check=True)
            # Whoever shares the open file goes on behind what was written.
            subprocess.run([*command[:2], "print('c', end='')"], stdout=file, check=True)
        assert (tmp_path / "out").read_bytes() == b"first abc"


@pytest.mark.parametrize("name", ["", ".", "folder"])
def test_a_folder_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        write_whole(name, b"x")
    assert (tmp_path / "folder").is_dir()


@posix
@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root writes anywhere")
def test_a_file_that_may_not_be_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"


@posix
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_export_into_a_pipe(tmp_path: Path, form: str) -> None:
    write_catalogue(tmp_path / "c", classified_rows("ms", range(1, 30), (4,)), (4,))
    pipe, copy = tmp_path / "pipe", tmp_path / "copy"
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: copy.write_bytes(pipe.read_bytes()))
    reader.start()
    DealList(Catalogue(tmp_path / "c"), Query(4), ListFormat(form)).write(pipe)
    reader.join(10)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    if form == "parquet":
        assert pq.read_table(copy).num_rows == 29
    else:
        assert len(copy.read_text().splitlines()) == 30
