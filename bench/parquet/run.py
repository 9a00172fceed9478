"""Shuffled rows of a Parquet file with bevscope and with petastorm, in one process.

Usage: run.py ZARR FOLDER, where FOLDER has or gets the Parquet file of
bench/reader/export.py. Both read that file: batches of 256 rows, three fields, shuffled,
by petastorm's DataLoader and BatchedDataLoader, and by bevscope's reader in the orders
"blocks" and "full"; and the rows that pass a filter on two fields.

One thread each. The fields of every row are checked before anything is measured. They take
turns (TURNS, default 5), and processor time is measured, so that other load affects all
equally. Prints medians in millions of rows a second, and the median of the turns' ratios.
"""

import os
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "reader"))

import numpy as np
import pyarrow.parquet as pq
from export import FILE, export
from others import Petastorm, one_thread  # before torch and bevscope

import bevscope

TURNS = int(os.environ.get("TURNS", "5"))
SIZE = 256
BATCHES = 3840  # eight row groups of the export: bevscope permutes eight together
FIELDS = ["row", "centroid_x", "yaw"]
WHERE = "extent_x > 4.5 and velocity_x > 2"


class Ours:
    """Opens the file for each question, so that no chunk is in memory before."""

    def __init__(self, folder, order):
        self.path, self.order = folder / FILE, order

    def batches(self, count, size):
        dataset = bevscope.open(self.path)
        reader = dataset.reader(fields=FIELDS, order=self.order, seed=1, batch=size)
        for _, batch in zip(range(count), reader):
            yield batch

    def count(self):
        return bevscope.open(self.path).reader(where=WHERE, fields=["row"]).count()


def check(name, batches, columns):
    """Ends the program unless batches have fields of the same rows, each row once, and
    not in the file's order."""
    seen = []
    for batch in batches:
        row, x, yaw = (np.asarray(batch[one]) for one in FIELDS)
        if (x != columns["centroid_x"][row]).any() or (yaw != columns["yaw"][row]).any():
            sys.exit(f"{name}: a batch mixes rows")
        seen.append(row)
    rows = np.concatenate(seen)
    if len(rows) != BATCHES * SIZE or len(np.unique(rows)) != len(rows):
        sys.exit(f"{name}: batches of the wrong size, or with repeated rows")
    if (np.diff(rows) == 1).mean() > 0.01:
        sys.exit(f"{name}: batches are not shuffled")


def measured(works, rows):
    """Returns seconds of processor time per row of each work, turn by turn."""
    times = {name: [] for name in works}
    for turn in range(TURNS + 1):  # the first turn is not counted
        for name, work in works.items():
            begin = time.process_time()
            work()
            if turn:
                times[name].append((time.process_time() - begin) / rows)
    return times


def report(title, times, theirs):
    for name, own in times.items():
        rate = 1e-6 / statistics.median(own)
        pairs = zip(times[theirs], own)
        ratio = statistics.median(other / mine for other, mine in pairs)
        print(f"{title}: {name:28s} {rate:8.3f} {ratio:8.2f}x", flush=True)


def exhaust(batches):
    for _ in batches:
        pass


def main():
    source, folder = map(pathlib.Path, sys.argv[1:])
    one_thread()
    if not (folder / FILE).exists():
        export(source, folder)
    names = [*FIELDS, "extent_x", "velocity_x"]
    table = pq.read_table(folder / FILE, columns=names)
    columns = {name: table[name].to_numpy() for name in names}
    theirs = Petastorm(folder)
    ours = {order: Ours(folder, order) for order in ("blocks", "full")}
    check("petastorm DataLoader", theirs.batches(BATCHES, SIZE), columns)
    check("petastorm BatchedDataLoader", theirs.fast_batches(BATCHES, SIZE), columns)
    for order, one in ours.items():
        check(f"bevscope {order}", one.batches(BATCHES, SIZE), columns)
    passing = (columns["extent_x"] > 4.5) & (columns["velocity_x"] > 2)
    for name, side in (("petastorm", theirs), ("bevscope", ours["blocks"])):
        if (count := side.count()) != np.count_nonzero(passing):
            sys.exit(f"{name}: finds {count} rows")
    works = {
        "petastorm DataLoader": lambda: exhaust(theirs.batches(BATCHES, SIZE)),
        "petastorm BatchedDataLoader": lambda: exhaust(theirs.fast_batches(BATCHES, SIZE)),
    }
    for order, one in ours.items():
        works[f"bevscope {order}"] = lambda one=one: exhaust(one.batches(BATCHES, SIZE))
    times = measured(works, BATCHES * SIZE)
    report("shuffled batches of 256", times, "petastorm DataLoader")
    works = {"petastorm": theirs.count, "bevscope": ours["blocks"].count}
    report("filter on two fields", measured(works, len(passing)), "petastorm")


if __name__ == "__main__":
    main()
