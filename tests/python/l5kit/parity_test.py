"""bevscope.l5kit against the reference's outputs."""

import json
import shutil
import warnings

import numpy as np
import pytest

from goldens import close, read

pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

from bevscope.l5kit import geometry as G  # noqa: E402
from bevscope.l5kit.data import (  # noqa: E402
    ChunkedDataset,
    LocalDataManager,
    MapAPI,
    get_combined_scenes,
)
from bevscope.l5kit.data.map_api import InterpolationMethod  # noqa: E402
from bevscope.l5kit.dataset import (  # noqa: E402
    AgentDataset,
    EgoAgentDatasetVectorized,
    EgoDataset,
    EgoDatasetVectorized,
)
from bevscope.l5kit.dataset.select_agents import get_valid_agents  # noqa: E402
from bevscope.l5kit.evaluation import (  # noqa: E402
    compute_metrics_csv,
    create_chopped_dataset,
    metrics,
)
from bevscope.l5kit.kinematic import AckermanPerturbation  # noqa: E402
from bevscope.l5kit.random import (  # noqa: E402
    GaussianRandomGenerator,
    ReplayRandomGenerator,
)
from bevscope.l5kit.rasterization import (  # noqa: E402
    RenderContext,
    StubRasterizer,
    build_rasterizer,
)
from bevscope.l5kit.rasterization.box_rasterizer import (  # noqa: E402
    draw_boxes,
    get_box_world_coords,
)
from bevscope.l5kit.sampling.agent_sampling import get_agent_context  # noqa: E402
from bevscope.l5kit.sampling.slicing import (  # noqa: E402
    get_future_slice,
    get_history_slice,
)
from bevscope.l5kit.vectorization.vectorizer_builder import build_vectorizer  # noqa: E402

LIMITS = (0.5, 30, 1.1, 50)


@pytest.fixture(scope="session")
def outputs(goldens):
    return goldens / "outputs"


@pytest.fixture(scope="session")
def manager(goldens):
    return LocalDataManager(goldens / "inputs")


@pytest.fixture(params=["single", "multi"])
def scene(request):
    return request.param


@pytest.fixture
def dataset(goldens, scene):
    return ChunkedDataset(str(goldens / f"inputs/{scene}_scene.zarr")).open()


def mask_of(dataset, *limits):
    ranges = dataset.scenes["frame_index_interval"]
    return np.concatenate([get_valid_agents(r, dataset, *limits)[0] for r in ranges])


def bool_mask(outputs, scene):
    mask = np.load(outputs / f"select/{scene}_th0.5.npz")["mask"]
    return (mask[:, 0] >= 10) & (mask[:, 1] >= 1)


@pytest.mark.parametrize("name", ["V1", "V2", "V3"])
def test_vectorized_samples_are_the_reference(
    outputs, configs, manager, dataset, scene, name
):
    made = EgoDatasetVectorized(
        configs[name], dataset, build_vectorizer(configs[name], manager)
    )
    for index, expected in read(outputs / f"vector/{name}_{scene}_ego.npz").items():
        compare(made[index], expected)
    path = outputs / f"vector/{name}_{scene}_agent.npz"
    rows = {int(r[0]): r[1:] for r in np.load(path)["rows"]}
    for row, expected in read(path).items():
        compare(made.get_frame(*(int(v) for v in rows[row])), expected)


@pytest.mark.parametrize("name", ["V1", "V3"])
def test_combined_samples_are_the_reference(
    outputs, configs, manager, dataset, scene, name
):
    made = EgoAgentDatasetVectorized(
        configs[name],
        dataset,
        build_vectorizer(configs[name], manager),
        agents_mask=bool_mask(outputs, scene),
    )
    for index, expected in read(outputs / f"vector/{name}_{scene}_egoagent.npz").items():
        compare(made[index], expected)


def test_evaluation_samples_are_the_reference(goldens, outputs, configs, manager):
    source = ChunkedDataset(str(goldens / "inputs/single_scene.zarr")).open()
    made = EgoAgentDatasetVectorized(
        configs["V1"],
        source,
        build_vectorizer(configs["V1"], manager),
        agents_mask=np.arange(len(source.agents)) % 997 == 0,
        eval_mode=True,
    )
    expected = read(outputs / "vector/V1_single_egoagent_eval.npz")[0]
    compare(made[0], expected)
    assert len(made) == 1


def compare(sample, expected):
    assert set(expected) <= set(sample), set(expected) ^ set(sample)
    for key, value in expected.items():
        if key == "image":
            image = np.round(sample[key] * 255).astype(np.uint8)
            assert np.count_nonzero(image != value) == 0
        else:
            close(sample[key], value, key, 1e-6 if key.startswith("lane") else None)


