"""Kernels without Numba: the same answers, the same errors, and Numba where there is a doubt."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from boulanger.engine.packed import native
from boulanger.engine.packed.jit import Kernel
from boulanger.engine.position import Position
from tests import tiny_kernel

_ROOT = Path(__file__).resolve().parent.parent

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(not native.is_possible(), reason="object code is kept on Linux alone"),
]

# What is asked both ways: 600 pairs of deals and cells, shortest lengths, hints.
QUESTIONS = """
import json, sys
import numpy as np
from boulanger.engine.deals.dealers import MS
from boulanger.engine.game import Game
from boulanger.engine.position import Position
from boulanger.solver.advice.hints import hint
from boulanger.solver.optimal.solve import solve
from boulanger.solver.optimal.shortest import find_shortest
from boulanger.solver.rating.rate import rate
from boulanger.solver.result import Measure
from boulanger.solver.verdict.classify import classify

answers = []
deals = np.array([MS.deal(number) for number in range(1, 201)], np.uint8)
for cells in (4, 2, 1):
    verdicts, nodes = classify(deals, cells)
    answers.append([verdicts.tolist(), nodes.tolist()])
for number in range(1, 13):
    position = Position.from_ms(number)
    for measure in Measure:
        found = find_shortest(position, measure)
        answers.append([found.verdict.word, found.length, found.num_nodes])
    solved = solve(position)
    answers.append([solved.num_nodes, solved.solution and solved.solution.notation])
    hinted = hint(Game(position), 3)
    answers.append([hinted.distance, [repr(h.step.action) for h in hinted.steps]])
rated = rate(Position.from_ms(1))
answers.append(repr(rated))
print(json.dumps(answers))
print("numba" in sys.modules, file=sys.stderr)
"""


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    ours = ("BOULANGER_NATIVE", "NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT")
    kept = {k: v for k, v in os.environ.items() if k not in ours}
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=kept | {"PYTHONPATH": str(_ROOT)} | environment,
        cwd=_ROOT,
        check=False,
    )


def test_the_answers_are_those_of_numba() -> None:
    with_numba = run_python(QUESTIONS, BOULANGER_NATIVE="0")
    assert with_numba.stderr.strip() == "True", with_numba.stderr
    first = run_python(QUESTIONS, BOULANGER_NATIVE="1")  # may have to compile
    without = run_python(QUESTIONS, BOULANGER_NATIVE="1")
    assert without.stderr.strip() == "False", without.stderr
    assert len(json.loads(without.stdout)) == 3 + 12 * 4 + 1
    assert with_numba.stdout == first.stdout == without.stdout


_COMMAND = """
import sys
from boulanger.__main__ import main
sys.argv = ["boulanger", *{arguments}]
try:
    main()
except SystemExit as exit:
    print(exit.code, "numba" in sys.modules)
"""


@pytest.mark.parametrize(
    "command",
    [
        "solve DEAL",
        "hint DEAL",
        "hint DEAL --all",
        "check DEAL",
        "solve DEAL --shortest plies",
        "rate DEAL",
        "find --count 1 --seed 1 --cells 2",
        "classify ms:1..20 random:1..20@1 --cells 4 --workers 1 --out {out}",
        "identify DEAL {board}",
    ],
)
def test_commands_do_not_import_numba(tmp_path: Path, command: str) -> None:
    board = tmp_path / "board"
    board.write_text(Position.from_code("BK1-C4-AAAAA24").to_text())
    words = command.replace("DEAL", "BK1-C4-AAAAA24").split()
    for out in ("first", "second"):  # the first may have to compile
        arguments = [word.format(out=tmp_path / out, board=board) for word in words]
        run = run_python(_COMMAND.format(arguments=arguments))
    code, has_numba = run.stdout.splitlines()[-1].split()
    assert code in ("0", "3") and has_numba == "False", run.stderr


def test_no_kernel_needs_numba() -> None:
    code = """
