"""docs/catalogues.md says what the columns are; the rows of the schema are where that is kept."""

from __future__ import annotations

from pathlib import Path

from boulanger.solver.catalogue.schema import CELL_COLUMNS, DEAL_COLUMNS, RATING_COLUMNS, Column

PAGE = Path(__file__).resolve().parent.parent / "docs" / "catalogues.md"


def row_of(column: Column) -> str:
    kind = f"{column.plain_type}{' (dictionary)' if column.is_text_list else ''}"
    null = "yes" if column.can_be_null else "no"
    return f"| `{column.pattern}` | {kind} | {null} | {column.about} |"


def test_the_table_of_columns_is_that_of_the_schema() -> None:
    lines = PAGE.read_text("utf-8").splitlines()
    start = lines.index("| column | type | may be null | what it is |") + 2
    columns = (*DEAL_COLUMNS, *CELL_COLUMNS, *RATING_COLUMNS)
    assert lines[start : start + len(columns)] == [row_of(column) for column in columns]
    assert lines[start + len(columns)] == ""
