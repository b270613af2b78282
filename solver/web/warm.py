"""Gets the solver ready in the background, so that a game can be played meanwhile.

In the order in which a player asks: verdicts, then hints, then ratings. The first start on a
machine compiles, in processes of its own, so that the page answers meanwhile; later ones load what
was compiled.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

# The share of each step in the time of a first start.
_SHARES: Final = {"check": 0.4, "hint": 0.25, "rate": 0.35}
_COMPILE_SECONDS: Final = {"check": 10.0, "hint": 8.0, "rate": 10.0}
_LOAD_SECONDS: Final = {"check": 1.5, "hint": 1.0, "rate": 1.0}


class Warmth:
    """How far the solver is; a step that has been passed stays passed."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._done: list[str] = []
        self._step: str | None = None
        self._is_compiling = False
        self._since = time.monotonic()
        self._fault: str | None = None
        self._waiting: list[tuple[str, Callable[[], None]]] = []

    def start(self) -> None:
        """Begins, in a thread of its own."""
        threading.Thread(target=self.run, name="warm-up", daemon=True).start()

    def run(self) -> None:
        """Does it all, in this thread."""
        try:
            for step, (is_ready, prepare) in _steps().items():
                self._begin(step, not is_ready())
                prepare()
                self._pass(step)
        except Exception as error:
            with self._lock:
                self._fault = f"{type(error).__name__}: {error}"
            for step in _SHARES:  # whoever waits sees the fault for himself
                self._pass(step)
            raise
        finally:
            with self._lock:
                self._step = None

    def is_ready(self, step: str | None) -> bool:
        """Whether questions that need `step` can be answered at once."""
        with self._lock:
            return step is None or step in self._done

    def when_ready(self, step: str, call: Callable[[], None]) -> None:
        """Calls `call`, from any thread, once `step` is passed; at once if it is."""
        with self._lock:
            if step not in self._done:
                self._waiting.append((step, call))
                return
        call()

    def status(self) -> Mapping[str, Any]:
        """For `GET /api/status`: state, done, step, progress and fault."""
        with self._lock:
            progress = sum(_SHARES[step] for step in self._done)
            if self._step is not None:
                usual = (_COMPILE_SECONDS if self._is_compiling else _LOAD_SECONDS)[self._step]
                share = min(0.95, (time.monotonic() - self._since) / usual)
                progress += share * _SHARES[self._step]
            is_ready = len(self._done) == len(_SHARES)
            state = "compiling" if self._is_compiling else "loading"
            return {
                "state": "failed" if self._fault else "ready" if is_ready else state,
                "done": list(self._done),
                "step": self._step,
                "progress": 1.0 if is_ready else round(min(progress, 0.99), 3),
                "fault": self._fault,
            }

    def _begin(self, step: str, is_compiling: bool) -> None:
        with self._lock:
            self._step, self._is_compiling, self._since = step, is_compiling, time.monotonic()

    def _pass(self, step: str) -> None:
        with self._lock:
            if step not in self._done:
                self._done.append(step)
            ready = [call for wanted, call in self._waiting if wanted == step]
            self._waiting = [item for item in self._waiting if item[0] != step]
        for call in ready:
            call()


def _steps() -> Mapping[str, tuple[Callable[[], bool], Callable[[], None]]]:
    from boulanger.solver.advice.hints import check, mark_actions
    from boulanger.solver.line.solve import almost_won
    from boulanger.solver.optimal import shortest
    from boulanger.solver.rating import parts
    from boulanger.solver.verdict import classify

    def prepare_check() -> None:
        check(almost_won())
        mark_actions(almost_won())

    return {
        "check": (classify.is_ready, _compiling("verdicts", classify.is_ready, prepare_check)),
        "hint": (
            shortest.is_ready,
            _compiling("solutions", shortest.is_ready, shortest.prepare),
        ),
        "rate": (parts.is_ready, _compiling("ratings", parts.is_ready, parts.prepare)),
    }


def _compiling(
    stage: str, is_ready: Callable[[], bool], prepare: Callable[[], None]
) -> Callable[[], None]:
    """`prepare`, with what it needs compiled on all cores before; a key of `prepare.STAGES`."""
    from boulanger.solver.prepare import compile_in_parallel

    def run() -> None:
        if not is_ready():
            compile_in_parallel(stage, lambda _: None, is_ready)
        prepare()

    return run
