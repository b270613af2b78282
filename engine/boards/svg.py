"""A board as a picture in SVG, for notebooks."""

from __future__ import annotations

from typing import Final

from boulanger.engine.cards import RANK_LETTERS, SUIT_SYMBOLS, make_card, rank_of, suit_of
from boulanger.engine.position import CELL_LETTERS, NUM_COLUMNS, Position

_WIDTH: Final = 46  # of a card, with the gap to the next
_HEIGHT: Final = 26
_MARGIN: Final = 6
_TOP: Final = 62  # where the columns begin
_SUIT_COLOURS: Final = ("#111111", "#c1121f", "#b5179e", "#1b7f3b")


def board_svg(position: Position) -> str:
    """The picture: cells and foundations above, the columns below, numbered as in moves."""
    num_rows = max(1, *(len(column) for column in position.columns))
    num_places = max(NUM_COLUMNS, len(position.cells) + len(position.foundations))
    width = 2 * _MARGIN + num_places * _WIDTH
    height = _TOP + num_rows * _HEIGHT + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" font-size="14">',
        f'<rect width="{width}" height="{height}" rx="6" fill="#2f6f4f"/>',
    ]
    for index, held in enumerate(position.cells):
        parts += _place(index, 0, CELL_LETTERS[index], held)
    for suit, rank in enumerate(position.foundations):
        card = make_card(suit, rank) if rank else None
        place = num_places - len(position.foundations) + suit
        parts += _place(place, 0, SUIT_SYMBOLS[suit], card)
    for index, column in enumerate(position.columns):
        parts.append(_text(index, _TOP - 6, str(index + 1), "#ffffff", 10))
        parts += [part for row, card in enumerate(column) for part in _card(index, row, card)]
    return "".join([*parts, "</svg>"])


def _place(index: int, row: int, name: str, card: int | None) -> list[str]:
    """A cell or a foundation at the top: what it holds, or its name."""
    x, y = _MARGIN + index * _WIDTH, _MARGIN + row * _HEIGHT
    if card is None:
        frame = (
            f'<rect x="{x}" y="{y}" width="{_WIDTH - 4}" height="{_HEIGHT}" rx="4" '
            'fill="none" stroke="#ffffff" stroke-opacity="0.5"/>'
        )
        return [frame, _text(index, y + 18, name, "#ffffff", 12)]
    return _drawn(index, y, card)


def _card(index: int, row: int, card: int) -> list[str]:
    return _drawn(index, _TOP + row * _HEIGHT, card)


def _drawn(index: int, y: int, card: int) -> list[str]:
    x = _MARGIN + index * _WIDTH
    rank, suit = RANK_LETTERS[rank_of(card) - 1].replace("T", "10"), suit_of(card)
    return [
        f'<rect x="{x}" y="{y}" width="{_WIDTH - 4}" height="{_HEIGHT}" rx="4" '
        'fill="#ffffff" stroke="#999999"/>',
        _text(index, y + 18, rank + SUIT_SYMBOLS[suit], _SUIT_COLOURS[suit], 14),
    ]


def _text(index: int, y: int, text: str, colour: str, size: int) -> str:
    x = _MARGIN + index * _WIDTH + (_WIDTH - 4) // 2
    return (
        f'<text x="{x}" y="{y}" fill="{colour}" font-size="{size}" text-anchor="middle">'
        f"{text}</text>"
    )
