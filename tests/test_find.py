"""`boulanger find`: what it finds is true, all of it, and the same for one seed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from boulanger.engine.deals.codes import NUM_CODES, parse_code
from boulanger.engine.deals.dealers import BK1
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.packed.packing import pack_position
from boulanger.engine.position import Position
from boulanger.solver import find as find_module
from boulanger.solver.catalogue.conditions import Condition, ConditionError, parse_condition
from boulanger.solver.cli.terminal import StatusLine
from boulanger.solver.deals.code_dealer import BK1_NOTE
from boulanger.solver.find import Batch, draw_numbers, find_deals
from boulanger.solver.result import Verdict
from boulanger.solver.verdict.classify import classify
from boulanger.solver.verdict.decide import UNWINNABLE, WINNABLE
from tests.command import COMPILING, DEALER_TOLD, besides_dealer, check_bad_input, run, start
from tests.plain import PlainSearch

SEED = 20240229


def drawn(seed: int, count: int) -> list[int]:
    """The numbers that a seed draws, from NumPy's raw Philox outputs one by one."""
    raw = np.random.Philox(seed)
    return [int(raw.random_raw()) >> 29 for _ in range(count)]


def fitting(numbers: list[int], **verdicts: int) -> list[int]:
    """Those with verdicts such as c4=WINNABLE, each once, all classified with all cells."""
    cards = deal_many("bk1", numbers)
    fits = np.ones(len(numbers), bool)
    for name, verdict in verdicts.items():
        fits &= classify(cards, int(name[1]))[0] == verdict
    return list(dict.fromkeys(n for n, fit in zip(numbers, fits.tolist(), strict=True) if fit))


def found(*args: str) -> list[str]:
    answer = run("find", *args, "--seed", str(SEED))
    assert (answer.code, answer.err) == (0, DEALER_TOLD)
    return answer.out.split()


QUERIES: list[tuple[list[str], dict[str, int], int]] = [
    ([], {"c4": WINNABLE}, 4),
    (["--winnable"], {"c4": WINNABLE}, 4),
    (["--cells", "2"], {"c2": WINNABLE}, 2),
    (["--unwinnable"], {"c4": UNWINNABLE}, 4),
    (["--unwinnable", "--cells", "3"], {"c3": UNWINNABLE}, 3),
    (["--where", "2=winnable", "--where", "1=unwinnable"], {"c2": WINNABLE, "c1": UNWINNABLE}, 2),
    (["--where", "2=unwinnable", "--where", "4=winnable"], {"c4": WINNABLE, "c2": UNWINNABLE}, 2),
    (["--cells", "4", "--where", "3=unwinnable"], {"c4": WINNABLE, "c3": UNWINNABLE}, 4),
    (["--unwinnable", "--cells", "2", "--where", "3=winnable"],
     {"c3": WINNABLE, "c2": UNWINNABLE}, 2),
]  # fmt: skip


@pytest.mark.parametrize(("args", "verdicts", "num_cells"), QUERIES, ids=lambda v: str(v)[:60])
def test_exactly_the_drawn_deals_that_fit_in_order(
    args: list[str], verdicts: dict[str, int], num_cells: int
) -> None:
    codes = [parse_code(text) for text in found(*args, "--count", "12")]
    assert {code.num_cells for code in codes} == {num_cells}
    numbers = [code.number for code in codes]
    truth = fitting(drawn(SEED, 2000), **verdicts)
    assert len(truth) >= 12
    assert numbers == truth[:12]


def test_every_code_is_what_it_is_said_to_be() -> None:
    for code in found("--count", "5"):
        assert run("solve", code).code == 0
    for code in found("--unwinnable", "--count", "5"):
        assert run("solve", code).code == 1
    for code in found("--where", "3=winnable", "--where", "2=unwinnable", "--count", "5"):
        assert (run("solve", code).code, run("solve", code, "--cells", "2").code) == (0, 1)


def test_the_plain_search_agrees() -> None:
    plain = PlainSearch()
    for code in found("--where", "1=unwinnable", "--where", "2=winnable", "--count", "3"):
        cards = BK1.deal(parse_code(code).number)
        for num_cells, verdict in ((1, UNWINNABLE), (2, WINNABLE)):
            packed = pack_position(Position.from_deal(cards, num_cells))
            assert plain.verdict(packed) == verdict


def test_one_seed_always_finds_the_same_deals_and_more_of_them() -> None:
    few, many = found("--count", "5"), found("--count", "50")
    assert many[:5] == few
    assert found("--count", "50") == many
    assert len(set(many)) == 50
    assert run("find", "--seed", "1", "--count", "5").out.split() != few


def test_the_draws_stay_the_same() -> None:
    """Philox 4x64-10 is fixed, and so is how NumPy seeds it; these are its upper 35 bits."""
    numbers = draw_numbers(np.random.Philox(1), 3).tolist()
    assert numbers == [2295299563, 2714865401, 198500264]
    split = np.random.Philox(1)
    assert [*draw_numbers(split, 1).tolist(), *draw_numbers(split, 2).tolist()] == numbers


