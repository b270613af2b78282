"""A server to ask in tests, without a socket."""

import json
from functools import cache
from typing import Any

from starlette.testclient import TestClient

from boulanger.solver.web.app import Server
from boulanger.solver.web.guard import Guard, Keys
from boulanger.solver.web.warm import Warmth

PORT = 8520
ORIGIN = f"http://127.0.0.1:{PORT}"
TOKEN = "a-token-for-tests-alone"


@cache
def warm() -> Warmth:
    """A solver that is ready, loaded once for all tests."""
    warmth = Warmth()
    warmth.run()
    return warmth


def new_server(**extra: Any) -> Server:
    """A server that nobody has asked yet."""
    return Server(**{"keys": Keys(TOKEN), "warmth": warm(), **extra})


def client_of(
    server: Server, addresses: tuple[str, ...] = (), origin: str = ORIGIN, **extra: Any
) -> TestClient:
    """A client that asks through the guard."""
    guard = Guard(server.app(), server.keys, PORT, addresses)
    return TestClient(guard, base_url=origin, follow_redirects=False, **extra)


class Asker:
    """A program with the token."""

    def __init__(self, server: Server | None = None) -> None:
        self.server = server or new_server()
        self.client = client_of(self.server)

    def post(self, name: str, body: Any, **headers: str) -> Any:
        """The response to a question."""
        content = body if isinstance(body, bytes | str) else json.dumps(body)
        return self.client.post(
            f"/api/{name}",
            content=content,
            headers={
                "authorization": f"Bearer {TOKEN}",
                "content-type": "application/json",
                **{key.replace("_", "-"): value for key, value in headers.items()},
            },
        )

    def ask(self, name: str, /, **body: Any) -> Any:
        """The answer to a question; a refusal fails the test."""
        response = self.post(name, body)
        assert response.status_code == 200, response.text
        return response.json()

    def refusal(self, name: str, /, **body: Any) -> tuple[int, str, str]:
        """Status, key and sentence of a question that is refused."""
        response = self.post(name, body)
        error = response.json()["error"]
        return response.status_code, error["key"], error["text"]
