"""Writes the proofs that `check_proof` checks.

The search here is the checker's own argument run forwards: positions reached by single moves, cut
where the front is dead in the relaxed game. It is slower than the verdict search and knows none of
its lemmas, so what it writes needs no trust in them; nor does the checker trust this module.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from boulanger.engine.cards import rank_of, suit_of
from boulanger.engine.position import Position
from boulanger.solver.proof import check_proof as checker

Place = tuple[int, int, int]  # a position: its front, and the masks of cells and bottoms


class CanBeWonError(Exception):
    """There is no proof: the search came upon a won position."""


@dataclass(frozen=True)
class CheckedProof:
    """What the checker says of a file.

    Attributes:
        fault: why it proves nothing, a phrase; None if it proves that the board is lost.
        num_positions: positions that it lists, 0 with a fault.
        num_fronts: dead fronts that it lists, 0 with a fault.
    """

    fault: str | None
    num_positions: int = 0
    num_fronts: int = 0


def check(position: Position, proof: bytes) -> CheckedProof:
    """Asks the checker whether a proof shows that a position cannot be won."""
    try:
        return CheckedProof(None, *checker.check(game_of(position), proof))
    except checker.WrongProof as error:
        return CheckedProof(str(error))


def game_of(position: Position) -> checker.Game:
    """A position in the checker's own terms."""

    def checker_card(card: int) -> int:
        return 16 * suit_of(card) + rank_of(card) - 1

    columns = [[checker_card(card) for card in column] for column in position.columns]
    cells = checker.mask_of(checker_card(card) for card in position.cells if card is not None)
    home = sum((1 << rank) - 1 << 16 * suit for suit, rank in enumerate(position.foundations))
    return checker.Game(columns, cells, home, position.num_cells)


class Labels:
    """Which fronts are dead, found out when first asked for."""

    def __init__(self, game: checker.Game) -> None:
        self._game = game
        self._is_dead = {0: False}
        self._steps: dict[int, tuple[int, ...]] = {}

    def is_dead(self, front: int) -> bool:
        """Whether no relaxed steps lead from here to the empty front."""
        if front not in self._is_dead:
            self._explore(front)
        return self._is_dead[front]

    def _explore(self, front: int) -> None:
        """Depth first: all on the path are alive once one leads to a front that is."""
        path = [(front, iter(self.steps(front)))]
        while path:
            here, steps = path[-1]
            after = next((step for step in steps if self._is_dead.get(step) is not True), None)
            if after is None:
                self._is_dead[here] = True
                path.pop()
            elif after in self._is_dead:
                self._is_dead.update((on_path, False) for on_path, _ in path)
                return
            else:
                path.append((after, iter(self.steps(after))))

    def steps(self, front: int) -> tuple[int, ...]:
        """The fronts that one relaxed step leads to, those with few cards left in place first."""
        if front not in self._steps:
            steps = set(self._game.relaxed_steps(front))
            self._steps[front] = tuple(sorted(steps, key=lambda s: sum(self._game.depths(s))))
        return self._steps[front]

    def closure(self, fronts: Iterable[int]) -> set[int]:
        """Some dead fronts and all that relaxed steps lead to from there."""
        found, stack = set(fronts), list(fronts)
        while stack:
            for step in self.steps(stack.pop()):
                if step not in found:
                    found.add(step)
                    stack.append(step)
        return found


def prove(game: checker.Game) -> bytes:
    """A proof that a board cannot be won.

    Raises:
        CanBeWonError: if it can be won.
    """
    labels = Labels(game)
    positions: set[Place] = set()
    dead: set[int] = set()
    stack = [game.start()]
    while stack:
        position = stack.pop()
        if position in positions or position[0] in dead:
            continue
        if labels.is_dead(position[0]):
            dead.add(position[0])
            continue
        if position[0] == 0:
            raise CanBeWonError
        positions.add(position)
        stack.extend(game.moves(position))
    return write(game, positions, labels.closure(dead))


def write(game: checker.Game, positions: set[Place], fronts: set[int]) -> bytes:
    """The bytes of a proof, as docs/proofs.md describes them."""
    numbers = [len(fronts)]
    previous = -1
    for front in sorted(fronts):
        numbers.append(front - previous - 1)
        previous = front
    numbers.append(len(positions))
    previous = 0
    for front, *masks in sorted(positions):
        numbers.append(front - previous)
        previous = front
        for mask in masks:
            cards = checker.cards_of(mask)
            numbers += [len(cards), *cards]
    content = checker.description(game) + bytes(_encoded(numbers))
    body = checker.MAGIC + zlib.compress(content, 9)
    return body + hashlib.sha256(body).digest()


def _encoded(numbers: Iterable[int]) -> Iterator[int]:
    for number in numbers:
        while number > 127:
            yield number & 127 | 128
            number >>= 7
        yield number
