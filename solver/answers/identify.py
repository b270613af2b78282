"""The answers of `identify` and `dealers`, as text and as JSON.

`identify --json`:

    codes          the codes given
    notes          list of texts: how the boards were read
    tried          how many rules were tried on the first board
    seconds        of the search, without compiling
    most_right     the most cards of the first board that a rule had right, in its order of
                   dealing, before the first wrong one
    fits_first     how many rules deal the first board
    groups         list of {words, rules, bk1}: rules that deal 1,000 random codes alike; `words` is
                   the plainest of them, `rules` has all, `bk1` is whether the project's own dealer
                   is one
    deciding_code  a code whose board would tell groups apart; null unless there are several
    near           null unless no rule deals the first board but one does with at most four cards
                   changed: {words, cards}; `cards` lists {column, row, given, dealt} from 1
    saved          null, or {name, file}

`dealers --json`:

    folder         where the files of learned dealers are
    dealers        list of {name, in_use, words, file, learned_from, fault}: `file` is null for a
                   built-in one, `learned_from` lists codes, `fault` says what is wrong with a file
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from boulanger.engine.cards import card_text
from boulanger.engine.position import NUM_COLUMNS
from boulanger.solver.identify.pairs import Pair

if TYPE_CHECKING:
    from boulanger.engine.notes import Note
    from boulanger.solver.identify.fit import Fit, NearFit
    from boulanger.solver.identify.groups import Group, Grouping

_WIDTH: Final = 96
_MAX_LISTED: Final = 12
# Rules that deal alike are listed up to this number, for one group and for each of several.
_MAX_ALIKE: Final = 8
_MAX_ALIKE_OF_SEVERAL: Final = 2


@dataclass(frozen=True, slots=True)
class Identified:
    """What `identify` found.

    Attributes:
        pairs: the codes and boards given.
        fit: the rules.
        grouping: the same in groups.
        seconds: of the search.
        near: if no rule deals the first board, one that deals it but for a few cards.
        is_upside_down: whether the boards were read with each column from its exposed card.
        saved_name, saved_file: of the dealer that was saved, if one was.
    """

    pairs: tuple[Pair, ...]
    fit: Fit
    grouping: Grouping
    seconds: float
    near: NearFit | None = None
    is_upside_down: bool = False
    saved_name: str | None = None
    saved_file: str | None = None

    def saved_as(self, name: str, file: str) -> Identified:
        """The same, with a dealer saved."""
        return replace(self, saved_name=name, saved_file=file)


@dataclass(frozen=True, slots=True)
class DealerLine:
    """One dealer in the list.

    Attributes:
        name: as `--dealer` takes it.
        is_in_use: whether game codes are dealt by it.
        description: what it does.
        file: where it is; None for a built-in one.
        learned_from: the codes of its boards.
        fault: what is wrong with its file, if anything.
    """

    name: str
    is_in_use: bool
    description: str
    file: str | None = None
    learned_from: tuple[str, ...] = ()
    fault: str | None = None


def identify_text(found: Identified, is_save_asked: bool = False) -> str:
    """The answer of `identify`.

    Args:
        found: what there is to say.
        is_save_asked: whether the reader wanted a dealer saved and must hear if none was.
    """
    return "".join(f"{line}\n" for line in _identify_lines(found, is_save_asked))


def _identify_lines(found: Identified, is_save_asked: bool) -> Iterator[str]:
    groups = found.grouping.groups
    tried = f"{found.fit.num_tried:,} rules tried in {found.seconds:.1f} s"
    if not groups:
        yield from _failure_lines(found, tried)
        if is_save_asked:
            yield "Nothing was saved."
        return
    boards = "this board" if len(found.pairs) == 1 else f"all {len(found.pairs)} boards"
    deal = "1 deals" if len(found.fit.rules) == 1 else f"{len(found.fit.rules):,} deal"
    if len(groups) == 1:
        alike = "" if len(found.fit.rules) == 1 else ", and 1,000 random codes alike"
        yield f"Found: {tried}; {deal} {boards}{alike}."
    else:
        yield f"Undecided: {tried}; {deal} {boards}, but other codes in {len(groups)} ways."
    if found.is_upside_down:
        yield "The columns were typed from the exposed card up; they were turned round for this."
    for number, group in enumerate(groups[:_MAX_LISTED], start=1):
        yield from _group_lines(
            number, group, _MAX_ALIKE if len(groups) == 1 else _MAX_ALIKE_OF_SEVERAL
        )
    if len(groups) > _MAX_LISTED:
        yield f"... and {len(groups) - _MAX_LISTED} more (--json has them all)"
    if found.saved_name is not None:
        yield f"Saved as {found.saved_name}: {found.saved_file}"
        yield f"Let game codes use it: boulanger dealers --use {found.saved_name}"
    elif len(groups) == 1:
        yield "Keep it with --save NAME; then `boulanger dealers --use NAME` deals codes so."
    elif len(groups) > 1:
        if is_save_asked:
            yield "Nothing was saved, since these differ."
        is_enough = found.grouping.num_told_apart == len(groups)
        yield (
            f"The board of {found.grouping.deciding_code} would "
            f"{'decide' if is_enough else 'tell most of them apart'}: give that code and its board "
            "as well, or choose with --save NAME --pick N."
        )


def _failure_lines(found: Identified, tried: str) -> Iterator[str]:
    code = found.pairs[0].code
    if found.fit.num_first:
        deal = "1 deals" if found.fit.num_first == 1 else f"{found.fit.num_first:,} deal"
        yield f"Not found: {tried}; {deal} the board of {code}, but none of them all boards."
        return
    yield f"Not found: {tried}; none deals the board of {code}."
    if found.near is not None:
        yield from _near_lines(found.near, found.pairs[0])
        return
    yield (
        f"The best guess had the first {found.fit.most_right} cards right; among that many some "
        "are, by chance."
    )
    yield "Check, beside the app:"
    yield "- the code: each of its letters, and that the board is the one of this code;"
    yield "- the board: fresh, no card moved yet, each column from the top of the screen down"
    yield "  (the other way round was tried too);"
    yield "- the cells: a code with C2 or C1 is another game than the one with C4."
    yield "If all is right, the app's rule is not in the family that is searched."


def _near_lines(near: NearFit, pair: Pair) -> Iterator[str]:
    yield "But one deals it with a few cards changed, which is no chance:"
    yield from _wrapped(near.rule.description, "   ")
    for m in near.wrong:
        column, row = m % NUM_COLUMNS + 1, m // NUM_COLUMNS + 1
        given, dealt = card_text(pair.cards[m]), card_text(near.cards[m])
        yield f"   column {column}, card {row}: {given} given, {dealt} dealt"
    yield "Compare these with the app. If they were misread, correct the board and try again."


def _wrapped(text: str, lead: str) -> list[str]:
    """`text` in lines of a terminal, the first after `lead`, the others below it."""
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _group_lines(number: int, group: Group, max_alike: int) -> Iterator[str]:
    lead = f"{number}. "
    indent = " " * len(lead)
    yield from _wrapped(group.rules[0].description, lead)
    if group.has_bk1:
        yield f"{indent}This is bk1, this project's own dealer."
    first, *others = group.rules
    if others:
        yield f"{indent}{len(others)} more {'deals' if len(others) == 1 else 'deal'} alike, with"
    for other in others[:max_alike]:
        differences = [part for part in other.parts if part not in first.parts]
        yield from _wrapped("; ".join(differences), f"{indent}- ")
    if len(others) > max_alike:
        yield f"{indent}- and {len(others) - max_alike} more (--json has them all)"


def identify_json(found: Identified, notes: list[Note]) -> dict[str, Any]:
    """The answer of `identify`."""
    code = found.grouping.deciding_code
    saved = None
    if found.saved_name is not None:
        saved = {"name": found.saved_name, "file": found.saved_file}
    return {
        "codes": [pair.code.text for pair in found.pairs],
        "notes": notes,
        "tried": found.fit.num_tried,
        "seconds": round(found.seconds, 3),
        "most_right": found.fit.most_right,
        "fits_first": found.fit.num_first,
        "groups": [
            {
                "words": group.rules[0].description,
                "rules": [rule.description for rule in group.rules],
                "bk1": group.has_bk1,
            }
            for group in found.grouping.groups
        ],
        "deciding_code": None if code is None else code.text,
        "upside_down": found.is_upside_down,
        "near": None if found.near is None else _near_json(found.near, found.pairs[0]),
        "saved": saved,
    }


def _near_json(near: NearFit, pair: Pair) -> dict[str, Any]:
    return {
        "words": near.rule.description,
        "cards": [
            {
                "column": m % NUM_COLUMNS + 1,
                "row": m // NUM_COLUMNS + 1,
                "given": card_text(pair.cards[m]),
                "dealt": card_text(near.cards[m]),
            }
            for m in near.wrong
        ],
    }


def dealers_text(lines: list[DealerLine], folder: str) -> str:
    """The answer of `dealers`: `*` marks the one that game codes use."""
    width = max(len(line.name) for line in lines)
    text = ""
    for line in lines:
        learned = f" (from {', '.join(line.learned_from)})" if line.learned_from else ""
        words = line.description if line.fault is None else f"cannot be used: {line.fault}"
        mark = "*" if line.is_in_use else " "
        lead = f"{mark} {line.name:{width}}  "
        wrapped = _wrapped(words + learned, lead)
        text += "".join(f"{part}\n" for part in wrapped)
    return (
        f"{text}Game codes use the one marked *; --use NAME changes that. Learned ones are in "
        f"{folder}\n"
    )


def dealers_json(lines: list[DealerLine], folder: str) -> dict[str, Any]:
    """The answer of `dealers`."""
    return {
        "folder": folder,
        "dealers": [
            {
                "name": line.name,
                "in_use": line.is_in_use,
                "words": line.description,
                "file": line.file,
                "learned_from": list(line.learned_from),
                "fault": line.fault,
            }
            for line in lines
        ],
    }
