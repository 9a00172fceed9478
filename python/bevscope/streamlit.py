"""The viewer as a component of Streamlit: `bevscope.streamlit.viewer`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

try:
    from streamlit.components import v2
except ImportError as error:
    raise ModuleNotFoundError(
        "bevscope.streamlit: Streamlit 1.51 or later is not installed "
        "(pip install 'bevscope[streamlit]')",
        name=error.name,
    ) from error

from ._element import WATCHED, Selection, Shown, check_script, shown_of, values_of

__all__ = ["Shown", "viewer"]


@cache
def _component() -> Callable[..., Any]:
    check_script()
    mount: Callable[..., Any] = v2.component("bevscope.viewer", js="streamlit.js")
    return mount


def viewer(
    dataset: Any,
    *,
    scene: int | None = None,
    frame: int | None = None,
    selection: Selection = None,
    theme: str = "auto",
    height: int = 480,
    watch: Collection[str] = WATCHED,
    key: str | None = None,
) -> Shown:
    """Shows a data set, and returns what the user sees.

    Args:
        dataset: an address that the browser reads (http, https, hf, s3 or gs), or a
            `Dataset` of one.
        scene, frame: position, counted from 0. A value that the script passes again does
            not undo what the user has done since; another one does.
        selection: a track id, or "ego".
        theme: "auto", "dark" or "light".
        height: in pixels.
        watch: of "scene", "frame" and "selection": a change of these runs the script
            again. With "frame", playing does so several times per second.
        key: names the viewer, as for other elements.
    """
    given = {"scene": scene, "frame": frame, "selection": selection}
    data = values_of(dataset, watch, theme=theme, height=height, **given)
    result = _component()(
        data=data, key=key, default={"shown": None}, on_shown_change=lambda: None
    )
    return shown_of(result.shown or data)