def in_memory(dataset):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = ChunkedDataset("")
    made.scenes, made.frames = dataset.scenes[:], dataset.frames[:]
    made.agents, made.tl_faces = dataset.agents[:], dataset.tl_faces[:]
    return made


@pytest.mark.parametrize("name", ["A_stub", "B_box", "B_sem", "C_sat"])
def test_rows_in_memory_give_the_same_samples(
    outputs, configs, manager, dataset, scene, name
):
    path = outputs / f"samples/{name}_{scene}_ego.npz"
    if not path.exists():
        pytest.skip("not among the goldens")
    rasterizer = build_rasterizer(configs[name], manager)
    made = EgoDataset(configs[name], in_memory(dataset), rasterizer)
    for index, expected in read(path).items():
        compare(made[index], expected)


@pytest.mark.parametrize("name", ["B_box", "B_sem"])
def test_rasterizers_alone_draw_the_same_images(
    outputs, configs, manager, dataset, scene, name
):
    class Own(type(build_rasterizer(configs[name], manager))):
        """A subclass, which data sets call instead of the core."""

    rasterizer = build_rasterizer(configs[name], manager)
    rasterizer.__class__ = Own
    mask = np.load(outputs / f"select/{scene}_th0.5.npz")["mask"][:, 1] >= 1
    made = AgentDataset(configs[name], dataset, rasterizer, agents_mask=mask)
    for index, expected in read(outputs / f"samples/{name}_{scene}_agent.npz").items():
        compare(made[index], expected)


def test_masks_are_the_reference(outputs, dataset, scene):
    for path in sorted((outputs / "select").glob(f"{scene}_th*.npz")):
        limits = list(LIMITS)
        for part in path.stem.split("_")[1:]:
            prefix = "th" if part.startswith("th") else part[0]
            limits[["th", "y", "e", "d"].index(prefix)] = float(part[len(prefix) :])
        assert np.array_equal(mask_of(dataset, *limits), np.load(path)["mask"]), path.stem


def test_indices_are_the_reference(goldens, outputs, configs):
    raster = configs["B_stub"]["raster_params"]
    context = RenderContext(
        np.array(raster["raster_size"]),
        np.array(raster["pixel_size"]),
        np.array(raster["ego_center"]),
        True,
    )
    source = ChunkedDataset(str(goldens / "inputs/multi_scene.zarr")).open()
    mask = bool_mask(outputs, "multi")
    agents = AgentDataset(
        configs["B_stub"], source, StubRasterizer(context), agents_mask=mask
    )
    ego = EgoDataset(configs["B_stub"], source, StubRasterizer(context))
    with np.load(outputs / "select/multi_indices.npz") as file:
        for name in file.files:
            kind, _, rest = name.partition("_")
            what, _, number = rest.rpartition("_")
            if what == "scene_dataset_len":
                found = len(agents.get_scene_dataset(int(number)))
            elif kind in ("agent", "ego") and what in ("scene", "frame"):
                one = agents if kind == "agent" else ego
                found = getattr(one, f"get_{what}_indices")(int(number))
            elif kind == "len":
                found = len(agents if rest == "agent" else ego)
            else:
                found = getattr(agents, name)
            assert np.array_equal(found, file[name]), name


def test_geometry_is_the_reference(outputs):
    with np.load(outputs / "geometry/geometry.npz") as z:
        each = {
            "angular_distance": G.angular_distance(z["angle_a"], z["angle_b"]),
            "transform_points2": G.transform_points(z["points2"], z["matrix2"]),
            "transform_points3": G.transform_points(z["points3"], z["matrix3"]),
            "transform_points_bb": G.transform_points(z["points_b"], z["matrix_b"]),
            "transform_points_b1": G.transform_points(z["points_b"], z["matrix2"]),
            "rotation33_as_yaw": np.array([G.rotation33_as_yaw(r) for r in z["rotations"]]),
            "yaw_as_rotation33": np.stack(
                [G.yaw_as_rotation33(a) for a in z["angle_a"][:20]]
            ),
            "vertical_flip": G.vertical_flip(z["matrix2"], 224),
            "compute_agent_pose": np.stack(
                [G.compute_agent_pose(z["points2"][i], z["angle_a"][i]) for i in range(20)]
            ),
            "geodetic_to_ecef": np.stack([G.geodetic_to_ecef(p) for p in z["lla"]]),
            "ecef_to_geodetic": np.stack(
                [G.ecef_to_geodetic(p) for p in z["geodetic_to_ecef"]]
            ),
            "angle_between_vectors": np.array(
                [G.angle_between_vectors(a, b) for a, b in zip(z["v1"], z["v2"])]
            ),
            "yaw_around_north": np.array(
                [G.compute_yaw_around_north_from_direction(v[:2]) for v in z["v1"]]
            ),
            "normalize_intensity": G.normalize_intensity(z["points2"], 100.0),
        }
        for name, found in each.items():
            close(found, z[name], name)


