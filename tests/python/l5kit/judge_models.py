"""Models that are judged: small networks with fixed weights, as ONNX files."""

import numpy as np
import torch
import yaml

import bevscope
from bevscope.model import export_onnx

HISTORY, FUTURE, SIZE = 3, 12, 112


def config_of(town):
    made = yaml.safe_load((town / "config.yaml").read_text())
    made["model_params"].update(
        history_num_frames=HISTORY,
        history_num_frames_ego=HISTORY,
        history_num_frames_agents=HISTORY,
        future_num_frames=FUTURE,
    )
    made["raster_params"].update(raster_size=[SIZE, SIZE], map_type="py_semantic")
    return made


class Driver(torch.nn.Module):
    """Continues the motion, corrected by what it sees: without, no loop would move."""

    def driven(self, seen, step):
        out = self.out(seen).view(-1, FUTURE, 3)
        times = torch.arange(1, FUTURE + 1)[:, None]
        ahead = 0.5 * step[:, None] * times + torch.tensor([0.4, 0.0]) * times
        return {"positions": ahead + 0.2 * out[..., :2], "yaws": 0.02 * out[..., 2:]}


class Raster(Driver):
    def __init__(self):
        super().__init__()
        self.image = torch.nn.Sequential(
            torch.nn.Conv2d(2 * (HISTORY + 1) + 3, 8, 5, stride=4),
            torch.nn.Tanh(),
            torch.nn.Conv2d(8, 4, 5, stride=4),
            torch.nn.Flatten(),
        )
        self.out = torch.nn.Linear(4 * 6 * 6 + 2, 3 * FUTURE)

    def forward(self, batch):
        step = -batch["history_positions"][:, 1]
        seen = torch.tanh(self.image(batch["image"]))
        return self.driven(torch.cat([seen, step], 1), step)


class Vector(Driver):
    def __init__(self):
        super().__init__()
        self.lane = torch.nn.Sequential(torch.nn.Linear(3, 16), torch.nn.Tanh())
        self.other = torch.nn.Sequential(torch.nn.Linear(3, 16), torch.nn.Tanh())
        self.out = torch.nn.Linear(16 + 16 + 2, 3 * FUTURE)

    def forward(self, batch):
        def mean(of, points, known):
            known = known.float()[..., None]
            total = (of(points * 0.1) * known).sum((1, 2))
            return total / known.sum((1, 2)).clamp(min=1)

        step = -batch["agent_trajectory_polyline"][:, 1, :2]
        lanes = mean(self.lane, batch["lanes_mid"], batch["lanes_mid_availabilities"])
        others = mean(
            self.other,
            batch["other_agents_polyline"],
            batch["other_agents_polyline_availability"],
        )
        return self.driven(torch.cat([lanes, others, step], 1), step)


def write(town, config, folder):
    for name, made in (("raster", Raster), ("vector", Vector)):
        torch.manual_seed(5)
        vectorized = name == "vector"
        data = town / "scenes/town.zarr"
        samples = bevscope.Samples(data, config, vectorized=vectorized, root=town)
        settings = {"name": name, "subject": "both", "config": config}
        export_onnx(made(), samples[20:24], folder / f"{name}.onnx", settings=settings)


def choose(dataset, config, count):
    """Samples of the ego vehicle and of cars, over all scenes: scene, frame, track."""
    random = np.random.default_rng(3)
    intervals = dataset.scenes["frame_index_interval", :]
    ego, agents = [], []
    while len(agents) < count:
        scene = int(random.integers(len(intervals)))
        frame = int(random.integers(intervals[scene][1] - intervals[scene][0]))
        ego.append((scene, frame, None))
        found = dataset.frame(scene, frame)
        kept = np.flatnonzero(found["agents.kept"])
        if len(kept):
            track = int(found["agents.track_id"][random.choice(kept)])
            agents.append((scene, frame, track))
    return {"ego": ego[:count], "agent": agents}
