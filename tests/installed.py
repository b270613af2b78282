"""Every command of an installed Boulanger, far from its sources: `python tests/installed.py`.

With `--without-numba`, none may import Numba, not even the first on this machine: what a wheel with
bitcode promises.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

IS_WITHOUT_NUMBA = "--without-numba" in sys.argv[1:]
PYTHON = [sys.executable, "-I", "-m", "boulanger"]
# The same, that tells of each import.
TELLING = [sys.executable, "-X", "importtime", *PYTHON[1:]]
# What ends with which code; `{out}` is a folder that is not there yet, `{board}` a board's file.
RUNS = [
    (0, "--version"),
    (0, "solve BK1-C4-AAAAA24"),
    (0, "hint ms:1 -n 3 --json"),
    (0, "check ms:1"),
    (1, "check ms:11982 --cells 3"),
    (2, "check ms:x"),
    (2, "solve"),
    (0, "solve ms:1 --shortest plies"),
    (0, "rate ms:1"),
    (0, "show ms:1 --json"),
    (0, "code 860"),
    (3, "identify BK1-C4-AAAAA24 {board}"),
    (0, "find --count 1 --seed 1 --cells 2"),
    (0, "dealers"),
    (0, "classify ms:1..200 --cells 4,1 --workers 1 --out {out}"),
    (0, "summary {out} --json"),
    (0, "export {out} --winnable --format csv"),
]


def commands() -> list[str]:
    """All that `--help` lists."""
    import click

    from boulanger.solver.cli.app import app

    return list(app.list_commands(click.Context(app)))


def check(code: int, *args: str, cwd: str) -> str:
    """Runs a command; its output, if it ends with that code and no traceback."""
    command = [*(TELLING if IS_WITHOUT_NUMBA else PYTHON), *args]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)
    if done.returncode != code or "Traceback" in done.stderr:
        sys.exit(f"boulanger {' '.join(args)}: {done.returncode}, not {code}\n{done.stderr}")
    # Processes that it starts to compile import Numba, too.
    if IS_WITHOUT_NUMBA and re.search(r"\| +numba$|: note: compiling", done.stderr, re.M):
        sys.exit(f"boulanger {' '.join(args)} needs Numba")
    print("ok", code, *args)
    return done.stdout


def ask_the_engine(folder: str) -> None:
    """A line of JSON is answered."""
    done = subprocess.run(
        [*PYTHON, "engine"], input='{"id": 1, "ask": "check", "start": "ms:1"}\n',
        capture_output=True, text=True, cwd=folder, check=True,
    )  # fmt: skip
    assert '"verdict":"winnable"' in done.stdout, done.stdout
    print("ok engine")


def serve(folder: str) -> None:
    """The page comes, and a question is answered."""
    process = subprocess.Popen(
        [*PYTHON, "serve", "--no-browser"], stdout=subprocess.PIPE, text=True, cwd=folder
    )
    try:
        assert process.stdout is not None
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=([\w-]+)", process.stdout.readline())
        assert found is not None
        address, token = found.groups()
        # The token is traded for a cookie, as in a browser.
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with browser.open(f"{address}/?token={token}", timeout=60) as page:
            assert b"<html" in page.read().lower()
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        request = urllib.request.Request(f"{address}/api/play", b'{"start": "ms:1"}', headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer)["cells"] == 4
    finally:
        process.terminate()
        process.wait(30)
    print("ok serve")


def main() -> None:
    import boulanger

    here = Path(__file__).resolve().parent.parent
    if here in Path(boulanger.__file__).resolve().parents:
        sys.exit(f"this is the checkout's own package: {boulanger.__file__}")
    with tempfile.TemporaryDirectory() as folder:
        for name in commands():
            assert "Usage: boulanger" in check(0, name, "--help", cwd=folder)
        Path(folder, "board").write_text(check(0, "show", "BK1-C4-AAAAA24", cwd=folder))
        for code, line in RUNS:
            check(code, *line.format(out="catalogue", board="board").split(), cwd=folder)
        ask_the_engine(folder)
        serve(folder)


if __name__ == "__main__":
    main()
