"""Reads a data set's agents in PyTorch's DataLoader with one worker and with two, in turns,
and prints the ratio of their times. Checks first that the batches are the same.

Usage: python bench/reader/workers.py DATASET [ROUNDS]
"""

import hashlib
import os
import statistics
import sys
import time

from torch.utils.data import DataLoader

import bevscope

FIELDS = ["centroid", "yaw"]
CASES = {
    "as stored, batches of 20,000": {"batch": 20_000},
    "as stored, batches of 256": {"batch": 256},
    "fast agents, batches of 4,096": {"batch": 4096, "where": "speed > 1"},
    "blocks permuted, batches of 256": {"batch": 256, "order": "blocks"},
}


def digest(path, options, workers):
    reader = bevscope.open(path).reader("agents", fields=FIELDS, **options)
    made = hashlib.sha256()
    for batch in DataLoader(reader.torch(), batch_size=None, num_workers=workers):
        for name in FIELDS:
            made.update(batch[name].numpy().tobytes())
    return made.hexdigest()


def seconds(path, options, workers):
    reader = bevscope.open(path).reader("agents", fields=FIELDS, **options)
    begin = time.perf_counter()
    for _ in DataLoader(reader.torch(), batch_size=None, num_workers=workers):
        pass
    return time.perf_counter() - begin


def main():
    path = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for name, options in CASES.items():
        assert digest(path, options, 1) == digest(path, options, 2), name
        ratios, alone = [], []
        for _ in range(rounds):
            alone.append(seconds(path, options, 1))
            ratios.append(alone[-1] / seconds(path, options, 2))
        print(
            f"{name:32s} 1 worker {statistics.median(alone):.3f} s, 2 workers: "
            f"ratio {statistics.median(ratios):.2f} (load {os.getloadavg()[0]:.1f})"
        )


if __name__ == "__main__":
    main()