def test_voxels_are_the_reference(outputs):
    with np.load(outputs / "geometry/voxel.npz") as z:
        assert np.array_equal(G.points_within_bounds(z["coords"], (6, 5, 4)), z["within"])
        grid = G.voxel_coords_to_intensity_grid(z["coords"], (6, 5, 4))
        assert np.array_equal(grid, z["grid"])


def test_render_contexts_are_the_reference(outputs):
    for _, one in sorted(read(outputs / "geometry/render_context.npz").items()):
        width, height, pixel, x, y, bottom = one["params"]
        context = RenderContext(
            np.array([width, height]), np.array([pixel] * 2), np.array([x, y]), bool(bottom)
        )
        close(context.raster_from_local, one["raster_from_local"], "local")
        pose = one["pose"]
        close(
            context.raster_from_world(pose[:2], pose[2]), one["raster_from_world"], "world"
        )


def test_slices_are_the_reference(outputs):
    entries = json.loads((outputs / "geometry/slices.json").read_text())
    assert len(entries) == 225
    for one in entries:
        made = (
            get_history_slice(*one["history"])
            if "history" in one
            else get_future_slice(*one["future"])
        )
        assert [made.start, made.stop, made.step] == one["slice"], one
        assert list(range(25))[made] == one["of25"]


def test_boxes_are_the_reference(outputs):
    pytest.importorskip("cv2")
    from bevscope.l5kit.data import AGENT_DTYPE

    with np.load(outputs / "geometry/boxes.npz") as z:
        agents = np.zeros(40, AGENT_DTYPE)
        for key in ("centroid", "extent", "yaw"):
            agents[key] = z[key]
        close(get_box_world_coords(agents), z["box_world_coords"], "corners", 1e-6)
        matrix, size = z["raster_from_world"], (128, 112)
        assert np.array_equal(draw_boxes(size, matrix, agents, 255), z["all"])
        assert np.array_equal(
            draw_boxes(size, matrix, agents[:10], (255, 100, 30)), z["rgb"]
        )
        for i in range(40):
            one = draw_boxes(size, matrix, agents[i : i + 1], 255)
            assert np.array_equal(one, z[f"{i:02}.single"])


def test_perturbed_frames_are_the_reference(goldens, outputs):
    source = ChunkedDataset(str(goldens / "inputs/single_scene.zarr")).open()
    frames = source.frames[:]
    for _, one in sorted(read(outputs / "perturb/ackerman.npz").items()):
        state, history, future, *offset, least = one["params"]
        past, coming, *_ = get_agent_context(
            int(state), frames, source.agents, source.tl_faces, int(history), int(future)
        )
        replay = ReplayRandomGenerator(np.array([offset]))
        past, coming = AckermanPerturbation(replay, 1.0, least).perturb(past, coming)
        close(past["ego_translation"], one["history_translation"], "past", 1e-4)
        close(coming["ego_translation"], one["future_translation"], "future", 1e-4)
        close(past["ego_rotation"], one["history_rotation"], "past", 1e-4)
        close(coming["ego_rotation"], one["future_rotation"], "future", 1e-4)


def test_perturbed_samples_are_the_reference(goldens, outputs, configs, manager):
    source = ChunkedDataset(str(goldens / "inputs/single_scene.zarr")).open()
    drawn = GaussianRandomGenerator(np.zeros(3), np.array([0.5, 1.0, 0.1]), 3)
    np.random.seed(42)
    made = EgoDataset(
        configs["B_box"],
        source,
        build_rasterizer(configs["B_box"], manager),
        AckermanPerturbation(drawn, 0.7),
    )
    for index, expected in read(outputs / "perturb/ego_gaussian.npz").items():
        sample = made[index]
        for key, value in expected.items():
            if key != "image":
                limit = 1e-2 if "velocit" in key or "speed" in key else 1e-4
                close(sample[key], value, key, limit)


def test_reports_of_selection_are_the_reference(goldens):
    source = ChunkedDataset(str(goldens / "inputs/multi_scene.zarr")).open()
    scene = source.scenes["frame_index_interval"][1]
    # As L5Kit 1.5.0 prints.
    assert get_valid_agents(scene, source, *LIMITS)[1] == {
        "reject_th_AV_distance": 242,
        "reject_th_agent_filter_probability_threshold": 120,
        "reject_th_yaw": 2,
        "reject_th_extent": 1,
        "total_reject": 365,
        "total_agent_frames": 722,
    }


