"""Boards as other programs and people write them: a writer for each format that is read.

Each takes a position and gives a text, or None if the format cannot hold that position. Formats
that lose something by nature (the order of the columns, the places in the cells) say so by `loses`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from boulanger.engine.boards.writing import format_board
from boulanger.engine.cards import NUM_CARDS, card_text, make_card, rank_of, suit_of
from boulanger.engine.position import Position

Name = Callable[[int], str]

RANKS = "A23456789TJQK"


@dataclass(frozen=True)
class Writer:
    """A format: its name, how it is written, and what it cannot tell."""

    name: str
    write: Callable[[Position], str | None]
    loses: str = ""


def suit_first(card: int) -> str:
    return card_text(card)[::-1]


def with_ten(card: int) -> str:
    return card_text(card).replace("T", "10")


def symbol(card: int) -> str:
    return RANKS[rank_of(card) - 1] + "♠♥♦♣"[suit_of(card)]


def french(card: int) -> str:
    return ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "R"][
        rank_of(card) - 1
    ] + "PCKT"[suit_of(card)]


def german(card: int) -> str:
    ranks = ["a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "b", "d", "k"]
    return f"{('p', 'h', 'k', 'kr')[suit_of(card)]} {ranks[rank_of(card) - 1]}"


def hungarian(card: int) -> str:
    ranks = ["ász", "2", "3", "4", "5", "6", "7", "8", "9", "10", "bubi", "dáma", "király"]
    return f"{('pikk', 'kőr', 'káró', 'treff')[suit_of(card)]} {ranks[rank_of(card) - 1]}"


def croatian(card: int) -> str:
    ranks = ["as", "2", "3", "4", "5", "6", "7", "8", "9", "10", "dečko", "dama", "kralj"]
    return f"{('pik', 'srce', 'karo', 'tref')[suit_of(card)]}-{ranks[rank_of(card) - 1]}"


def hebrew(card: int) -> str:
    ranks = ["אס", "2", "3", "4", "5", "6", "7", "8", "9", "10", "נסיך", "מלכה", "מלך"]
    return f"{ranks[rank_of(card) - 1]} {('עלה', 'לב', 'יהלום', 'תלתן')[suit_of(card)]}"


def in_words(card: int) -> str:
    ranks = ["Ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King"]
    suits = ["Spades", "Hearts", "Diamonds", "Clubs"]
    return f"{ranks[rank_of(card) - 1]} of {suits[suit_of(card)]}"


def glyph(card: int) -> str:
    rank = rank_of(card)
    return chr(0x1F0A0 + 16 * suit_of(card) + rank + (rank > 11))


def header(position: Position, foundations: str = "Foundations:", cells: str = "Freecells:") -> str:
    return "\n".join(format_board(position).splitlines()[:2]).replace(
        "Foundations:", foundations
    ).replace("Freecells:", cells) + "\n"  # fmt: skip


def header_in(position: Position, name: Name) -> str:
    tops = [name(make_card(s, r)) if r else "--" for s, r in enumerate(position.foundations)]
    cells = ["-" if card is None else name(card) for card in position.cells]
    return f"Foundations: {' '.join(tops)}\nFreecells: {' '.join(cells)}\n"


def columns_text(position: Position, name: Name = card_text, colon: str = "") -> str:
    return "".join(
        (colon + " ".join(map(name, column))).rstrip() + "\n" for column in position.columns
    )


def rows(position: Position, name: Name, gap: str, width: int, strip: bool = True) -> str:
    height = max(map(len, position.columns))
    lines = []
    for i in range(height):
        names = [name(c[i]) if i < len(c) else gap for c in position.columns]
        line = "".join(f"{text:{width}}" for text in names)
        lines.append(line.rstrip() if strip else line)
    return "".join(line + "\n" for line in lines)


def _bare(position: Position) -> bool:
    return not any(position.foundations) and not any(c is not None for c in position.cells)


def _has_empty(position: Position) -> bool:
    return () in position.columns


def _top_row(position: Position) -> str | None:
    if position.num_cells != 4:
        return None
    tops = [
        card_text(make_card(suit, rank)) if rank else "--"
        for suit, rank in enumerate(position.foundations)
    ]
    cells = ["--" if card is None else card_text(card) for card in position.cells]
    return " ".join([*cells, *tops]) + "\n\n" + rows(position, card_text, "", 3)


def _fcs_state(position: Position) -> str:
    cells = "".join(f"{'' if card is None else card_text(card):>4}" for card in position.cells)
    return header(position).splitlines()[0] + f" \nFreecells:{cells}\n" + columns_text(
        position, colon=": "
    )  # fmt: skip


def _solvitaire(position: Position) -> str | None:
    tops = [
        f"{card_text(make_card(suit, rank))}" if rank else "[]"
        for suit, rank in enumerate(position.foundations)
    ]
    cells = ["[]" if card is None else with_ten(card) for card in position.cells]
    height = max(map(len, position.columns))
    drawn = "".join(
        "\t".join(with_ten(c[i]) if i < len(c) else "" for c in position.columns) + "\n"
        for i in range(height)
    )
    if not position.num_cells:
        return None
    return (
        "--- Foundations ---------\n" + "\t".join(tops) + "\n--- Cells ---------------\n"
        + "\t".join(cells) + "\n--- Tableau Piles -------\n" + drawn + "=" * 35 + "\n"
    )  # fmt: skip


def _numbered(position: Position) -> str:
    return header(position) + "".join(
        f"Column {n}: {' '.join(map(card_text, column))}\n"
        for n, column in enumerate(position.columns, start=1)
    )


def _json_rows(position: Position) -> str:
    height = max(map(len, position.columns))
    tableau = [
        [suit_first(c[i]).replace("T", "0") if i < len(c) else "" for c in position.columns]
        for i in range(height)
    ]
    suits = ("spades", "hearts", "diamonds", "clubs")
    return json.dumps(
        {
            "foundations": [
                {"suit": suits[suit], "value": RANKS[rank - 1] if rank else ""}
                for suit, rank in enumerate(position.foundations)
            ],
            "reserve": ["" if card is None else suit_first(card) for card in position.cells],
            "tableau": tableau,
        }
    )


def _json_objects(position: Position) -> str:
    suits = ("spades", "hearts", "diamonds", "clubs")

    def card(number: int) -> dict[str, object]:
        return {"rank": rank_of(number), "suit": suits[suit_of(number)]}

    return json.dumps(
        {
            "board": {
                "foundation": {
                    suits[suit].capitalize(): [
                        card_text(make_card(suit, r)) for r in range(1, rank + 1)
                    ]
                    for suit, rank in enumerate(position.foundations)
                },
                "reserve": [[] if c is None else [card(c)] for c in position.cells],
                "tableau": [[card(c) for c in column] for column in position.columns],
            }
        }
    )


def _kpatience(position: Position) -> str | None:
    ranks = [
        "ace",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "jack",
        "queen",
        "king",
    ]
    suits = ("spades", "hearts", "diamonds", "clubs")
    if position.num_cells != 4:
        return None

    def pile(name: str, cards: list[int]) -> str:
        return f'<move pile="{name}" position="0">' + "".join(
            f'<card id="{c}" suit="{suits[suit_of(c)]}" rank="{ranks[rank_of(c) - 1]}"/>'
            for c in cards
        ) + "</move>\n"  # fmt: skip

    piles = [pile(f"store{i}", list(column)) for i, column in enumerate(position.columns)]
    piles += [pile(f"freecell{i}", [c]) for i, c in enumerate(position.cells) if c is not None]
    piles += [
        pile(f"target{i}", [make_card(i, r) for r in range(1, rank + 1)])
        for i, rank in enumerate(position.foundations)
    ]
    return (
        '<?xml version="1.0"?>\n<kpat-game game-type="freecell"><state current="true">'
        + "".join(piles) + "</state></kpat-game>\n"
    )  # fmt: skip


def _pddl(position: Position) -> str | None:
    def name(card: int) -> str:
        return suit_first(card).lower().replace("t", "10")

    if all(not column for column in position.columns):
        return None
    facts = [f"(home {'shdc'[s]}{rank})" for s, rank in enumerate(position.foundations)]
    facts += [
        f"(cellspace n{position.num_free_cells})",
        f"(colspace n{position.num_empty_columns})",
    ]
    facts += [f"(incell {name(c)})" for c in position.cells if c is not None]
    for column in position.columns:
        facts += [f"(bottomcol {name(column[0])})"] if column else []
        facts += [f"(on {name(b)} {name(a)})" for a, b in pairwise(column)]
    return "(define (problem f)(:domain freecell)(:init " + "\n".join(facts) + ")(:goal (and)))"


def _deal_order(position: Position) -> str | None:
    if [len(column) for column in position.columns] != [7] * 4 + [6] * 4:
        return None
    cards = [position.columns[m % 8][m // 8] for m in range(NUM_CARDS)]
    return "\n".join(" ".join(map(card_text, cards[i : i + 13])) for i in range(0, 52, 13))


def _in_rows(name: Name, gap: str, width: int, strip: bool = True) -> Callable[[Position], str]:
    return lambda position: header(position) + rows(position, name, gap, width, strip)


def _in_columns(name: Name, colon: str = "") -> Callable[[Position], str | None]:
    def write(position: Position) -> str | None:
        if any(position.foundations) or any(card is not None for card in position.cells):
            return header_in(position, name) + columns_text(position, name, colon)
        return columns_text(position, name, colon)

    return write


def _rows_with_colons(position: Position) -> str | None:
    lengths = [len(column) for column in position.columns]
    if max(lengths) == 8 and lengths == sorted(lengths, reverse=True):
        return None  # eight lines that all begin with a colon say that they are columns
    drawn = rows(position, card_text, "", 3).splitlines()
    return header(position) + "".join(f": {line}\n" for line in drawn)


WRITERS = (
    Writer("own", format_board),
    Writer("JSON", lambda position: json.dumps(position.to_json())),
    Writer("columns", _in_columns(card_text)),
    Writer("columns, colons", _in_columns(symbol, ": ")),
    Writer("Freecell Solver's state", _fcs_state),
    Writer("PySolFC", lambda p: header(p, "Founds:", "FC:") + columns_text(p)),
    Writer("rows, gaps written", _in_rows(card_text, "--", 3)),
    Writer("rows, blanks", _in_rows(card_text, "", 3)),
    Writer("rows, blanks kept", _in_rows(card_text, "", 4, strip=False)),
    Writer("rows, tens wide", _in_rows(with_ten, "", 4)),
    Writer("rows, right-aligned", _in_rows(lambda c: f"{with_ten(c):>4}", "", 5)),
    Writer("rows, brackets", _in_rows(lambda c: f"[{card_text(c)}]", "", 5)),
    Writer("rows, suit first", _in_rows(suit_first, "", 3)),
    Writer("rows below a top row", _top_row),
    Writer("rows, colons", _rows_with_colons),
    Writer("rows, headings", lambda p: f"Game #1\n\n{header(p)}   " + "  ".join("12345678") + "\n"
        + rows(p, lambda c: f" {card_text(c)}", "", 3)),
    Writer("glyphs", _in_rows(glyph, "", 2)),
    Writer("Solvitaire", _solvitaire),
    Writer("numbered columns", _numbered),
    Writer("French", _in_columns(french, ": ")),
    Writer("German", _in_columns(german, ": ")),
    Writer("Hungarian", _in_columns(hungarian, ": ")),
    Writer("Croatian", _in_columns(croatian, ": ")),
    Writer("Hebrew", _in_columns(hebrew, ": ")),
    Writer("in words", lambda p: header(p) + "".join(
        ": " + ", ".join(map(in_words, column)) + "\n" for column in p.columns)),
    Writer("JSON rows", _json_rows),
    Writer("JSON objects", _json_objects),
    Writer("KPatience", _kpatience),
    Writer("PDDL", _pddl, loses="order of columns, places in cells"),
    Writer("deal order", _deal_order),
    Writer("UTF-16", lambda p: format_board(p)),
)  # fmt: skip
