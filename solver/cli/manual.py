"""`boulanger help` and `boulanger completion`."""

from __future__ import annotations

import difflib
from typing import Final

import click

from boulanger.engine.errors import BoulangerError
from boulanger.solver.cli.arguments import Value, argument
from boulanger.solver.cli.commands import COMPLETE_VARIABLE, command
from boulanger.solver.cli.help_texts import TOPICS
from boulanger.solver.cli.terminal import EXIT_YES, write


def _words() -> list[str]:
    context = click.get_current_context()
    return [*TOPICS, *_group(context).list_commands(context)]


def _group(context: click.Context) -> click.Group:
    """The command as a whole."""
    group = context.find_root().command
    assert isinstance(group, click.Group)
    return group


@command()
@argument(
    "topic",
    metavar="[TOPIC]",
    required=False,
    type=Value(words=_words),
    help="board, moves, codes, exit-codes, or a command.",
)
@click.pass_context
def help(context: click.Context, topic: str | None) -> int:
    """Explain boards, moves, codes, exit codes, or a command."""
    parent = context.find_root()
    group = _group(context)
    if topic is None:
        write(f"{group.get_help(parent)}\n")
        return EXIT_YES
    word = topic.strip().lower()
    if word in TOPICS:
        write(TOPICS[word])
        return EXIT_YES
    found = group.get_command(parent, word)
    if found is None:
        near = difflib.get_close_matches(word, _words(), 1)
        if near:
            raise BoulangerError("options.near_topic", text=topic, near=near[0])
        raise BoulangerError("options.topic", text=topic)
    with click.Context(found, info_name=word, parent=parent) as own:
        write(f"{found.get_help(own)}\n")
    return EXIT_YES


_SHELLS: Final = ("bash", "zsh", "fish")


def _parse_shell(text: str) -> str:
    if text.strip().lower() in _SHELLS:
        return text.strip().lower()
    raise BoulangerError("options.shell", text=text)


@command()
@argument(
    "shell",
    metavar="bash|zsh|fish",
    type=Value(_parse_shell, _SHELLS),
    help="The shell that is to complete commands, options and values.",
)
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Write a script that lets a shell complete this command.

    For bash put `eval "$(boulanger completion bash)"` into ~/.bashrc, for zsh the same with zsh
    into ~/.zshrc; for fish see the example.
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    # Click's bash class would run bash first, to see its version.
    script = kind(_group(context), {}, "boulanger", COMPLETE_VARIABLE)
    write(script.source_template % script.source_vars() + "\n")
    return EXIT_YES
