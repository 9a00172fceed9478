"""What the viewer's components share, and the components without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bevscope
from bevscope import _element

ADDRESS = "https://host/l5/town.zarr"

#: A notebook must open it, and marimo and VS Code refuse more.
MAX_SCRIPT_BYTES = 5_000_000

needs_script = pytest.mark.skipif(
    not _element.SCRIPT.exists(), reason="the package was built without the viewer"
)


def test_values_name_the_address_and_what_is_watched() -> None:
    values = _element.values_of(ADDRESS, scene=3, frame=None, selection=7, height=300)
    assert values == {
        "_url": ADDRESS,
        "_name": "town.zarr",
        "_watch": ["scene", "selection"],
        "scene": 3,
        "frame": None,
        "selection": "7",
        "height": 300,
    }


@pytest.mark.parametrize(
    "address", ["hf://datasets/me/town/a.zarr", "s3://bucket/a.zarr", "gs://bucket/a.zarr"]
)
def test_addresses_of_hosts_are_the_browsers(address: str) -> None:
    assert _element.values_of(address)["_url"] == address


@pytest.mark.parametrize("dataset", ["town.zarr", Path("town.zarr"), {}, None, "file:///a"])
def test_what_a_browser_cannot_read_is_refused(dataset: Any) -> None:
    with pytest.raises(bevscope.InvalidArgument, match="bevscope serve"):
        _element.values_of(dataset)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scene", -1),
        ("scene", "1"),
        ("frame", 1.5),
        ("frame", True),
        ("selection", "me"),
        ("theme", "pink"),
        ("height", "tall"),
    ],
)
def test_invalid_values_are_refused(name: str, value: Any) -> None:
    with pytest.raises(bevscope.InvalidArgument, match=name):
        _element.values_of(ADDRESS, **{name: value})


def test_unknown_names_are_not_watched() -> None:
    with pytest.raises(bevscope.InvalidArgument, match="zoom"):
        _element.values_of(ADDRESS, ["scene", "zoom"])


def test_what_is_shown_has_track_ids_as_numbers() -> None:
    largest = 2**64 - 1
    shown = _element.shown_of({"scene": 1, "frame": 2, "selection": str(largest), "x": 1})
    assert shown == (1, 2, largest)
    assert _element.shown_of({"selection": "ego"}).selection == "ego"
    assert _element.shown_of(None) == (None, None, None)


@needs_script
def test_the_script_is_small_enough_for_notebooks() -> None:
    assert _element.SCRIPT.stat().st_size < MAX_SCRIPT_BYTES
    assert (_element.SCRIPT.parent / "streamlit.js").stat().st_size < 10_000


@pytest.mark.parametrize("name", ["streamlit", "gradio", "panel"])
def test_a_missing_framework_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib
    import sys

    for module in [one for one in sys.modules if one.split(".")[0] == name]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"bevscope.{name}", raising=False)
    with pytest.raises(ModuleNotFoundError, match=rf"bevscope\[{name}\]"):
        importlib.import_module(f"bevscope.{name}")


@needs_script
def test_gradio_takes_and_gives_what_is_shown() -> None:
    pytest.importorskip("gradio")
    from bevscope.gradio import Viewer

    viewer = Viewer(ADDRESS, scene=1, watch=["frame"])
    assert viewer.preprocess({"scene": 2, "selection": "9"}) == (2, None, 9)
    sent = viewer.postprocess({"scene": 2, "selection": 9})
    assert (sent["scene"], sent["selection"], sent["_url"]) == (2, "9", ADDRESS)
    assert sent["_watch"] == ["frame"]
    assert viewer.postprocess(_element.Shown(1, 2, "ego"))["selection"] == "ego"
    assert viewer.props["script"]["path"].endswith("widget.js")


@needs_script
def test_panel_has_parameters() -> None:
    pytest.importorskip("panel")
    from bevscope.panel import Viewer

    viewer = Viewer(ADDRESS, scene=1, selection=5)
    assert viewer.shown == (1, None, 5)
    assert viewer.opened["_url"] == ADDRESS
    assert viewer.script.endswith("_resources/script/static/widget.js")
    assert viewer.height == 480
