"""The routes: the questions of `solver.web.handlers`, the page's files, and how the solver is."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from boulanger.engine.errors import BoulangerError
from boulanger.engine.words import Voice
from boulanger.solver.answers.play import with_words
from boulanger.solver.web.describe import describe
from boulanger.solver.web.errors import (
    BusyError,
    Cancelled,
    OwnerError,
    RequestError,
    error_json,
    language_of,
    refusal,
)
from boulanger.solver.web.guard import OWNER, BodyTooLongError, Keys, body_refusal
from boulanger.solver.web.handlers import QUESTIONS
from boulanger.solver.web.lanes import Job, Lanes
from boulanger.solver.web.questions import Question, Shared, Values
from boulanger.solver.web.warm import Warmth

NDJSON: Final = "application/x-ndjson"
_BEAT_SECONDS: Final = 1.0
_STATIC: Final = Path(__file__).parent / "static"


@dataclass
class Server:
    """All that the routes share.

    Attributes:
        keys: who may come in.
        lanes: where questions are worked on.
        shared: what they share.
        warmth: how far the solver is.
        pairing_url: makes the address for one more device of a pairing token; None without --lan.
    """

    keys: Keys = field(default_factory=Keys)
    lanes: Lanes = field(default_factory=Lanes)
    shared: Shared = field(default_factory=Shared)
    warmth: Warmth = field(default_factory=Warmth)
    pairing_url: Callable[[str], str] | None = None

    def app(self) -> Starlette:
        """The routes; `Guard` belongs around them."""
        routes = [
            Route("/api", self.description, methods=["GET"]),
            Route("/api/status", self.status, methods=["GET"]),
            Route("/api/pair", self.pair, methods=["POST"]),
            *(
                Route(f"/api/{name}", self._endpoint(question), methods=["POST"])
                for name, question in QUESTIONS.items()
            ),
        ]
        if _STATIC.is_dir():
            files = StaticFiles(directory=_STATIC, html=True)
            routes.append(Mount("/", GZipMiddleware(files)))  # type: ignore[arg-type]
        return Starlette(
            routes=routes,
            lifespan=self._lifespan,
            exception_handlers={404: _not_found, 405: _wrong_method, Exception: _fault},
        )

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        yield
        self.lanes.close()

    async def description(self, request: Request) -> Response:
        """The API, as OpenAPI has it."""
        return JSONResponse(describe())

    async def status(self, request: Request) -> Response:
        """How far the solver is, and what this server can do."""
        return JSONResponse(
            {
                "version": version("boulanger"),
                "role": request.state.role,
                "lan": self.pairing_url is not None,
                "solver": self.warmth.status(),
                "open": self.lanes.num_open,
            }
        )

    async def pair(self, request: Request) -> Response:
        """An address that lets one more device in, once, with its QR code."""
        if request.state.role != OWNER:
            return JSONResponse(refusal("web.owner", _language(request.scope)), 403)
        if self.pairing_url is None:
            return JSONResponse(refusal("web.no_lan", _language(request.scope)), 409)
        import segno

        url = self.pairing_url(self.keys.new_pairing())
        return JSONResponse({"url": url, "qr": segno.make(url).svg_data_uri(scale=4, border=4)})

    def _endpoint(self, question: Question) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            try:
                values = question.read(await _body(request))
            except BodyTooLongError:
                return JSONResponse(body_refusal(), 413)
            except ClientDisconnect:
                return Response(status_code=400)
            except BoulangerError as error:
                return JSONResponse(error_json(error, _language(request.scope)), _status(error))
            if NDJSON in request.headers.get("accept", ""):
                return _Stream(self, question, values)
            return _Plain(self, question, values)

        return endpoint

    async def answer(self, question: Question, values: Values, job: Job) -> Mapping[str, Any]:
        """Waits for the solver if it must, and for the answer.

        Raises:
            BoulangerError: what the question is refused for.
            Cancelled: if the job was cancelled.
        """
        await self._wait_for(question.step(values))
        client = values.get("client")
        owner = None if client is None else (client, question.name)
        future = self.lanes.submit(
            question.lane(values), job, lambda job: question.answer(self.shared, values, job), owner
        )
        return await asyncio.wrap_future(future)

    async def _wait_for(self, step: str | None) -> None:
        if step is None or self.warmth.is_ready(step):
            return
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()

        def call() -> None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(ready.set)

        self.warmth.when_ready(step, call)
        await ready.wait()


class _Plain(Response):
    """One answer; a client that hangs up before it cancels the work."""

    def __init__(self, server: Server, question: Question, values: Values) -> None:
        self._server, self._question, self._values = server, question, values
        self.background = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        job = Job(is_owner=scope["state"]["role"] == OWNER)
        work = asyncio.ensure_future(
            _outcome(self._server, self._question, self._values, job, _language(scope))
        )
        gone = asyncio.ensure_future(_disconnect(receive))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                status, answer = work.result()
                await _JSON(answer, status)(scope, receive, send)
        finally:
            job.cancel()
            gone.cancel()
            work.cancel()


class _Stream(Response):
    """Lines of progress, and the answer as the last one."""

    def __init__(self, server: Server, question: Question, values: Values) -> None:
        self._server, self._question, self._values = server, question, values
        self.background = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        loop = asyncio.get_running_loop()
        news: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()

        def tell(progress: Mapping[str, Any]) -> None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(news.put_nowait, {"progress": progress})

        job = Job(tell, scope["state"]["role"] == OWNER)
        work = asyncio.ensure_future(
            _outcome(self._server, self._question, self._values, job, _language(scope))
        )
        gone = asyncio.ensure_future(_disconnect(receive))
        headers = [(b"content-type", NDJSON.encode()), (b"cache-control", b"no-store")]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            while not work.done() and not gone.done():
                line = asyncio.ensure_future(news.get())
                await asyncio.wait(
                    {work, gone, line},
                    timeout=_BEAT_SECONDS,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if line.done():
                    await _send_line(send, _newest(news, line.result()), more=True)
                else:
                    line.cancel()
                    if not work.done() and not gone.done():
                        await _send_line(send, {"progress": self._beat()}, more=True)
            if work.done():
                status, answer = work.result()
                last = answer if status >= 400 else {"result": answer}
                await _send_line(send, last, more=False)
        finally:
            job.cancel()
            gone.cancel()
            work.cancel()

    def _beat(self) -> Mapping[str, Any]:
        """Something to say when the work has nothing to say."""
        if self._server.warmth.is_ready(self._question.step(self._values)):
            return {}
        return {"solver": self._server.warmth.status()}


class _JSON(JSONResponse):
    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


async def _outcome(
    server: Server, question: Question, values: Values, job: Job, language: str
) -> tuple[int, Mapping[str, Any]]:
    """The status and the answer, whatever happens."""
    try:
        answer = await server.answer(question, values, job)
        return 200, with_words(answer, Voice(language))
    except Cancelled:
        return 409, refusal("web.superseded", language)
    except BoulangerError as error:
        return _status(error), error_json(error, language)
    except MemoryError:
        return 507, refusal("web.memory", language)
    except Exception as error:
        return 500, _told(error, language)


def _language(scope: Any) -> str:
    return language_of(Headers(scope=scope).get("accept-language", ""))


async def _disconnect(receive: Any) -> None:
    """Returns when the client has gone."""
    with suppress(BodyTooLongError):
        while (await receive())["type"] != "http.disconnect":
            pass


async def _body(request: Request) -> Any:
    data = await request.body()
    try:
        return json.loads(data)
    except RecursionError:
        raise RequestError("web.too_deep") from None
    except ValueError as error:
        raise RequestError("web.not_json", reason=str(error)) from None


def _newest(news: asyncio.Queue[Mapping[str, Any]], line: Mapping[str, Any]) -> Mapping[str, Any]:
    """The last of what there is to say: of several, the earlier ones are out of date."""
    while not news.empty():
        line = news.get_nowait()
    return line


async def _send_line(send: Any, line: Mapping[str, Any], more: bool) -> None:
    body = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    await send({"type": "http.response.body", "body": body, "more_body": more})


def _status(error: BoulangerError) -> int:
    """400 for what is no question, 503 for a busy server, else 422: what was asked for is wrong."""
    if isinstance(error, RequestError):
        return 400
    if isinstance(error, OwnerError):
        return 403
    return 503 if isinstance(error, BusyError) else 422


def _told(error: Exception, language: str) -> Mapping[str, Any]:
    """The refusal for a fault of the program; where it was stands on standard error."""
    traceback.print_exception(error)
    return refusal("web.fault", language, kind=type(error).__name__)


async def _fault(request: Request, error: Exception) -> Response:
    return JSONResponse(_told(error, _language(request.scope)), 500)


async def _not_found(request: Request, error: Exception) -> Response:
    return JSONResponse(refusal("web.not_found", path=request.url.path[:80]), 404)


async def _wrong_method(request: Request, error: Exception) -> Response:
    return JSONResponse(refusal("web.method", method=request.method), 405)