def test_the_draws_are_uniform() -> None:
    numbers = draw_numbers(np.random.Philox(SEED), 100_000)
    assert int(numbers.max()) < NUM_CODES
    counts = np.bincount((numbers >> np.uint64(31)).astype(np.int64), minlength=16)
    expected = len(numbers) / 16
    assert ((counts - expected) ** 2 / expected).sum() < 50  # chi squared, 15 degrees: p < 1e-5
    low = np.bincount((numbers & np.uint64(15)).astype(np.int64), minlength=16)
    assert ((low - expected) ** 2 / expected).sum() < 50


def test_a_fresh_seed_is_told_and_finds_the_same_again() -> None:
    answer = run("find", "--count", "3")
    assert answer.code == 0
    told = besides_dealer(answer.err)
    words = told.split()
    assert told == f"boulanger: note: --seed {words[3]} finds these deals again\n"
    assert run("find", "--count", "3", "--seed", words[3]) == (0, answer.out, DEALER_TOLD)
    assert run("find", "--count", "3").err != answer.err


def test_a_number_drawn_twice_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = iter([5, 6, 5, 7, 6, 5, 8] + [9] * 1000)

    def draw(_: Any, count: int) -> Any:
        return np.array(list(islice(draws, count)), np.uint64)

    monkeypatch.setattr(find_module, "draw_numbers", draw)
    batches = list(find_deals([], 0, max_deals=100))
    assert [deal.number for batch in batches for deal in batch.found] == [5, 6, 7, 8, 9]
    assert [deal.place for batch in batches for deal in batch.found] == [1, 2, 4, 7, 8]
    assert batches[-1].num_drawn == 100


# Limits.


@pytest.mark.parametrize("max_deals", [1, 15, 16, 17, 300])
def test_a_limit_of_deals(max_deals: int) -> None:
    truth = fitting(drawn(SEED, max_deals), c3=WINNABLE)
    args = ["find", "--cells", "3", "--count", "5000", "--seed", str(SEED)]
    answer = run(*args, "--max-deals", str(max_deals))
    assert [parse_code(text).number for text in answer.out.split()] == truth
    assert answer.code == 3
    assert besides_dealer(answer.err) == (
        f"boulanger: only {len(truth)} of 5,000 found among {max_deals} deals (--max-deals)\n"
    )


def test_enough_are_found_just_in_time() -> None:
    numbers = drawn(SEED, 200)
    wanted = fitting(numbers, c4=UNWINNABLE)[:3]
    place = numbers.index(wanted[-1]) + 1
    args = ["find", "--unwinnable", "--count", "3", "--seed", str(SEED), "--max-deals"]
    assert run(*args, str(place)).code == 0
    assert run(*args, str(place - 1)).code == 3


def test_undecided_deals_are_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    decide_all = find_module.classify.classify

    def classify_poorly(cards: Any, num_cells: int) -> Any:
        return decide_all(cards, num_cells, max_nodes=60)

    monkeypatch.setattr(find_module.classify, "classify", classify_poorly)
    args = ["find", "--cells", "4", "--count", "1000", "--seed", "1", "--max-deals", "400"]
    verdicts = decide_all(deal_many("bk1", drawn(1, 400)), 4, max_nodes=60)[0].tolist()
    num_undecided = verdicts.count(2)
    assert num_undecided > 100
    answer = run(*args)
    assert len(answer.out.split()) == verdicts.count(WINNABLE)
    note = f"note: {num_undecided} deals left out: undecided, they take too much memory\n"
    assert note in answer.err
    assert json.loads(run(*args, "--json").out)["undecided"] == num_undecided


# JSON and bad input.


def test_json() -> None:
    args = ["find", "--where", "2=unwinnable", "--where", "3=winnable", "--count", "4"]
    answer = run(*args, "--seed", str(SEED), "--json")
    assert (answer.code, answer.err) == (0, "")
    document = json.loads(answer.out)
    numbers = drawn(SEED, 3000)
    truth = fitting(numbers, c2=UNWINNABLE, c3=WINNABLE)[:4]
    assert document == {
        "dealer": "bk1",
        "notes": [BK1_NOTE],
        "seed": SEED,
        "conditions": [
            {"cells": 2, "verdict": "unwinnable"}, {"cells": 3, "verdict": "winnable"}
        ],
        "difficulty": None,
        "interrupted": False,
        "drawn": numbers.index(truth[-1]) + 1,
        "undecided": 0,
        "deals": [
            {"deal": code, "number": number}
            for code, number in zip(run(*args, "--seed", str(SEED)).out.split(), truth, strict=True)
        ],
    }  # fmt: skip
    fresh = run("find", "--count", "2", "--json")
    assert fresh.err == ""
    again = run("find", "--count", "2", "--json", "--seed", str(json.loads(fresh.out)["seed"]))
    assert again.out == fresh.out


