"""Runs ONNX models on samples and in closed loops of L5Kit, and writes what they return.

Usage: python judge.py TOWN MODELS FILE [KIND]...: writes the results as .npz. MODELS has
KIND.onnx for each of the kinds: raster, vector. By with_l5kit.py with real L5Kit, by
`-m bevscope.l5kit` with bevscope's. Given a file of page_loop.mjs in place of kinds,
replays its outputs.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from l5kit.configs import load_config_data
from l5kit.data import ChunkedDataset, LocalDataManager
from l5kit.dataset import AgentDataset, EgoDataset, EgoDatasetVectorized
from l5kit.geometry import transform_points
from l5kit.rasterization import build_rasterizer
from l5kit.simulation.dataset import SimulationConfig
from l5kit.simulation.unroll import ClosedLoopSimulator
from l5kit.vectorization.vectorizer_builder import build_vectorizer
from torch.utils.data.dataloader import default_collate

STEPS = 50
START = 10
SCENES = [0, 1]
#: use_ego_gt, use_agents_gt, disable_new_agents, far, close.
LOOPS = {
    "ego": (False, True, False, 30, 15),
    "both": (False, False, False, 30, 15),
    "both, no new agents": (False, False, True, 500, 50),
}
FRAMES = ("timestamp", "agent_index_interval", "ego_translation", "ego_rotation")
AGENTS = ("centroid", "yaw", "extent", "velocity", "track_id", "label_probabilities")


class Onnx(torch.nn.Module):
    """A model of onnxruntime, which notes the time that it takes."""

    def __init__(self, path):
        super().__init__()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options)
        self.inputs = {one.name: one.type for one in self.session.get_inputs()}
        self.seconds = 0.0

    def outputs(self, batch):
        feeds = {}
        for name, kind in self.inputs.items():
            values = np.asarray(batch[name])
            feeds[name] = values.astype("f4") if kind == "tensor(float)" else values
        begin = time.perf_counter()
        found = self.session.run(["positions", "yaws"], feeds)
        self.seconds += time.perf_counter() - begin
        return found

    def forward(self, batch):
        positions, yaws = self.outputs(batch)
        return {"positions": torch.from_numpy(positions), "yaws": torch.from_numpy(yaws)}


class Replayed(torch.nn.Module):
    """Returns what a page's model did, by time and track."""

    def __init__(self, outputs):
        super().__init__()
        self.outputs, self.seconds = outputs, 0.0

    def forward(self, batch):
        keys = zip(batch["timestamp"].tolist(), batch["track_id"].tolist())
        # A page does not run its model in the last frame.
        rows = [self.outputs.get(f"{time}:{track}", (0, 0, 0)) for time, track in keys]
        found = torch.tensor(rows, dtype=torch.float32)[:, None]
        return {"positions": found[..., :2], "yaws": found[..., 2:]}


def shared(drawn):
    """Returns a rasterizer or vectorizer that copies of a data set share: the messages of
    maps cannot be copied."""
    type(drawn).__deepcopy__ = lambda self, _: self
    return drawn


def datasets(kind, town, config):
    """The ego vehicle's data set, and a function of the agents' samples."""
    manager = LocalDataManager(str(town))
    rows = ChunkedDataset(str(town / "scenes/town.zarr")).open()
    if kind == "raster":
        rasterizer = shared(build_rasterizer(config, manager))
        mask = np.ones(len(rows.agents), dtype=bool)
        agents = AgentDataset(config, rows, rasterizer, agents_mask=mask)
        return EgoDataset(config, rows, rasterizer), agents
    vectorizer = shared(build_vectorizer(config, manager))
    return EgoDatasetVectorized(config, rows, vectorizer), None


def judge_samples(kind, ego, agents, model, chosen, results):
    for of in ("ego", "agent"):
        made = []
        for scene, frame, track in chosen[of]:
            dataset = ego if of == "ego" or agents is None else agents
            sample = dataset.get_frame(scene, frame, track_id=track)
            made.append(sample)
        batch = default_collate(made)
        positions, yaws = model.outputs(batch)
        name = f"{kind}.{of}"
        results[f"{name}.positions"], results[f"{name}.yaws"] = positions, yaws
        world = batch["world_from_agent"].numpy()
        results[f"{name}.world"] = transform_points(positions.astype("f8"), world)


def judge_loops(kind, ego, model, results, names=tuple(LOOPS)):
    for name in names:
        ego_gt, agents_gt, hides, far, close = LOOPS[name]
        chosen = SimulationConfig(
            ego_gt, agents_gt, hides, far, close, START, num_simulation_steps=STEPS
        )
        simulator = ClosedLoopSimulator(chosen, ego, torch.device("cpu"), model, model)
        model.seconds, begin = 0.0, time.perf_counter()
        outputs = simulator.unroll(SCENES)
        seconds = time.perf_counter() - begin
        results[f"{kind}.{name}.seconds"] = np.array([seconds, model.seconds])
        for one in outputs:
            place = f"{kind}.{name}.{one.scene_id}"
            for field in FRAMES:
                results[f"{place}.{field}"] = one.simulated_ego[field]
            for field in AGENTS:
                results[f"{place}.{field}"] = one.simulated_agents[field]


def main(town, models, file, *kinds):
    torch.set_num_threads(1)
    town, models = Path(town), Path(models)
    chosen = json.loads((models / "samples.json").read_text())
    config, results = load_config_data(str(models / "config.yaml")), {}
    if kinds and kinds[0].endswith(".json"):
        for one in json.loads(Path(kinds[0]).read_text()):
            ego, _ = datasets(one["kind"], town, config)
            model = Replayed(one["outputs"])
            judge_loops(one["kind"], ego, model, results, [one["name"]])
        kinds = []
    for kind in kinds if results else kinds or ("raster", "vector"):
        ego, agents = datasets(kind, town, config)
        model = Onnx(models / f"{kind}.onnx")
        judge_samples(kind, ego, agents, model, chosen, results)
        judge_loops(kind, ego, model, results)
    np.savez(file, **results)


if __name__ == "__main__":
    main(*sys.argv[1:])
