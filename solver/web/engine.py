"""`boulanger engine`: questions as lines of JSON on standard input, answers as lines of JSON.

A request names the question (`ask`) and has its keys; `id` comes back with the answer, since quick
questions overtake slow ones:

    {"id": 1, "ask": "check", "start": "ms:1", "moves": ["72"]}
    {"id": 1, "result": {"deal": "ms:1", ..., "verdict": "winnable", ...}}

Every answer has `result`, `error` (as over HTTP), or, for requests with `"progress": true`,
`progress` and is not the last one. There are the questions of the HTTP API and

    {"ask": "cancel", "id": 1}    ends the question of that id, which is answered `web.cancelled`
    {"ask": "ready"}              is answered when the solver is compiled and loaded
    {"ask": "quit"}               ends the engine, as the end of its input does

A question that needs the solver before it is ready waits for it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, BinaryIO, Final, TextIO

from boulanger.engine.errors import BoulangerError
from boulanger.engine.words import quoted
from boulanger.solver.answers.play import with_words
from boulanger.solver.web.errors import Cancelled, RequestError, error_json, refusal
from boulanger.solver.web.guard import MAX_BODY
from boulanger.solver.web.handlers import QUESTIONS
from boulanger.solver.web.lanes import Job, Lanes
from boulanger.solver.web.questions import Answer, Question, Shared, Values
from boulanger.solver.web.warm import Warmth

_OWN: Final = ("cancel", "ready", "quit")
_LAST_STEP: Final = "rate"


class Engine:
    """Reads questions until there are no more.

    Attributes:
        warmth: how far the solver is.
    """

    def __init__(self, output: TextIO, warmth: Warmth | None = None) -> None:
        self.warmth: Final = warmth or Warmth()
        self._output: Final = output
        self._lanes: Final = Lanes()
        self._shared: Final = Shared()
        self._lock: Final = threading.Lock()
        self._jobs: Final[dict[str, Job]] = {}
        self._num_open = 0
        self._is_idle: Final = threading.Condition(self._lock)

    def run(self, source: BinaryIO) -> None:
        """Answers the lines of `source`; at its end, what is under way is still answered."""
        while line := source.readline(MAX_BODY + 1):
            if len(line) > MAX_BODY:
                self._write(None, refusal("web.too_long", kib=MAX_BODY // 1024))
                while line and not line.endswith(b"\n"):  # the rest of it is no line of its own
                    line = source.readline(MAX_BODY)
            elif line.strip() and not self._take(line):
                break
        else:
            with self._is_idle:
                self._is_idle.wait_for(lambda: not self._num_open)
        self._lanes.close()

    def _take(self, line: bytes) -> bool:
        """Begins to answer a line; False for the last one."""
        request: Any = None
        try:
            request = _parsed(line)
            number, name = request.pop("id", None), request.pop("ask", None)
            if name == "quit":
                self._write(number, {"result": {}})
                return False
            if name == "cancel":
                self._cancel(number)
            elif name == "ready":
                self.warmth.when_ready(_LAST_STEP, lambda: self._write(number, {"result": {}}))
            else:
                self._begin(number, name, request)
        except BoulangerError as error:
            self._write(number if isinstance(request, dict) else None, error_json(error))
        return True

    def _begin(self, number: Any, name: Any, request: dict[str, Any]) -> None:
        question = QUESTIONS.get(name) if isinstance(name, str) else None
        if question is None:
            known = ", ".join([*QUESTIONS, *_OWN])
            raise RequestError("web.unknown_question", name=str(name), known=known)
        wants_progress = request.pop("progress", False)
        values = question.read(request)
        key = json.dumps(number)
        job = Job(lambda progress: self._write(number, {"progress": progress}))
        if wants_progress is not True:
            job.on_progress = None
        with self._lock:
            if key in self._jobs:
                raise RequestError("web.id_twice", id=key)
            self._jobs[key] = job
            self._num_open += 1
        step = question.step(values)
        if step is not None and not self.warmth.is_ready(step):
            self.warmth.when_ready(step, lambda: self._work(key, number, question, values, job))
        else:
            self._work(key, number, question, values, job)

    def _work(self, key: str, number: Any, question: Question, values: Values, job: Job) -> None:
        client = values.get("client")

        def finish(future: Future[Answer]) -> None:
            self._finish(key, number, future.result)

        try:
            owner = None if client is None else (client, question.name)
            self._lanes.submit(
                question.lane(values),
                job,
                lambda job: question.answer(self._shared, values, job),
                owner,
            ).add_done_callback(finish)
        except BoulangerError as error:
            self._close(key, number, error_json(error))

    def _finish(self, key: str, number: Any, result: Callable[[], Answer]) -> None:
        try:
            answer: Answer = {"result": with_words(result())}
        except Cancelled:
            answer = refusal("web.cancelled")
        except BoulangerError as error:
            answer = error_json(error)
        except MemoryError:
            answer = refusal("web.memory")
        except Exception as error:
            answer = refusal("web.fault", kind=type(error).__name__)
        self._close(key, number, answer)

    def _close(self, key: str, number: Any, answer: Answer) -> None:
        with self._lock:
            del self._jobs[key]  # before the answer is out: the id may come again at once
        self._write(number, answer)
        with self._is_idle:
            self._num_open -= 1
            self._is_idle.notify_all()

    def _cancel(self, number: Any) -> None:
        with self._lock:
            job = self._jobs.get(json.dumps(number))
        if job is not None:
            job.cancel()

    def _write(self, number: Any, answer: Answer) -> None:
        line = json.dumps({"id": number, **answer}, separators=(",", ":"))
        with self._lock:
            self._output.write(line + "\n")
            self._output.flush()


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line)
    except RecursionError:
        raise RequestError("web.too_deep") from None
    except ValueError as error:
        raise RequestError("web.not_json", reason=str(error)) from None
    if not isinstance(request, dict):
        raise RequestError("web.not_an_object", value=quoted(str(request)))
    return request
