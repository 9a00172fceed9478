"""Figures of frames, scenes and samples."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope._plot import CLASSES, THEMES
from bevscope.l5kit.data.map_api import MapAPI

ROOT = Path(__file__).resolve().parents[2]
CONFIG = {
    "format_version": 4,
    "model_params": {
        "history_num_frames": 4,
        "future_num_frames": 12,
        "history_num_frames_ego": 4,
        "history_num_frames_agents": 4,
        "step_time": 0.1,
        "render_ego_history": True,
    },
    "raster_params": {
        "raster_size": [60, 40],
        "pixel_size": [0.5, 0.5],
        "ego_center": [0.25, 0.5],
        "map_type": "py_semantic",
        "semantic_map_key": "semantic_map/semantic_map.pb",
        "dataset_meta_key": "meta.json",
        "filter_agents_threshold": 0.5,
        "disable_traffic_light_faces": False,
        "set_origin_to_bottom": True,
    },
    "data_generation_params": {
        "other_agents_num": 5,
        "max_agents_distance": 50,
        "lane_params": {
            "max_num_lanes": 6,
            "max_points_per_lane": 20,
            "max_points_per_crosswalk": 20,
            "max_retrieval_distance_m": 35,
            "max_num_crosswalks": 20,
        },
    },
}


@pytest.fixture(scope="module")
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


@pytest.fixture(scope="module")
def map_path(town):
    return town / "semantic_map/semantic_map.pb"


def areas_of(ax, label):
    found = [one for one in ax.collections if one.get_label() == label]
    return [path.vertices[:4] for one in found for path in one.get_paths()]


def lines_of(ax, colour, width):
    from matplotlib.colors import to_rgba

    return [
        path.vertices
        for one in ax.collections
        if tuple(one.get_edgecolor()[:1].ravel()) == to_rgba(colour)
        and tuple(one.get_linewidth()) == (width,)
        for path in one.get_paths()
    ]


def test_colours_are_those_of_the_viewer():
    source = (ROOT / "web/src/elements/ui/tokens.ts").read_text()
    tokens = dict(
        (name, values)
        for name, *values in re.findall(r'(\w+): \["(#\w+)", "(#\w+)"\]', source)
    )
    for index, theme in enumerate(("dark", "light")):
        for name, colour in THEMES[theme].items():
            assert tokens[name][index] == colour, (theme, name)


@pytest.mark.parametrize("agents", ["kept", "all", "none"])
def test_a_frame_has_the_boxes_of_its_agents(pyplot, dataset, agents):
    frame = dataset.frame(0, 84, future=9)
    ax = bevscope.plot(frame, agents=agents, radius=30, labels="track")
    kept = {"kept": frame["agents.kept"], "all": frame["agents.kept"] | True}
    shown = kept.get(agents, frame["agents.kept"] & False)
    for value, name in enumerate(CLASSES):
        expected = frame["agents.corners"][shown & (frame["agents.class"] == value)]
        found = areas_of(ax, name)
        assert len(found) == len(expected)
        assert not found or np.array_equal(found, expected)
    assert np.array_equal(areas_of(ax, "ego"), [frame["ego.corners"]])
    x, y = frame["ego.centroid"]
    assert ax.get_xlim() == (x - 30, x + 30) and ax.get_ylim() == (y - 30, y + 30)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x (m)", "y (m)")
    assert ax.get_aspect() == 1
    texts = [one.get_text() for one in ax.texts]
    assert texts == [str(one) for one in frame["agents.track_id"][shown]]


def test_stop_lines_have_the_colours_of_lights(pyplot, dataset, town, map_path):
    frame = dataset.frame(0, 84)
    ax = bevscope.plot(frame, map=map_path, radius=60)
    map_api = MapAPI(str(map_path), np.eye(4))
    at = int(dataset.scenes[0]["frame_index_interval"][0]) + 84
    begin, end = dataset.frames[at]["traffic_light_faces_index_interval"]
    faces = dataset.traffic_light_faces[begin:end]
    active = {
        one["face_id"] for one in faces if one["traffic_light_face_status"].argmax() == 0
    }
    near = bevscope.SemanticMap(str(map_path), str(town / "meta.json"))
    rows = near.core.lanes_near(*frame["ego.centroid"], 60 * 2**0.5)
    counts = dict.fromkeys(("red", "green", "yellow"), 0)
    for row in rows:
        lane = map_api.bounds_info["lanes"]["ids"][row]
        lit = {
            map_api.get_color_for_face(one).lower()
            for one in map_api.get_lane_traffic_control_ids(lane) & active
        }
        for colour in lit:
            counts[colour] += 1
    assert counts["red"] > 0 and counts["green"] > 0
    for colour, count in counts.items():
        assert len(lines_of(ax, THEMES["light"][colour], 2)) == count


def test_figures_are_vectors(pyplot, dataset, map_path, tmp_path):
    for theme in THEMES:
        ax = bevscope.plot(dataset.frame(1, 30), map=map_path, theme=theme, labels="class")
        ax.legend()
        for kind in ("svg", "pdf"):
            ax.figure.savefig(tmp_path / f"frame.{kind}")
        assert "<image" not in (tmp_path / "frame.svg").read_text()
        assert (tmp_path / "frame.pdf").read_bytes().startswith(b"%PDF")


def test_a_scene_has_a_line_per_track(pyplot, dataset):
    scene = dataset.scene(2)
    figure, ax = pyplot.subplots()
    assert bevscope.plot(scene, ax=ax) is ax
    (tracks,) = [one for one in ax.collections if one.get_label() == "tracks"]
    ids, counts = np.unique(scene["agents.track_id"], return_counts=True)
    assert len(tracks.get_paths()) == np.count_nonzero(counts > 1)
    first = scene["agents.centroid"][scene["agents.track_id"] == ids[counts > 1][0]]
    assert np.array_equal(tracks.get_paths()[0].vertices, first)
    way = next(one for one in ax.lines if one.get_label() == "ego")
    assert np.array_equal(way.get_xydata(), scene["frames.ego_translation"][:, :2])
    assert ax.get_xlim()[0] < scene["frames.ego_translation"][:, 0].min()
    bare = bevscope.plot(scene, trails=False)
    assert not [one for one in bare.collections if one.get_label() == "tracks"]


@pytest.mark.parametrize("image", ["f32", "u8", "none"])
def test_a_sample_is_in_metres(pyplot, dataset, town, image):
    samples = bevscope.Samples(dataset, CONFIG, root=town, image=image)
    sample = samples[84]
    ax = bevscope.plot(sample)
    (line,) = [one for one in ax.lines if one.get_label() == "target"]
    assert np.array_equal(line.get_xydata(), sample["target_positions"])
    assert len(ax.images) == (image != "none")
    for shown in ax.images:
        assert shown.get_array().shape == (40, 60, 3)
        to_metres = shown.get_transform() - ax.transData
        found = to_metres.transform([[15, 20]])  # the ego vehicle's centre is here
        expected = np.linalg.inv(sample["raster_from_agent"]) @ [15, 20, 1]
        assert np.allclose(found, expected[:2])
        assert np.allclose(found, 0)
        assert np.allclose((*ax.get_xlim(), *ax.get_ylim()), (-7.75, 22.25, -9.75, 10.25))


def test_a_vectorized_sample_has_lanes_in_its_frame(pyplot, dataset, town, map_path):
    samples = bevscope.Samples(dataset, CONFIG, root=town, vectorized=True)
    sample = samples[300]
    ax = bevscope.plot(sample, map=map_path, theme="dark")
    found = lines_of(ax, THEMES["dark"]["mark"], 1)
    assert len(found) == np.count_nonzero(sample["lanes_availabilities"].any(1))
    # The map is in the same frame: each lane's first point is on a boundary drawn from it.
    borders = np.concatenate(lines_of(ax, THEMES["dark"]["mark"], 0.6))
    assert np.hypot(*(borders - found[0][0]).T).min() < 0.1


def test_wrong_arguments_are_refused(dataset, town):
    frame = dataset.frame(0, 3)
    batch = bevscope.Samples(dataset, CONFIG, root=town, image="none").batch([1, 2])
    for wrong in (3, {}, batch, dataset.timeline(0)):
        with pytest.raises(
            bevscope.InvalidArgument, match="a frame, a scene or one sample"
        ):
            bevscope.plot(wrong)
    options = [("agents", "some"), ("labels", "id"), ("theme", "blue"), ("radius", -1)]
    for name, wrong in [*options, ("radius", "a"), ("extent", (1, 2)), ("labels", 5)]:
        with pytest.raises(bevscope.InvalidArgument, match=f"plot: {name}"):
            bevscope.plot(frame, **{name: wrong})


def test_the_error_names_the_package_to_install(town):
    code = (
        "import sys, bevscope; sys.modules['matplotlib'] = None\n"
        f"bevscope.plot(bevscope.open({str(town / 'scenes/town.zarr')!r}).frame(0, 0))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "bevscope.plot: matplotlib is not installed (pip install 'bevscope[plot]')" in (
        ran.stderr
    )
