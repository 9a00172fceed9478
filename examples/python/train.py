"""Trains a small model on the ego vehicle's future: python train.py FOLDER [STEPS]."""

import sys

import torch
import yaml

import bevscope
from bevscope.torch import loader

root, steps = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
with open(f"{root}/config.yaml") as file:
    config = yaml.safe_load(file)
dataset = f"{root}/scenes/town.zarr"
samples = bevscope.Samples(dataset, config, root=root, image="u8")
channels, future = len(samples[0]["image"]), len(samples[0]["target_positions"])
model = torch.nn.Sequential(
    torch.nn.Conv2d(channels, 16, 7, stride=4),
    torch.nn.ReLU(),
    torch.nn.AdaptiveAvgPool2d(4),
    torch.nn.Flatten(),
    torch.nn.Linear(16 * 4 * 4, 2 * future),
)
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
for step, batch in enumerate(loader(samples, batch_size=8, shuffle=True, threads=2)):
    found = model(batch["image"].float() / 255).view(-1, future, 2)
    known = batch["target_availabilities"][..., None]
    loss = ((found - batch["target_positions"]).abs() * known).sum() / known.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step}: {loss.item():.2f} m")
    if step + 1 == steps:
        break
