"""Copies the scene with the hardest braking: python export.py DATASET TARGET.zarr.zip."""

import sys

import numpy as np

import bevscope

source, target = sys.argv[1:]
dataset = bevscope.open(source)
braking = dataset.facts()["scenes"]["ego_hardest_brake"]
scene = int(np.nanargmin(braking))
dataset.copy(target, scenes=scene, layout="viewing", codec="zstd")
print(f"scene {scene}: {braking[scene]:.1f} m/s²")
