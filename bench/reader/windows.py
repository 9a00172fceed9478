"""Windows compared with decoding the same chunks, both with bevscope and one thread.

Usage: windows.py ZARR

Windows of 21 frames, as offsets into one read of their agents per batch, and with a slice
for each; windows of 21 rows of each track, as views of the rows sorted by track, and as
copies. They take turns (TURNS, default 5), in processor time; prints medians, and the
median of the turns' ratios.
"""

import os
import statistics
import sys
import time

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

import bevscope

TURNS = int(os.environ.get("TURNS", "5"))
WINDOW = {"past": 10, "future": 10}


def decode(path):
    """Reads all agents, a chunk at a time; returns their number."""
    agents = bevscope.open(path).agents
    step = agents.chunks[0]
    return sum(len(agents[at : at + step]) for at in range(0, len(agents), step))


def frame_batches(path):
    """Yields the agents of a batch of windows of frames, and where each window begins and
    ends in them."""
    dataset = bevscope.open(path)
    name = "agent_index_interval"
    window = {**WINDOW, "fields_at": {-10: [name], 10: [name]}}
    for batch in dataset.reader("frames", window=window, batch=1024):
        begins, ends = batch[f"{name}@-10"][:, 0], batch[f"{name}@10"][:, 1]
        first = int(begins[0])
        yield dataset.agents[first : int(ends[-1])], begins - first, ends - first


def frame_windows(path):
    """Reads the agents of windows of frames; returns the number of windows."""
    return sum(len(begins) for _, begins, _ in frame_batches(path))


def frame_slices(path):
    """Does the same with an array per window."""
    count = 0
    for agents, begins, ends in frame_batches(path):
        bounds = zip(begins.tolist(), ends.tolist())
        count += len([agents[begin:end] for begin, end in bounds])
    return count


def track_windows(path):
    """Reads windows of every track as views; returns their number."""
    fields = ["centroid", "yaw", "track_id", "frame"]
    reader = bevscope.open(path).reader(
        "agents", fields=fields, order="tracks", batch={"by_block": True}
    )
    count = 0
    for batch in reader:
        track, frame = batch["track_id"], batch["frame"]
        if len(frame) < 21:
            continue
        windows = [
            sliding_window_view(batch[name], 21, axis=0) for name in ("centroid", "yaw")
        ]
        complete = (track[20:] == track[:-20]) & (frame[20:] - frame[:-20] == 20)
        starts = np.flatnonzero(complete)
        assert all(len(views) > starts[-1] for views in windows if len(starts))
        count += len(starts)
    return count


def track_copies(path):
    """Reads the same windows as arrays of their own."""
    reader = bevscope.open(path).reader(
        "agents", fields=["centroid", "yaw"], window=WINDOW, batch=512
    )
    return sum(len(batch["yaw"]) for batch in reader)


def seconds_of(work, path):
    start = time.process_time()
    count = work(path)
    return time.process_time() - start, count


def main():
    works = (decode, frame_windows, frame_slices, track_windows, track_copies)
    times = {work.__name__: [] for work in works}
    for turn in range(TURNS + 1):  # the first turn is not counted
        for work in works:
            seconds, count = seconds_of(work, sys.argv[1])
            if turn:
                times[work.__name__].append((seconds, count))
    counts = {name: measured[0][1] for name, measured in times.items()}
    assert counts["frame_windows"] == counts["frame_slices"]
    assert counts["track_windows"] == counts["track_copies"]
    for name, measured in times.items():
        median = statistics.median(seconds for seconds, _ in measured)
        ratio = statistics.median(
            a / b for (a, _), (b, _) in zip(measured, times["decode"])
        )
        print(f"{name:14s} {1e3 * median:7.1f} ms {ratio:5.2f}x {counts[name]:>10,}")


if __name__ == "__main__":
    main()
