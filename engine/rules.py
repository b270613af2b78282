"""The rules in plain Python, on `Position`: what may move where, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boulanger.engine.cards import (
    NUM_RANKS,
    NUM_SUITS,
    SUIT_LETTERS,
    card_text,
    make_card,
    rank_of,
    suit_of,
)
from boulanger.engine.errors import IllegalMoveError
from boulanger.engine.moves import (
    Action,
    Place,
    Ply,
    Zone,
    cell_place,
    column_place,
    foundation_place,
)
from boulanger.engine.position import NUM_COLUMNS, Position


def can_stack(card: int, on: int) -> bool:
    """Whether `card` may go onto `on` in a column: same suit, exactly one rank lower."""
    return on == card + 1 and rank_of(card) < NUM_RANKS


def supermove_limit(num_free_cells: int, num_empty_columns: int) -> int:
    """The most cards that move at once; an empty column that is the destination is not counted."""
    return (num_free_cells + 1) << num_empty_columns


def run_length(column: Sequence[int]) -> int:
    """How many cards at the end of `column` are in order, one suit descending; 0 if empty."""
    length = min(len(column), 1)
    while 0 < length < len(column) and can_stack(column[-length], column[-length - 1]):
        length += 1
    return length


def longest_movable_run(position: Position, source_column: int, destination_column: int) -> int:
    """The most cards that may go from one column (0..7) to another in one action; 0 if none may."""
    source = position.columns[source_column]
    destination = position.columns[destination_column]
    if source_column == destination_column or not source:
        return 0
    most = min(run_length(source), _run_limit(position, destination_column))
    if not destination:
        return most
    length = _fitting_length(source, destination)
    return length if length <= most else 0


def check_action(position: Position, action: Action) -> None:
    """Returns if the rules allow `action`.

    Raises:
        IllegalMoveError: one sentence that names the cards and places, and says why not.
    """
    refusal = (
        _place_refusal(position, action.source)
        or _place_refusal(position, action.destination)
        or _source_refusal(position, action)
        or _destination_refusal(position, action)
    )
    if refusal:
        raise refusal


def apply_action(position: Position, action: Action) -> Position:
    """The position after `action`.

    Raises:
        IllegalMoveError: as `check_action`.
    """
    check_action(position, action)
    return _moved(position, action)


def apply_ply(position: Position, ply: Ply) -> Position:
    """The position after `ply`.

    Raises:
        IllegalMoveError: as `check_action`, and if another card is at the source.
    """
    check_action(position, ply.action)
    card = moving_cards(position, ply.action)[0]
    if card != ply.card:
        raise IllegalMoveError(
            "rules.other_card_there",
            card=card_text(ply.card),
            place=ply.source.code,
            held=card_text(card),
        )
    return _moved(position, ply.action)


def moving_cards(position: Position, action: Action) -> tuple[int, ...]:
    """The cards that a legal `action` moves, highest rank first."""
    zone, index = action.source
    if zone == Zone.COLUMN:
        return position.columns[index][-action.length :]
    card = position.cells[index]
    assert card is not None
    return (card,)


def exposed_card(position: Position, place: Place) -> int | None:
    """The card that may move from `place`: a column's last, or a cell's; None if there is none."""
    zone, index = place
    if zone == Zone.COLUMN and position.columns[index]:
        return position.columns[index][-1]
    return position.cells[index] if zone == Zone.CELL else None


def legal_actions(position: Position, *, all_places: bool = False) -> list[Action]:
    """What may be done, each outcome once: columns first, then cells, each home first.

    Empty columns are all alike and so are free cells. Only the first of each is given as a
    destination, and what merely changes one for another is left out: a card from cell to cell, a
    whole column to an empty one. A run may go into an empty column in every length.

    Args:
        all_places: list every action that `check_action` allows, those too.
    """
    free_cells = [i for i, card in enumerate(position.cells) if card is None]
    empty_columns = [c for c, column in enumerate(position.columns) if not column]
    if not all_places:
        del free_cells[1:], empty_columns[1:]
    tops = [(c, column[-1]) for c, column in enumerate(position.columns) if column]
    spaces = [column_place(c) for c in empty_columns]
    cells = [cell_place(i) for i in free_cells]
    onto_limit = supermove_limit(position.num_free_cells, position.num_empty_columns)
    into_limit = onto_limit // 2  # an empty column that is the destination does not count

    actions: list[Action] = []
    for c, top in tops:
        source = column_place(c)
        column = position.columns[c]
        run = run_length(column)
        actions += _actions_home(position, top, source)
        for d, _ in tops:
            length = _fitting_length(column, position.columns[d])
            if 0 < length <= min(run, onto_limit):
                actions.append(Action(source, column_place(d), length))
        longest = min(run, into_limit, len(column) if all_places else len(column) - 1)
        actions += [Action(source, space, n) for space in spaces for n in range(1, longest + 1)]
        actions += [Action(source, cell) for cell in cells]
    for i, card in enumerate(position.cells):
        if card is not None:
            source = cell_place(i)
            actions += _actions_home(position, card, source)
            actions += [Action(source, column_place(d)) for d, top in tops if can_stack(card, top)]
            actions += [Action(source, space) for space in spaces]
            if all_places:
                actions += [Action(source, cell) for cell in cells]
    return actions


def legal_plies(position: Position, *, all_places: bool = False) -> list[Ply]:
    """The legal actions of one card, as plies; `all_places` as in `legal_actions`."""
    return [
        Ply(moving_cards(position, action)[0], action.source, action.destination)
        for action in legal_actions(position, all_places=all_places)
        if action.length == 1
    ]


def pending_home(position: Position) -> tuple[Action, ...]:
    """The cards that can go home at once, an action each: from columns, then from cells."""
    return tuple(
        action
        for place in _sources(position)
        if (card := exposed_card(position, place)) is not None
        for action in _actions_home(position, card, place)
    )


def close(position: Position) -> tuple[Position, tuple[Action, ...]]:
    """Everything sent home that can go, until nothing more can; and the actions that do it.

    The position that comes out does not depend on the order in which they are played.
    """
    played: list[Action] = []
    while pending := pending_home(position):
        for action in pending:
            position = _moved(position, action)
        played += pending
    return position, tuple(played)


def _sources(position: Position) -> Iterator[Place]:
    """Every column, then every cell."""
    yield from map(column_place, range(len(position.columns)))
    yield from map(cell_place, range(len(position.cells)))


def _run_limit(position: Position, destination_column: int) -> int:
    """The most cards that may go at once to that column, whatever the cards."""
    num_empty_columns = position.num_empty_columns
    if not position.columns[destination_column]:
        num_empty_columns -= 1
    return supermove_limit(position.num_free_cells, num_empty_columns)


def _fitting_length(source: Sequence[int], destination: Sequence[int]) -> int:
    """How many cards a run at the end of `source` must have to go onto `destination`; 0 if none.

    Neither is empty. Whether the run is that long is not asked.
    """
    card, on = source[-1], destination[-1]
    return max(on - card, 0) if suit_of(card) == suit_of(on) else 0


def _actions_home(position: Position, card: int, source: Place) -> tuple[Action, ...]:
    """The action that sends `card` home from `source`, or none."""
    suit = suit_of(card)
    if rank_of(card) != position.foundations[suit] + 1:
        return ()
    return (Action(source, foundation_place(suit)),)


def _moved(position: Position, action: Action) -> Position:
    """The position after a legal `action`."""
    cards = moving_cards(position, action)
    columns = list(position.columns)
    cells = list(position.cells)
    foundations = list(position.foundations)

    zone, index = action.source
    if zone == Zone.COLUMN:
        columns[index] = columns[index][: -action.length]
    else:
        cells[index] = None

    zone, index = action.destination
    if zone == Zone.COLUMN:
        columns[index] += cards
    elif zone == Zone.CELL:
        cells[index] = cards[0]
    else:
        foundations[index] += 1
    return Position(tuple(columns), tuple(cells), tuple(foundations))


def _place_refusal(position: Position, place: Place) -> IllegalMoveError | None:
    """Why `place` is not on the board."""
    zone, index = place
    if zone == Zone.CELL and not 0 <= index < position.num_cells:
        if position.num_cells == 0:
            return IllegalMoveError("rules.no_cells_in_play", place=place.code)
        return IllegalMoveError(
            "rules.cells_in_play", place=place.code, num_cells=position.num_cells
        )
    if zone == Zone.COLUMN and not 0 <= index < NUM_COLUMNS:
        return IllegalMoveError("rules.no_such_column", place=place.code)
    if zone == Zone.FOUNDATION and not 0 <= index < NUM_SUITS:
        return IllegalMoveError("rules.no_such_foundation", number=index + 1)
    return None


def _source_refusal(position: Position, action: Action) -> IllegalMoveError | None:
    """Why `action.length` cards cannot leave their place, which is on the board."""
    source, length = action.source, action.length
    place = source.code
    if source.zone == Zone.FOUNDATION:
        return IllegalMoveError("rules.foundations_keep", place=place)
    if exposed_card(position, source) is None:
        return IllegalMoveError("rules.place_empty", place=place)
    if length < 1:
        return IllegalMoveError("rules.too_few", length=length)
    if source.zone == Zone.CELL:
        if length > 1:
            return IllegalMoveError("rules.cell_holds_one", place=place, length=length)
        return None
    column = position.columns[source.index]
    if length > len(column):
        return IllegalMoveError(
            "rules.column_too_short", place=place, length=length, num_cards=len(column)
        )
    run = run_length(column)
    if length > run:
        names = [card_text(card) for card in column[-length:]]
        return IllegalMoveError("rules.not_a_run", place=place, length=length, cards=names, run=run)
    return None


def _destination_refusal(position: Position, action: Action) -> IllegalMoveError | None:
    """Why cards that may leave their place may not go to `action.destination`."""
    destination, length = action.destination, action.length
    place = destination.code
    card = moving_cards(position, action)[0]
    name = card_text(card)
    if destination == action.source:
        return IllegalMoveError("rules.already_there", card=name, place=place)
    if destination.zone == Zone.COLUMN:
        return _column_refusal(position, card, action)
    if destination.zone == Zone.CELL:
        held = position.cells[destination.index]
        if held is not None:
            return IllegalMoveError(
                "rules.cell_taken", card=name, place=place, held=card_text(held)
            )
        if length > 1:
            return IllegalMoveError("rules.cell_takes_one", place=place, length=length)
        return None
    if length > 1:
        return IllegalMoveError("rules.home_one_by_one", length=length)
    suit = suit_of(card)
    if destination.index != suit:
        return IllegalMoveError(
            "rules.wrong_foundation", card=name, place=place, suit=SUIT_LETTERS[suit]
        )
    home = position.foundations[suit]
    if rank_of(card) != home + 1:
        wanted = card_text(make_card(suit, home + 1))
        return IllegalMoveError("rules.foundation_waits", card=name, place=place, wanted=wanted)
    return None


def _column_refusal(position: Position, card: int, action: Action) -> IllegalMoveError | None:
    """Why `card`, and the run on it, may not go to another column."""
    destination, length = action.destination, action.length
    place = destination.code
    column = position.columns[destination.index]
    if column and not can_stack(card, column[-1]):
        name, on = card_text(card), card_text(column[-1])
        if rank_of(card) == NUM_RANKS:
            return IllegalMoveError("rules.king_on_card", card=name, on=on, place=place)
        taker = card_text(card + 1)
        return IllegalMoveError("rules.wrong_card", card=name, on=on, place=place, taker=taker)
    limit = _run_limit(position, destination.index)
    if length > limit:
        return IllegalMoveError(
            "rules.run_too_long" if column else "rules.run_too_long_for_empty",
            length=length,
            place=place,
            num_free=position.num_free_cells,
            num_empty=position.num_empty_columns - (not column),
            limit=limit,
        )
    return None
