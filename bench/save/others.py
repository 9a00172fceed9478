"""Saving and loading MNIST-like arrays with bevscope and matorage 0.3.0 in one process.

Usage: others.py FOLDER

Both save the same 20,000 images and labels in batches of 256 to a folder, and are read
back and compared first. They take turns (TURNS, default 5); prints medians of elapsed and
processor time, the median of the turns' ratios of the latter, which other load does not
affect, and the number and sizes of the objects.
"""

import json
import logging
import os
import shutil
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import tables
from matorage import DataConfig, DataSaver

import bevscope

logging.disable(logging.INFO)  # matorage's
TURNS = int(os.environ.get("TURNS", "5"))
ROWS, BATCH, LIMIT = 20_000, 256, 2 << 20
GOAL = 5


def digits():
    draw = np.random.default_rng(1)
    image = np.zeros((ROWS, 784), "u1")
    noise = draw.integers(0, 256, (ROWS, 480), dtype="u1")
    image[:, 150:630] = noise * (draw.integers(0, 3, noise.shape) == 0)
    return image.reshape(ROWS, 28, 28), draw.integers(0, 10, (ROWS, 1))


def batches(images, labels):
    for begin in range(0, ROWS, BATCH):
        yield {
            "image": images[begin : begin + BATCH],
            "target": labels[begin : begin + BATCH],
        }


class Ours:
    name = "bevscope"

    def save(self, folder, images, labels):
        schema = {"image": ("u1", (28, 28)), "target": ("i8", (1,))}
        config = bevscope.DataConfig("digits", schema, max_object_size=LIMIT)
        with bevscope.DataSaver(config, folder / "digits.zarr") as saver:
            for batch in batches(images, labels):
                saver.save(batch)

    def load(self, folder):
        found = bevscope.DataLoader(folder / "digits.zarr")[:]
        return found["image"], found["target"]

    def objects(self, folder):
        return [path for path in folder.rglob("*") if path.is_file()]


class Theirs:
    name = "matorage"

    def save(self, folder, images, labels):
        config = DataConfig(
            endpoint=str(folder),
            dataset_name="digits",
            attributes=[("image", "uint8", (28, 28)), ("target", "int64", (1,))],
            compressor={"complevel": 5, "complib": "blosc"},
            max_object_size=LIMIT,
        )
        saver = DataSaver(config=config)
        for batch in batches(images, labels):
            saver(dict(batch))
        saver.disconnect()

    def load(self, folder):
        """Returns the rows of the files in the order that the metadata has."""
        metadata = next(folder.rglob("metadata/*"))
        index = json.loads(metadata.read_text())["indexer"]
        parts = []
        for key in sorted(index, key=int):
            with tables.open_file(str(metadata.parents[1] / index[key]["name"])) as file:
                parts.append((file.root.image[:], file.root.target[:]))
        images, labels = (np.concatenate(column) for column in zip(*parts))
        return images.reshape(-1, 28, 28), labels

    def objects(self, folder):
        return [path for path in folder.rglob("*") if path.is_file()]


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def seconds_of(side, folder, images, labels):
    """Returns elapsed and processor time."""
    fresh(folder)
    start = time.perf_counter(), time.process_time()
    side.save(folder, images, labels)
    return time.perf_counter() - start[0], time.process_time() - start[1]


def main(folder):
    images, labels = digits()
    sides = [Ours(), Theirs()]
    for side in sides:
        side.save(fresh(folder / side.name), images, labels)
        found = side.load(folder / side.name)
        for got, expected in zip(found, (images, labels)):
            if not np.array_equal(got, expected):
                sys.exit(f"{side.name}: other rows than were saved")
        sizes = [path.stat().st_size for path in side.objects(folder / side.name)]
        above = sum(size > LIMIT for size in sizes)
        print(
            f"{side.name}: {len(sizes)} objects, {sum(sizes) / 1e6:.1f} MB, largest "
            f"{max(sizes)} bytes; {above} above the limit of {LIMIT}"
        )
    times = {side.name: [] for side in sides}
    for _ in range(TURNS):
        for side in sides:
            times[side.name].append(seconds_of(side, folder / side.name, images, labels))
    for name, measured in times.items():
        elapsed, used = (statistics.median(column) for column in zip(*measured))
        print(f"{name}: {elapsed:.3f} s, {used:.3f} s of processor time")
    pairs = zip(times["matorage"], times["bevscope"])
    ratio = statistics.median(theirs[1] / ours[1] for theirs, ours in pairs)
    print(f"matorage / bevscope: {ratio:.1f} (goal {GOAL}){'' if ratio >= GOAL else ' *'}")
    shutil.rmtree(folder)
    return ratio < GOAL


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
