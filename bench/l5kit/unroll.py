"""Steps per second of closed loops: scenes in the core beside scenes as arrays.

Usage: unroll.py TOWN: the folder of the synthetic data set. The second row is of a data set
with code of its own, whose samples are built from arrays, one at a time. Processor time;
models cost nothing. Fails if results differ.
"""

import sys
import time

import torch

from bevscope.l5kit.configs import load_config_data
from bevscope.l5kit.data import ChunkedDataset, LocalDataManager
from bevscope.l5kit.dataset import EgoDataset
from bevscope.l5kit.rasterization import build_rasterizer
from bevscope.l5kit.simulation.dataset import SimulationConfig
from bevscope.l5kit.simulation.unroll import ClosedLoopSimulator

STEPS = 50


class Own(EgoDataset):
    """Has its own get_frame."""

    def get_frame(self, scene_index, state_index, track_id=None):
        return super().get_frame(scene_index, state_index, track_id=track_id)

    def get_scene_dataset(self, scene_index):
        scene = self.dataset.get_scene_dataset(scene_index)
        return Own(self.cfg, scene, self.rasterizer)


class Forward(torch.nn.Module):
    def forward(self, batch):
        count = len(batch["yaw"])
        ahead = torch.tensor([0.8, 0.01]).repeat(count, 1, 1)
        return {"positions": ahead, "yaws": torch.full((count, 1, 1), 0.01)}


def unrolled(dataset, **options):
    config = SimulationConfig(start_frame_index=10, num_simulation_steps=STEPS, **options)
    model = Forward()
    simulator = ClosedLoopSimulator(config, dataset, torch.device("cpu"), model, model)
    start = time.process_time()
    (made,) = simulator.unroll([0])
    taken = time.process_time() - start
    return STEPS / taken, made.simulated_ego.tobytes() + made.simulated_agents.tobytes()


def main(folder):
    torch.set_num_threads(1)
    config = load_config_data(f"{folder}/config.yaml")
    config["raster_params"].update(raster_size=[112, 112])
    config["model_params"].update(history_num_frames=10, future_num_frames=12)
    manager = LocalDataManager(folder)
    rows = ChunkedDataset(manager.require(config["sample_data_loader"]["key"])).open()
    rasterizer = build_rasterizer(config, manager)
    for name, options in {"ego": {"use_agents_gt": True}, "ego and agents": {}}.items():
        rates = {}
        for _ in range(3):
            for way in (EgoDataset, Own):
                rate, result = unrolled(way(config, rows, rasterizer), **options)
                best, known = rates.get(way, (0.0, result))
                if result != known or any(result != one for _, one in rates.values()):
                    sys.exit(f"{name}: results differ")
                rates[way] = max(best, rate), known
        new, old = rates[EgoDataset][0], rates[Own][0]
        print(
            f"{name}: {new:.1f} steps/s in the core, {old:.1f} from arrays: {new / old:.1f}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
