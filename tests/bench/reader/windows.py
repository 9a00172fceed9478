"""Windows compared with decoding the same chunks, both with bevscope and one thread.

Usage: windows.py ZARR

Windows of 21 frames whose agents are slices of one read per batch, and windows of 21 rows
of each track. They take turns (TURNS, default 5), in processor time; prints medians, and
the median of the turns' ratios.
"""

import os
import statistics
import sys
import time

import bevscope

TURNS = int(os.environ.get("TURNS", "5"))
WINDOW = {"past": 10, "future": 10}


def decode(path):
    """Reads all agents, a chunk at a time; returns their number."""
    agents = bevscope.open(path).agents
    step = agents.chunks[0]
    return sum(len(agents[at : at + step]) for at in range(0, len(agents), step))


def frame_windows(path):
    """Reads the agents of windows of frames; returns the number of windows."""
    dataset = bevscope.open(path)
    fields = ["agent_index_interval"]
    count = 0
    for batch in dataset.reader("frames", fields=fields, window=WINDOW, batch=1024):
        intervals = batch["agent_index_interval"]
        first, end = int(intervals[0, 0, 0]), int(intervals[-1, -1, 1])
        agents = dataset.agents[first:end]
        begins = (intervals[:, 0, 0] - first).tolist()
        ends = (intervals[:, -1, 1] - first).tolist()
        windows = [agents[begin:end] for begin, end in zip(begins, ends)]
        count += len(windows)
    return count


def track_windows(path):
    """Reads windows of every track; returns their number."""
    reader = bevscope.open(path).reader(
        "agents", fields=["centroid", "yaw"], window=WINDOW, batch=512
    )
    return sum(len(batch["yaw"]) for batch in reader)


def seconds_of(work, path):
    start = time.process_time()
    count = work(path)
    return time.process_time() - start, count


def main():
    works = (decode, frame_windows, track_windows)
    times = {work.__name__: [] for work in works}
    for turn in range(TURNS + 1):  # the first turn is not counted
        for work in works:
            seconds, count = seconds_of(work, sys.argv[1])
            if turn:
                times[work.__name__].append((seconds, count))
    for name, measured in times.items():
        median = statistics.median(seconds for seconds, _ in measured)
        ratio = statistics.median(
            a / b for (a, _), (b, _) in zip(measured, times["decode"])
        )
        print(f"{name:14s} {1e3 * median:7.1f} ms {ratio:5.2f}x {measured[0][1]:>10,}")


if __name__ == "__main__":
    main()
