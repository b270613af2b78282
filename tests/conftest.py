"""What all tests share: no test sees, or changes, the settings of whoever runs it, or is timed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# The first example of a test may have to compile kernels, and machines are busy at times: how long
# something takes is for benchmarks to say.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    """Before several processes run tests: what all need is compiled once, not in each of them."""
    is_leader = not hasattr(config, "workerinput")
    if is_leader and config.getoption("numprocesses", None) and not config.option.collectonly:
        from boulanger.solver.prepare import compile_in_parallel
        from boulanger.solver.rating.parts import is_ready

        compile_in_parallel("ratings", lambda _: None, is_ready)


@pytest.fixture(autouse=True, scope="session")
def _no_settings() -> Iterator[None]:
    """An empty configuration folder, for processes that tests start as well."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", folder)
        yield


@pytest.fixture
def config_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder of the test's own; not made yet."""
    folder = tmp_path / "config"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder / "boulanger"


@pytest.fixture
def workers_here() -> Iterator[None]:
    """`tests.catalogues.workers_here` for a test."""
    from tests import catalogues

    with catalogues.workers_here():
        yield
