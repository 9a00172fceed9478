"""bevscope.l5kit.visualization.visualizer: the shapes that a frame shows."""

import json

import numpy as np
import pytest

from goldens import close

torch = pytest.importorskip("torch")
pytest.importorskip("yaml")
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

from bevscope.l5kit.configs import load_config_data  # noqa: E402
from bevscope.l5kit.data import ChunkedDataset, LocalDataManager, MapAPI  # noqa: E402
from bevscope.l5kit.dataset import EgoDataset  # noqa: E402
from bevscope.l5kit.rasterization import build_rasterizer  # noqa: E402
from bevscope.l5kit.simulation.dataset import SimulationConfig  # noqa: E402
from bevscope.l5kit.simulation.unroll import ClosedLoopSimulator  # noqa: E402
from bevscope.l5kit.visualization.visualizer.zarr_utils import (  # noqa: E402
    simulation_out_to_visualizer_scene,
    zarr_to_visualizer_scene,
)


def compare(found, expected, key=""):
    """Compares tuples of arrays with JSON."""
    if isinstance(expected, dict):
        assert set(found._fields) == set(expected), key
        for name, value in expected.items():
            compare(getattr(found, name), value, f"{key}.{name}")
    elif isinstance(found, list):
        assert len(found) == len(expected), key
        for i, (one, value) in enumerate(zip(found, expected)):
            compare(one, value, f"{key}[{i}]")
    elif isinstance(expected, str):
        assert found == expected, key
    else:
        close(np.asarray(found, np.float64), np.asarray(expected, np.float64), key)


@pytest.mark.parametrize(("name", "scene"), [("single", 0), ("multi", 2)])
def test_recorded_scenes_are_the_reference(goldens, name, scene):
    meta = json.loads((goldens / "inputs/meta.json").read_text())
    town_map = MapAPI(str(goldens / "inputs/town_map.pb"), meta["world_to_ecef"])
    source = ChunkedDataset(str(goldens / f"inputs/{name}_scene.zarr")).open()
    made = zarr_to_visualizer_scene(source.get_scene_dataset(scene), town_map)
    expected = json.loads((goldens / f"outputs/visualizer/{name}.json").read_text())
    assert len(expected) == 3
    for frame, value in expected.items():
        compare(made[int(frame)], value, frame)


class Forward(torch.nn.Module):
    """Drives a metre per frame and predicts three."""

    def forward(self, batch):
        count = len(batch["centroid"])
        positions = torch.zeros(count, 3, 2)
        positions[..., 0] = torch.tensor([1.0, 2.0, 3.0])
        return {"positions": positions, "yaws": torch.zeros(count, 3, 1)}


@pytest.fixture
def config(town):
    made = load_config_data(str(town / "config.yaml"))
    made["raster_params"].update(map_type="stub_debug", raster_size=[8, 8])
    made["model_params"].update(history_num_frames=2, future_num_frames=5)
    return made


def shown(config, town, **options):
    """Returns a simulated scene and the shapes of its frames."""
    manager = LocalDataManager(str(town))
    rows = ChunkedDataset(str(town / "scenes/town.zarr")).open()
    ego = EgoDataset(config, rows, build_rasterizer(config, manager))
    chosen = SimulationConfig(start_frame_index=30, num_simulation_steps=8, **options)
    device = torch.device("cpu")
    simulator = ClosedLoopSimulator(chosen, ego, device, Forward(), Forward())
    (output,) = simulator.unroll([0])
    town_map = MapAPI.from_cfg(manager, config)
    return output, simulation_out_to_visualizer_scene(output, town_map)


def labels_of(frame):
    return {one.legend_label for one in frame.trajectories}


def test_simulated_scenes_have_recorded_and_predicted_ways(config, town):
    output, made = shown(config, town, use_agents_gt=True)
    assert len(made) == 8
    for i, frame in enumerate(made):
        recorded, predicted = frame.trajectories
        assert [one.legend_label for one in frame.trajectories] == [
            "ego_replay",
            "ego_simulated",
        ]
        assert recorded.track_id == predicted.track_id == -1
        centre = (frame.ego.center_x, frame.ego.center_y)
        assert centre == tuple(output.simulated_ego["ego_translation"][i, :2])
        assert len(recorded.xs) == min(5, 7 - i)  # to the end of the simulation
        expected = output.recorded_ego["ego_translation"][i + 1 : i + 6, :2]
        found = np.column_stack([recorded.xs, recorded.ys])
        assert np.allclose(found, expected, atol=1e-4)
        ahead = np.hypot(predicted.xs - centre[0], predicted.ys - centre[1])
        assert np.allclose(ahead, [1, 2, 3], atol=1e-4)


def test_ways_of_agents_are_those_of_the_frame(config, town):
    """Frames without agents have no inputs, so that a frame's are found by its index."""
    close_by = {"distance_th_close": 30, "distance_th_far": 30}
    output, made = shown(config, town, use_ego_gt=True, **close_by)
    del output.agents_ins_outs[2]  # as if there had been none
    again = simulation_out_to_visualizer_scene(
        output, MapAPI.from_cfg(LocalDataManager(str(town)), config)
    )
    assert [len(one.trajectories) for one in again] == [
        0 if i == 2 else len(one.trajectories) for i, one in enumerate(made)
    ]
    for frame in made:
        assert labels_of(frame) == {"agent_replay", "agent_simulated"}
        boxes = {int(one.track_id): one for one in frame.agents}
        for way in frame.trajectories:
            if way.legend_label == "agent_simulated":
                box = boxes[way.track_id]
                ahead = np.hypot(way.xs - box.xs.mean(), way.ys - box.ys.mean())
                assert np.allclose(ahead, [1, 2, 3], atol=1e-3)


def test_only_one_scene_is_shown(town):
    rows = ChunkedDataset(str(town / "scenes/town.zarr")).open()
    with pytest.raises(ValueError, match="must have one scene"):
        zarr_to_visualizer_scene(rows, None)
