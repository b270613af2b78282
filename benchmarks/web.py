"""How fast `boulanger serve` answers, one player alone and fifty at once.

    python -m benchmarks.web [--players 50] [--seconds 60] [--games 20]

Starts a server, waits until its solver is ready, and asks over HTTP as the page does. Times are in
milliseconds, seen from the client, which shares the machine's cores with the server.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from boulanger.engine.deals.dealers import MS
from boulanger.engine.position import Position
from boulanger.solver.optimal.solve import solve

_TARGETS: Final = {
    "check": {50: 10, 95: 50},
    "marks": {50: 60},
    "hint": {50: 60, 95: 300},
    "play": {50: 15},
}
_LOAD_TARGET: Final = 150
_RATING_TARGET: Final = 50


class Line:
    """One connection that is kept, as a browser has it."""

    def __init__(self, port: int, token: str) -> None:
        self._port, self._token = port, token
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, name: str, body: Any) -> tuple[int, Any, float]:
        """Status, answer and milliseconds."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        assert self._reader is not None
        started = time.perf_counter()
        self._writer.write(self._request(name, body))
        await self._writer.drain()
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"(?i)content-length: (\d+)", head)
        data = await self._reader.readexactly(int(length[1]) if length else 0)
        took = 1000 * (time.perf_counter() - started)
        return int(head.split()[1]), json.loads(data), took

    def send(self, name: str, body: Any) -> None:
        """Asks without waiting."""
        assert self._writer is not None
        self._writer.write(self._request(name, body))

    def close(self) -> None:
        """Hangs up."""
        if self._writer is not None:
            self._writer.close()
        self._writer = None

    def _request(self, name: str, body: Any) -> bytes:
        method, data = ("GET", b"") if body is None else ("POST", json.dumps(body).encode())
        head = (
            f"{method} {name if name.startswith('/') else '/api/' + name} HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{self._port}\r\nAuthorization: Bearer {self._token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        return head.encode() + data


@dataclass
class Times:
    """Milliseconds of each question, and what was refused."""

    of: dict[str, list[float]] = field(default_factory=dict)
    refused: int = 0

    async def ask(self, line: Line, name: str, body: Any) -> Any:
        """Asks and notes the time."""
        status, answer, took = await line.ask(name, body)
        if status != 200:
            self.refused += 1
            print(f"  {name}: {status} {answer}"[:300])
        self.of.setdefault(name, []).append(took)
        return answer

    def show(self, title: str, targets: dict[str, dict[int, int]]) -> None:
        """A line for each kind of question."""
        print(f"{title}, ms:")
        for name, times in self.of.items():
            row = "  ".join(f"p{q} {np.percentile(times, q):7.1f}" for q in (50, 95, 99))
            wanted = ", ".join(f"p{q} {most}" for q, most in targets.get(name, {}).items())
            aim = f"   (aim: {wanted})" if wanted else ""
            print(f"  {name:8} {len(times):6} asked  {row}  max {max(times):7.1f}{aim}")


def games(count: int, seed: int) -> list[tuple[str, list[str]]]:
    """Deals with a way to win each, as notation."""
    found: list[tuple[str, list[str]]] = []
    rng = random.Random(seed)
    while len(found) < count:
        number = rng.randrange(1, 32_000)
        solution = solve(Position.from_deal(MS.deal(number))).solution
        if solution is not None:
            found.append((f"ms:{number}", list(solution.notation)))
    return found


async def alone(port: int, token: str, played: Sequence[tuple[str, list[str]]]) -> Times:
    """One player who asks everything after each fifth action."""
    line, times = Line(port, token), Times()
    for start, notation in played:
        for num_moves in range(0, len(notation), 5):
            body = {"start": start, "moves": notation[:num_moves], "client": "bench"}
            await times.ask(line, "play", {**body, "move": notation[num_moves]})
            for name in ("check", "marks", "hint"):
                await times.ask(line, name, body)
    line.close()
    return times


async def crowd(
    port: int, token: str, played: Sequence[tuple[str, list[str]]], players: int, seconds: float
) -> Times:
    """Players with an action a second each: the board after it, and can it still be won."""
    times, ends = Times(), time.monotonic() + seconds

    async def player(index: int) -> None:
        rng = random.Random(index)
        line, checks = Line(port, token), Line(port, token)
        await asyncio.sleep(rng.random())
        while time.monotonic() < ends:
            start, notation = rng.choice(played)
            for num_moves in range(len(notation)):
                if time.monotonic() > ends:
                    break
                began = time.monotonic()
                moves, client = notation[: num_moves + 1], f"player {index}"
                asked = {"start": start, "moves": moves, "client": client}
                await asyncio.gather(
                    times.ask(line, "play", asked), times.ask(checks, "check", asked)
                )
                await asyncio.sleep(max(0.0, 1 - (time.monotonic() - began)))
        line.close()
        checks.close()

    await asyncio.gather(*map(player, range(players)))
    return times


async def beside_a_rating(
    port: int, token: str, played: Sequence[tuple[str, list[str]]]
) -> tuple[Times, Times]:
    """Checks without and with a rating under way."""
    line, other = Line(port, token), Line(port, token)

    async def checks(seconds: float) -> Times:
        times, ends = Times(), time.monotonic() + seconds
        rng = random.Random(7)
        while time.monotonic() < ends:
            start, notation = rng.choice(played)
            body = {"start": start, "moves": notation[: rng.randrange(len(notation))]}
            await times.ask(line, "check", body)
            await asyncio.sleep(0.01)
        return times

    async def rate_on() -> None:
        number = 1
        with contextlib.suppress(asyncio.CancelledError):
            while True:
                number += 1
                await other.ask("rate", {"start": f"ms:{number}"})

    quiet = await checks(8)
    rating = asyncio.create_task(rate_on())
    busy = await checks(16)
    rating.cancel()
    await rating
    line.close()
    other.close()
    return quiet, busy


async def hang_up(port: int, token: str) -> float:
    """Seconds from hanging up until the search that nobody waits for has ended."""
    line, status = Line(port, token), Line(port, token)
    await line.ask("deal", {})
    line.send("find", {"cells": 0, "where": ["0=winnable"], "count": 100, "max_seconds": 60})
    while (await status.ask("status", None))[1]["open"]["slow"] == 0:
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.5)
    line.close()
    started = time.perf_counter()
    while (await status.ask("status", None))[1]["open"]["slow"]:
        await asyncio.sleep(0.01)
    return time.perf_counter() - started


