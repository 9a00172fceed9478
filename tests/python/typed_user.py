"""A user's script, which mypy --strict accepts: prints facts about a data set.

Usage: python typed_user.py DATA_SET
"""

import sys
import tempfile
from typing import Any

import numpy as np
import numpy.typing as npt

import bevscope
from bevscope.arrow import Table
from bevscope.torch import loader
from bevscope.types import Sample


def fastest(dataset: bevscope.Dataset) -> float:
    """Returns the highest speed of an agent, in m/s."""
    highest = 0.0
    for block in dataset.agents.blocks(rows=1000):
        speeds: npt.NDArray[np.float32] = np.hypot(*block["velocity"].T)
        highest = max(highest, float(speeds.max()))
    return highest


def corners(dataset: bevscope.Dataset, scene: int, frame: int) -> tuple[int, ...]:
    """Returns the shape of the corners of a frame's agents."""
    found: npt.NDArray[np.float64] = dataset.frame(scene, frame)["agents.corners"]
    return found.shape


def reach(samples: bevscope.Samples) -> float:
    """Returns how far the last targets are from the agent of the first item, in m."""
    sample: Sample = samples[0]
    target: npt.NDArray[np.float32] = sample["target_positions"]
    return float(np.hypot(*target[-1]))


def turns(dataset: bevscope.Dataset) -> list[str]:
    """Returns the scenes' turns."""
    found: list[str] = dataset.facts()["scenes"]["turn"].tolist()
    return found


def epochs(samples: bevscope.Samples, count: int) -> int:
    """Returns the number of samples of some epochs."""
    batches = loader(samples, 8, shuffle=True, seed=1, threads=2)
    return sum(len(batch["timestamp"]) for _ in range(count) for batch in batches)


def saved(folder: str, speeds: npt.NDArray[np.float32]) -> int:
    """Saves an array and returns its number of rows."""
    config = bevscope.DataConfig("speeds", {"speed": "f4"}, compressor="zstd")
    with bevscope.DataSaver(config, f"{folder}/speeds.zarr") as saver:
        saver.save({"speed": speeds})
    loader = bevscope.DataLoader(f"{folder}/speeds.zarr")
    last: npt.NDArray[Any] = loader[-1]["speed"]
    assert last == speeds[-1]
    listed: list[bevscope.SavedDataset] = bevscope.list_datasets(folder)
    return sum(one.rows for one in listed)


def main(path: str) -> None:
    try:
        dataset = bevscope.open(path)
    except bevscope.ReadError as error:
        sys.exit(f"{error.code} {error.url} {error.key}: {error}")
    counts: dict[str, int] = {name: len(one) for name, one in dataset.arrays.items()}
    table = Table(dataset.columns("agents", ["centroid", "yaw"], slice(0, 100)))
    with tempfile.TemporaryDirectory() as folder:
        print(saved(folder, np.ones(7, np.float32)), "rows saved")
    print(counts, fastest(dataset), corners(dataset, 0, 3), len(table), turns(dataset))


if __name__ == "__main__":
    main(sys.argv[1])