def perturbed(configs, source, manager, kind="B_box"):
    drawn = GaussianRandomGenerator(np.zeros(3), np.array([0.5, 1.0, 0.1]), 3)
    np.random.seed(42)
    return EgoDataset(
        configs[kind],
        source,
        build_rasterizer(configs[kind], manager),
        AckermanPerturbation(drawn, 0.7),
    )


def test_perturbed_batches_are_the_samples_one_by_one(goldens, configs, manager):
    source = ChunkedDataset(str(goldens / "inputs/single_scene.zarr")).open()
    rows = [5, 100, 247, 30, 31]
    batch = perturbed(configs, source, manager).__getitems__(rows)
    one_by_one = perturbed(configs, source, manager)
    assert one_by_one._native() is not None
    singles = [one_by_one[i] for i in rows]
    for found, expected in zip(batch, singles):
        for key, value in expected.items():
            assert np.array_equal(found[key], value), key


def test_perturbed_samples_are_those_of_frames_in_memory(goldens, configs, manager):
    stored = ChunkedDataset(str(goldens / "inputs/single_scene.zarr")).open()
    rows = (5, 100, 247, 30)
    one = perturbed(configs, stored, manager)
    native = [one[i] for i in rows]
    other = perturbed(configs, stored.get_scene_dataset(0), manager)
    assert one._native() is not None and other._native() is None
    for found, expected in zip(native, [other[i] for i in rows]):
        assert list(found) == list(expected)
        for key, value in expected.items():
            if key != "image":
                limit = 1e-2 if "velocit" in key or "speed" in key else 1e-4
                close(found[key], value, key, limit)


def test_methods_of_subclasses_are_called(goldens, configs, manager):
    source = ChunkedDataset(str(goldens / "inputs/single_scene.zarr")).open()

    class Marked(AgentDataset):
        def get_frame(self, scene_index, state_index, track_id=None):
            return {"mark": track_id}

    class Items(AgentDataset):
        def __getitem__(self, index):
            return {"mark": index}

    rasterizer = build_rasterizer(configs["B_stub"], manager)
    mask = np.arange(len(source.agents)) == 700
    marked = Marked(configs["B_stub"], source, rasterizer, agents_mask=mask)
    track = source.agents[700]["track_id"]
    assert marked[0] == {"mark": track}
    assert marked.__getitems__([0]) == [{"mark": track}]
    items = Items(configs["B_stub"], source, rasterizer, agents_mask=mask)
    assert items.__getitems__([0, 0]) == [{"mark": 0}, {"mark": 0}]


def test_agent_items_are_their_tracks(goldens, configs, manager, dataset):
    made = AgentDataset(
        configs["B_stub"],
        dataset,
        build_rasterizer(configs["B_stub"], manager),
        agents_mask=mask_of(dataset, *LIMITS)[:, 0] >= 10,
    )
    rows = np.linspace(0, len(made) - 1, 7).astype(int)
    batch = made.__getitems__(rows.tolist())
    for item, one in zip(rows, batch):
        row = int(made.agents_indices[item])
        frame = int(np.searchsorted(made.cumulative_sizes_agents, row, side="right"))
        track = int(dataset.agents[row]["track_id"])
        expected = made.get_frame(*made._place(frame), track_id=track)
        for found in (made[int(item)], made[int(item) - len(made)], one):
            assert list(found) == list(expected)
            for key, value in expected.items():
                assert np.array_equal(found[key], value), key


def test_metrics_are_the_reference(outputs):
    expected = json.loads((outputs / "eval/metrics.json").read_text())
    found = compute_metrics_csv(
        str(outputs / "eval/gt.csv"),
        str(outputs / "eval/pred.csv"),
        [getattr(metrics, name) for name in expected],
    )
    for name, value in expected.items():
        close(np.asarray(found[name]), np.asarray(value, np.float64), name)


def test_chopped_data_sets_are_the_reference(goldens, outputs, tmp_path):
    source = tmp_path / "multi_scene.zarr"
    shutil.copytree(goldens / "inputs/multi_scene.zarr", source)
    folder = create_chopped_dataset(str(source), 0.5, 40, 12, 10)
    mask = np.load(f"{folder}/mask.npz")["arr_0"]
    assert np.array_equal(mask, np.load(outputs / "eval/chopped_mask.npz")["mask"])
    with open(f"{folder}/gt.csv") as found, open(outputs / "eval/gt.csv") as expected:
        theirs, ours = expected.read().split(), found.read().split()
    assert len(ours) == len(theirs) and ours[0] == theirs[0]
    for one, other in zip(ours[1:], theirs[1:]):
        a, b = one.split(","), other.split(",")
        assert a[:2] == b[:2]
        close(np.array(a[2:], float), np.array(b[2:], float), "gt", 2e-5)


