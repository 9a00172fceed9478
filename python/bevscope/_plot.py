"""Figures of frames, scenes and samples by matplotlib: `bevscope.plot`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _checks
from ._data.maps import SemanticMap, map_files

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Values = npt.NDArray[Any]

#: The viewer's colours (web/src/elements/ui/tokens.ts).
THEMES = {
    "dark": {
        "ground": "#0b0e12",
        "road": "#191f27",
        "mark": "#3a4554",
        "crosswalk": "#b98a2f",
        "ego": "#ffb454",
        "vehicle": "#56b4e9",
        "cyclist": "#d78bd0",
        "pedestrian": "#3fcf9b",
        "other": "#8b97a8",
        "predicted": "#ff5fa8",
        "red": "#ff5d5d",
        "yellow": "#ffd24d",
        "green": "#47d16c",
        "ink": "#e6e9ee",
    },
    "light": {
        "ground": "#eef0f2",
        "road": "#ffffff",
        "mark": "#b9c2cd",
        "crosswalk": "#c98a12",
        "ego": "#d96c00",
        "vehicle": "#0072b2",
        "cyclist": "#a8479f",
        "pedestrian": "#00835f",
        "other": "#6b7686",
        "predicted": "#c4126b",
        "red": "#d92d20",
        "yellow": "#b98900",
        "green": "#138a36",
        "ink": "#161a20",
    },
}
#: By the values of "agents.class" and of the map's "faces.colour".
CLASSES = ("vehicle", "cyclist", "pedestrian", "other")
LIGHTS = ("red", "green", "yellow")

_LABELS = (None, "class", "track")
_AGENTS = ("kept", "all", "none")


def plot(
    what: Mapping[str, Any],
    *,
    ax: Axes | None = None,
    map: SemanticMap | str | os.PathLike[str] | None = None,  # noqa: A002
    agents: str = "kept",
    trails: bool = True,
    labels: str | None = None,
    radius: float | None = None,
    extent: tuple[float, float, float, float] | None = None,
    theme: str = "light",
) -> Axes:
    """Draws a frame, a scene or a sample from above with matplotlib, in metres, and
    returns the Axes. All but rasters are vectors in PDF and SVG.

    Agents are labelled by class, so that `ax.legend()` lists them.

    Args:
        what: `dataset.frame(...)` or `dataset.scene(...)`, in world; or a sample of
            `Samples`, in the frame of its agent: its raster, or its lanes and the other
            agents' paths, below its history and targets.
        ax: the Axes to draw on; by default those of a new figure.
        map: a semantic map, or the path of one: lanes, crosswalks and, for a frame, the
            stop lines with the colours of active traffic lights.
        agents: of a frame, those that pass L5Kit's filter ("kept"), "all" or "none".
        trails: whether to draw trails and futures of a frame, and tracks of a scene.
        labels: of a frame's agents, "class" or "track" (its id).
        radius: metres around the ego vehicle or the sample's agent; by default 50 for a
            frame, and all that a scene or sample has.
        extent: (left, right, bottom, top), metres, instead of a radius.
        theme: "light" or "dark": colours of the viewer.
    """
    colours = THEMES[_choice("theme", theme, tuple(THEMES))]
    _choice("agents", agents, _AGENTS)
    _choice("labels", labels, _LABELS)
    if radius is not None and _checks.number("plot: radius", radius) <= 0:
        raise _checks.invalid("plot: radius", radius, "a positive number")
    if extent is not None and np.shape(extent) != (4,):
        raise _checks.invalid("plot: extent", extent, "(left, right, bottom, top)")
    draw = _drawing_of(what)
    if ax is None:
        ax = _new_axes(theme)
    ax.set_facecolor(colours["ground"])
    ax.set_aspect("equal")
    ax.ticklabel_format(useOffset=False)
    canvas = _Canvas(ax, colours)
    if draw is _sample:
        ax.set(xlabel="forward (m)", ylabel="left (m)")
        centre = np.zeros(2)
        world = np.asarray(what["agent_from_world"])
        limits = _sample(canvas, what)
    else:
        ax.set(xlabel="x (m)", ylabel="y (m)")
        world = np.eye(3)
        if draw is _frame:
            radius = 50 if radius is None else radius
            centre, limits = np.asarray(what["ego.centroid"]), None
            _frame(canvas, what, agents, trails, labels)
        else:
            centre = np.asarray(what["frames.ego_translation"])[:1, :2].reshape(-1)
            limits = _scene(canvas, what, trails)
    if extent is None and radius is not None:
        (x, y), r = centre, float(radius)
        extent = (x - r, x + r, y - r, y + r)
    elif extent is None:
        extent = limits
    if map is not None and extent is not None:
        found = map if isinstance(map, SemanticMap) else SemanticMap(*map_files(map))
        lit = _active_faces(what) if draw is _frame else set()
        _map(canvas, found, world, extent, lit)
    if extent is not None:
        ax.set(xlim=extent[:2], ylim=extent[2:])
    return ax


def _choice(option: str, value: Any, known: tuple[Any, ...]) -> Any:
    if value not in known:
        shown = ", ".join(repr(one) for one in known)
        raise _checks.invalid(f"plot: {option}", value, f"one of {shown}")
    return value


def _new_axes(theme: str) -> Axes:
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "bevscope.plot: matplotlib is not installed (pip install 'bevscope[plot]')",
            name=error.name,
        ) from error
    figure, ax = pyplot.subplots(layout="constrained")
    if theme == "dark":
        ink = THEMES[theme]["ink"]
        figure.set_facecolor(THEMES[theme]["ground"])
        ax.tick_params(colors=ink)
        ax.xaxis.label.set_color(ink)
        ax.yaxis.label.set_color(ink)
        ax.spines[:].set_color(ink)
    return ax


def _drawing_of(what: Any) -> Any:
    if isinstance(what, Mapping):
        if "agents.corners" in what:
            return _frame
        if "frames.ego_translation" in what:
            return _scene
        if "target_positions" in what and np.ndim(what["target_positions"]) == 2:
            return _sample
    raise _checks.invalid("plot", what, "a frame, a scene or one sample")


class _Canvas:
    """Draws on Axes, with the colours of a theme."""

    def __init__(self, ax: Any, colours: Mapping[str, str]) -> None:
        self.ax, self.colours = ax, colours

    def lines(self, lines: list[Values], colour: str, z: float, **style: Any) -> None:
        from matplotlib.collections import LineCollection

        style = {"linewidths": 1.0, **style}
        kept = [line for line in lines if len(line) > 1]
        colour = self.colours[colour]
        self.ax.add_collection(LineCollection(kept, colors=colour, zorder=z, **style))

    def areas(self, areas: Any, colour: str, z: float, **style: Any) -> None:
        from matplotlib.collections import PolyCollection

        if len(areas):
            style = {"facecolors": self.colours[colour], "edgecolors": "none", **style}
            self.ax.add_collection(PolyCollection(areas, zorder=z, **style))

    def path(self, points: Values, colour: str, z: float, **style: Any) -> None:
        self.ax.plot(*points.T, color=self.colours[colour], zorder=z, **style)


def _split(points: Values, offsets: Values) -> list[Values]:
    return np.split(points, offsets[1:-1])


def _text_of(what: Mapping[str, Any], key: str) -> list[bytes]:
    offsets = what[f"{key}.offsets"].tolist()
    joined = np.asarray(what[key]).tobytes()
    return [joined[a:b] for a, b in zip(offsets, offsets[1:])]


def _frame(
    canvas: _Canvas, frame: Mapping[str, Any], agents: str, trails: bool, labels: Any
) -> None:
    corners, classes = frame["agents.corners"], frame["agents.class"]
    shown = frame["agents.kept"] if agents == "kept" else np.full(len(classes), True)
    if agents == "none":
        shown = ~shown
    past = _split(frame["trails.points"], frame["trails.offsets"])
    future = _split(frame["futures.points"], frame["futures.offsets"])
    for value, name in enumerate(CLASSES):
        rows = np.flatnonzero(shown & (classes == value))
        if trails:
            canvas.lines([past[i] for i in rows], name, 3, alpha=0.5)
            ahead = [future[i] for i in rows]
            canvas.lines(ahead, name, 3, alpha=0.7, linestyles="dotted")
        _boxes(canvas, corners[rows], name, 4)
    if trails:
        canvas.lines([frame["ego.trail"]], "ego", 3, alpha=0.7, linewidths=1.5)
        canvas.lines([frame["ego.future"]], "ego", 3, linestyles="dotted")
    if not frame["ego.is_virtual"].any():
        _boxes(canvas, frame["ego.corners"][None], "ego", 5)
    if labels is not None:
        ids, centroids = frame["agents.track_id"], frame["agents.centroid"]
        for i in np.flatnonzero(shown):
            text = CLASSES[classes[i]] if labels == "class" else str(ids[i])
            canvas.ax.annotate(
                text,
                centroids[i],
                (3, 3),
                textcoords="offset points",
                color=canvas.colours["ink"],
                fontsize=6,
                clip_on=True,
                annotation_clip=True,
                zorder=6,
            )


def _boxes(canvas: _Canvas, corners: Values, name: str, z: float) -> None:
    """Draws boxes, front left corner first, with a line from the centre to the front."""
    edge = canvas.colours["road"]
    style = {"edgecolors": edge, "linewidths": 0.4, "label": name}
    canvas.areas(corners, name, z, **style)
    fronts = corners[:, [0, 3]].mean(axis=1)
    headings = np.stack((corners.mean(axis=1), fronts), axis=1)
    canvas.lines(list(headings), "road", z, linewidths=0.8)


def _scene(
    canvas: _Canvas, scene: Mapping[str, Any], trails: bool
) -> tuple[float, float, float, float]:
    way = scene["frames.ego_translation"][:, :2]
    points = [way]
    if trails and len(scene["agents.track_id"]):
        order = np.argsort(scene["agents.track_id"], kind="stable")
        ids, centroids = scene["agents.track_id"][order], scene["agents.centroid"][order]
        tracks = np.split(centroids, np.flatnonzero(np.diff(ids)) + 1)
        canvas.lines(tracks, "other", 3, linewidths=0.7, alpha=0.7, label="tracks")
        points.append(centroids)
    canvas.path(way, "ego", 5, linewidth=2, label="ego")
    canvas.path(way[:1], "ego", 5, marker="o", markersize=5)
    return _limits(np.concatenate(points))


def _limits(points: Values, margin: float = 10) -> tuple[float, float, float, float]:
    points = points[np.isfinite(points).all(axis=1)]
    if len(points) == 0:
        return (-margin, margin, -margin, margin)
    (left, bottom), (right, top) = points.min(axis=0) - margin, points.max(axis=0) + margin
    return (left, right, bottom, top)


def _sample(
    canvas: _Canvas, sample: Mapping[str, Any]
) -> tuple[float, float, float, float]:
    if "image" in sample:
        limits = _raster(canvas, sample)
    else:
        limits = _limits(_vectors(canvas, sample))
    ways = {"history": ("ego", "-"), "target": ("predicted", "-")}
    for name, (colour, line) in ways.items():
        seen = np.asarray(sample[f"{name}_availabilities"]) > 0
        points = np.asarray(sample[f"{name}_positions"])[seen]
        style = {"linestyle": line, "marker": "o", "markersize": 2, "linewidth": 1}
        canvas.path(points, colour, 5, label=name, **style)
    return limits


def _raster(
    canvas: _Canvas, sample: Mapping[str, Any]
) -> tuple[float, float, float, float]:
    """Draws an image of channels: boxes of agents and of the ego vehicle, now and before,
    and the three of the map, if there are."""
    from matplotlib.colors import to_rgb
    from matplotlib.transforms import Affine2D

    image = np.asarray(sample["image"])
    image = image / 255 if image.dtype == np.uint8 else image
    count, height, width = image.shape
    boxes, ground = np.split(image, [count - 3 if count % 2 else count])
    rgb = np.moveaxis(ground, 0, -1) if len(ground) else np.zeros((height, width, 3))
    for channels, name in zip(np.split(boxes, 2), ("vehicle", "ego")):
        fade = np.linspace(1, 0.3, len(channels))[:, None, None]
        alpha = (channels * fade).max(axis=0, initial=0)[..., None]
        rgb = rgb * (1 - alpha) + np.array(to_rgb(canvas.colours[name])) * alpha
    edges = (-0.5, width - 0.5, height - 0.5, -0.5)  # pixels have integers at their centres
    to_metres = np.linalg.inv(sample["raster_from_agent"])
    shown = canvas.ax.imshow(rgb, extent=edges, interpolation="nearest", zorder=2)
    shown.set_transform(Affine2D(to_metres) + canvas.ax.transData)
    corners = np.array([(x, y, 1) for x in edges[:2] for y in edges[2:]]) @ to_metres.T
    return _limits(corners[:, :2], 0)


def _vectors(canvas: _Canvas, sample: Mapping[str, Any]) -> Values:
    """Draws what a vectorized sample has and returns its points."""

    def lines_of(points: str, available: str) -> list[Values]:
        pairs = zip(np.asarray(sample[points]), np.asarray(sample[available]))
        return [line[seen > 0, :2] for line, seen in pairs]

    points = [*lines_of("lanes", "lanes_availabilities")] if "lanes" in sample else []
    canvas.lines(points, "mark", 2)
    if "crosswalks" in sample:
        crosswalks = lines_of("crosswalks", "crosswalks_availabilities")
        canvas.lines(crosswalks, "crosswalk", 2)
    for time, style in (("history", "solid"), ("future", "dotted")):
        key = f"all_other_agents_{time}"
        if f"{key}_positions" in sample:
            ways = lines_of(f"{key}_positions", f"{key}_availability")
            canvas.lines(ways, "vehicle", 3, linestyles=style)
            points += ways
    points += [np.asarray(sample["target_positions"]), np.zeros((1, 2))]
    return np.concatenate(points)


def _active_faces(frame: Mapping[str, Any]) -> set[bytes]:
    faces = _text_of(frame, "lights.face_id")
    return {face for face, state in zip(faces, frame["lights.state"]) if state == 0}


def _map(
    canvas: _Canvas, map: SemanticMap, to_view: Values, extent: Any, active: set[bytes]
) -> None:
    core, arrays = map.core, map.core.arrays()
    left, right, bottom, top = extent
    middle = np.array([(left + right) / 2, (bottom + top) / 2, 1])
    x, y = (np.linalg.inv(to_view) @ middle)[:2]
    reach = float(np.hypot(right - left, top - bottom)) / 2

    def placed(name: str) -> list[Values]:
        points = arrays[f"{name}.points"] @ to_view[:2, :2].T + to_view[:2, 2]
        return _split(points, arrays[f"{name}.offsets"])

    lefts, rights = placed("lanes.left"), placed("lanes.right")
    lanes = core.lanes_near(x, y, reach)
    areas = [np.concatenate((lefts[i], rights[i][::-1])) for i in lanes]
    canvas.areas(areas, "road", 0, edgecolors="face", linewidths=0.3)
    sides = [side[i] for i in lanes for side in (lefts, rights)]
    canvas.lines(sides, "mark", 1, linewidths=0.6)
    outlines = placed("crosswalks")
    near = [outlines[i] for i in core.crosswalks_near(x, y, reach)]
    canvas.areas(near, "crosswalk", 1.5, alpha=0.45)
    if active:
        _stop_lines(canvas, arrays, lanes, active)


def _stop_lines(
    canvas: _Canvas, arrays: Mapping[str, Values], lanes: list[int], active: set[bytes]
) -> None:
    """Draws stop lines with the colours of active lights; red above yellow and green."""
    face_colours = dict(zip(_text_of(arrays, "faces.id"), arrays["faces.colour"].tolist()))
    controls, first = _text_of(arrays, "lanes.controls"), arrays["lanes.controls.first"]
    for value, z in ((1, 2.0), (2, 2.1), (0, 2.2)):
        lit = {face for face in active if face_colours.get(face) == value}
        rows = [i for i in lanes if not lit.isdisjoint(controls[first[i] : first[i + 1]])]
        canvas.lines(list(arrays["lanes.stop_line"][rows]), LIGHTS[value], z, linewidths=2)
