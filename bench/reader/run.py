"""bevscope's reader compared with DuckDB, petastorm and zarr-python in one process.

Usage: run.py ZARR FOLDER, where FOLDER has or gets the Parquet file of export.py, and
FOLDER-columns.zarr and FOLDER-split.zarr are or become columnar copies of ZARR, in chunks
of as many agents as a row group of the Parquet file has; the latter has one array per
element of a field, as Parquet has. bevscope reads ZARR and both copies.

One thread each. All find the same rows before anything is measured. They take turns
(TURNS, default 9), and processor time is measured, so that other load affects all
equally. Prints medians, and the median of the turns' ratios. Goals are those of the copy
with split vectors; a "*" marks results below their floor.
"""

import os
import pathlib
import statistics
import sys
import time

import numpy as np
import pyarrow.parquet as pq
from export import FILE, ROW_GROUP, export
from others import DuckDb, Petastorm, ZarrPython, one_thread  # before torch and bevscope
from ours import Ours

import bevscope

TURNS = int(os.environ.get("TURNS", "9"))
SIZE = 256
BATCHES = 960  # two row groups of the export: petastorm transposes whole groups
BELOW = []  # results below their floor


def seconds_of(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def exhaust(batches):
    for _ in batches:
        pass


def report(name, theirs, ours, goals=None):
    """Prints rates in millions a second, and bevscope's divided by the others'."""
    rates = [1e-6 / statistics.median(times) for times in (theirs, *ours.values())]
    ratios = [
        statistics.median(a / b for a, b in zip(theirs, times)) for times in ours.values()
    ]
    line = f"{name:44s}" + "".join(f" {rate:9.3f}" for rate in rates)
    line += "".join(f" {ratio:8.2f}x" for ratio in ratios)
    if goals:
        line += f"  floor {goals[0]}x, aim {goals[1]}x"
        if ratios[-1] < goals[0]:
            BELOW.append(name)
            line += " *"
    print(line, flush=True)


def check_filters(sides, folder):
    """Ends the program unless all find the rows that NumPy finds in the Parquet file."""
    table = pq.read_table(folder / FILE, columns=["row", "extent_x", "velocity_x"])
    row, length, speed = (column.to_numpy() for column in table.columns)
    expected = row[(length > 4.5) & (speed > 2)]
    for side in sides:
        name = type(side).__name__
        if side.count() != len(expected):
            sys.exit(f"{name}: count (found {side.count()}, expected {len(expected)})")
        if not np.array_equal(np.sort(side.rows()), expected):
            sys.exit(f"{name}: finds other rows")
    return len(row), len(expected)


def check_batches(petastorm, ours, folder):
    """Ends the program unless the fields of every item belong to one row."""
    table = pq.read_table(folder / FILE, columns=["centroid_x", "centroid_y", "yaw"])
    x, y, yaw = (column.to_numpy() for column in table.columns)
    for batches in (
        petastorm.batches(BATCHES, SIZE),
        petastorm.fast_batches(BATCHES, SIZE),
    ):
        rows = []
        for batch in batches:
            row = batch["row"].numpy()
            if (batch["centroid_x"].numpy() != x[row]).any():
                sys.exit("petastorm: a batch mixes rows")
            rows.append(row)
        check_rows("petastorm", np.concatenate(rows))
    rows = []
    for batch in ours.batches(BATCHES, SIZE):
        row, centroid = batch["row"], batch["centroid"]
        same = (centroid == np.stack([x[row], y[row]], 1)).all()
        if not same or (batch["yaw"] != yaw[row]).any():
            sys.exit("bevscope: a batch mixes rows")
        rows.append(row)
    check_rows("bevscope", np.concatenate(rows))


def check_rows(name, rows):
    if len(rows) != BATCHES * SIZE or len(np.unique(rows)) != len(rows):
        sys.exit(f"{name}: batches of the wrong size, or with repeated rows")
    if (np.diff(rows) == 1).mean() > 0.01:
        sys.exit(f"{name}: batches are not shuffled")


def measure(works, rows):
    """Returns seconds of processor time per row of each work, turn by turn."""
    times = {name: [] for name in works}
    for turn in range(TURNS + 1):  # the first turn is not counted
        for name, work in works.items():
            seconds = seconds_of(work) / rows
            if turn:
                times[name].append(seconds)
    return times


def main():
    source, folder = map(pathlib.Path, sys.argv[1:])
    one_thread()
    if not (folder / FILE).exists():
        export(source, folder)
    copied = folder.with_name(f"{folder.name}-columns.zarr")
    split = folder.with_name(f"{folder.name}-split.zarr")
    for copy, split_vectors in ((copied, False), (split, True)):
        if not copy.exists():
            bevscope.open(source).copy(
                copy,
                layout="columnar",
                split_vectors=split_vectors,
                chunks={"agents": ROW_GROUP},
            )
    duckdb, petastorm, zarr_python = DuckDb(folder), Petastorm(folder), ZarrPython(source)
    ours = {"records": Ours(source), "columns": Ours(copied), "split": Ours(split)}
    sides = {"DuckDB": duckdb, "petastorm": petastorm, "zarr-python": zarr_python}
    rows, found = check_filters([*sides.values(), *ours.values()], folder)
    for one in ours.values():
        check_batches(petastorm, one, folder)
    print(f"{found:,} of {rows:,} rows; millions of rows per second of processor time")
    heads = ["theirs", *ours, *["ratio"] * len(ours)]
    print(f"{'':44s}" + "".join(f" {head:>9s}" for head in heads))
    works = {name: side.count for name, side in (sides | ours).items()}
    times = measure(works, rows)
    for name, goals in (
        ("DuckDB", (0.7, 1.5)),
        ("petastorm", (20, 100)),
        ("zarr-python", (20, 50)),
    ):
        both = {one: times[one] for one in ours}
        report(f"filter on two fields, count: {name}", times[name], both, goals)
    works = {
        "DataLoader": lambda: exhaust(petastorm.batches(BATCHES, SIZE)),
        "BatchedDataLoader": lambda: exhaust(petastorm.fast_batches(BATCHES, SIZE)),
    }
    for one, reader in ours.items():
        works[one] = lambda reader=reader: exhaust(reader.batches(BATCHES, SIZE))
    times = measure(works, BATCHES * SIZE)
    name = "shuffled batches of 256: petastorm"
    both = {one: times[one] for one in ours}
    report(f"{name} DataLoader", times["DataLoader"], both, (50, 200))
    report(f"{name} Batched", times["BatchedDataLoader"], both)
    sys.exit(f"below the floor: {', '.join(BELOW)}" if BELOW else 0)


if __name__ == "__main__":
    main()
