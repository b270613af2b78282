"""Boards for tests: written out, dealt, full of runs, and walks from them."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from boulanger.engine.cards import NUM_CARDS, NUM_RANKS, NUM_SUITS, make_card, parse_card
from boulanger.engine.moves import Action
from boulanger.engine.position import MAX_CELLS, NUM_COLUMNS, Position
from boulanger.engine.rules import apply_action, legal_actions

NUM_CELLS = st.integers(0, MAX_CELLS)
SEEDS = st.integers(0, 2**32 - 1)


def cards(text: str) -> tuple[int, ...]:
    """Card numbers of names separated by blanks."""
    return tuple(map(parse_card, text.split()))


def board(*columns: str, cells: str = "- - - -", home: tuple[int, int, int, int]) -> Position:
    """A checked position of column texts, the missing columns empty; `-` is a free cell."""
    filled = [*map(cards, columns), *[()] * (NUM_COLUMNS - len(columns))]
    held = tuple(None if name == "-" else parse_card(name) for name in cells.split())
    position = Position(tuple(filled), held, home)
    position.check()
    return position


def random_deal(seed: int, num_cells: int = 4) -> Position:
    """A shuffled deck dealt out."""
    deck = list(range(NUM_CARDS))
    random.Random(seed).shuffle(deck)
    return Position.from_deal(deck, num_cells)


def random_runs_board(rng: random.Random, num_cells: int) -> Position:
    """A legal board whose suits are cut into runs: high foundations, empty columns, free cells."""
    foundations = tuple(
        rng.randint(0, NUM_RANKS) if rng.random() < 0.7 else 0 for _ in range(NUM_SUITS)
    )
    pieces: list[list[int]] = []
    cut_chance = rng.choice([0.1, 0.3, 0.6, 1.0])
    for suit, home in enumerate(foundations):
        for rank in range(NUM_RANKS, home, -1):
            if rank == NUM_RANKS or rng.random() < cut_chance:
                pieces.append([])
            pieces[-1].append(make_card(suit, rank))
    rng.shuffle(pieces)
    cells: list[int | None] = [None] * num_cells
    columns: list[list[int]] = [[] for _ in range(rng.randint(1, NUM_COLUMNS))]
    for piece in pieces:
        if len(piece) == 1 and None in cells and rng.random() < 0.4:
            cells[cells.index(None)] = piece[0]
        else:
            rng.choice(columns).extend(piece)
    columns += [[] for _ in range(NUM_COLUMNS - len(columns))]
    rng.shuffle(columns)
    rng.shuffle(cells)
    position = Position(tuple(map(tuple, columns)), tuple(cells), foundations)
    position.check()
    return position


def random_walk(
    position: Position, rng: random.Random, num_steps: int
) -> list[tuple[Position, Action]]:
    """At most that many random legal actions from `position`, each with the board before it."""
    walk: list[tuple[Position, Action]] = []
    for _ in range(num_steps):
        actions = legal_actions(position, all_places=True)
        if not actions:
            break
        action = rng.choice(actions)
        walk.append((position, action))
        position = apply_action(position, action)
    return walk


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A legal position: a deal, a board full of runs, or one some random actions on from either."""
    rng = random.Random(draw(SEEDS))
    num_cells = draw(NUM_CELLS)
    if draw(st.booleans()):
        position = random_runs_board(rng, num_cells)
    else:
        position = random_deal(rng.getrandbits(32), num_cells)
    for before, action in random_walk(position, rng, draw(st.integers(0, 30))):
        position = apply_action(before, action)
    return position
