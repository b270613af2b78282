"""The lanes: what waits, what is dropped, and what ends when nobody listens any more."""

import threading
import time
from typing import Any

import pytest

from boulanger.solver.web import lanes as lanes_module
from boulanger.solver.web.errors import BusyError, Cancelled, OwnerError
from boulanger.solver.web.lanes import QUICK, SLOW, Job, Lanes


class Gate:
    """Work that waits until it is let go, or cancelled."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.begun = threading.Event()

    def __call__(self, job: Job) -> dict[str, Any]:
        self.begun.set()
        while not self.open.wait(0.005):
            job.go_on()
        return {"done": True}


def test_an_answer_comes_back() -> None:
    assert Lanes().submit(QUICK, Job(), lambda job: {"x": 1}, None).result(10) == {"x": 1}


def test_slow_questions_are_worked_on_one_at_a_time() -> None:
    lanes, first, second = Lanes(), Gate(), Gate()
    one = lanes.submit(SLOW, Job(), first, None)
    two = lanes.submit(SLOW, Job(), second, None)
    assert first.begun.wait(10)
    assert not second.begun.wait(0.1)
    quick = lanes.submit(QUICK, Job(), lambda job: {"quick": True}, None)
    assert quick.result(10) == {"quick": True}  # it waits for neither
    assert lanes.num_open["slow"] == 2
    first.open.set()
    assert one.result(10) and second.begun.wait(10)
    second.open.set()
    assert two.result(10)
    assert lanes.num_open == {"quick": 0, "slow": 0}


def test_a_later_question_of_the_same_client_takes_the_place_of_an_older_one() -> None:
    lanes, first, never = Lanes(), Gate(), Gate()
    owner, other = ("tab", "check"), ("tab", "hint")
    running = lanes.submit(SLOW, Job(), first, other)
    assert first.begun.wait(10)
    waiting = lanes.submit(SLOW, Job(), never, owner)
    latest = lanes.submit(SLOW, Job(), lambda job: {"latest": True}, owner)
    first.open.set()
    assert running.result(10) == {"done": True}  # another kind of question
    with pytest.raises(Cancelled):
        waiting.result(10)
    assert not never.begun.is_set()
    assert latest.result(10) == {"latest": True}


def test_a_running_question_ends_when_a_later_one_comes() -> None:
    lanes, first = Lanes(), Gate()
    running = lanes.submit(QUICK, Job(), first, ("tab", "hint"))
    assert first.begun.wait(10)
    lanes.submit(QUICK, Job(), lambda job: {}, ("tab", "hint")).result(10)
    with pytest.raises(Cancelled):
        running.result(10)


def test_clients_do_not_disturb_each_other() -> None:
    lanes, first = Lanes(), Gate()
    running = lanes.submit(QUICK, Job(), first, ("one", "hint"))
    lanes.submit(QUICK, Job(), lambda job: {}, ("two", "hint")).result(10)
    lanes.submit(QUICK, Job(), lambda job: {}, None).result(10)
    first.open.set()
    assert running.result(10) == {"done": True}


def test_too_many_questions_are_refused_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(lanes_module._MAX_WAITING, SLOW, 3)
    lanes, gate = Lanes(), Gate()
    open_ones = [lanes.submit(SLOW, Job(), gate, None) for _ in range(3)]
    with pytest.raises(BusyError):
        lanes.submit(SLOW, Job(), gate, None)
    gate.open.set()
    assert all(future.result(10) for future in open_ones)
    time.sleep(0.05)
    assert lanes.submit(SLOW, Job(), gate, None).result(10)


def test_a_cancelled_job_tells_nothing_more() -> None:
    told: list[Any] = []
    job = Job(told.append)
    job.tell({"x": 1})
    job.cancel()
    with pytest.raises(Cancelled):
        job.tell({"x": 2})
    assert told == [{"x": 1}]


def test_guests_may_not_change_what_is_kept() -> None:
    Job().needs_owner()
    with pytest.raises(OwnerError):
        Job(is_owner=False).needs_owner()
