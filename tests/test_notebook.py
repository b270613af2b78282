"""The notebook in `examples/`: it runs from end to end, and is kept without output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).resolve().parent.parent / "examples" / "from_code_to_plot.ipynb"


def code_cells() -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def test_it_is_kept_without_output() -> None:
    for cell in code_cells():
        assert (cell["outputs"], cell["execution_count"]) == ([], None)


def test_its_cells_run_and_draw(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process, without Jupyter."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.setattr(pyplot, "show", lambda: None)
    with pyplot.rc_context():
        pyplot.switch_backend("agg")
        names: dict[str, Any] = {"__name__": "__main__"}
        for cell in code_cells():
            exec("".join(cell["source"]), names)
        heights = [bar.get_height() for bar in names["axes"].patches]
        pyplot.close("all")
    out = capsys.readouterr().out
    assert out.startswith("winnable\n")
    assert f"{len(names['solution'].steps)} actions, proven shortest: True\n" in out
    assert len(names["keeping"]) == len(names["solution"].steps)
    assert all(num > 0 for num in names["keeping"])  # the solution's own action is one
    assert sum(names["losing"]) > 0
    assert heights == names["won"]
    assert 0 < heights[0] < heights[1] < heights[2] < 100


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.timeout(600)
def test_it_runs_in_jupyter() -> None:
    """In a kernel of its own: what it shows are texts, two pictures and a board."""
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [
        kind
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        for kind in output.get("data", {})
    ]
    assert shown.count("image/png") == 2
    assert "image/svg+xml" in shown or "text/html" in shown
