"""Writes a mask into a data set by L5Kit, on a process per processor.

Usage: l5kit_mask.py ZARR
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "l5kit"))
import reference

if __name__ == "__main__":
    reference.prepare()
    from l5kit.data import ChunkedDataset
    from l5kit.dataset.select_agents import select_agents

    select_agents(ChunkedDataset(sys.argv[1]).open(), 0.5, 30.0, 1.1, 50.0)
