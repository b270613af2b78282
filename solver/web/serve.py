"""`boulanger serve`: sockets, tokens and the browser; the rest is in `solver.web.app`."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import io
import ipaddress
import os
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import uvicorn

from boulanger.engine.errors import BoulangerError
from boulanger.solver.web.app import Server
from boulanger.solver.web.catalogue_answers import OpenCatalogues
from boulanger.solver.web.guard import Guard, Keys
from boulanger.solver.web.questions import Shared

DEFAULT_PORT: Final = 8520
"""Fixed, so that links and what the browser keeps survive a restart."""

TOKEN_VARIABLE: Final = "BOULANGER_TOKEN"
_NUM_PORTS: Final = 20
_MIN_TOKEN: Final = 16
_SWITCH_SECONDS: Final = 0.001


class ServeError(BoulangerError):
    """Why the server cannot start."""


@dataclass(frozen=True)
class Options:
    """What the command is told.

    Attributes:
        port: the one to listen on; None for the usual one, or the next that is free.
        host: an address of this machine to listen on, too; with `is_lan` only.
        is_lan: whether other devices in the network may come in.
        opens_browser: whether the page is shown at once.
        catalogues: folders that can be browsed.
    """

    port: int | None = None
    host: str | None = None
    is_lan: bool = False
    opens_browser: bool = True
    catalogues: tuple[str, ...] = ()


def serve(options: Options, write: Callable[[str], None]) -> None:
    """Serves until it is interrupted.

    Raises:
        ServeError: if there is no port, or no such address.
        CatalogueError: if a folder holds no catalogue.
    """
    if options.host is not None and not options.is_lan:
        raise ServeError("serve.host_without_lan")
    catalogues = OpenCatalogues(options.catalogues)
    keys = _keys()
    addresses = (lan_address(options.host),) if options.is_lan else ()
    sockets, port, note = open_sockets(options.port, addresses)
    server = Server(keys, shared=Shared(catalogues=catalogues))
    if addresses:
        server.pairing_url = lambda token: f"{_origin(addresses[0], port)}/?token={token}"
    guard = Guard(server.app(), keys, port, addresses)
    _announce(server, port, addresses, note, write)
    sys.setswitchinterval(_SWITCH_SECONDS)
    server.warmth.start()
    if options.opens_browser and can_open_browser():
        # Not the token itself: the arguments of a process can be read by others on the machine.
        url = f"{_origin('127.0.0.1', port)}/?token={keys.new_pairing(is_guest=False)}"
        threading.Timer(0.2, _open_browser, [url]).start()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(uvicorn_server(guard).serve(sockets=sockets))


def uvicorn_server(guard: Guard) -> uvicorn.Server:
    """Uvicorn as it is used here: nothing logged: an access log would print tokens, and faults are
    told by the routes."""
    return uvicorn.Server(
        uvicorn.Config(
            guard,
            access_log=False,
            server_header=False,
            date_header=False,
            log_level="critical",
            proxy_headers=False,
            ws="none",
            lifespan="on",
            limit_concurrency=512,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=16 * 1024,
        )
    )


def open_sockets(
    port: int | None, addresses: Sequence[str] = ()
) -> tuple[list[socket.socket], int, str | None]:
    """Sockets on the loopback and on `addresses`, all on one port, and a note about it.

    Args:
        port: exactly this one; None for the usual one, or the next that is free.

    Raises:
        ServeError: if the port is taken, or none is free.
    """
    wanted = [port] if port is not None else list(range(DEFAULT_PORT, DEFAULT_PORT + _NUM_PORTS))
    for candidate in wanted:
        try:
            sockets = _bind_all(candidate, addresses)
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                named = ", ".join(addresses)
                raise ServeError("serve.not_our_address", address=named) from None
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise ServeError(
                    "serve.port", port=str(candidate), reason=str(error.strerror or error)
                ) from None
            continue
        actual = int(sockets[0].getsockname()[1])
        is_other = port is None and actual != DEFAULT_PORT
        note = f"port {DEFAULT_PORT} is taken by another program" if is_other else None
        return sockets, actual, note
    if port is not None:
        raise ServeError("serve.port_taken", port=str(port))
    raise ServeError("serve.ports_taken", first=str(wanted[0]), last=str(wanted[-1]))


def _bind_all(port: int, addresses: Sequence[str]) -> list[socket.socket]:
    sockets = [_bind(socket.AF_INET, "127.0.0.1", port)]
    try:
        actual = int(sockets[0].getsockname()[1])
        with contextlib.suppress(OSError):  # a machine without IPv6
            sockets.append(_bind(socket.AF_INET6, "::1", actual))
        for address in addresses:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            sockets.append(_bind(family, address, actual))
    except OSError:
        for opened in sockets:
            opened.close()
        raise
    return sockets


def _bind(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    # Named, since asyncio looks at it: without it answers wait for the network (Nagle), 40 ms each.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere this would let two programs have one port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((address, port))
        bound.listen(128)
    except OSError:
        bound.close()
        raise
    return bound


def lan_address(host: str | None) -> str:
    """The address by which others in the network reach this machine.

    Raises:
        ServeError: if there is none, or `host` is no address of one interface.
    """
    if host is not None:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            raise ServeError("serve.no_address", host=repr(host)) from None
        if address.is_unspecified or address.is_loopback or address.is_multicast:
            raise ServeError("serve.no_interface", host=host)
        return str(address)
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: this only asks which interface would do
        found = str(probe.getsockname()[0])
        if not ipaddress.ip_address(found).is_loopback:
            return found
    raise ServeError("serve.no_network")


def can_open_browser() -> bool:
    """Whether someone sits at this machine, as far as one can tell."""
    if sys.stdout is None or not sys.stdout.isatty():
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open_browser(url: str) -> None:
    import webbrowser

    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(url)


def _keys() -> Keys:
    given = os.environ.get(TOKEN_VARIABLE)
    if given is None:
        return Keys()
    if len(given) < _MIN_TOKEN or not given.isascii() or not given.replace("-", "_").isidentifier():
        raise ServeError("serve.token", variable=TOKEN_VARIABLE, least=_MIN_TOKEN)
    return Keys(given)


def _origin(address: str, port: int) -> str:
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def _announce(
    server: Server,
    port: int,
    addresses: Sequence[str],
    note: str | None,
    write: Callable[[str], None],
) -> None:
    if note is not None:
        write(f"({note})\n")
    write(f"Boulanger is at {_origin('127.0.0.1', port)}/?token={server.keys.token}\n")
    if not addresses or server.pairing_url is None:
        write("Only this machine can reach it. Ctrl-C ends it.\n")
        return
    import segno

    url = server.pairing_url(server.keys.new_pairing())
    write(
        f"\nAnyone in your network who has a pairing address can play at {addresses[0]}, over "
        f"plain HTTP.\nThis one lets one device in, once, within ten minutes:\n\n  {url}\n\n"
    )
    drawing = io.StringIO()
    if _can_draw():
        segno.make(url).terminal(drawing, border=2, compact=True)
    write(drawing.getvalue() + "\nThe page shows more of them. Ctrl-C ends the server.\n")


def _can_draw() -> bool:
    """Whether standard output takes the blocks of a QR code."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    return encoding.lower().replace("-", "").startswith("utf")
