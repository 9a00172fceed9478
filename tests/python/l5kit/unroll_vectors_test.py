"""Closed loops of a model that is a formula, as tests/vectors/unroll.json has them for all
hosts. `python unroll_vectors_test.py GOLDENS` writes the file."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("yaml")
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

from bevscope.l5kit.data import ChunkedDataset, LocalDataManager  # noqa: E402
from bevscope.l5kit.dataset import EgoDataset  # noqa: E402
from bevscope.l5kit.geometry import rotation33_as_yaw  # noqa: E402
from bevscope.l5kit.rasterization import build_rasterizer  # noqa: E402
from bevscope.l5kit.simulation.dataset import SimulationConfig  # noqa: E402
from bevscope.l5kit.simulation.unroll import ClosedLoopSimulator  # noqa: E402

VECTORS = Path(__file__).resolve().parents[2] / "vectors/unroll.json"


class Formula(torch.nn.Module):
    """Drives by the last displacement, in float64: see `model` in the vectors."""

    def forward(self, batch):
        before = batch["history_positions"][:, 1].double()
        x, y = -before[:, 0], -before[:, 1]
        steps = torch.stack([0.75 * x + 0.25, 0.5 * y + 0.0625], 1)
        return {"positions": steps[:, None], "yaws": (0.125 * y + 0.015625)[:, None, None]}


def unrolled(goldens, config, scenes, run):
    """Returns the simulated scenes of a run."""
    folder = goldens / "inputs"
    rows = ChunkedDataset(str(folder / "multi_scene.zarr")).open()
    rasterizer = build_rasterizer(config, LocalDataManager(str(folder)))
    dataset = EgoDataset(config, rows, rasterizer)
    simulator = ClosedLoopSimulator(
        SimulationConfig(
            use_ego_gt=run["ego"] == "log",
            use_agents_gt=run["agents"] == "log",
            disable_new_agents=not run["newAgents"],
            distance_th_far=run["farDistance"],
            distance_th_close=run["closeDistance"],
            start_frame_index=run["start"],
            num_simulation_steps=run["steps"],
        ),
        dataset,
        torch.device("cpu"),
        Formula(),
        Formula(),
    )
    return [summary(one) for one in simulator.unroll(scenes)]


def summary(output):
    """Returns what is compared of a scene: `poses` covers all but the ego's yaws; `last` is
    the ego's last pose, `centre` the mean of the last agents' positions."""
    frames, agents = output.simulated_ego, output.simulated_agents
    intervals = frames["agent_index_interval"]
    agents = agents[intervals[0, 0] : intervals[-1, 1]]
    columns = [
        frames["ego_translation"][:, 0],
        frames["ego_translation"][:, 1],
        (intervals[:, 1] - intervals[:, 0]).astype("<u4"),
        agents["track_id"].astype("<u8"),
        *(agents["centroid"][:, i] for i in (0, 1)),
        agents["yaw"].astype("<f8"),
        *(agents["extent"][:, i].astype("<f8") for i in (0, 1)),
    ]
    frame = agents[intervals[-1, 0] - intervals[0, 0] :]
    digest = hashlib.sha256()
    for column in columns:
        digest.update(np.ascontiguousarray(column).tobytes())
    yaws = [rotation33_as_yaw(one) for one in frames["ego_rotation"]]
    return {
        "scene": int(output.scene_id),
        "agents": len(agents),
        "last": [*frames["ego_translation"][-1, :2].tolist(), float(yaws[-1])],
        "centre": frame["centroid"].mean(axis=0).tolist(),
        "poses": digest.hexdigest(),
    }


def test_all_runs_are_those_of_the_vectors(goldens):
    vectors = json.loads(VECTORS.read_text())
    for run in vectors["runs"]:
        found = unrolled(goldens, vectors["config"], vectors["scenes"], run)
        for scene, expected in zip(found, run["found"], strict=True):
            for name in ("last", "centre"):
                wanted = expected.pop(name)
                assert scene.pop(name) == pytest.approx(wanted, abs=1e-9), run["name"]
            assert scene == expected, run["name"]


def main(goldens):
    config = {
        "format_version": 4,
        "model_params": {
            "history_num_frames": 2,
            "future_num_frames": 3,
            "step_time": 0.1,
            "render_ego_history": True,
        },
        "raster_params": {
            "raster_size": [8, 8],
            "pixel_size": [0.5, 0.5],
            "ego_center": [0.25, 0.5],
            "map_type": "stub_debug",
            "satellite_map_key": "aerial_map/aerial_map.png",
            "semantic_map_key": "semantic_map/semantic_map.pb",
            "dataset_meta_key": "meta.json",
            "filter_agents_threshold": 0.5,
            "disable_traffic_light_faces": False,
            "set_origin_to_bottom": True,
        },
    }
    usual = {"farDistance": 30, "closeDistance": 15, "newAgents": True}
    far = {"farDistance": 500, "closeDistance": 50, "newAgents": False}
    runs = [
        {"name": "ego", "ego": "model", "agents": "log", **usual},
        {"name": "agents", "ego": "log", "agents": "model", **usual},
        {"name": "both", "ego": "model", "agents": "model", **usual},
        {"name": "both, no new agents", "ego": "model", "agents": "model", **far},
    ]
    scenes = [0, 3]
    for run in runs:
        run.update(start=8, steps=50)
        run["found"] = unrolled(Path(goldens), config, scenes, run)
    model = (
        "x, y: minus history_positions[1], as float64; the step is "
        "(0.75 x + 0.25, 0.5 y + 0.0625), the turn 0.125 y + 0.015625"
    )
    file = {
        "comment": "By tests/python/l5kit/unroll_vectors_test.py, on the goldens' "
        "multi_scene.zarr.",
        "model": model,
        "config": config,
        "scenes": scenes,
        "runs": runs,
    }
    VECTORS.write_text(json.dumps(file, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
