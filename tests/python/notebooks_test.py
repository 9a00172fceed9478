"""Runs the example notebooks."""

from __future__ import annotations

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
NEEDS = {
    "sample_and_train": ["torch"],
    "look": ["anywidget"],
    "evaluate_and_rank": ["anywidget"],
}


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.ipynb")))
def test_runs(name: str, town: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ipykernel")
    for module in NEEDS[name]:
        pytest.importorskip(module)
    if "anywidget" in NEEDS[name]:
        widget = pytest.importorskip("bevscope.widget")
        if not widget.SCRIPT.exists():
            pytest.skip("the package was built without the viewer")
    monkeypatch.setenv("BEVSCOPE_DATA", str(town / "scenes" / "town.zarr"))
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3")
    client.execute()
    shown = [
        output
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]
    assert not [one for one in shown if one.output_type == "error"]
    if "anywidget" in NEEDS[name]:
        view = "application/vnd.jupyter.widget-view+json"
        assert any(view in one.get("data", {}) for one in shown)


def test_notebooks_are_committed_without_outputs() -> None:
    for path in FOLDER.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert all(cell.outputs == [] for cell in cells), path.name
        assert all(cell.execution_count is None for cell in cells), path.name
