"""What all commands have in common: their help, and one line for whatever goes wrong."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from boulanger.engine.words import LANGUAGES, language_of_environment, message, say_message
from boulanger.solver.cli.arguments import ValueFault
from boulanger.solver.cli.terminal import (
    EXIT_BAD_INPUT,
    EXIT_INTERRUPTED,
    EXIT_YES,
    LANGUAGE_OPTION,
    complain,
    fail,
)

COMPLETE_VARIABLE: Final = "_BOULANGER_COMPLETE"  # set by the scripts of `completion`
_NEEDS_VALUE: Final = "requires an argument."  # Click's words
_HELP_NAMES: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 80}


class CommandFault(click.UsageError):
    """A command that there is not, as a message."""

    def __init__(self, fault: dict[str, Any], ctx: Any) -> None:
        super().__init__(say_message(fault), ctx)
        self.fault = fault


class Command(click.Command):
    """A command whose help has its arguments too."""

    def __init__(self, *args: Any, **extra: Any) -> None:
        extra.setdefault("context_settings", _HELP_NAMES)
        super().__init__(*args, **extra)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the words; what is wrong with them is the fault of this command's line."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes the help: what it does, its arguments, its options."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        for title, kind in (("Arguments", click.Argument), ("Options", click.Option)):
            params = [param for param in self.get_params(ctx) if isinstance(param, kind)]
            records = [param.get_help_record(ctx) for param in params]
            if rows := [record for record in records if record is not None]:
                with formatter.section(title):
                    formatter.write_dl(rows)
        from boulanger.solver.cli.help_texts import closing

        names = [str(param.name) for param in self.get_params(ctx)]
        formatter.write(closing(str(self.name), names))


def command(name: str | None = None) -> Callable[[Callable[..., int]], click.Command]:
    """A decorator that makes a command of a function, whose docstring is its help."""
    return click.command(name, cls=Command)


class Commands(click.Group):
    """The commands, by sections; each is imported when it is asked for.

    Whatever goes wrong becomes one line on standard error and an exit code.
    """

    command_class = Command

    def __init__(self, *args: Any, sections: dict[str, dict[str, str]], **extra: Any) -> None:
        """
        Args:
            sections: for each section, its commands with the modules that they are in.
        """
        super().__init__(*args, context_settings=_HELP_NAMES, **extra)
        self._sections: Final = sections
        self._modules: Final = {
            n: module for names in sections.values() for n, module in names.items()
        }

    def list_commands(self, ctx: Any) -> list[str]:
        """All names, in the order of the help."""
        return list(self._modules)

    def get_command(self, ctx: Any, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in self._modules:
            return None
        module = import_module(self._modules[cmd_name])
        found: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return found

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """The command that the first word names, and the rest."""
        name = args[0]
        if name not in self._modules and not name.startswith("-"):
            near = _nearest(name, list(self._modules))
            raise CommandFault(_unknown("usage.no_command", repr(name), near), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Writes the sections of commands."""
        width = max(map(len, self._modules))
        for title, names in self._sections.items():
            rows = []
            for name in names:
                found = self.get_command(ctx, name)
                assert found is not None
                rows.append((name.ljust(width), found.get_short_help_str(formatter.width)))
            with formatter.section(title):
                formatter.write_dl(rows)

    def main(  # type: ignore[override]  # it always ends the process
        self, args: Any = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Answers one command line, and ends the process with the exit code."""
        words = sys.argv[1:] if args is None else list(args)
        sys.exit(self._answer(words, prog_name or "boulanger", **extra))

    def _has_memory_option(self, words: list[str]) -> bool:
        """Whether the command that was asked for takes --max-memory."""
        asked = self.get_command(None, words[0]) if words else None
        return asked is not None and any(param.name == "max_memory" for param in asked.params)

    def _answer(self, words: list[str], prog_name: str, **extra: Any) -> int:
        meta: dict[str, Any] = {}  # where options such as --lang are kept
        if instruction := os.environ.get(COMPLETE_VARIABLE):
            from click.shell_completion import shell_complete

            return shell_complete(self, {}, prog_name, COMPLETE_VARIABLE, instruction)
        try:
            with self.make_context(prog_name, words, **extra) as context:
                meta = context.meta
                code = self.invoke(context)
            return EXIT_YES if code is None else int(code)
        except click.exceptions.Exit as stop:
            return stop.exit_code
        except click.UsageError as error:
            language = _language_among(words) or language_of_environment()
            complain(say_message(_usage_message(error), language))
            return EXIT_BAD_INPUT
        except Exception as error:
            language = meta.get(LANGUAGE_OPTION) or language_of_environment()
            return fail(error, language, has_memory_option=self._has_memory_option(words))
        except KeyboardInterrupt:
            complain("interrupted")
            return EXIT_INTERRUPTED


def _language_among(words: list[str]) -> str | None:
    """What --lang says in a command line that could not be read."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        given = following if word == "--lang" else word.removeprefix("--lang=")
        if word.startswith("--lang") and given.lower() in LANGUAGES:
            return given.lower()
    return None


def _usage_message(error: click.UsageError) -> dict[str, Any]:
    """What is wrong with the options and arguments, with where to look."""
    path = error.ctx.command_path if error.ctx is not None else "boulanger"
    return message("usage.see", fault=_usage_fault(error), command=path)


def _usage_fault(error: click.UsageError) -> dict[str, Any]:
    if isinstance(error, CommandFault):
        return error.fault
    if isinstance(error, ValueFault) and error.param is not None:
        hint = error.param.get_error_hint(error.ctx)
        return message("usage.value", option=hint, fault=error.fault.message)
    if isinstance(error, click.NoSuchOption):
        params = error.ctx.command.params if error.ctx else []
        near = _nearest(error.option_name, [name for param in params for name in param.opts])
        return _unknown("usage.no_option", error.option_name, near)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        is_option = isinstance(error.param, click.Option)
        key = "usage.missing_option" if is_option else "usage.missing_argument"
        return message(key, name=error.param.get_error_hint(error.ctx))
    if isinstance(error, click.BadOptionUsage) and error.message.endswith(_NEEDS_VALUE):
        return message("usage.needs_value", name=repr(error.option_name))
    # What else Click says, such as that there is an argument too many.
    text = " ".join(error.format_message().split()).removesuffix(".")
    return message("text", text=text[:1].lower() + text[1:])


def _unknown(key: str, name: str, near: str | None) -> dict[str, Any]:
    fault = message(key, name=name)
    return fault if near is None else message("usage.near", fault=fault, near=near)


def _nearest(text: str, known: list[str]) -> str | None:
    return next(iter(difflib.get_close_matches(text, known, n=1)), None)
