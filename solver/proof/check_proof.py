"""Checks a proof that a board of Baker's Game cannot be won. It shares nothing with the solver.

    python check_proof.py DEAL FILE [--cells N]

DEAL is `ms:NUMBER` (a Microsoft FreeCell deal) or a file with a board: a line for each of the 8
columns, ": 2S 7H ...", buried card first; before them `Freecells: 4C -` and
`Foundations: S-A H-0 D-0 C-3`, if any. Exit code 0: proven. 1: the proof is wrong. 2: bad input.

**The argument.** A *front* says how many cards of each column are still in their places. Cards
that have left their places and are not home are *loose*. A *position* is a front, the cards in
cells and the cards at the bottom of emptied columns; each other loose card lies on the next higher
card of its suit, the only one that it may be moved onto. Moves never put a card back into its
place: there it counts as a loose card that lies on its parent, or at the bottom of a column.

1. *Foundation moves first.* The only card that may lie on x in the tableau is the next lower one of
   its suit, which is home when x can go home. So x is in nobody's way there and no use anywhere
   else: a board can be won just when it can after x went home. Positions are *closed*: all such
   moves have been made. Then the cards home are told by the front: of each suit the longest stretch
   from its ace that is not in place. (x of such a stretch has nothing on it, as all below it is
   home, so it could go home, and has.)
2. *Dead fronts.* Cut the loose cards of a closed position into segments: longest stretches of
   consecutive ranks of a suit. A segment right below a card in place may hang on it and take no
   space. Of any other, each card takes a space (a cell or an emptied column), but for those that
   lie on their parent in an emptied column: one column saves at most all but one of one segment. So
   with k emptied columns the position needs at least the cards of all such segments, less (cards -
   1) for the k largest. When the last card t in place of a column leaves it, nothing lies on t, so
   the segment below t hangs on nothing; and t needs one more free space, unless its parent can take
   it: that is in place and exposed, or loose and not in a cell, so it hangs on a card in place or
   stands in an emptied column. A step of the *relaxed game* takes such a t from a front whenever
   these numbers allow it, and plays what can go home. Every real game plays such steps. The proof
   lists *dead* fronts: all relaxed steps from one lead to another, none is the empty front. So no
   position with a dead front can be won.
3. *Lost positions.* The proof lists positions, among them the start. Every legal move of one card
   from one of them, played out to the next closed position, leads to one that is listed or has a
   dead front; none has all cards home. (A run moves card by card.) So none can be won.
"""

import hashlib
import sys
import zlib

MAGIC = b"Baker's Game, no solution: 1\n"
RANKS, SUITS = "A23456789TJQK", "SHDC"
NUM_COLUMNS = 8
# Card = 16 * suit + rank, the ace 0: so that a sum cannot run from one suit into the next.
CARDS = sum(0x1FFF << 16 * suit for suit in range(4))
ACES = sum(1 << 16 * suit for suit in range(4))


class WrongProof(Exception):
    """Why a file does not prove what it says."""


