"""The file of a learned dealer: small, readable TOML that can be passed on.

    format = 1
    words = "java.util.Random seeded with ..."    for the reader; not read back

    [seed]        alphabet, order, kept, cells, change; or text, hash
    (`solver.identify.family.seeds`) [shuffle]     generator, draw, shuffle
    [deck]        suits, grouping, ranks, dealing
    [[boards]]    code, columns: what the dealer was learned from, at least one

What is read must be complete and deal the boards in it, so that neither a typing error nor a
version of this program that deals otherwise goes unseen.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from boulanger.engine.cards import card_text, parse_card
from boulanger.engine.deals.codes import parse_code
from boulanger.engine.errors import DealError
from boulanger.engine.position import Position, deal_order
from boulanger.engine.words import quoted
from boulanger.solver.identify.family.decks import (
    DEALINGS,
    GROUPINGS,
    RANK_ORDERS,
    SUIT_ORDERS,
    Deck,
)
from boulanger.solver.identify.family.generators import GENERATORS
from boulanger.solver.identify.family.letters import ALPHABETS, CELLS, KEPT, ORDERS
from boulanger.solver.identify.family.rule import Rule, is_possible
from boulanger.solver.identify.family.seeds import (
    CHANGES,
    HASHES,
    TEXTS,
    NumberSeed,
    SeedRule,
    TextSeed,
)
from boulanger.solver.identify.family.shuffles import SHUFFLES
from boulanger.solver.identify.pairs import Pair

FORMAT: Final = 1
MAX_BYTES: Final = 64 * 1024
_HEADING: Final = (
    "# A dealer for Boulanger: how a game code becomes a deal, and boards that show it.\n"
    "# Put it into the folder that `boulanger dealers` names, to use it there.\n"
)
_NUMBER_KEYS: Final = {
    "alphabet": ALPHABETS,
    "order": ORDERS,
    "kept": KEPT,
    "cells": CELLS,
    "change": CHANGES,
}
_TEXT_KEYS: Final = {"text": TEXTS, "hash": HASHES}
_SHUFFLE_KEYS: Final = {"generator": GENERATORS, "draw": None, "shuffle": SHUFFLES}
_DECK_KEYS: Final = {
    "suits": SUIT_ORDERS,
    "grouping": GROUPINGS,
    "ranks": RANK_ORDERS,
    "dealing": DEALINGS,
}


@dataclass(frozen=True, slots=True)
class SavedDealer:
    """A dealer that was learned.

    Attributes:
        name: as `--dealer` takes it.
        rule: how it deals.
        pairs: the codes and boards that it was learned from, at least one.
    """

    name: str
    rule: Rule
    pairs: tuple[Pair, ...]


def format_dealer(dealer: SavedDealer) -> str:
    """The text of a dealer's file."""
    import tomli_w

    document = {
        "format": FORMAT,
        "words": dealer.rule.description,
        **rule_document(dealer.rule),
        "boards": [
            {"code": pair.code.text, "columns": _columns_of(pair.cards)} for pair in dealer.pairs
        ],
    }
    return _HEADING + tomli_w.dumps(document)


def rule_document(rule: Rule) -> dict[str, Any]:
    """A rule as the file has it."""
    seed_keys = _NUMBER_KEYS if isinstance(rule.seed, NumberSeed) else _TEXT_KEYS
    return {
        "seed": {key: getattr(rule.seed, key) for key in seed_keys},
        "shuffle": {key: getattr(rule, key) for key in _SHUFFLE_KEYS},
        "deck": {
            "suits": rule.deck.suits,
            "grouping": rule.deck.grouping,
            "ranks": rule.deck.ranks,
            "dealing": rule.dealing,
        },
    }


