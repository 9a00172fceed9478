"""Reads copies of a data set with L5Kit itself, and compares them with the original.

Usage: L5KIT=DIR python with_l5kit.py read_copies.py ORIGINAL COPY...
"""

import sys

import numpy as np
from l5kit.data import ChunkedDataset, get_frames_slice_from_scenes

original, *copies = [ChunkedDataset(path).open() for path in sys.argv[1:]]
for copy in copies:
    for name in ("scenes", "frames", "agents", "tl_faces"):
        ours, theirs = getattr(copy, name)[:], getattr(original, name)[:]
        assert ours.dtype == theirs.dtype, name
        assert ours.tobytes() == theirs.tobytes(), name
    frames = get_frames_slice_from_scenes(copy.scenes[1])
    assert np.array_equal(copy.frames[frames], original.frames[frames])
    scene = copy.get_scene_dataset(1)
    assert len(scene.agents) == len(original.get_scene_dataset(1).agents)
print(len(copies))
