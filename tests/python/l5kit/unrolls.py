"""Unrolls models that look at images, for 50 frames, and writes all rows.

Usage: python unrolls.py FOLDER FILE: writes the results as .npz. FOLDER has config.yaml and
data.
"""

import sys

import numpy as np
import torch
from l5kit.configs import load_config_data
from l5kit.data import ChunkedDataset, LocalDataManager
from l5kit.dataset import EgoDataset
from l5kit.rasterization import build_rasterizer
from l5kit.simulation.dataset import SimulationConfig
from l5kit.simulation.unroll import ClosedLoopSimulator

STEPS = 50
FRAMES = ("timestamp", "agent_index_interval", "ego_translation", "ego_rotation")
AGENTS = ("centroid", "yaw", "extent", "velocity", "track_id", "label_probabilities")
#: use_ego_gt, use_agents_gt, disable_new_agents, distances.
CONFIGS = {
    "ego": (False, True, False, 30, 15),
    "agents": (True, False, False, 30, 15),
    "both": (False, False, False, 30, 15),
    "both, no new agents": (False, False, True, 500, 50),
}


class Looks(torch.nn.Module):
    """A small network with fixed weights: a pixel that differs changes its output."""

    def __init__(self, channels, size):
        super().__init__()
        torch.manual_seed(3)
        self.image = torch.nn.Conv2d(channels, 4, 5, stride=4)
        side = (size - 5) // 4 + 1
        self.out = torch.nn.Linear(4 * side * side + 4, 3)

    def forward(self, batch):
        image = torch.tanh(self.image(batch["image"])).flatten(1)
        history = batch["history_positions"][:, 1:3].flatten(1)
        step, turn = torch.split(self.out(torch.cat([image, history], 1)), (2, 1), 1)
        ahead = torch.stack([0.8 + step[:, 0], 0.1 * step[:, 1]], 1)
        return {"positions": ahead[:, None], "yaws": 0.05 * turn[:, None]}


def main(folder, file):
    torch.set_num_threads(1)
    config = load_config_data(f"{folder}/config.yaml")
    config["raster_params"].update(map_type="box_debug", raster_size=[48, 48])
    config["model_params"].update(history_num_frames=2, future_num_frames=5)
    manager = LocalDataManager(folder)
    rows = ChunkedDataset(manager.require(config["sample_data_loader"]["key"])).open()
    dataset = EgoDataset(config, rows, build_rasterizer(config, manager))
    model = Looks(dataset[0]["image"].shape[0], 48)
    results = {}
    for name, (ego, agents, hides, far, close) in CONFIGS.items():
        chosen = SimulationConfig(
            ego, agents, hides, far, close, start_frame_index=10, num_simulation_steps=STEPS
        )
        device = torch.device("cpu")
        simulator = ClosedLoopSimulator(chosen, dataset, device, model, model)
        with torch.no_grad():
            outputs = simulator.unroll([0, 1])
        for one in outputs:
            for field in FRAMES:
                results[f"{name}.{one.scene_id}.{field}"] = one.simulated_ego[field]
            for field in AGENTS:
                results[f"{name}.{one.scene_id}.{field}"] = one.simulated_agents[field]
    np.savez(file, **results)


if __name__ == "__main__":
    main(*sys.argv[1:])
