"""The arguments and options that several commands share, and how a value is read.

A command is a function with Click's decorators, and these; it returns its exit code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from boulanger.engine.errors import BoulangerError
from boulanger.engine.words import LANGUAGES, Voice, language_of_environment
from boulanger.solver.cli.options import (
    parse_cells,
    parse_language,
    parse_memory,
    parse_nodes,
    parse_seconds,
)
from boulanger.solver.cli.terminal import LANGUAGE_OPTION

_PLAIN: Final = "boulanger.plain"

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Decorator = Callable[[_Function], _Function]


class ValueFault(click.BadParameter):
    """A value that one of our own parsers refuses, with the error as a key and facts."""

    def __init__(self, fault: BoulangerError, param: Any, ctx: Any) -> None:
        super().__init__(str(fault), ctx, param)
        self.fault = fault


class Value(click.ParamType):  # type: ignore[type-arg]  # generic only in newer versions
    """A value of the command line, read by one of our own parsers.

    A shell completes it with words, or with the names of files.
    """

    name = "value"

    def __init__(
        self,
        parse: Callable[[str], Any] = str,
        words: Sequence[str] | Callable[[], Sequence[str]] = (),
        *,
        is_file: bool = False,
    ) -> None:
        """
        Args:
            parse: makes the value of its text, or raises `BoulangerError`.
            words: what a shell offers, or a function that lists it.
            is_file: whether the shell offers files.
        """
        self._parse: Final = parse
        self._words: Final = words
        self._is_file: Final = is_file

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value that the text means; a fault becomes one that names the option."""
        if not isinstance(value, str):
            return value
        try:
            return self._parse(value)
        except BoulangerError as error:
            raise ValueFault(error, param, ctx) from None

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        """What can stand there and begins so."""
        if self._is_file:
            return [CompletionItem(incomplete, type="file")]
        with ctx.scope():
            words = self._words() if callable(self._words) else self._words
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]


FILE: Final = Value(is_file=True)


class Argument(click.Argument):
    """An argument whose help is shown, in a section of its own."""

    def __init__(self, *args: Any, help: str = "", **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.help = help

    def get_help_record(self, ctx: Any) -> tuple[str, str]:
        """Its name and its help."""
        return self.metavar or str(self.name).upper(), self.help or ""


def argument(name: str, *, metavar: str, help: str, **extra: Any) -> _Decorator[Any]:
    """A decorator that gives a command an argument."""
    return click.argument(name, cls=Argument, metavar=metavar, help=help, **extra)


def dealer_names() -> list[str]:
    """The dealers that there are, built in or saved."""
    from boulanger.engine.deals.dealers import DEALERS
    from boulanger.solver.identify.saved import saved_names

    return [*DEALERS, *saved_names()]


def deal_argument(*, required: bool = True) -> _Decorator[Any]:
    """DEAL."""
    return argument(
        "deal",
        metavar="DEAL" if required else "[DEAL]",
        required=required,
        type=FILE,
        help="A game code, ms:NUMBER, random:NUMBER@SEED, a board's file, or - for stdin.",
    )


cells_option: Final = click.option(
    "--cells",
    metavar="N",
    type=Value(parse_cells, "012345678"),
    help="Cells in play, 0 to 8, instead of those of the code or the board.",
)
dealer_option: Final = click.option(
    "--dealer",
    metavar="NAME",
    type=Value(words=dealer_names),
    help="What deals game codes, instead of the dealer in use; see `boulanger dealers`.",
)
json_option: Final = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


memory_option: Final = click.option(
    "--max-memory",
    metavar="SIZE",
    type=Value(parse_memory, ("512MiB", "1GiB", "2GiB", "4GiB", "8GiB")),
    default="4GiB",
    show_default=True,
    help="Stop, undecided, before the search's tables take more: 2GiB, 512MB, or bytes.",
)


def layout_options(function: _Function) -> _Function:
    """--rows and --columns: what the lines of a board are."""
    rows = click.option(
        "--rows",
        "layout",
        flag_value="rows",
        help="The board's lines are rows, as it looks from above.",
    )
    columns = click.option(
        "--columns",
        "layout",
        flag_value="columns",
        help="The board's lines are its columns.",
    )
    decorated: _Function = rows(columns(function))
    return decorated


def limit_options(max_seconds: str | None = None) -> _Decorator[Any]:
    """--max-nodes, --max-seconds with this default, and --max-memory."""
    nodes = click.option(
        "--max-nodes",
        metavar="N",
        type=Value(parse_nodes),
        help="Stop, undecided, after this many positions.",
    )
    seconds = click.option(
        "--max-seconds",
        metavar="S",
        type=Value(parse_seconds),
        default=max_seconds,
        show_default=max_seconds is not None,
        help="Stop, undecided, after this many seconds.",
    )

    def decorate(function: _Function) -> _Function:
        return nodes(seconds(memory_option(function)))

    return decorate


html_option: Final = click.option(
    "--html",
    metavar="FILE",
    type=FILE,
    help="Write the board, the moves and the rating to one HTML file that opens anywhere.",
)


def voice_options(function: _Function) -> _Function:
    """--lang and --plain: how an answer is said; see `voice`."""
    language = click.option(
        "--lang",
        metavar="|".join(LANGUAGES),
        type=Value(parse_language, LANGUAGES),
        expose_value=False,
        is_eager=True,
        callback=_keep(LANGUAGE_OPTION),
        help="The language of the answer, instead of that of the locale.",
    )
    plain = click.option(
        "--plain",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_keep(_PLAIN),
        help="Say cards and boards in words, for a screen reader.",
    )
    decorated: _Function = language(plain(function))
    return decorated


def voice() -> Voice:
    """How the answer of the command at work is to be said."""
    context = click.get_current_context(silent=True)
    meta = {} if context is None else context.meta
    return Voice(meta.get(LANGUAGE_OPTION) or language_of_environment(), bool(meta.get(_PLAIN)))


def _keep(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """A callback that keeps an option's value where `voice` finds it."""

    def keep(context: click.Context, _: click.Parameter, value: Any) -> None:
        context.meta[name] = value

    return keep