class Game:
    """A board and its number of cells. Cards in cells and home are masks.

    A front is one integer; digit i, of base `len(columns[i]) + 1`, is the depth of column i.
    """

    def __init__(self, columns, cells, home, num_cells):
        self.columns, self.num_cells = columns, num_cells
        self.start_cells, self.start_home = cells, home
        self.strides = [1]
        for column in columns:
            self.strides.append(self.strides[-1] * (len(column) + 1))
        # in_place[i][depth]: the mask of the lowest `depth` cards of column i.
        self.in_place = [[mask_of(c[:depth]) for depth in range(len(c) + 1)] for c in columns]
        every = mask_of(card for column in columns for card in column) | cells | home
        if every != CARDS or sum(map(len, columns)) + (cells | home).bit_count() != 52:
            raise ValueError("a board has each of the 52 cards once")
        if len(columns) != NUM_COLUMNS or cells.bit_count() > num_cells:
            raise ValueError("a board has 8 columns and no more cards in cells than cells")

    def depths(self, front):
        return [front // s % (len(c) + 1) for s, c in zip(self.strides, self.columns, strict=False)]

    def front(self, depths):
        return sum(depth * stride for depth, stride in zip(depths, self.strides, strict=False))

    def tops(self, depths):
        """The last card in place of each column that has one, and its column."""
        return {self.columns[i][depth - 1]: i for i, depth in enumerate(depths) if depth}

    def close(self, depths):
        """Plays cards in place home while any can go; returns the masks in place and home."""
        while True:
            placed = sum(self.in_place[i][depth] for i, depth in enumerate(depths))
            home = home_of(CARDS & ~placed)
            due = (home + ACES) & CARDS & ~home
            for i, depth in enumerate(depths):
                if depth and due >> self.columns[i][depth - 1] & 1:
                    depths[i] -= 1
                    break
            else:
                return placed, home

    def settle(self, depths, cells, bottoms):
        """A position after a move, closed."""
        depths = list(depths)
        _, home = self.close(depths)
        return self.front(depths), cells & ~home, bottoms & ~home

    def start(self):
        return self.settle(map(len, self.columns), self.start_cells, 0)

    def relaxed_steps(self, front):
        """The fronts that one relaxed step leads to (2 above)."""
        depths = self.depths(front)
        placed, home = self.close(depths)
        loose = CARDS & ~placed & ~home
        tops, emptied = self.tops(depths), depths.count(0)
        for top, column in tops.items():
            needed, hanging = spaces_needed(loose, tops.keys() - {top}, emptied)
            parent = 2 << top
            can_land = parent & mask_of(tops) or (parent & loose and (emptied or parent & hanging))
            if needed + (not can_land) <= self.num_cells + emptied:
                after = list(depths)
                after[column] -= 1
                placed, home = self.close(after)
                needed, _ = spaces_needed(CARDS & ~placed & ~home, self.tops(after), after.count(0))
                if needed <= self.num_cells + after.count(0):
                    yield self.front(after)

    def moves(self, position):
        """The closed positions after each legal move of one card (3 above)."""
        front, cells, bottoms = position
        depths = self.depths(front)
        placed, home = self.close(depths)
        loose = CARDS & ~placed & ~home
        lying = loose & ~cells & ~bottoms  # on their parents
        tops = self.tops(depths)
        exposed = (mask_of(tops) | loose) & ~(lying << 1)
        for card in cards_of(exposed):
            after, bit = list(depths), 1 << card
            if card in tops:
                after[tops[card]] -= 1
            rest = cells & ~bit, bottoms & ~bit
            if exposed & ~cells & bit << 1 and not lying & bit:
                yield self.settle(after, *rest)
            if cells.bit_count() < self.num_cells and not cells & bit:
                yield self.settle(after, rest[0] | bit, rest[1])
            if bottoms.bit_count() < depths.count(0) and not bottoms & bit:
                yield self.settle(after, rest[0], rest[1] | bit)


def mask_of(cards):
    return sum(1 << card for card in cards)


def cards_of(mask):
    return [card for card in range(64) if mask >> card & 1]


def home_of(gone):
    """Of each suit the longest stretch from its ace: adding to the ace carries past all of it."""
    return gone & ~(gone + ACES)


def spaces_needed(loose, tops, num_emptied):
    """What the loose cards need at least (2 above), and which of them may hang on these tops."""
    lengths, hanging = [], 0
    for head in cards_of(loose & ~(loose >> 1)):
        length = 1
        while loose << length >> head & 1:
            length += 1
        if head + 1 in tops:
            hanging |= (1 << length) - 1 << head + 1 - length
        else:
            lengths.append(length)
    lengths.sort(reverse=True)
    return sum(lengths) - sum(m - 1 for m in lengths[:num_emptied]), hanging


def check(game, data):
    """How many positions and dead fronts a proof lists; raises WrongProof if it proves nothing."""
    positions, fronts = read_proof(game, data)
    if 0 in fronts or 0 in {front for front, _, _ in positions}:
        raise WrongProof("a position that is called lost is won")
    if game.start() not in positions and game.start()[0] not in fronts:
        raise WrongProof("the board itself is not in the proof")
    for front in fronts:
        if not fronts.issuperset(game.relaxed_steps(front)):
            raise WrongProof("a step of the relaxed game leads out of the dead fronts")
    for position in positions:
        if any(to not in positions and to[0] not in fronts for to in game.moves(position)):
            raise WrongProof("a move leads out of the lost positions")
    return len(positions), len(fronts)


def description(game):
    """The board and the number of cells, so that a proof is good for one board only."""
    return f"{game.num_cells} {game.columns} {game.start_cells} {game.start_home}\n".encode()


def read_proof(game, data):
    """The positions and the dead fronts of a file, each once and within the board."""
    body, digest = data[:-32], data[-32:]
    if not data.startswith(MAGIC) or hashlib.sha256(body).digest() != digest:
        raise WrongProof("the file is no proof, or it was damaged")
    try:
        content = zlib.decompress(body[len(MAGIC) :])
    except zlib.error:
        raise WrongProof("the file was damaged") from None
    head = description(game)
    if not content.startswith(head):
        raise WrongProof("the proof is for another board or another number of cells")
    numbers = read_numbers(content[len(head) :])
    try:
        fronts, front = set(), -1
        for _ in range(next(numbers)):
            front += 1 + next(numbers)
            fronts.add(front)
        positions, front = set(), 0
        for _ in range(next(numbers)):
            front += next(numbers)
            masks = [mask_of({min(next(numbers), 63) for _ in range(next(numbers))}) for _ in "cb"]
            positions.add((front, *masks))
    except StopIteration:
        raise WrongProof("the proof ends early") from None
    for front, cells, bottoms in positions | {(front, 0, 0) for front in fronts}:
        depths = game.depths(front)
        placed, home = game.close(depths)
        if game.front(depths) != front or (cells | bottoms) & (placed | home) or cells & bottoms:
            raise WrongProof("a position is not closed, or has a card in two places")
        if cells.bit_count() > game.num_cells or bottoms.bit_count() > depths.count(0):
            raise WrongProof("a position has too many cards in cells or columns")
        if (cells | bottoms) & ~CARDS:
            raise WrongProof("a position has a card that does not exist")
    return positions, fronts


def read_numbers(content):
    """Numbers, seven bits a byte, lowest first; the highest bit says that more follow."""
    number = shift = 0
    for byte in content:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0


def microsoft_deal(number):
    """The columns of a deal of Microsoft's FreeCell, 1..2**31 - 1."""
    deck = [16 * SUITS.index(suit) + rank for rank in range(13) for suit in "CDHS"]
    columns, state = [[] for _ in range(NUM_COLUMNS)], number
    for place in range(52):
        state = (state * 214013 + 2531011) % 2**31
        chosen = (state >> 16) % len(deck)
        deck[chosen], deck[-1] = deck[-1], deck[chosen]
        columns[place % NUM_COLUMNS].append(deck.pop())
    return columns


def read_deal(text, num_cells):
    """The game that DEAL names; raises ValueError if it is not quite as the head of this says."""
    if text.startswith("ms:"):
        return Game(microsoft_deal(int(text[3:])), 0, 0, num_cells)
    columns, cells, home = [], 0, 0
    with open(text, encoding="utf-8") as file:
        lines = [line.partition("#")[0].upper().strip() for line in file]
    for line in filter(None, lines):
        label, _, body = line.partition(":")
        if label == "FOUNDATIONS":
            for suit, _, rank in body.split():
                home |= (1 << f"0{RANKS}".index(rank)) - 1 << 16 * SUITS.index(suit)
            continue
        words = [word for word in body.split() if word != "-"]
        cards = [16 * SUITS.index(suit) + RANKS.index(rank) for rank, suit in words]
        if label == "FREECELLS":
            cells = mask_of(cards)
        else:
            columns.append(cards)
    return Game(columns, cells, home, num_cells)


def main(arguments):
    num_cells = 4
    if len(arguments) == 4 and arguments[2] == "--cells":
        num_cells = int(arguments[3])
    elif len(arguments) != 2:
        print("usage: python check_proof.py DEAL FILE [--cells N]", file=sys.stderr)
        return 2
    try:
        game = read_deal(arguments[0], num_cells)
        with open(arguments[1], "rb") as file:
            num_positions, num_fronts = check(game, file.read())
    except WrongProof as error:
        print(f"NOT PROVEN: {error}.")
        return 1
    except (OSError, ValueError, IndexError) as error:
        print(f"check_proof: {error}", file=sys.stderr)
        return 2
    print(f"Proven: cannot be won ({num_positions} positions, {num_fronts} dead fronts).")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
