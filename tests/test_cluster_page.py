"""docs/cluster.md does what it says, with jobs on this machine in the place of SLURM's."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.catalogues import ROOT, contents, manifest_of
from tests.catalogues import classify_command as run
from tests.test_catalogue_cluster import tls_file

__all__ = ["tls_file"]

PAGE = (ROOT / "docs" / "cluster.md").read_text("utf-8")
FEW = "0..1999"

pytestmark = [pytest.mark.slow, pytest.mark.ci, pytest.mark.timeout(300)]


def blocks(language: str, has: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [text for text in found if has in text]


def with_few_deals(text: str) -> str:
    assert "code:0..99999999" in text
    return text.replace("code:0..99999999", f"code:{FEW}")


def check(folder: Path) -> None:
    """Makes sure that a catalogue is the one that one process makes."""
    (block,) = manifest_of(folder)["blocks"]
    size = str(block["chunk_size"])
    alone = folder.parent / "alone"
    answer = run(f"code:{FEW}", "--cells", "1", "--chunk-size", size, "--out", str(alone))
    assert answer.code == 0
    assert contents(folder) == contents(alone)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


# With dask-jobqueue.


def local_cluster(scripts: list[str], **more: Any) -> Any:
    """What stands for SLURMCluster: few jobs, of processes that listen to this machine alone.

    Args:
        scripts: the scripts that SLURM would get are put there.
        more: arguments that the page tells of in words.
    """
    pytest.importorskip("dask_jobqueue", reason="dask-jobqueue is not installed")
    from dask_jobqueue.local import LocalCluster
    from dask_jobqueue.slurm import SLURMJob

    class Cluster(LocalCluster):  # type: ignore[misc]
        def __init__(self, *, worker_extra_args: list[str], **options: Any) -> None:
            extra = {"worker_extra_args": worker_extra_args, **options}
            scripts.append(SLURMJob("tcp://127.0.0.1:8786", "job", **extra).job_script())
            here = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
            super().__init__(
                worker_extra_args=[*worker_extra_args, *here],
                scheduler_options={"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"},
                **options,
                **more,
            )

        def adapt(self, *, maximum_jobs: int, **options: Any) -> None:
            super().adapt(maximum_jobs=min(maximum_jobs, 2), **options)

    return Cluster


@pytest.mark.parametrize("has_tls", [False, True])
def test_the_program(
    has_tls: bool,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    names: dict[str, Any] = {}
    if has_tls:
        request.getfixturevalue("tls_file")
        (text,) = blocks("python", "Security(")
        exec(text, names)
        names = {"security": names["security"]}
    scripts: list[str] = []
    stand_in = local_cluster(scripts, **names)
    monkeypatch.setattr("dask_jobqueue.SLURMCluster", stand_in)
    (text,) = blocks("python", "SLURMCluster(")
    exec(with_few_deals(text), {"__name__": "__main__"})
    check(here / "deals")
    unwinnable, winnable, undecided = re.findall(r"\d+", capsys.readouterr().out)
    assert (int(unwinnable) + int(winnable), undecided) == (2000, "0")
    (script,) = scripts
    for line in ("--cpus-per-task=8", "--mem=8G", "-t 04:00:00"):
        assert f"#SBATCH {line}\n" in script
    assert "--nthreads 8 --memory-limit 7.45GiB --nanny" in script


# Files for sbatch.


@contextlib.contextmanager
def script(text: str, here: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A script of the page as SLURM would start it; all that it leaves is ended."""
    assert text.startswith("#!/bin/bash\n#SBATCH ")
    local = "--host 127.0.0.1 --dashboard-address 127.0.0.1:0"
    for command in ("scheduler", "worker"):
        text = text.replace(f"dask {command} ", f"{sys.executable} -m dask {command} {local} ")
    text = text.replace("boulanger classify", f"{sys.executable} -m boulanger classify")
    with tempfile.NamedTemporaryFile("w", suffix=".sh", dir=here) as file:
        file.write(text)
        file.flush()
        process = subprocess.Popen(
            ["bash", file.name],
            cwd=here,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()


@pytest.mark.parametrize("has_tls", [False, True])
def test_jobs_of_your_own(has_tls: bool, here: Path, request: pytest.FixtureRequest) -> None:
    (runner,) = blocks("sh", "dask scheduler")
    (workers,) = blocks("sh", "dask worker")
    if has_tls:
        request.getfixturevalue("tls_file")
        (flags,) = re.findall(r"`(--protocol tls --tls-ca-file .*?)`", PAGE)
        runner = runner.replace("dask scheduler", f"dask scheduler {flags}")
        runner = runner.replace("boulanger classify", "boulanger classify --tls tls.toml")
        flags = flags.removeprefix("--protocol tls ")
        workers = workers.replace("dask worker", f"dask worker {flags}")
    with script(with_few_deals(runner), here) as process:
        while not (here / "deals").exists():  # so the command has found the scheduler
            assert process.poll() is None
            time.sleep(0.05)
        with script(workers, here, SLURM_CPUS_PER_TASK="2"):
            address = (here / "scheduler.json").read_text()
            out, _ = process.communicate(timeout=200)
    assert process.returncode == 0
    assert "1 cell: " in out
    assert ("tls://127.0.0.1:" if has_tls else "tcp://127.0.0.1:") in address
    check(here / "deals")


def test_shards(here: Path) -> None:
    (text,) = blocks("sh", "--shard ")
    text = with_few_deals(text).replace("/100 ", "/2 ")
    for i in ("1", "2"):
        with script(text, here, SLURM_ARRAY_TASK_ID=i, SLURM_CPUS_PER_TASK="1") as process:
            process.communicate(timeout=200)
        assert process.returncode == 0
    (command,) = re.findall(r"^    (boulanger merge .*)$", PAGE, re.MULTILINE)
    subprocess.run(f"{sys.executable} -m {command}", shell=True, cwd=here, check=True)
    check(here / "deals")
