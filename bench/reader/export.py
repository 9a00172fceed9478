"""Writes the rows of `agents` as a Parquet file, with zarr-python, NumPy and pyarrow.

Columns: row, scene, frame (number in its scene), time (seconds since the scene's first
frame), timestamp, the fields of an agent with one column per element, and label (index
of the largest probability).

Usage: export.py ZARR FOLDER
"""

import os
import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import zarr

FILE = "agents.parquet"
#: DuckDB's default. Six zarr chunks; petastorm and DuckDB are slower with fewer rows.
ROW_GROUP = 122_880


def owners(begins, ends, rows, name):
    """Returns for each row the interval that contains it."""
    counts = ends - begins
    if counts.sum() != rows or (begins[1:] != ends[:-1]).any() or begins[0] != 0:
        sys.exit(f"{name}: intervals do not cover the rows in order")
    return np.repeat(np.arange(len(counts)), counts)


def frame_columns(group):
    """Returns scene, frame, time and timestamp of each frame."""
    frames, scenes = group["frames"][:], group["scenes"][:]
    begins, ends = scenes["frame_index_interval"].T
    scene = owners(begins, ends, len(frames), "scenes")
    stamps = frames["timestamp"]
    return {
        "scene": scene.astype(np.uint32),
        "frame": (np.arange(len(frames)) - begins[scene]).astype(np.uint32),
        "time": (stamps - stamps[begins[scene]]) / 1e9,
        "timestamp": stamps,
    }


def columns_of(group):
    """Returns the columns of the file as arrays."""
    agents = group["agents"][:]
    begins, ends = group["frames"][:]["agent_index_interval"].T
    frame = owners(begins, ends, len(agents), "frames")
    columns = {"row": np.arange(len(agents))}
    columns |= {name: of[frame] for name, of in frame_columns(group).items()}
    columns |= {"track_id": agents["track_id"], "yaw": agents["yaw"]}
    for name in ("centroid", "velocity", "extent"):
        for axis, values in zip("xyz", agents[name].T):
            columns[f"{name}_{axis}"] = values
    columns["label"] = agents["label_probabilities"].argmax(1).astype(np.uint8)
    return columns


def export(source, folder, row_group=ROW_GROUP):
    """Writes folder/agents.parquet; complete files are renamed. Returns the columns."""
    columns = columns_of(zarr.open(str(source), mode="r"))
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # Named so that petastorm, which reads all files of the folder, ignores it.
    part = folder / f".{FILE}"
    arrays = {name: np.ascontiguousarray(values) for name, values in columns.items()}
    pq.write_table(pa.table(arrays), part, row_group_size=row_group)
    os.replace(part, folder / FILE)
    return columns


if __name__ == "__main__":
    export(*sys.argv[1:])
