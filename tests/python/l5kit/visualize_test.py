"""l5kit.visualization.visualizer.visualizer: Bokeh's figure of a scene."""

import json
import subprocess
import sys

import numpy as np
import pytest

from bevscope.l5kit.data import ChunkedDataset, MapAPI
from bevscope.l5kit.visualization.visualizer.zarr_utils import zarr_to_visualizer_scene

MODULE = "bevscope.l5kit.visualization.visualizer.visualizer"


def test_without_bokeh_the_import_says_what_is_missing():
    code = f"import sys; sys.modules['bokeh'] = None; import {MODULE}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "Bokeh is not installed (pip install bokeh)" in ran.stderr


@pytest.fixture(scope="module")
def frames(goldens):
    meta = json.loads((goldens / "inputs/meta.json").read_text())
    town_map = MapAPI(str(goldens / "inputs/town_map.pb"), meta["world_to_ecef"])
    source = ChunkedDataset(str(goldens / "inputs/multi_scene.zarr")).open()
    return zarr_to_visualizer_scene(source.get_scene_dataset(2), town_map)


@pytest.fixture(scope="module")
def visualizer():
    pytest.importorskip("bokeh")
    from bevscope.l5kit.visualization.visualizer import visualizer

    return visualizer


def parts_of(layout):
    plot, slider = layout.children
    (callback,) = slider.js_property_callbacks["change:value"]
    return plot, slider, callback.args


def test_the_first_frame_is_shown(visualizer, frames):
    plot, slider, _ = parts_of(visualizer.visualize(2, frames))
    assert plot.title.text == "Scene 2"
    assert (slider.start, slider.end, slider.value) == (0, len(frames) - 1, 0)
    shown = {one.name: one.data_source.data for one in plot.renderers}
    first = frames[0]
    assert [*shown["agents"]["track_id"]] == [one.track_id for one in first.agents]
    assert len(shown["lanes"]["xs"]) == len(first.lanes) > 0
    assert len(shown["crosswalks"]["xs"]) == len(first.crosswalks)
    for name, expected in (("xs", first.ego.xs), ("ys", first.ego.ys)):
        assert np.array_equal(shown["ego"][name][0], expected)
    for label in ("agent_trajectory", "ego_trajectory"):
        ways = [one for one in first.trajectories if one.legend_label == label]
        assert [len(one) for one in shown[label]["xs"]] == [len(one.xs) for one in ways]
    assert plot.x_range.start + 50 == first.ego.center_x == plot.x_range.end - 50


def test_the_slider_has_the_columns_of_all_frames(visualizer, frames):
    plot, _, arguments = parts_of(visualizer.visualize(2, frames))
    at = [one.name for one in plot.renderers].index("agents")
    assert arguments["sources"][at] is plot.renderers[at].data_source
    assert len(arguments["frames"]) == len(frames) == len(arguments["centres"])
    for frame, layers, centre in zip(frames, arguments["frames"], arguments["centres"]):
        found = dict(zip(arguments["names"][at], layers[at]))
        assert found["prob"] == [float(one.prob) for one in frame.agents]
        assert found["xs"] == [one.xs.tolist() for one in frame.agents]
        assert centre == (frame.ego.center_x, frame.ego.center_y)


def test_a_figure_is_a_page(visualizer, frames):
    from bokeh.embed import file_html
    from bokeh.resources import CDN

    page = file_html(visualizer.visualize(7, frames[:1]), CDN, "scene")
    assert "Scene 7" in page
    with pytest.raises(ValueError, match="scene 7: no frames"):
        visualizer.visualize(7, [])