def over_lines(played: Sequence[tuple[str, list[str]]]) -> None:
    """`boulanger engine`: the time of a line and its answer."""
    engine = subprocess.Popen(
        [sys.executable, "-m", "boulanger", "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert engine.stdin is not None and engine.stdout is not None
    times = Times()

    def ask(name: str, **body: Any) -> None:
        assert engine.stdin is not None and engine.stdout is not None
        started = time.perf_counter()
        engine.stdin.write(json.dumps({"id": 1, "ask": name, **body}).encode() + b"\n")
        engine.stdin.flush()
        assert "result" in json.loads(engine.stdout.readline())
        times.of.setdefault(name, []).append(1000 * (time.perf_counter() - started))

    ask("ready")
    del times.of["ready"]
    for start, notation in played:
        for num_moves in range(0, len(notation), 5):
            for name in ("play", "check", "marks", "hint"):
                ask(name, start=start, moves=notation[:num_moves])
    times.show("boulanger engine", {"check": {50: 1}})
    engine.stdin.close()
    engine.wait()


def resident(pid: int) -> float:
    """MiB of a process; not a number where that is not told."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        return float("nan")


async def measure(port: int, token: str, pid: int, options: argparse.Namespace) -> None:
    status = Line(port, token)
    started = time.perf_counter()
    while (await status.ask("status", None))[1]["solver"]["state"] != "ready":
        await asyncio.sleep(0.1)
    print(f"solver ready {time.perf_counter() - started:.1f} s after the first answer")
    played = games(options.games, seed=1)
    (await alone(port, token, games(3, seed=2)))  # first calls
    (await alone(port, token, played)).show("one player alone", _TARGETS)

    quiet, busy = await beside_a_rating(port, token, played)
    quiet.show("checks, no rating under way", {})
    busy.show("checks, a rating under way", {})
    delays = [
        np.percentile(busy.of["check"], q) - np.percentile(quiet.of["check"], q)
        for q in (50, 95, 99)
    ]
    row = "  ".join(f"p{q} {d:.1f}" for q, d in zip((50, 95, 99), delays, strict=True))
    print(f"  delay by a rating: {row}   (aim: {_RATING_TARGET})")

    print(f"a search ends {await hang_up(port, token):.2f} s after its client has hung up")

    many = games(60, seed=3)
    before = resident(pid)
    rounds = max(1, round(options.seconds / 30))
    for index in range(rounds):
        times = await crowd(port, token, many, options.players, options.seconds / rounds)
        if index in (0, rounds - 1):
            aims = {"check": {95: _LOAD_TARGET}}
            times.show(f"{options.players} players, part {index + 1} of {rounds}", aims)
        print(f"  refused {times.refused}, resident {resident(pid):.0f} MiB (before {before:.0f})")
    status.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--games", type=int, default=20)
    options = parser.parse_args()
    started = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "boulanger", "serve", "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        found = re.search(r":(\d+)/\?token=(\S+)", server.stdout.readline())
        assert found is not None
        print(f"address printed after {time.perf_counter() - started:.2f} s")
        asyncio.run(measure(int(found[1]), found[2], server.pid, options))
        over_lines(games(options.games, seed=4))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
