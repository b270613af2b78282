"""From the lines of a text to cards, gaps, cells and foundations, each with its place.

What a line can be:

    # or // or ; ..        a comment
    Foundations: H-4 C-A   also Founds:, Found:, Home:
    Freecells: 6S - 8H -   also FC:, Cells:, Reserve:
    : 4C 2C 9C             cards, with or without the colon
    4C 2C -- 9C            cards and gaps

A strict reading refuses anything else. A lenient one also takes off what programs print around
cards (brackets, bars, cursor marks, numbers of lines), takes cards in any order of suit and rank
and in two words, and ignores lines that hold no card at all; it remembers what it ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from boulanger.engine.boards.decks import CARD_BACK, Deck, glyph_card, plain
from boulanger.engine.boards.decoding import line_place, lines_of
from boulanger.engine.boards.tokens import (
    gather_foundations,
    is_gap,
    quote,
    read_card,
    read_foundation,
)
from boulanger.engine.cards import rank_of, suit_of
from boulanger.engine.errors import BoardError
from boulanger.engine.notes import Note
from boulanger.engine.position import MAX_CELLS
from boulanger.engine.words import message

# What web pages and word processors leave between words without showing it counts as blank.
_TOKEN: Final = re.compile(r"[^\s,\u200b\u200e\u200f\u2060\ufeff]+")
_COMMENT: Final = re.compile(r"^\s*;.*|(?:#|//).*")
_TOLD_CELLS: Final = re.compile(r"#\s*([0-8]) cells?\s*$")
_TOLD_COLUMNS: Final = re.compile(r"#[^\S\n]*columns[^\S\n]*$", re.MULTILINE)
_LABEL: Final = re.compile(
    r"(?:(?P<foundations>foundations?|founds?|fondations?|temelji?|alapok|home ?cells?(?=\s*:)|"
    r"homes?(?=\s*:)|goals?(?=\s*:)|target(?=\s*:))|"
    r"(?P<cells>(?:free[ -]?)?cells?|fc(?=\s*:)|reserves?(?=\s*:)|free(?=\s*:)|cellules?|"
    r"cellules? libres?|(?:c|ć)elije|cell[aá]k?))(?:\s*:|\b)",
    re.IGNORECASE,
)
_SECTION: Final = re.compile(
    r"(?P<foundations>foundations?|home ?cells?|homes?)|(?P<cells>(?:free ?)?cells?|reserves?)|"
    r"(?P<tableau>tableau(?: piles)?|cascades?|columns?|stacks?|piles|board)",
    re.IGNORECASE,
)
_COLON: Final = re.compile(r"\s*:")
_RULER: Final = re.compile(r"\s*[-=_~+*#.─━═—\u2013|\s]{4,}\s*")
_EMPTY_BRACKETS: Final = re.compile(r"\[[\s'\"]*\]|\([\s'\"]*\)|\{\s*\}")
_BRACKETED: Final = re.compile(r"\[([^\[\]]*)\]")
_DECORATION: Final = str.maketrans(dict.fromkeys("[](){}\"'`|<>*•▶►→│┃║┌┐└┘├┤┬┴┼", " "))
_LINE_LABEL: Final = re.compile(
    r"\s*(?:\[\d+,?\]|\(?\d{1,2}\s*[.:)\]]|#?\d{1,2}\s*:|[^\W\d_]+\s?\d{0,2}\s*:|"
    r"[^\W\d_]{1,2}\d\s*[:.)])(?=[\s\[(|]|$)"
)
_COLUMN_LABEL: Final = re.compile(r"\s*(?:col|column|stack|pile|tableau|t|cascade|c)\b", re.I)
_LINE_NUMBER: Final = re.compile(r"\s*#?\d{1,2}(?=\s)")
_CELL_NAME: Final = re.compile(r"(?<!\w)[a-i1-8]\s*[:=](?=\s)", re.IGNORECASE)
_SUIT_NAME: Final = re.compile(r"(\w+|[♠♥♦♣])\s*[:=]\s*(?=\w)")
_PLACEHOLDERS: Final = frozenset("abcd") | {"x", "xx", "0", "00"}
_FCS_CELL_WIDTH: Final = 4
_NO_WIDTH: Final = {0xFE0E: None, 0xFE0F: None, 0x200B: None, 0x200D: None}
_PASSED_OVER_SHOWN: Final = 3
_LONGEST_DRAWN_LINE: Final = 2000  # in a longer one nobody lines anything up


@dataclass(frozen=True, slots=True)
class Entry:
    """A card, or None where a gap is written.

    Attributes:
        card: its number.
        text: as written.
        index: the place in its line of the first character, from 0.
        start, end: where it stands on the screen: tabs expanded, nothing of no width.
    """

    card: int | None
    text: str
    index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One line of the tableau.

    Attributes:
        number: of the line, from 1.
        entries: what it holds.
        has_colon: whether a colon begins it.
        base: where on the screen its entries can begin: after a colon or a label, and a blank.
    """

    number: int
    entries: tuple[Entry, ...]
    has_colon: bool = False
    base: int = 0

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards of the line, in its order."""
        return tuple(entry.card for entry in self.entries if entry.card is not None)

    @property
    def has_gap(self) -> bool:
        """Whether a gap is written in it."""
        return any(entry.card is None for entry in self.entries)

    def place(self, entry: Entry) -> dict[str, Any]:
        """Where `entry` is, as a fact."""
        return _place(self.number, entry.index)


@dataclass(slots=True)
class Sheet:
    """The lines of a text by what they are.

    Attributes:
        lines: the lines of the tableau.
        blank_lines: the numbers of the lines that hold nothing at all.
        foundations: ranks in suit order; None if no line tells.
        cells: one entry a cell; None if no line tells.
        told_cells: how many cells the line of the cells says are in play, if it does.
        label_lines: the lines of each label.
        first_line, last_line: where the tableau can begin and end: below and above labels.
        passed_over: what was not read, for a note.
        has_column_labels: whether words such as "Column 1:" begin the lines, or `# columns` says
            what they are.
        notes: what else the reader should be told.
    """

    lines: list[BoardLine] = field(default_factory=list)
    blank_lines: list[int] = field(default_factory=list)
    foundations: tuple[int, ...] | None = None
    cells: tuple[int | None, ...] | None = None
    told_cells: int | None = None
    label_lines: dict[str, list[int]] = field(default_factory=dict)
    passed_over: list[dict[str, Any]] = field(default_factory=list)
    has_column_labels: bool = False
    notes: list[Note] = field(default_factory=list)

    def passed_over_notes(self) -> tuple[Note, ...]:
        """The note that says what was not read, if anything was not."""
        if not self.passed_over:
            return ()
        shown = self.passed_over[:_PASSED_OVER_SHOWN]
        more = len(self.passed_over) - len(shown)
        if more:
            return (Note("note.passed_over_more", lines=shown, more=more),)
        return (Note("note.passed_over", lines=shown),)


def read_sheet(text: str, deck: Deck, is_lenient: bool = False) -> Sheet:
    """Every line of `text` read, none yet compared with another.

    Args:
        text: the whole text.
        deck: the names of its cards; a strict reading takes English ones, rank first.
        is_lenient: as above.

    Raises:
        BoardError: quotes the first word that cannot be read, with its line and column.
    """
    sheet = (_LenientScanner(deck) if is_lenient else _Scanner(deck)).read(text)
    sheet.has_column_labels |= _TOLD_COLUMNS.search(text) is not None
    return sheet


class _Scanner:
    """The strict reading."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.sheet = Sheet()

    def read(self, text: str) -> Sheet:
        """The sheet of `text`."""
        for number, raw in enumerate(lines_of(text), start=1):
            line = _COMMENT.sub("", raw)
            labels = self.labels(line)
            if labels:
                ends = [*(label.start() for label in labels[1:]), len(line)]
                for label, end in zip(labels, ends, strict=True):
                    self.read_label(number, line[:end], label, _TOLD_CELLS.search(raw))
            elif _TOKEN.search(line):
                self.read_line(number, line)
            elif line == raw:
                self.sheet.blank_lines.append(number)
        return self.sheet

    def labels(self, line: str) -> list[re.Match[str]]:
        """The labels in a line that begins with one."""
        start = len(line) - len(line.lstrip())
        first = _LABEL.match(line, start)
        if first is None:
            return []
        kind = first.lastgroup
        second = _LABEL.search(line, first.end())
        is_second = second is not None and second.lastgroup != kind and second[0].endswith(":")
        return [first, second] if is_second and second is not None else [first]

    def read_label(
        self, number: int, line: str, label: re.Match[str], told: re.Match[str] | None
    ) -> None:
        """Reads the foundations or the cells in the part of a line after `label`."""
        name = str(label.lastgroup)
        self.sheet.label_lines.setdefault(name, []).append(number)
        if name == "cells":
            self.sheet.cells, self.sheet.told_cells = self.read_cells(number, line, label.end())
            if told is not None:
                self.sheet.told_cells = int(told[1])
        else:
            tokens = list(_TOKEN.finditer(line, label.end()))
            self.sheet.foundations = self.read_foundations(number, tokens)

    def read_cells(
        self, number: int, line: str, start: int
    ) -> tuple[tuple[int | None, ...], int | None]:
        """The cells after a label, and how many the line says there are."""
        content = line[start:].translate(_NO_WIDTH)
        entries = self.entries(number, line, start)
        if len(entries) > MAX_CELLS:
            fault = BoardError("reading.too_many_cells", number=len(entries), most=MAX_CELLS)
            raise fault.at(_line(number))
        cells = tuple(entry.card for entry in entries)
        if None in cells:
            return cells, len(cells)
        width = len(content)
        is_fixed = width % _FCS_CELL_WIDTH == 0 and 0 < width <= MAX_CELLS * _FCS_CELL_WIDTH
        ends = [entry.end - len(line[:start].expandtabs()) for entry in entries]
        on_grid = all(end > 0 and end % _FCS_CELL_WIDTH == 0 for end in ends)
        slots = [end // _FCS_CELL_WIDTH - 1 for end in ends]
        if not cells:
            return (), width // _FCS_CELL_WIDTH if is_fixed and "\t" not in content else None
        if on_grid and "\t" not in content and slots[-1] < MAX_CELLS:
            num_slots = width // _FCS_CELL_WIDTH if is_fixed else slots[-1] + 1
            placed: list[int | None] = [None] * max(num_slots, slots[-1] + 1)
            for slot, entry in zip(slots, entries, strict=True):
                placed[slot] = entry.card
            if slots != list(range(len(slots))):
                self.sheet.notes.append(Note("note.blank_cells"))
            is_told = is_fixed and content != content.rstrip()
            return tuple(placed), num_slots if is_told else None
        self.check_even(number, entries, line[:start])
        return cells, None

    def check_even(self, number: int, entries: tuple[Entry, ...], before: str) -> None:
        """Refuses blanks among the cells that may stand for an empty one."""
        end = len(before.expandtabs())
        for entry in entries:
            if entry.start - end > _FCS_CELL_WIDTH:
                fault = BoardError("reading.another_cell", word=quote(entry.text))
                raise fault.at(_line(number))
            end = entry.end

    def read_foundations(self, number: int, tokens: list[re.Match[str]]) -> tuple[int, ...]:
        """The ranks of the foundations that these words name."""
        pairs: list[tuple[int, int]] = []
        for token in tokens:
            if is_gap(token[0]):
                continue
            try:
                pairs.append(self.foundation(token[0]))
                gather_foundations(pairs)
            except BoardError as error:
                raise error.at(_place(number, token.start())) from None
        return gather_foundations(pairs)

    def foundation(self, word: str) -> tuple[int, int]:
        """Suit and rank of one foundation."""
        return read_foundation(word)

    def read_line(self, number: int, line: str) -> None:
        """Reads a line of the tableau."""
        colon = _COLON.match(line)
        entries = self.entries(number, line, colon.end() if colon else 0)
        base = colon.end() + 1 if colon else 0
        self.sheet.lines.append(BoardLine(number, entries, colon is not None, base))

    def entries(self, number: int, line: str, start: int) -> tuple[Entry, ...]:
        """The cards and gaps in a line from `start` on."""
        return tuple(self.entry(number, line, token) for token in _TOKEN.finditer(line, start))

    def entry(self, number: int, line: str, token: re.Match[str]) -> Entry:
        """A card or a gap."""
        word = token[0]
        if is_gap(word):
            return _entry_at(line, None, word, token.start())
        if word[:-1].isalpha() and word.endswith(":"):
            fault = BoardError("reading.unknown_word", word=quote(word))
            raise fault.at(_place(number, token.start()))
        try:
            return _entry_at(line, read_card(word), word, token.start())
        except BoardError as error:
            raise error.at(_place(number, token.start())) from None


class _LenientScanner(_Scanner):
    """The reading that ignores what is around the cards."""

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck)
        self.pending: list[str] = []
        self.num_numbered = 0

    def read(self, text: str) -> Sheet:
        """The sheet of `text`."""
        lines = lines_of(text)
        has_sections = any(_is_section_heading(line, "tableau") for line in lines)
        for number, raw in enumerate(lines, start=1):
            line = _COMMENT.sub("", raw)
            if self.pending and line.strip() and not _RULER.fullmatch(line):
                self.read_section(number, line)
                continue
            sections = _sections(line) if has_sections or _is_decorated(line) else []
            if sections:
                self.pending = [name for name in sections if name != "tableau"]
                self.sheet.passed_over.append(_shown(number, line))
            elif _RULER.fullmatch(line) and not self.is_gap_line(line):
                continue
            elif self.labels(line):
                super_labels = self.labels(line)
                ends = [*(label.start() for label in super_labels[1:]), len(line)]
                for label, end in zip(super_labels, ends, strict=True):
                    plain_line = _without_inner_labels(_undecorated(line[:end]), label)
                    self.read_label(number, plain_line, label, _TOLD_CELLS.search(raw))
            elif _TOKEN.search(line):
                self.read_line(number, line)
            elif line == raw:
                self.sheet.blank_lines.append(number)
        return self.sheet

    def is_gap_line(self, line: str) -> bool:
        """Whether a line of dashes is a row of gaps, or an empty column, and no ruler."""
        words = _undecorated(line).split()
        return bool(words) and all(is_gap(word) and len(word) <= 3 for word in words)

    def read_section(self, number: int, line: str) -> None:
        """Reads the line below a heading such as `--- Cells ---`."""
        parts = [line]
        if len(self.pending) > 1:
            parts = [found[1] for found in _BRACKETED.finditer(line)]
            if len(parts) != len(self.pending):
                fault = BoardError("reading.not_told_apart", text=quote(line.strip()))
                raise fault.at(_line(number))
        for name, part in zip(self.pending, parts, strict=True):
            self.sheet.label_lines.setdefault(name, []).append(number)
            content = _undecorated(part)
            if name == "cells":
                cells = tuple(entry.card for entry in self.entries(number, content, 0))
                self.sheet.cells = cells
                self.sheet.told_cells = len(cells) if None in cells else None
            else:
                tokens = list(_TOKEN.finditer(content))
                self.sheet.foundations = self.read_foundations(number, tokens)
        self.pending = []

    def read_foundations(self, number: int, tokens: list[re.Match[str]]) -> tuple[int, ...]:
        """The ranks of the foundations that these words name, in the language of the deck."""
        words = [(token[0], token.start()) for token in tokens]
        ranks: dict[int, int] = {}
        i = 0
        while i < len(words):
            word, index = words[i]
            size, card = self.card_at(words, i)
            try:
                if self.empty_foundation(word) is not None:
                    size, pair = 1, (self.empty_foundation(word) or 0, 0)
                elif is_gap(word) or word == CARD_BACK:
                    i += 1
                    continue
                else:
                    pair = (
                        (suit_of(card), rank_of(card))
                        if card is not None
                        else self.foundation(word)
                    )
            except BoardError as error:
                raise error.at(_place(number, index)) from None
            # All cards of a foundation may be listed, from the ace on.
            if pair[0] in ranks and pair[1] != ranks[pair[0]] + 1:
                raise BoardError("reading.foundation_twice").at(_place(number, index))
            ranks[pair[0]] = pair[1]
            i += size
        return gather_foundations(ranks.items())

    def empty_foundation(self, word: str) -> int | None:
        """The suit of a foundation that holds nothing, such as `H-0` or `0H`."""
        text = plain(word)
        for rank, suit in ((text[-1:], text[:-1].rstrip("-:=")), (text[:1], text[1:])):
            if rank == "0" and self.deck.suit(suit) is not None:
                return self.deck.suit(suit)
        return None

    def read_line(self, number: int, line: str) -> None:
        """Reads a line of cards, or ignores one without any."""
        colon = _COLON.match(line)
        start = colon.end() if colon else 0
        label = None if colon else _LINE_LABEL.match(line)
        body = line
        if label is not None:
            start = label.end()
        body = " " * start + _undecorated(line[start:])
        cards, unknown = self.scan(body, start)
        if label is None and not colon and unknown and cards:
            number_first = _LINE_NUMBER.match(line)
            if number_first is not None:
                start = number_first.end()
                body = " " * start + _undecorated(line[start:])
                cards, unknown = self.scan(body, start)
                label = number_first if not unknown else None
        has_cards = any(entry.card is not None for entry in cards)
        if not has_cards and self.is_number_of_empty_column(line):
            self.sheet.lines.append(BoardLine(number, ()))
            return
        placeholders = [e for e in unknown if self.is_placeholder(e.text)]
        if not has_cards and unknown:
            self.sheet.passed_over.append(_shown(number, line))
            return
        if unknown and len(placeholders) == len(unknown) and not self.sheet.lines:
            gaps = [Entry(None, e.text, e.index, e.start, e.end) for e in unknown]
            cards = sorted([*cards, *gaps], key=lambda entry: entry.index)
            unknown = []
        if unknown:
            raise _not_a_card(number, unknown[0])
        if label is not None:
            self.num_numbered += 1
            self.sheet.has_column_labels |= bool(_COLUMN_LABEL.match(label[0]))
            self.sheet.passed_over.append(_shown(number, label[0]))
        if cards or colon or label:
            base = start + 1 if start else 0
            self.sheet.lines.append(BoardLine(number, tuple(cards), colon is not None, base))

    def is_number_of_empty_column(self, line: str) -> bool:
        """Whether the line is a number alone, and all lines before it were numbered up to it."""
        word = line.strip().rstrip(".:)")
        numbers = [n for n, _ in enumerate(self.sheet.lines, start=1)]
        return (
            word.isdecimal()
            and len(word) == 1
            and bool(numbers)
            and int(word) == len(numbers) + 1
            and self.num_numbered == len(numbers)
        )

    def is_placeholder(self, word: str) -> bool:
        """Whether `word` stands in a row of cells and foundations for an empty one."""
        return plain(word) in _PLACEHOLDERS or self.deck.suit(word) is not None

    def entries(self, number: int, line: str, start: int) -> tuple[Entry, ...]:
        """The cards and gaps in a line from `start` on."""
        entries, unknown = self.scan(line, start)
        if unknown:
            raise _not_a_card(number, unknown[0])
        return tuple(entries)

    def scan(self, line: str, start: int) -> tuple[list[Entry], list[Entry]]:
        """The cards and gaps in a line from `start` on, and the words that are neither."""
        entries: list[Entry] = []
        unknown: list[Entry] = []
        tokens = _split_glyphs(line, start)
        i = 0
        while i < len(tokens):
            word, at = tokens[i]
            size, card = self.card_at(tokens, i)
            end_word, end_at = tokens[i + size - 1]
            text = line[at : end_at + len(end_word)]
            if card is not None:
                entries.append(_entry_at(line, card, text, at))
            elif is_gap(word) or word == CARD_BACK:
                entries.append(_entry_at(line, None, word, at))
            else:
                unknown.append(_entry_at(line, None, word, at))
            i += size
        return entries, unknown

    def card_at(self, tokens: list[tuple[str, int]], i: int) -> tuple[int, int | None]:
        """How many words from word `i` on are a card, and which; (1, None) if they are not one."""
        word = tokens[i][0].rstrip(".;:")
        if len(word) == 1 and glyph_card(word) is not None:
            return 1, glyph_card(word)
        card = self.deck.card(word)
        if card is not None:
            return 1, card
        if i + 1 < len(tokens):
            second = tokens[i + 1][0].rstrip(".;:")
            card = self.deck.card_of(word, second)
            if card is not None:
                return 2, card
            if i + 2 < len(tokens) and self.deck.is_joint(second):
                card = self.deck.card_of(word, tokens[i + 2][0].rstrip(".;:"))
                if card is not None:
                    return 3, card
        return 1, None


