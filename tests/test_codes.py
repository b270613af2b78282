"""Game codes: literal anchors, round trips, and what each wrong code is told."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boulanger.engine.deals.codes import (
    NUM_CODES,
    GameCode,
    format_code,
    looks_like_code,
    parse_code,
)
from boulanger.engine.errors import CodeError
from boulanger.engine.words import quoted

# Worked out by hand from RFC 4648: A is 0, Z is 25, 2 is 26, 7 is 31.
ANCHORS = [
    ("BK1-C4-AAAAAAA", 0, 4),
    ("BK1-C4-AAAAAAB", 1, 4),
    ("BK1-C4-AAAAA24", 26 * 32 + 28, 4),
    ("BK1-C2-AAAAA77", 1023, 2),
    ("BK1-C1-AAAABAA", 1024, 1),
    ("BK1-C0-BAAAAAA", 2**30, 0),
    ("BK1-C8-7777777", 2**35 - 1, 8),
]


@pytest.mark.parametrize(("text", "number", "num_cells"), ANCHORS)
def test_anchor(text: str, number: int, num_cells: int) -> None:
    assert parse_code(text) == GameCode(number, num_cells)
    assert format_code(number, num_cells) == text


def test_parts() -> None:
    code = parse_code("BK1-C4-AAAAA24")
    assert (code.number, code.num_cells, code.version) == (860, 4, 1)
    assert (code.payload, code.text, str(code)) == ("AAAAA24", "BK1-C4-AAAAA24", "BK1-C4-AAAAA24")
    assert format_code(860) == "BK1-C4-AAAAA24"
    assert NUM_CODES == 2**35


@pytest.mark.parametrize("text", ["bk1-c4-aaaaa24", " \tBk1-C4-aAaAa24\r\n", "\xa0BK1-C4-AAAAA24"])
def test_case_and_surrounding_blanks_do_not_matter(text: str) -> None:
    assert parse_code(text).text == "BK1-C4-AAAAA24"


@given(st.integers(0, NUM_CODES - 1), st.integers(0, 8))
def test_round_trip(number: int, num_cells: int) -> None:
    code = GameCode(number, num_cells)
    assert parse_code(code.text) == code
    assert parse_code(f" {code.text.lower()} ") == code
    assert looks_like_code(code.text)


def test_codes_are_in_the_order_of_their_numbers_digit_by_digit() -> None:
    for place in range(7):
        payload = list("AAAAAAA")
        payload[6 - place] = "B"
        assert parse_code("BK1-C4-" + "".join(payload)).number == 32**place


def test_numpy_integers_become_plain_ones() -> None:
    number: Any = np.int64(860)
    num_cells: Any = np.uint8(4)
    code = GameCode(number, num_cells)
    assert (type(code.number), type(code.num_cells)) == (int, int)
    assert code == GameCode(860, 4)
    assert code.text == "BK1-C4-AAAAA24"


DID_YOU_MEAN = "did you mean BK1-C4-AAAAA24?"
LOOKS_LIKE = "a code looks like BK1-C4-AAAAA24"
WRONG_LETTERS = "among its last seven letters, which are A to Z and 2 to 7 only"

# Text, what is said after the quoted text, and the advice at the end.
FAULTS = [
    ("", "is empty", LOOKS_LIKE),
    ("  ", "is empty", LOOKS_LIKE),
    # Version.
    ("BK2-C4-AAAAA24", "has the unknown version 'BK2', and only BK1 is known", LOOKS_LIKE),
    ("BK0-C4-AAAAA24", "has the unknown version 'BK0', and only BK1 is known", LOOKS_LIKE),
    ("bk01-c4-aaaaa24", "has the unknown version 'BK01', and only BK1 is known", LOOKS_LIKE),
    ("BK-C4-AAAAA24", "begins with 'BK', but a code begins with BK1", LOOKS_LIKE),
    ("BKI-C4-AAAAA24", "begins with 'BKI', but a code begins with BK1", DID_YOU_MEAN),
    ("bkl-c4-aaaaa24", "begins with 'BKL', but a code begins with BK1", DID_YOU_MEAN),
    ("8K1-C4-AAAAA24", "begins with '8K1', but a code begins with BK1", DID_YOU_MEAN),
    # Cells.
    ("BK1-C9-AAAAA24", "asks for 9 cells, but a code has C0 to C8 there", LOOKS_LIKE),
    ("BK1-C10-AAAAA24", "asks for 10 cells, but a code has C0 to C8 there", LOOKS_LIKE),
    ("BK1-C04-AAAAA24", "has 'C04' in the middle, but a code has C0 to C8 there", LOOKS_LIKE),
    ("BK1-C-AAAAA24", "has 'C' in the middle, but a code has C0 to C8 there", LOOKS_LIKE),
    ("BK1--AAAAA24", "has '' in the middle, but a code has C0 to C8 there", LOOKS_LIKE),
    ("BK1-4-AAAAA24", "has '4' in the middle, but a code has C0 to C8 there", DID_YOU_MEAN),
    ("BK1-CA-AAAAA24", "has 'CA' in the middle, but a code has C0 to C8 there", DID_YOU_MEAN),
    (
        "BK1-CI-AAAAA24",
        "has 'CI' in the middle, but a code has C0 to C8 there",
        "did you mean BK1-C1-AAAAA24?",
    ),
    (
        "BK1-CO-AAAAA24",
        "has 'CO' in the middle, but a code has C0 to C8 there",
        "did you mean BK1-C0-AAAAA24?",
    ),
    # Letters.
    ("BK1-C4-AAAA24", "has 6 letters after its last hyphen, but a code has 7 there", LOOKS_LIKE),
    ("BK1-C4-AAAAAA24", "has 8 letters after its last hyphen, but a code has 7 there", LOOKS_LIKE),
    ("BK1-C4-A", "has 1 letter after its last hyphen, but a code has 7 there", LOOKS_LIKE),
    ("BK1-C4-", "has 0 letters after its last hyphen, but a code has 7 there", LOOKS_LIKE),
    ("BK1-C4-AAAA024", f"has '0' {WRONG_LETTERS}", "did you mean BK1-C4-AAAAO24?"),
    (
        "BK1-C4-aaa1a24",
        f"has '1' {WRONG_LETTERS}",
        "did you mean BK1-C4-AAAIA24 or BK1-C4-AAALA24?",
    ),
    ("BK1-C4-8AAAA24", f"has '8' {WRONG_LETTERS}", "did you mean BK1-C4-BAAAA24?"),
    ("BK1-C4-9AAAA24", f"has '9' {WRONG_LETTERS}", LOOKS_LIKE),
    ("BK1-C4-908AA90", f"has '9' and '0' and '8' {WRONG_LETTERS}", LOOKS_LIKE),
    ("BK1-C4-80AAA24", f"has '8' and '0' {WRONG_LETTERS}", "did you mean BK1-C4-BOAAA24?"),
    ("BK1-C4-A*AAA24", f"has '*' {WRONG_LETTERS}", LOOKS_LIKE),
    # Separators and what is between the parts.
    ("BK1", "has 1 part, but a code has 3, joined by hyphens", LOOKS_LIKE),
    ("BK1-C4", "has 2 parts, but a code has 3, joined by hyphens", LOOKS_LIKE),
    ("BK1-AAAAA24", "has 2 parts, but a code has 3, joined by hyphens", LOOKS_LIKE),
    ("BK1C4AAAAA24", "has 1 part, but a code has 3, joined by hyphens", DID_YOU_MEAN),
    ("BK1_C4_AAAAA24", "has 1 part, but a code has 3, joined by hyphens", DID_YOU_MEAN),
    ("BK1-C4-AAAAA24-", "has 4 parts, but a code has 3, joined by hyphens", DID_YOU_MEAN),
    ("BK1 C4 AAAAA24", "has a blank inside, but a code is one word", DID_YOU_MEAN),
    ("BK1-C4-AAAA A24", "has a blank inside, but a code is one word", DID_YOU_MEAN),
    ("BK1-C4-AAAAA24 BK1-C4-AAAAA25", "has a blank inside, but a code is one word", LOOKS_LIKE),
    # Other characters.
    *(
        (
            f"BK1{dash}C4{dash}AAAAA24",
            f"has {dash!r} ({name}), but the parts of a code are joined by plain hyphens",
            DID_YOU_MEAN,
        )
        for dash, name in [
            ("\u2010", "hyphen"),
            ("\u2011", "non-breaking hyphen"),
            ("\u2012", "figure dash"),
            ("\u2013", "en dash"),
            ("\u2014", "em dash"),
            ("\u2212", "minus sign"),
            ("\u00ad", "soft hyphen"),
            ("\uff0d", "fullwidth hyphen-minus"),
        ]
    ),
    (
        "\ufeffBK1-C4-AAAAA24",
        "has '\\ufeff' (zero width no-break space), but a code has only plain letters, digits "
        "and hyphens",
        DID_YOU_MEAN,
    ),
    (
        "BK1-C4-AAAAA\uff124",
        "has '\uff12' (fullwidth digit two), but a code has only plain letters, digits and hyphens",
        DID_YOU_MEAN,
    ),
    (
        "BK1-C4-AAAA\u041024",
        "has '\u0410' (cyrillic capital letter a), but a code has only plain letters, digits and "
        "hyphens",
        LOOKS_LIKE,
    ),
    # Its capital is a plain I, which must not make it one.
    (
        "BK1-C4-AAAA\u013124",
        "has '\u0131' (latin small letter dotless i), but a code has only plain letters, digits "
        "and hyphens",
        "did you mean BK1-C4-AAAAI24?",
    ),
]


@pytest.mark.parametrize(("text", "fault", "advice"), FAULTS)
def test_fault(text: str, fault: str, advice: str) -> None:
    with pytest.raises(CodeError) as caught:
        parse_code(text)
    assert str(caught.value) == f"{text!r} {fault}; {advice}"


@given(st.text(max_size=30) | st.text("BKC0123456789AIO- \u2013", max_size=20))
def test_any_text_is_a_code_or_a_one_line_error(text: str) -> None:
    try:
        code = parse_code(text)
    except CodeError as error:
        assert "\n" not in str(error)
        for suggestion in str(error).partition("did you mean ")[2].rstrip("?").split(" or "):
            assert not suggestion or parse_code(suggestion).text == suggestion
    else:
        assert code.text == text.strip().upper()


def test_a_very_long_text_is_quoted_in_part() -> None:
    with pytest.raises(CodeError) as caught:
        parse_code("BK1-" * 100_000)
    assert len(str(caught.value)) < 200
    assert quoted("x" * 60) == repr("x" * 60)
    assert quoted("x" * 61) == repr("x" * 60) + "..."


@pytest.mark.parametrize(
    ("number", "num_cells", "message"),
    [
        (-1, 4, "-1 does not fit into a code; its number is a whole number from 0 to 34359738367"),
        (
            2**35,
            4,
            "34359738368 does not fit into a code; its number is a whole number from 0 to "
            "34359738367",
        ),
        (
            1.0,
            4,
            "1.0 does not fit into a code; its number is a whole number from 0 to 34359738367",
        ),
        (1, 9, "9 does not fit into a code; its number of cells is a whole number from 0 to 8"),
        (1, -1, "-1 does not fit into a code; its number of cells is a whole number from 0 to 8"),
    ],
)
def test_what_does_not_fit_into_a_code(number: int, num_cells: int, message: str) -> None:
    for make in (format_code, GameCode):
        with pytest.raises(CodeError) as caught:
            make(number, num_cells)
        assert str(caught.value) == message


def test_unknown_version_number() -> None:
    with pytest.raises(CodeError, match=r"^version 2 is not known; a code has version 1$"):
        GameCode(860, 4, version=2)


@pytest.mark.parametrize(
    "text",
    [
        *(text for text, _, _ in FAULTS if text.strip()),
        " bk1-c4-aaaaa24 ",
        "bk",
        "BK3",
        "bk1-c4",
        "'BK1-C4-AAAAA24'",
        "BK1-C4-AAAAA24.",
    ],
)
def test_looks_like_code(text: str) -> None:
    assert looks_like_code(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "board.txt",
        "bk1.txt",
        "BK1-C4-AAAAA24.json",
        "./BK1-C4-AAAAA24",
        "bk1/board",
        "BK1-C4\\board",
        "bkboard",
        "backup",
        "ms:5",
        "860",
    ],
)
def test_looks_like_a_file_or_something_else(text: str) -> None:
    assert not looks_like_code(text)


def test_no_numba_needed() -> None:
    program = (
        "import sys, boulanger.engine.deals.codes, boulanger.engine.deals.dealers;"
        "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
