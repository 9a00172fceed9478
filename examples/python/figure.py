"""Draws a frame and its sample as a figure: python figure.py FOLDER FIGURE.pdf."""

import sys

import yaml
from matplotlib import pyplot

import bevscope

root, target = sys.argv[1:]
dataset = bevscope.open(f"{root}/scenes/town.zarr")
with open(f"{root}/config.yaml") as file:
    samples = bevscope.Samples(dataset, yaml.safe_load(file), root=root)
figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 5), layout="constrained")
frame, map_file = dataset.frame(0, 84, future=20), "semantic_map/semantic_map.pb"
bevscope.plot(frame, ax=left, map=f"{root}/{map_file}", radius=40)
bevscope.plot(samples[84], ax=right)
left.legend()
figure.savefig(target)
