"""One list of deals serves `classify` and `hint --from` alike."""

from __future__ import annotations

import io

from boulanger.solver.catalogue.sources import read_list
from boulanger.solver.cli.reading import read_deals

LINES = b"""\
# a list
ms:4 # hard
BK1-C4-AAAAA24   # with a comment

860
code:861 #
  random:5@1
bk1:7#x
"""


def test_lines_that_classify_accepts_are_read_for_hints() -> None:
    source = read_list(io.BytesIO(LINES), "list.txt")
    assert source.bad_lines == ()
    expected = [
        (piece.dealer, int(number))
        for piece in source.pieces(0, source.num_deals)
        for number in piece.numbers
    ]
    names = [deal.name for deal in read_deals(LINES, "list.txt")]
    codes = ["BK1-C4-AAAAA24", "BK1-C4-AAAAA24", "BK1-C4-AAAAA25"]
    assert names == ["ms:4", *codes, "random:5@1", "bk1:7"]
    assert [number for _, number in expected] == [4, 860, 860, 861, 5, 7]