def test_tables_are_the_reference(goldens, outputs):
    expected = json.loads((outputs / "data/str_tables.json").read_text())
    for name, one in expected.items():
        made = ChunkedDataset(str(goldens / "inputs" / name)).open()
        assert str(made) == one["str"], name


def test_combined_scenes_are_the_reference(outputs, goldens):
    scenes = ChunkedDataset(str(goldens / "inputs/multi_scene.zarr")).open().scenes[:]
    scenes["host"] = "host-a101"
    scenes["start_time"][1:3] = scenes["end_time"][0:2]
    made = get_combined_scenes(scenes)
    assert len(made) == 3
    assert made["frame_index_interval"].tolist() == [[0, 180], [180, 240], [240, 300]]
    assert made["end_time"].tolist() == scenes["end_time"][[2, 3, 4]].tolist()


def order_of(info):
    """Returns the ids of the lanes in the order of the map."""
    return sorted(info["lanes"], key=lambda lane: info["lanes"][lane]["k"])


def test_maps_are_the_reference(goldens, outputs):
    meta = json.loads((goldens / "inputs/meta.json").read_text())
    api = MapAPI(str(goldens / "inputs/town_map.pb"), np.array(meta["world_to_ecef"]))
    info = json.loads((outputs / "map/town_info.json").read_text())
    with np.load(outputs / "map/town_raw.npz") as z:
        for lane, one in info["lanes"].items():
            i = one["k"]
            assert api.is_lane(lane) and not api.is_crosswalk(lane)
            controls = sorted(api.get_lane_traffic_control_ids(lane))
            assert controls == one["traffic_controls"]
            coords = api.get_lane_coords(lane)
            close(coords["xyz_left"], z[f"lane{i:03}.left"], lane, 1e-6)
            close(coords["xyz_right"], z[f"lane{i:03}.right"], lane, 1e-6)
        for i, crosswalk in enumerate(info["crosswalks"]):
            found = api.get_crosswalk_coords(crosswalk)["xyz"]
            close(found, z[f"crosswalk{i:03}"], crosswalk, 1e-6)
        for kind in ("lanes", "crosswalks"):
            bounds = api.bounds_info[kind]
            assert bounds["ids"] == (order_of(info) if kind == "lanes" else info[kind])
            close(bounds["bounds"], z[f"bounds.{kind}"], kind, 1e-6)
    for element, one in info["tce"].items():
        assert api.is_traffic_light(element) == one["is_traffic_light"]
        assert api.is_traffic_face(element) == one["is_traffic_face"]
        if one["is_traffic_face"]:
            assert api.get_color_for_face(element) == one["color"]


@pytest.mark.parametrize(
    ("name", "step", "method"),
    [
        ("ensure2", 2, InterpolationMethod.INTER_ENSURE_LEN),
        ("ensure7", 7, InterpolationMethod.INTER_ENSURE_LEN),
        ("ensure20", 20, InterpolationMethod.INTER_ENSURE_LEN),
        ("meter1", 1.0, InterpolationMethod.INTER_METER),
        ("meter2p5", 2.5, InterpolationMethod.INTER_METER),
    ],
)
def test_interpolated_lanes_are_the_reference(goldens, outputs, name, step, method):
    meta = json.loads((goldens / "inputs/meta.json").read_text())
    api = MapAPI(str(goldens / "inputs/town_map.pb"), np.array(meta["world_to_ecef"]))
    lanes = order_of(json.loads((outputs / "map/town_info.json").read_text()))
    with np.load(outputs / f"map/town_{name}.npz") as z:
        for file in z.files:
            lane, _, key = file.partition(".")
            made = api.get_lane_as_interpolation(lanes[int(lane[4:])], step, method)
            close(made[key], z[file], file, 1e-6)


def test_interpolated_lines_are_the_reference(outputs):
    for _, one in sorted(read(outputs / "map/interpolate.npz").items()):
        for key, step, method in (
            ("ensure13", 13, InterpolationMethod.INTER_ENSURE_LEN),
            ("meter0p7", 0.7, InterpolationMethod.INTER_METER),
        ):
            close(MapAPI.interpolate(one["in"], step, method), one[key], key)