import sys
from boulanger.solver.prepare import prepare_all
prepare_all()
print("numba" in sys.modules)
"""
    run_python(code)  # may have to compile
    assert run_python(code).stdout.split() == ["False"]


_READ = """
import sys
import numpy as np
from tests.tiny_kernel import read_bare
print(read_bare(np.arange(4), np.int64(3)), "numba" in sys.modules)
"""


def _files(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.native"))


def test_the_second_process_needs_no_numba(tmp_path: Path) -> None:
    assert run_python(_READ, NUMBA_CACHE_DIR=str(tmp_path)).stdout.split() == ["3", "True"]
    assert len(_files(tmp_path)) == 1
    assert run_python(_READ, NUMBA_CACHE_DIR=str(tmp_path)).stdout.split() == ["3", "False"]
    asked = run_python(_READ, NUMBA_CACHE_DIR=str(tmp_path), BOULANGER_NATIVE="0")
    assert asked.stdout.split() == ["3", "True"]


def test_bounds_are_checked_when_asked_for(tmp_path: Path) -> None:
    beyond = _READ.replace("np.int64(3)", "np.int64(9)")
    assert run_python(beyond, NUMBA_CACHE_DIR=str(tmp_path)).returncode == 0
    run = run_python(beyond, NUMBA_CACHE_DIR=str(tmp_path), NUMBA_BOUNDSCHECK="1")
    assert "IndexError" in run.stderr


@pytest.mark.parametrize("damage", ["cut short", "a bit", "another kernel's", "empty", "no code"])
def test_a_file_that_is_not_right_is_made_anew(tmp_path: Path, damage: str) -> None:
    other = _READ.replace("read_bare(np.arange(4), np.int64(3))", "is_first(np.arange(4), 0)")
    other = other.replace("import read_bare", "import is_first")
    for code in (_READ, other):
        assert run_python(code, NUMBA_CACHE_DIR=str(tmp_path)).returncode == 0
    foreign, path = _files(tmp_path)
    assert "is_first" in foreign.name and "read_bare" in path.name
    content = path.read_bytes()
    middle = len(content) // 2
    path.write_bytes(
        {
            "cut short": content[:middle],
            "a bit": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
            "another kernel's": foreign.read_bytes(),
            "empty": b"",
            "no code": native.packed(native.ObjectCode("f", "", "int64", b"MZ"), path.name),
        }[damage]
    )
    assert run_python(_READ, NUMBA_CACHE_DIR=str(tmp_path)).stdout.split() == ["3", "True"]
    assert run_python(_READ, NUMBA_CACHE_DIR=str(tmp_path)).stdout.split() == ["3", "False"]


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    run = run_python(_READ, NUMBA_CACHE_DIR=str(blocked))
    assert run.stdout.split() == ["3", "True"], run.stderr


def test_code_that_names_something_from_outside_is_refused() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    source = """
define i32 @kernel(i64* %result, i8** %exception) {
  %got = call i64 @no_such_function()
  store i64 %got, i64* %result
  ret i32 0
}
declare i64 @no_such_function()
"""
    for name, is_refused in (("no_such_function", True), ("memcmp", False)):
        module = llvm.parse_assembly(source.replace("no_such_function", name))
        machine = llvm.Target.from_default_triple().create_target_machine()
        data = machine.emit_object(module)
        assert name in list(native._undefined(data))
        code = native.ObjectCode("kernel", "()", "int64", data)
        assert (native.build(code, False) is None) == is_refused
        assert native._is_self_contained(data) != is_refused
    assert not native._is_self_contained(b"")
    assert not native._is_self_contained(data[:200])


@pytest.mark.parametrize("wanted", ["1", "0"])
def test_errors_of_kernels_come_out(tmp_path: Path, wanted: str) -> None:
    code = """
import numpy as np
from tests.tiny_kernel import divide
print(divide(np.array([7]), np.int64(-2)))
print(divide(np.array([7]), np.int64(0)))
"""
    run = run_python(code, NUMBA_CACHE_DIR=str(tmp_path), BOULANGER_NATIVE=wanted)
    assert run.stdout.split() == ["-4"]
    assert run.stderr.splitlines()[-1].startswith("ZeroDivisionError")


def test_results_have_their_types() -> None:
    words = np.array([2**63 + 5], np.uint64)
    answers = [
        tiny_kernel.read_bare(words, np.int64(0)),
        tiny_kernel.read_bare(np.array([-5]), np.int64(0)),
        tiny_kernel.is_first(np.array([3]), np.int64(3)),
        tiny_kernel.is_first(np.array([3]), np.int64(4)),
        tiny_kernel.split(np.array([7]), np.int64(2)),  # two words, with Numba
        tiny_kernel.read_bare(np.array([0.5]), np.int64(0)),  # a float, with Numba
    ]
    assert answers == [2**63 + 5, -5, True, False, (3, 1), 0.5]
    assert [type(answer) for answer in answers] == [int, int, bool, bool, tuple, float]


def test_arrays_that_lie_otherwise_are_read_rightly() -> None:
    numbers = np.arange(10)
    for array in (numbers[::-2], numbers[3:], np.arange(10).astype(">i8").astype("<i8")):
        assert tiny_kernel.read_bare(array, np.int64(1)) == array[1]
    constant = np.arange(10)
    constant.flags.writeable = False
    assert tiny_kernel.read_bare(constant, np.int64(1)) == 1
    assert tiny_kernel.read_bare(np.arange(10, dtype=np.uint8), np.int64(3)) == 3
    assert native.flatten((numbers[::-2],)) is None
    frozen, free = native.flatten((constant,)), native.flatten((numbers,))
    assert frozen is not None and free is not None and frozen.types != free.types


def test_tuples_of_one_shape_and_two_names_are_two_types() -> None:
    from boulanger.solver.optimal.digs import Digs
    from boulanger.solver.verdict.lattice import Labels

    arrays = (np.zeros(3, np.int64),) * 6
    flat = [native.flatten((kind(*arrays),)) for kind in (Digs, Labels)]
    assert flat[0] is not None and flat[1] is not None
    assert flat[0].words == flat[1].words and flat[0].types != flat[1].types
    paths = {native._path_of(tiny_kernel.read_bare.py_func, f.types) for f in flat if f}
    assert len(paths) == 2


@pytest.mark.skipif(os.environ.get("BOULANGER_NATIVE") == "0", reason="asked for Numba")
def test_other_threads_run_meanwhile() -> None:
    flag, scratch = np.zeros(1, np.int64), np.zeros(16, np.int64)
    assert isinstance(tiny_kernel.wait_for, Kernel)
    assert tiny_kernel.wait_for(flag, scratch, np.int64(5)) == 5

    def set_flag() -> None:
        time.sleep(0.05)
        flag[0] = 1

    thread = threading.Thread(target=set_flag)
    thread.start()
    rounds = tiny_kernel.wait_for(flag, scratch, np.int64(1 << 36))
    thread.join()
    assert 5 < rounds < 1 << 36


def test_what_llvmlite_lacks_is_left_to_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with the lowest version of Numba, whose llvmlite has no such passes yet."""
    from boulanger.engine.packed import with_numba

    arguments = (np.arange(3), np.int64(1))
    assert with_numba.object_code(tiny_kernel.read_bare, arguments) is not None
    monkeypatch.delattr("llvmlite.binding.create_new_module_pass_manager")
    assert with_numba.object_code(tiny_kernel.read_bare, arguments) is None
