"""Steps per second of closed loops: scenes in the core beside scenes as arrays.

Usage: unroll.py TOWN: the folder of the synthetic data set. `arrays` is of a data set with
code of its own, whose samples are built from arrays, one at a time; `simulate` is
bevscope.simulate; with L5KIT, its own loop, too. Processor time; models cost nothing. Fails
if results differ.
"""

import os
import sys
import time
from pathlib import Path

import numpy as np
import torch

import bevscope
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


def simulated(folder, config, **options):
    """The same by bevscope.simulate."""

    def forward(arrays):
        count = len(arrays["yaw"])
        ahead = np.tile(np.float32([0.8, 0.01]), (count, 1, 1))
        return {"positions": ahead, "yaws": np.full((count, 1), 0.01, np.float32)}

    dataset = bevscope.open(f"{folder}/{config['sample_data_loader']['key']}")
    start = time.process_time()
    (made,) = bevscope.simulate(
        dataset,
        predict=forward,
        config=config,
        scenes=[0],
        start=10,
        steps=STEPS,
        agents="log" if options else "model",
        image="f32",
        root=folder,
    )
    return STEPS / (time.process_time() - start), made.ego["x"]


def of_l5kit(folder, config, **options):
    """The same by L5Kit itself."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests/python/l5kit"))
    import with_l5kit  # noqa: F401
    from l5kit.data import ChunkedDataset, LocalDataManager
    from l5kit.dataset import EgoDataset
    from l5kit.rasterization import build_rasterizer
    from l5kit.simulation.dataset import SimulationConfig
    from l5kit.simulation.unroll import ClosedLoopSimulator

    manager = LocalDataManager(folder)
    rows = ChunkedDataset(manager.require(config["sample_data_loader"]["key"])).open()
    rasterizer = build_rasterizer(config, manager)
    # The messages of maps cannot be copied.
    type(rasterizer).__deepcopy__ = lambda self, _: self
    chosen = SimulationConfig(start_frame_index=10, num_simulation_steps=STEPS, **options)
    model, device = Forward(), torch.device("cpu")
    dataset = EgoDataset(config, rows, rasterizer)
    simulator = ClosedLoopSimulator(chosen, dataset, device, model, model)
    start = time.process_time()
    (made,) = simulator.unroll([0])
    rate = STEPS / (time.process_time() - start)
    return rate, made.simulated_ego["ego_translation"][:, 0]


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
        found = {"the core": rates[EgoDataset][0], "arrays": rates[Own][0]}
        found["simulate"], places = simulated(folder, config, **options)
        if "L5KIT" in os.environ:
            found["L5Kit"], wanted = of_l5kit(folder, config, **options)
            if not np.allclose(places, wanted, atol=1e-9, rtol=0):
                sys.exit(f"{name}: results differ from L5Kit's")
        rest = ", ".join(f"{way} {rate:.1f}" for way, rate in found.items())
        print(f"{name}: steps/s: {rest}")


if __name__ == "__main__":
    main(*sys.argv[1:])