def _split_glyphs(line: str, start: int) -> list[tuple[str, int]]:
    """The words of a line with their places; each playing-card character is one of its own."""
    tokens = []
    for token in _TOKEN.finditer(line, start):
        if any(0x1F0A0 <= ord(character) <= 0x1F0DF for character in token[0]):
            tokens += [
                (character, token.start() + i)
                for i, character in enumerate(token[0])
                if character not in "\ufe0e\ufe0f"
            ]
        else:
            tokens.append((token[0], token.start()))
    return tokens


def _undecorated(line: str) -> str:
    """The line with brackets and the like blanked, empty brackets made a gap."""
    filled = _EMPTY_BRACKETS.sub(
        lambda found: "-" * min(len(found[0]), 2) + " " * (len(found[0]) - 2), line
    )
    return filled.translate(_DECORATION)


def _without_inner_labels(line: str, label: re.Match[str]) -> str:
    """A line of cells or foundations without the names of the places: `a: 6S`, `Hearts: 4`."""
    head, content = line[: label.end()], line[label.end() :]
    if label.lastgroup == "cells":
        return head + _CELL_NAME.sub("", content)
    return head + _SUIT_NAME.sub(lambda found: f"{found[1]}-", content)


def _is_decorated(line: str) -> bool:
    stripped = line.strip()
    return stripped[:2] in ("--", "==", "**", "~~", "__", "[[") and stripped[-1:] in "-=*~_]"


def _sections(line: str) -> list[str]:
    """The parts of a board that a heading names, if it names nothing else."""
    words = re.sub(r"[^\w ]+", " ", line.replace("_", " ")).strip()
    names = [str(found.lastgroup) for found in _SECTION.finditer(words)]
    rest = _SECTION.sub("", words).strip()
    return names if names and not rest else []


def _is_section_heading(line: str, name: str) -> bool:
    return name in _sections(line) and ":" not in line.strip()[:-1]


def _shown(number: int, text: str) -> dict[str, Any]:
    return message("error.at", where=_line(number), error=quote(text.strip()))


def _not_a_card(number: int, word: Entry) -> BoardError:
    return BoardError("reading.not_a_card", word=quote(word.text)).at(_place(number, word.index))


def _line(number: int) -> dict[str, Any]:
    return message("where.line", line=number)


def _place(number: int, index: int) -> dict[str, Any]:
    return line_place(number, index + 1)


def _entry_at(line: str, card: int | None, text: str, index: int) -> Entry:
    is_long = len(line) > _LONGEST_DRAWN_LINE
    start = index if is_long else len(line[:index].translate(_NO_WIDTH).expandtabs())
    return Entry(card, text, index, start, start + len(text.translate(_NO_WIDTH)))