BAD_ARGUMENTS: list[tuple[list[str], str]] = [
    (["--cells", "9"], "'9'"),
    (["--count", "0"], "'0'"),
    (["--count", "ten"], "'ten'"),
    (["--max-deals", "-1"], "'-1'"),
    (["--seed", "one"], "'one' is not a whole number"),
    (["--seed", "-1"], "'-1' is negative"),
    (["--seed", str(1 << 64)], str(1 << 64)),
    (["--where", "4=perhaps"], "'4=perhaps' is not a condition"),
    (["--where", "4=undecided"], "'4=undecided': deals are looked for without limits"),
    (["--winnable", "--unwinnable"], "--winnable and --unwinnable exclude each other"),
    (["--winnable", "--where", "6=unwinnable"], "winnable with 4 cells and unwinnable with 6"),
    (["--cells", "2", "--where", "2=unwinnable"], "no deal is unwinnable with 2 cells and"),
    (["--undecided"], "--undecided"),
    (["BK1-C4-AAAAA24"], "BK1-C4-AAAAA24"),
]


@pytest.mark.parametrize(("args", "reason"), BAD_ARGUMENTS, ids=lambda value: str(value)[:60])
def test_bad_arguments(args: list[str], reason: str) -> None:
    check_bad_input(run("find", *args), reason)


def test_undecided_cannot_be_found_from_python_either() -> None:
    with pytest.raises(ConditionError, match="without limits"):
        next(find_deals([parse_condition("4=undecided")], 1))


# The terminal, and ends before the end.


def test_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    args = ["find", "--unwinnable", "--cells", "8", "--seed", "1", "--max-deals", "100"]
    assert run(*args).err.count("\r") == 0
    monkeypatch.setattr(StatusLine, "_is_terminal", staticmethod(lambda: True))
    monkeypatch.setattr("boulanger.solver.cli.catalogue_queries._SILENT_SECONDS", 0.0)
    shown = run(*args).err
    assert "\r0 of 10 found among 16 deals, " in shown
    # Nothing is left of it before the last sentence.
    *_, blank, last = shown.split("\r")
    assert blank.strip() == ""
    assert last == "boulanger: only 0 of 10 found among 100 deals (--max-deals)\n"


def test_codes_come_as_soon_as_they_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr("boulanger.solver.cli.catalogue_queries._write_on", written.append)
    find = find_module.find_deals
    lengths: list[int] = []

    def watch(conditions: Any, *args: Any) -> Iterator[Batch]:
        for batch in find(conditions, *args):
            yield batch
            lengths.append(len("".join(written).split()))

    monkeypatch.setattr(find_module, "find_deals", watch)
    assert run("find", "--count", "400", "--seed", "3").code == 0
    assert len(lengths) >= 2
    assert lengths == sorted(lengths) and 0 < lengths[0] < 50
    assert len("".join(written).split()) == 400


def test_compiling_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from boulanger.solver.cli.app import app

    monkeypatch.setattr(find_module, "is_ready", lambda: False)
    result = CliRunner().invoke(app, ["find", "--count", "1", "--seed", "1"])
    assert COMPILING in result.stderr
    monkeypatch.setattr(find_module, "is_ready", lambda: True)
    assert CliRunner().invoke(app, ["find", "--count", "1", "--seed", "1"]).stderr == DEALER_TOLD


def test_what_is_compiled_is_known() -> None:
    next(find_deals([Condition(4, Verdict.WINNABLE)], 1))
    assert find_module.is_ready()


def endless() -> subprocess.Popen[bytes]:
    return start("find", "--count", "100000000", "--seed", "1", stdout=subprocess.PIPE)


def quiet(errors: bytes) -> list[str]:
    lines = besides_dealer(errors.decode()).splitlines()
    return [line for line in lines if COMPILING not in line]


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_ctrl_c() -> None:
    process = endless()
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"BK1-C4-")
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert quiet(errors) == ["boulanger: interrupted"]
    assert out.split(b"\n")[-1] == b""  # no half code


def test_a_reader_that_goes_away() -> None:
    process = endless()
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline().startswith(b"BK1-C4-")
    process.stdout.close()
    assert quiet(process.stderr.read()) == []
    assert process.wait(timeout=30) == 0


def test_what_was_found_is_kept_on_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    find = find_module.find_deals

    def stopped(*args: Any) -> Iterator[Batch]:
        yield from islice(find(*args), 2)
        raise KeyboardInterrupt

    whole = found("--count", "5")
    monkeypatch.setattr(find_module, "find_deals", stopped)
    args = ("find", "--count", "100000", "--seed", str(SEED))
    answer = run(*args, "--json")
    assert (answer.code, answer.err) == (130, "boulanger: interrupted\n")
    document = json.loads(answer.out)
    assert document["interrupted"] is True
    codes = [deal["deal"] for deal in document["deals"]]
    assert len(codes) > 5
    assert codes[:5] == whole
    plain = run(*args)
    assert (plain.code, plain.out.split()) == (130, codes)
