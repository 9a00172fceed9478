"""A scene in a notebook, by Bokeh: a figure with a slider over the frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .common import FrameVisualization

try:
    from bokeh.layouts import column
    from bokeh.models import ColumnDataSource, CustomJS, HoverTool, Range1d, Slider
    from bokeh.plotting import figure
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "l5kit.visualization.visualizer.visualizer: Bokeh is not installed "
        "(pip install bokeh)",
        name=error.name,
    ) from error

if TYPE_CHECKING:
    from bokeh.models import LayoutDOM

#: Half the side of the square around the ego vehicle that is shown (metres).
_REACH = 50
#: Layers from below with their columns.
_LAYERS = {
    "lanes": ("xs", "ys", "color"),
    "crosswalks": ("xs", "ys", "color"),
    "ego": ("xs", "ys", "color", "center_x", "center_y"),
    "agents": ("xs", "ys", "color", "track_id", "agent_type", "prob"),
}
_WAY = ("xs", "ys", "color", "track_id")
_ON_SLIDE = """
const values = frames[cb_obj.value];
sources.forEach((source, layer) => {
  const data = {};
  names[layer].forEach((name, i) => { data[name] = values[layer][i]; });
  source.data = data;
});
const [x, y] = centres[cb_obj.value];
x_range.setv({ start: x - reach, end: x + reach });
y_range.setv({ start: y - reach, end: y + reach });
"""


def _columns(shapes: Iterable[Any], names: Sequence[str]) -> list[list[Any]]:
    """Returns the fields of shapes by column, as Python's lists and numbers."""

    def plain(value: Any) -> Any:
        return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value

    rows = list(shapes)
    return [[plain(getattr(row, name)) for row in rows] for name in names]


def _layers_of(frame: FrameVisualization, ways: Sequence[str]) -> list[list[list[Any]]]:
    """Returns the columns of each layer of a frame, then of the trajectories by label."""
    shapes = {**frame._asdict(), "ego": [frame.ego]}
    layers = [_columns(shapes[layer], names) for layer, names in _LAYERS.items()]
    for label in ways:
        of = [one for one in frame.trajectories if one.legend_label == label]
        layers.append(_columns(of, _WAY))
    return layers


def visualize(scene_index: int, frames: list[FrameVisualization]) -> LayoutDOM:
    """Returns a figure of a scene that follows the ego vehicle, with a slider over its
    frames. A click in the legend hides the trajectories of a label."""
    if not frames:
        raise ValueError(f"scene {scene_index}: no frames")
    ways = sorted({way.legend_label for frame in frames for way in frame.trajectories})
    names = [*_LAYERS.values(), *[_WAY] * len(ways)]
    values = [_layers_of(frame, ways) for frame in frames]
    sources = [
        ColumnDataSource(dict(zip(of, columns))) for of, columns in zip(names, values[0])
    ]
    centres = [(float(one.ego.center_x), float(one.ego.center_y)) for one in frames]
    x_range, y_range = (Range1d(at - _REACH, at + _REACH) for at in centres[0])
    tips = [("Type", "@agent_type"), ("Probability", "@prob{0.00}"), ("Id", "@track_id")]
    plot = figure(
        title=f"Scene {scene_index}",
        match_aspect=True,
        x_range=x_range,
        y_range=y_range,
        tools="pan,wheel_zoom,save,reset",
        active_scroll="wheel_zoom",
    )
    plot.xgrid.grid_line_color = plot.ygrid.grid_line_color = None
    for layer, source in zip(_LAYERS, sources):
        is_map = layer in ("lanes", "crosswalks")
        style: dict[str, Any] = (
            {"line_width": 0, "alpha": 0.5} if is_map else {"line_width": 2}
        )
        shown = plot.patches("xs", "ys", color="color", name=layer, source=source, **style)
        if layer == "agents":
            plot.add_tools(HoverTool(renderers=[shown], tooltips=tips))
    for label, source in zip(ways, sources[len(_LAYERS) :]):
        style = {"color": "color", "line_width": 3, "alpha": 0.7}
        plot.multi_line("xs", "ys", legend_label=label, name=label, source=source, **style)
    if ways:
        plot.legend.click_policy = "hide"
    slider = Slider(start=0, end=max(1, len(frames) - 1), value=0, step=1, title="frame")
    slider.disabled = len(frames) == 1
    arguments = {"frames": values, "centres": centres, "names": names, "sources": sources}
    arguments |= {"x_range": x_range, "y_range": y_range, "reach": _REACH}
    slider.js_on_change("value", CustomJS(args=arguments, code=_ON_SLIDE))
    return column(plot, slider)