def parse_dealer(name: str, data: bytes) -> SavedDealer:
    """The dealer in the bytes of a file.

    Raises:
        DealError: the first thing that is wrong with it.
    """
    if len(data) > MAX_BYTES:
        raise DealError(f"more than {MAX_BYTES // 1024} KiB: too long for a dealer")
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise DealError("not text in UTF-8; a dealer in TOML expected") from None
    except tomllib.TOMLDecodeError as error:
        raise DealError(f"not TOML: {str(error)[:1].lower()}{str(error)[1:]}") from None
    except RecursionError:
        raise DealError("not a dealer: brackets within brackets without end") from None
    if document.get("format") != FORMAT:
        raise DealError(f"format is {document.get('format')!r}; {FORMAT} expected")
    _check_keys("the file", document, ("format", "words", "seed", "shuffle", "deck", "boards"))
    generator, draw, shuffle = _entries("shuffle", _table(document, "shuffle"), _SHUFFLE_KEYS)
    deck, dealing = _deck_of(_table(document, "deck"))
    rule = Rule(_seed_of(_table(document, "seed")), generator, draw, shuffle, deck, dealing)
    if not is_possible(rule):
        raise DealError(
            f"the draw {rule.draw!r} does not go with the generator {rule.generator!r}, this seed "
            f"and the shuffle {rule.shuffle!r}"
        )
    dealer = SavedDealer(name, rule, _pairs_of(document.get("boards")))
    for pair in dealer.pairs:
        if rule.deal(pair.code) != pair.cards:
            raise DealError(f"it does not deal the board that it gives for {pair.code.text}")
    return dealer


def _table(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    if not isinstance(document.get(key), dict):
        raise DealError(f"there is no table [{key}]")
    table: Mapping[str, Any] = document[key]
    return table


def _check_keys(where: str, table: Mapping[str, Any], keys: Collection[str]) -> None:
    for key in table:
        if key not in keys:
            raise DealError(f"{where} has {key!r}; only {', '.join(keys)} are known there")


def _entries(
    where: str, table: Mapping[str, Any], keys: Mapping[str, Collection[str] | None]
) -> list[str]:
    """The values of `keys`, each of which is a name in its table (any if that is None)."""
    _check_keys(f"[{where}]", table, keys)
    values = []
    for key, names in keys.items():
        value = table.get(key)
        if not isinstance(value, str) or (names is not None and value not in names):
            expected = "a name" if names is None else ", ".join(names)
            raise DealError(f"{key} in [{where}] is {_shown(value)}; expected: {expected}")
        values.append(value)
    return values


def _shown(value: Any) -> str:
    return "missing" if value is None else quoted(value if isinstance(value, str) else repr(value))


def _seed_of(table: Mapping[str, Any]) -> SeedRule:
    if "text" in table:
        return TextSeed(*_entries("seed", table, _TEXT_KEYS))
    return NumberSeed(*_entries("seed", table, _NUMBER_KEYS))


def _deck_of(table: Mapping[str, Any]) -> tuple[Deck, str]:
    suits, grouping, ranks, dealing = _entries("deck", table, _DECK_KEYS)
    return Deck(suits, grouping, ranks), dealing


def _pairs_of(boards: Any) -> tuple[Pair, ...]:
    if not isinstance(boards, list) or not boards:
        raise DealError("there is no [[boards]] with a code and its columns")
    return tuple(map(_pair_of, boards))


def _pair_of(board: Any) -> Pair:
    code = board.get("code") if isinstance(board, dict) else None
    columns = board.get("columns") if isinstance(board, dict) else None
    if not isinstance(code, str) or not isinstance(columns, list):
        raise DealError("[[boards]] needs a code and eight columns")
    _check_keys("[[boards]]", board, ("code", "columns"))
    cards = tuple(tuple(map(parse_card, str(column).split())) for column in columns)
    order = deal_order(cards)
    if order is None:
        raise DealError(f"the board of {quoted(code)} is not the 52 cards as dealt")
    return Pair(parse_code(code), order)


def _columns_of(cards: tuple[int, ...]) -> list[str]:
    columns = Position.from_deal(cards).columns
    return [" ".join(map(card_text, column)) for column in columns]
