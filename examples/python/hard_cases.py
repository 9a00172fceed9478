"""Lists the tracks that come closest to a collision: python hard_cases.py DATASET."""

import sys

import numpy as np

import bevscope

tracks = bevscope.open(sys.argv[1]).facts()["tracks"]
for row in np.argsort(tracks["min_ttc"])[:10]:  # NaN, unknown, comes last
    scene, frame = tracks["scene"][row], tracks["min_ttc_frame"][row]
    label, seconds = tracks["label"][row], tracks["min_ttc"][row]
    print(f"scene {scene}, frame {frame}: {label} {seconds:.1f} s before a collision")
