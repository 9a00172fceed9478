"""A made-up data set with several chunks of agents, and outputs to compare."""

import hashlib
import json

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

#: Jobs on the made-up data set, with several tasks each.
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
}
