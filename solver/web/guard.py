"""The one gate that every request passes: hosts, token, origin, limits, and headers of answers.

A page in the same browser, a name that is made to point here (DNS rebinding), another program's
port and people in the same Wi-Fi can all reach a local server. So each request must name a host
that this server has, and bring the token of this start; and one that could do anything must come
from a page of this server, or bring the token in a header that no foreign page can set.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from boulanger.engine.words import say
from boulanger.solver.web.errors import refusal

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY: Final = 64 * 1024
PAIRING_SECONDS: Final = 600.0
_MAX_PAIRINGS: Final = 8

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
OWNER: Final = "owner"
GUEST: Final = "guest"
_SAFE_METHODS: Final = ("GET", "HEAD")
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


@dataclass
class Keys:
    """Who may come in: the token of this start, and what devices were paired with.

    Attributes:
        token: of this start; who has it may do everything.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    _pairings: dict[str, tuple[float, bool]] = field(default_factory=dict)
    _guests: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def new_pairing(self, is_guest: bool = True) -> str:
        """A token that lets one device in, once, within ten minutes.

        Args:
            is_guest: whether the device may only play and ask.
        """
        pairing = secrets.token_urlsafe(16)
        with self._lock:
            while len(self._pairings) >= _MAX_PAIRINGS:
                del self._pairings[next(iter(self._pairings))]
            self._pairings[pairing] = (time.monotonic() + PAIRING_SECONDS, is_guest)
        return pairing

    def redeem(self, given: str) -> str | None:
        """The token for a cookie in exchange for one of an address; None if that is no good."""
        if _is_same(given, self.token):
            return self.token
        with self._lock:
            wanted = next((p for p in self._pairings if _is_same(given, p)), None)
            if wanted is None:
                return None
            until, is_guest = self._pairings.pop(wanted)
            if time.monotonic() > until:
                return None
            if not is_guest:
                return self.token
            guest = secrets.token_urlsafe(16)
            self._guests.add(guest)
            return guest

    def role(self, given: str | None) -> str | None:
        """ "owner", "guest", or None for a stranger."""
        if given is None:
            return None
        if _is_same(given, self.token):
            return OWNER
        with self._lock:
            return GUEST if any(_is_same(given, guest) for guest in self._guests) else None


@dataclass(frozen=True)
class Guard:
    """Middleware: what it lets through has passed every rule.

    Attributes:
        app: what is behind it; `scope["state"]["role"]` is "owner" or "guest" there.
        keys: who may come in.
        port: the one that this server listens on.
        addresses: those in the local network that it listens on, if any.
    """

    app: App
    keys: Keys
    port: int
    addresses: tuple[str, ...] = ()

    @property
    def hosts(self) -> frozenset[str]:
        """What a Host header may say."""
        names = [*_LOOPBACK, *(f"[{a}]" if ":" in a else a for a in self.addresses)]
        return frozenset(f"{name}:{self.port}" for name in names)

    @property
    def cookie(self) -> str:
        """Cookies do not tell ports apart, so the name does."""
        return f"boulanger-{self.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = _Headers(scope)
        guarded = _with_headers(send, headers.host)
        refused = self._refusal(scope, headers)
        if refused is not None:
            await refused(guarded)
            return
        length = headers.one("content-length")
        if length is not None and (not length.isdigit() or int(length) > MAX_BODY):
            await _too_long(guarded)
            return
        await self.app(scope, _Limited(receive).receive, guarded)

    def _refusal(self, scope: Scope, headers: _Headers) -> Callable[[Send], Awaitable[None]] | None:
        """What to answer to a request that may not pass; None if it may."""
        if headers.host not in self.hosts:
            return _refuse(421, "web.host")
        method = scope["method"]
        if method not in (*_SAFE_METHODS, "POST"):
            return _refuse(405, "web.method", method=method)
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        if method == "GET" and given is not None:
            return self._let_in(scope, given, query)
        bearer = headers.bearer()
        role = self.keys.role(bearer if bearer is not None else headers.cookie(self.cookie))
        if role is None:
            return _stranger(scope)
        if method == "POST":
            if bearer is None and not headers.is_from_here():
                return _refuse(403, "web.origin")
            content_type = (headers.one("content-type") or "").partition(";")[0].strip().lower()
            if content_type != "application/json":
                return _refuse(415, "web.content_type")
        scope.setdefault("state", {})["role"] = role
        return None

    def _let_in(
        self, scope: Scope, given: str, query: list[tuple[str, str]]
    ) -> Callable[[Send], Awaitable[None]]:
        token = self.keys.redeem(given)
        if token is None:
            return _stranger(scope)
        rest = urlencode([(key, value) for key, value in query if key != "token"])
        raw_path: bytes = scope.get("raw_path") or scope["path"].encode()
        # One slash at the front: "//host/" would lead elsewhere.
        path = raw_path.decode("latin-1").partition("?")[0].lstrip("/\\")
        clean = f"/{path}?{rest}" if rest else f"/{path}"

        async def answer(send: Send) -> None:
            # Lax: with Strict a link that was clicked in a mail would arrive without it.
            cookie = f"{self.cookie}={token}; HttpOnly; SameSite=Lax; Path=/"
            await _send(send, 303, b"", {"location": clean, "set-cookie": cookie})

        return answer


