"""Made-up data for all jobs of batch work, and outputs to compare."""

import hashlib
import json
import os
import sys
from pathlib import Path

import numpy as np

from bevscope.l5kit.data import AGENT_DTYPE, FRAME_DTYPE, SCENE_DTYPE, TL_FACE_DTYPE

#: Scenes, frames of each, agents of each frame: five chunks of a mask, four of agents.
SHAPE = (6, 31, 240)


def _put(root, name, rows, chunk):
    folder = root / name
    folder.mkdir()
    meta = {
        "chunks": [chunk],
        "compressor": None,
        "dtype": rows.dtype.descr,
        "fill_value": None,
        "filters": None,
        "order": "C",
        "shape": [len(rows)],
        "zarr_format": 2,
    }
    (folder / ".zarray").write_text(json.dumps(meta))
    for begin in range(0, len(rows), chunk):
        whole = np.zeros(chunk, rows.dtype)
        part = rows[begin : begin + chunk]
        whole[: len(part)] = part
        (folder / str(begin // chunk)).write_bytes(whole.tobytes())


def make(root, shape=SHAPE):
    """Writes the data set to a folder that does not exist, and returns its path."""
    scenes, frames, agents = shape
    root.mkdir()
    (root / ".zgroup").write_text('{"zarr_format": 2}')
    (root / ".zattrs").write_text(json.dumps({"labels": []}))
    random = np.random.default_rng(7)
    scene = np.zeros(scenes, SCENE_DTYPE)
    for i in range(scenes):
        scene[i]["frame_index_interval"] = (i * frames, (i + 1) * frames)
        scene[i]["start_time"], scene[i]["end_time"] = i * 10**10, (i + 1) * 10**10
    frame = np.zeros(scenes * frames, FRAME_DTYPE)
    count = len(frame)
    frame["timestamp"] = np.arange(count) * 10**8
    frame["agent_index_interval"][:, 0] = np.arange(count) * agents
    frame["agent_index_interval"][:, 1] = (np.arange(count) + 1) * agents
    frame["ego_rotation"] = np.eye(3)
    agent = np.zeros(count * agents, AGENT_DTYPE)
    agent["track_id"] = np.tile(np.arange(1, agents + 1), count)
    agent["centroid"] = random.normal(0, 30, (len(agent), 2))
    agent["extent"] = (4, 2, 1.5)
    agent["yaw"] = random.normal(0, 0.2, len(agent))
    agent["velocity"] = random.normal(0, 5, (len(agent), 2))
    agent["label_probabilities"][:, 3] = random.uniform(0.3, 1, len(agent))
    _put(root, "scenes", scene, 10_000)
    _put(root, "frames", frame, 10_000)
    _put(root, "agents", agent, 12_000)
    _put(root, "traffic_light_faces", np.zeros(0, TL_FACE_DTYPE), 10_000)
    return root


def make_csv(root, agents=60, steps=4, modes=3):
    """Writes L5Kit's files of ground truth and predictions, with the agents in different
    orders, and returns their paths."""
    from bevscope.l5kit.evaluation import write_gt_csv, write_pred_csv

    random = np.random.default_rng(11)
    stamps, ids = 1000 + np.arange(agents) // 7, np.arange(agents) % 7
    truths = random.normal(0, 5, (agents, steps, 2))
    available = random.integers(0, 2, (agents, steps)).astype(float)
    paths = truths[:, None] + random.normal(0, 1, (agents, modes, steps, 2))
    confidences = np.full((agents, modes), 1 / modes)
    root.mkdir()
    files = [root / "gt.csv", root / "pred.csv"]
    write_gt_csv(str(files[0]), stamps, ids, truths, available)
    order = random.permutation(agents)
    write_pred_csv(
        str(files[1]), stamps[order], ids[order], paths[order], confidences[order], modes
    )
    return files


def make_waymo(root, scenarios=5):
    """Writes a folder of Waymo's scenarios, two in a file."""
    sys.path.insert(0, str(Path(__file__).parent / "interop"))
    import waymo_files

    made = [waymo_files.scenario(f"s{i}", 100.0 * i) for i in range(scenarios)]
    for begin in range(0, scenarios, 2):
        waymo_files.write(root / f"{begin}.tfrecord", *made[begin : begin + 2])
    return root


def make_argoverse2(root, scenarios=5):
    """Writes folders of Argoverse 2's scenarios. Needs pyarrow."""
    sys.path.insert(0, str(Path(__file__).parent / "interop"))
    import argoverse2_files

    for number in range(scenarios):
        table = argoverse2_files.rows(number, id=f"s{number}")
        argoverse2_files.write(root, f"s{number}", table)
    return root


def make_numbers(root):
    """Writes a store with an array of special numbers; returns its path and rows."""
    largest = 2**63 - 1
    random = np.random.default_rng(3)
    dtype = [("row", "<i4"), ("f8", "<f8"), ("f4", "<f4"), ("i8", "<i8"), ("u8", "<u8")]
    rows = np.zeros(500, [*dtype, ("i1", "|i1"), ("flag", "|b1")])
    rows["row"] = np.arange(len(rows))
    floats = [np.nan, np.inf, -np.inf, 0.0, -0.0, 0.1, 1.5, -2.0, 1e300, 2.0**53]
    rows["f8"] = random.choice(floats, len(rows))
    rows["f4"] = random.choice([*floats[:8], np.float32(0.1)], len(rows))
    integers = np.array([0, 1, -1, 2**53, 2**53 + 1, largest, -largest], np.int64)
    rows["i8"] = random.choice(integers, len(rows))
    rows["u8"] = random.choice(integers[integers >= 0], len(rows))
    rows["i1"] = random.integers(-128, 128, len(rows))
    rows["flag"] = random.integers(0, 2, len(rows))
    root.mkdir()
    (root / ".zgroup").write_text('{"zarr_format": 2}')
    _put(root, "numbers", rows, 64)
    # Which arrays there are, besides those of a data set.
    documents = {
        name: json.loads((root / name).read_text())
        for name in (".zgroup", "numbers/.zarray")
    }
    consolidated = {"metadata": documents, "zarr_consolidated_format": 1}
    (root / ".zmetadata").write_text(json.dumps(consolidated))
    return root, rows


def table_of(rows):
    """Returns rows as an Arrow table."""
    import pyarrow as pa

    return pa.table({name: rows[name] for name in rows.dtype.names})


def compared_values(rows):
    """Returns values to compare each field with: its own, and others."""
    more = [0, 1, -1, 0.1, 1.5, -2.5, 2**53 + 1, float("nan"), float("inf"), float("-inf")]
    return {
        name: [*{one.item() for one in np.unique(rows[name][:50])}, *more]
        for name in ("f8", "f4", "i8", "u8", "i1")
    } | {"flag": [True, False]}


def make_large(root, scenes=16_000, frames=250, agents=80):
    """Writes a data set of L5Kit's size, 320 million agents: every scene has the same
    agents, in a chunk of its own, and so all chunks of agents are one file with many
    names. Returns its path."""
    from bevscope import _core

    def put(name, dtype, count, chunk, rows_of):
        folder = root / name
        folder.mkdir()
        meta = {
            "chunks": [chunk],
            "compressor": {
                "id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0
            },
            "dtype": np.dtype(dtype).descr,
            "fill_value": None,
            "filters": None,
            "order": "C",
            "shape": [count],
            "zarr_format": 2,
        }  # fmt: skip
        (folder / ".zarray").write_text(json.dumps(meta))
        for begin in range(0, count, chunk):
            rows = rows_of(np.arange(begin, min(begin + chunk, count)))
            if rows is None:
                os.link(folder / "0", folder / str(begin // chunk))
                continue
            content = _core.encode_chunk(json.dumps(meta), rows.view(np.uint8))
            (folder / str(begin // chunk)).write_bytes(content)

    def scenes_of(at):
        rows = np.zeros(len(at), SCENE_DTYPE)
        rows["frame_index_interval"] = np.stack([at * frames, (at + 1) * frames], 1)
        return rows

    def frames_of(at):
        rows = np.zeros(len(at), FRAME_DTYPE)
        rows["timestamp"] = at * 10**8
        rows["agent_index_interval"] = np.stack([at * agents, (at + 1) * agents], 1)
        rows["ego_rotation"] = np.eye(3)
        return rows

    def agents_of(at):
        if at[0] > 0:
            return None
        random = np.random.default_rng(5)
        rows = np.zeros(len(at), AGENT_DTYPE)
        rows["track_id"] = 1 + at % agents
        rows["centroid"] = random.normal(0, 20, (len(at), 2))
        rows["extent"] = (4, 2, 1.5)
        rows["label_probabilities"][:, 3] = random.uniform(0.4, 1, len(at))
        return rows

    root.mkdir()
    (root / ".zgroup").write_text('{"zarr_format": 2}')
    (root / ".zattrs").write_text(json.dumps({"labels": []}))
    count = scenes * frames
    put("scenes", SCENE_DTYPE, scenes, 10_000, scenes_of)
    put("frames", FRAME_DTYPE, count, 10_000, frames_of)
    put("agents", AGENT_DTYPE, count * agents, frames * agents, agents_of)
    put("traffic_light_faces", TL_FACE_DTYPE, 0, 10_000, scenes_of)
    return root


class Sources:
    """What the jobs read, written when it is first asked for."""

    MAKERS = {"metrics": make_csv, "waymo": make_waymo, "argoverse2": make_argoverse2}

    def __init__(self, root):
        self.root, self.made = root, {}

    def of(self, job):
        """Returns the source of a job."""
        name = job["job"] if job["job"] in self.MAKERS else "made.zarr"
        if name not in self.made:
            self.made[name] = self.MAKERS.get(name, make)(self.root / name)
        return self.made[name]


def contents(folder):
    """Returns the hash of each file below a folder, by name."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


CONFIG = {
    "format_version": 4,
    "model_params": {
        "history_num_frames": 3,
        "future_num_frames": 5,
        "step_time": 0.1,
        "render_ego_history": True,
    },
    "raster_params": {
        "raster_size": [32, 32],
        "pixel_size": [0.5, 0.5],
        "ego_center": [0.25, 0.5],
        "map_type": "box_debug",
        "filter_agents_threshold": 0.5,
        "disable_traffic_light_faces": False,
        "set_origin_to_bottom": True,
    },
}

#: Jobs with several tasks each, which need no further package.
JOBS = {
    "mask": {"job": "mask", "threshold": 0.5, "chunks": 1},
    "statistics": {"job": "statistics", "chunks": 1},
    "samples": {
        "job": "samples",
        "config": CONFIG,
        "rows": 8,
        "chunks": 2,
        "end": 70,
    },
    "webdataset": {
        "job": "samples",
        "config": CONFIG,
        "rows": 8,
        "chunks": 2,
        "end": 40,
        "format": "webdataset",
    },
    "copy": {"job": "copy", "scenes": 2, "layout": "columnar"},
    "facts": {"job": "facts", "scenes": 2, "format": "npy"},
    "metrics": {"job": "metrics", "shares": 3},
    "waymo": {"job": "waymo", "scenarios": 2},
}

#: Jobs that need pyarrow.
ARROW_JOBS = {
    "argoverse2": {"job": "argoverse2", "scenarios": 2},
    "parquet": {"job": "parquet", "chunks": 1, "fields": ["track_id", "centroid"]},
    "facts in Parquet": {"job": "facts", "scenes": 2},
}
