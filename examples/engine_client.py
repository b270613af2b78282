"""Talks to `boulanger engine`: a game that is won by following hints, and a search that is ended.

python examples/engine_client.py ms:1
"""

import json
import subprocess
import sys
from typing import Any


class Engine:
    """The solver as a process of its own; use it in a `with` statement."""

    def __init__(self, command: tuple[str, ...] = (sys.executable, "-m", "boulanger", "engine")):
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._last_id = 0
        self._early: dict[int, Any] = {}  # answers that came before they were waited for

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *error: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def send(self, ask: str, **keys: Any) -> int:
        """Begins a question; the number to wait for."""
        assert self._process.stdin is not None
        self._last_id += 1
        line = json.dumps({"id": self._last_id, **keys, "ask": ask})
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._last_id

    def wait(self, number: int) -> Any:
        """The answer to a question; raises ValueError with the engine's sentence."""
        assert self._process.stdout is not None
        while number not in self._early:
            answer = json.loads(self._process.stdout.readline())
            self._early[answer["id"]] = answer
        answer = self._early.pop(number)
        if "error" in answer:
            raise ValueError(answer["error"]["text"])
        return answer["result"]

    def ask(self, ask: str, **keys: Any) -> Any:
        """Asks and waits."""
        return self.wait(self.send(ask, **keys))


if __name__ == "__main__":
    start, moves = (sys.argv[1:] or ["ms:1"])[0], []
    with Engine() as engine:
        while hints := engine.ask("hint", start=start, moves=moves, count=10)["hints"]:
            moves += [hint["notation"] for hint in hints]
        print(f"{start} is won by: {' '.join(moves)}" if moves else f"{start} cannot be won")
        search = engine.send("find", cells=0, where=["0=winnable"], count=100)
        engine.send("cancel", id=search)
