"""Trains a small planner as L5Kit's example does: EgoDataset, DataLoader, 50 steps.

Usage: python train.py FOLDER: prints the losses as JSON. FOLDER has config.yaml and data.
"""

import json
import sys

import torch
from l5kit.configs import load_config_data
from l5kit.data import ChunkedDataset, LocalDataManager
from l5kit.dataset import EgoDataset
from l5kit.rasterization import build_rasterizer
from torch.utils.data import DataLoader

STEPS = 50


class Planner(torch.nn.Module):
    """Predicts positions and yaws of the ego vehicle from an image."""

    def __init__(self, channels, steps):
        super().__init__()
        self.features = torch.nn.Sequential(
            torch.nn.Conv2d(channels, 8, 7, stride=4),
            torch.nn.ReLU(),
            torch.nn.Conv2d(8, 16, 5, stride=4),
            torch.nn.ReLU(),
            torch.nn.AdaptiveAvgPool2d(4),
            torch.nn.Flatten(),
            torch.nn.Linear(16 * 4 * 4, steps * 3),
        )

    def forward(self, batch):
        made = self.features(batch["image"]).reshape(len(batch["image"]), -1, 3)
        wanted = torch.cat((batch["target_positions"], batch["target_yaws"]), dim=2)
        weights = batch["target_availabilities"].unsqueeze(2)
        return (weights * (made - wanted) ** 2).mean()


def main(folder):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    config = load_config_data(f"{folder}/config.yaml")
    manager = LocalDataManager(folder)
    path = manager.require(config["sample_data_loader"]["key"])
    dataset = EgoDataset(
        config, ChunkedDataset(path).open(), build_rasterizer(config, manager)
    )
    loader = DataLoader(dataset, shuffle=True, batch_size=4, num_workers=0)
    channels = dataset.rasterizer.num_channels()
    model = Planner(channels, config["model_params"]["future_num_frames"])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    batches, losses = iter(loader), []
    for _ in range(STEPS):
        try:
            batch = next(batches)
        except StopIteration:
            batches = iter(loader)
            batch = next(batches)
        loss = model(batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(json.dumps(losses))


if __name__ == "__main__":
    main(sys.argv[1])