@dataclass(frozen=True)
class _Headers:
    scope: Scope

    def all(self, name: str) -> list[str]:
        wanted = name.encode()
        return [value.decode("latin-1") for key, value in self.scope["headers"] if key == wanted]

    def one(self, name: str) -> str | None:
        """The value of a header; None if it is not there, or more than once."""
        values = self.all(name)
        return values[0] if len(values) == 1 else None

    @property
    def host(self) -> str:
        return (self.one("host") or "").lower()

    def bearer(self) -> str | None:
        """The token in the header that only programs and pages of this server can set."""
        kind, _, token = (self.one("authorization") or "").partition(" ")
        return token.strip() if kind.lower() == "bearer" else None

    def cookie(self, name: str) -> str | None:
        for header in self.all("cookie"):
            for pair in header.split(";"):
                key, _, value = pair.strip().partition("=")
                if key == name:
                    return value
        return None

    def is_from_here(self) -> bool:
        """Whether a page of this very host and port asks, as far as browsers tell.

        Over plain HTTP in a local network browsers send no Sec-Fetch-Site, but all send Origin with
        what is no GET. Another port of the same machine is "same-site", and that is not enough.
        """
        site, origin = self.all("sec-fetch-site"), self.all("origin")
        if site and site != ["same-origin"]:
            return False
        if origin:
            return origin == [f"http://{self.host}"]
        return bool(site)


class _Limited:
    """A body that ends with an error if it is longer than it may be."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._num_bytes = 0

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._num_bytes += len(message.get("body", b""))
            if self._num_bytes > MAX_BODY:
                raise BodyTooLongError
        return message


class BodyTooLongError(Exception):
    """A body without a length turned out too long."""


def body_refusal() -> dict[str, Any]:
    """What to say of a body that is too long."""
    return refusal("web.too_long", kib=MAX_BODY // 1024)


def _is_same(given: str, wanted: str) -> bool:
    return secrets.compare_digest(given.encode(), wanted.encode())


def _with_headers(send: Send, host: str) -> Send:
    """`send` that adds what each answer must say to a browser."""
    is_loopback = host.rpartition(":")[0] in _LOOPBACK

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            there = {key.lower() for key, _ in headers}
            wanted = {**_HEADERS, "cache-control": "no-cache"}
            if is_loopback:  # elsewhere plain HTTP makes browsers ignore it, with a complaint
                wanted["cross-origin-opener-policy"] = "same-origin"
            headers += [
                (key.encode(), value.encode())
                for key, value in wanted.items()
                if key.encode() not in there
            ]
            message = {**message, "headers": headers}
        await send(message)

    return sending


def _refuse(status: int, key: str, **facts: Any) -> Callable[[Send], Awaitable[None]]:
    async def answer(send: Send) -> None:
        body = json.dumps(refusal(key, **facts)).encode()
        await _send(send, status, body, {"content-type": "application/json"})

    return answer


async def _too_long(send: Send) -> None:
    body = json.dumps(body_refusal()).encode()
    await _send(send, 413, body, {"content-type": "application/json", "connection": "close"})


def _stranger(scope: Scope) -> Callable[[Send], Awaitable[None]]:
    """What someone without a token gets: a page that says how to come in."""
    if scope["path"].startswith("/api"):
        return _refuse(403, "web.token")
    sentence = say("web.token")
    page = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Boulanger</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<h1>Boulanger</h1><p>{escape(sentence[:1].upper() + sentence[1:])}. "
        "Open that address, or scan the code that the page shows on the first device.</p></html>"
    ).encode()

    async def answer(send: Send) -> None:
        await _send(send, 403, page, {"content-type": "text/html; charset=utf-8"})

    return answer


async def _send(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    pairs = [(key.encode(), value.encode("latin-1")) for key, value in headers.items()]
    pairs.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
