"""The number of a Microsoft deal, found from its board; and the two jokes."""

from __future__ import annotations

import pytest

from boulanger.engine.deals.joke import joke_deal
from boulanger.engine.deals.ms import deal_ms
from boulanger.engine.deals.ms_search import find_ms_deal
from boulanger.engine.position import Position

# One or two of each way to draw, at its first and last numbers.
NUMBERS = [1, 123456, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33 - 1]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_are_found(number: int) -> None:
    match = find_ms_deal(Position.from_deal(deal_ms(number)).columns)
    assert match is not None
    assert match.number == number
    assert match.is_same_order


def test_columns_in_another_order() -> None:
    columns = Position.from_deal(deal_ms(24)).columns
    order = (5, 2, 0, 3, 1, 4, 7, 6)
    match = find_ms_deal([columns[c] for c in order])
    assert match is not None
    assert match.number == 24
    assert not match.is_same_order
    assert [order[column] for column in match.order] == list(range(8))


def test_boards_that_are_no_microsoft_deals() -> None:
    assert find_ms_deal(joke_deal(-1).columns) is None
    columns = list(Position.from_deal(deal_ms(1)).columns)
    assert find_ms_deal([columns[0][:-1], *columns[1:]]) is None
    assert find_ms_deal([(*columns[0], columns[7][-1]), *columns[1:7], columns[7][:-1]]) is None


def test_the_jokes() -> None:
    for number, first in ((-1, "AC 3C 5C 7C 9C JC KC"), (-2, "AS KS QS JS TS 9S 8S")):
        position = joke_deal(number)
        position.check()
        assert first in position.to_text()
