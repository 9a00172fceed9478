"""What a patched data set answers, as tests/vectors/patched.json has it for all hosts.
`python patched_vectors_test.py GOLDENS` writes the file."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

import bevscope

VECTORS = Path(__file__).resolve().parents[2] / "vectors/patched.json"
SCENE = 1
STATE = 45
FRAMES = [0, 12, 24, 36, STATE]
#: Without headings of the ego vehicle, which hosts compute with their own atan2.
OF_FRAMES = [
    *("ego.translation", "ego.rotation", "agents.track_id", "agents.centroid"),
    *("agents.corners", "agents.yaw", "agents.extent", "agents.velocity", "agents.speed"),
    *("agents.label_probabilities", "agents.distance", "trails.points", "futures.points"),
    *("lights.state", "lights.status"),
]
OF_TIMELINE = ["seconds", "ego.speed", "ego.acceleration", "track.speed", "lights.state"]
OF_SAMPLES = [
    *("image", "target_positions", "target_availabilities", "history_positions"),
    *("history_extents", "history_availabilities", "centroid"),
]
OF_VECTORS = [
    *("target_positions", "history_positions", "all_other_agents_history_positions"),
    *("all_other_agents_future_positions", "agent_trajectory_polyline"),
    *("other_agents_polyline", "lanes_mid"),
]
CONFIG = {
    "model_params": {
        "history_num_frames": 3,
        "future_num_frames": 5,
        "step_time": 0.1,
        "render_ego_history": True,
    },
    "raster_params": {
        "raster_size": [64, 48],
        "pixel_size": [0.5, 0.5],
        "ego_center": [0.25, 0.5],
        "map_type": "box_debug",
        "set_origin_to_bottom": True,
        "filter_agents_threshold": 0.5,
        "disable_traffic_light_faces": False,
    },
}


def digest(values):
    """Hashes bytes; all NaNs are one."""
    values = np.array(values, order="C")
    if values.dtype.kind == "f":
        values[np.isnan(values)] = np.nan
    return hashlib.sha256(values.tobytes()).hexdigest()[:16]


def digests(arrays, names):
    return {name: digest(arrays[name]) for name in names}


def answers(goldens, vectors):
    """Returns what is compared of the patched data set."""
    inputs = goldens / "inputs"
    dataset = bevscope.open(inputs / "multi_scene.zarr").patched(vectors["patch"])
    track = vectors["track"]
    config = json.loads((goldens / "manifest.json").read_text())["configs"]["V1"]
    samples = bevscope.Samples(dataset, CONFIG)
    vectorized = bevscope.Samples(dataset, config, vectorized=True, root=inputs)
    facts = dataset.facts(slice(SCENE, SCENE + 1), compute=True)
    found = {
        f"frame {one}": digests(dataset.frame(SCENE, one, future=10), OF_FRAMES)
        for one in FRAMES
    }
    found["timeline"] = digests(dataset.timeline(SCENE, track), OF_TIMELINE)
    for table, columns in facts.items():
        found[table] = digests(
            columns, [name for name in columns if columns[name].dtype.kind in "fiub"]
        )
    found["ego"] = digests(samples.track(SCENE, STATE), OF_SAMPLES)
    found["agent"] = digests(samples.track(SCENE, STATE, track), OF_SAMPLES)
    found["vectors"] = digests(vectorized.track(SCENE, STATE), OF_VECTORS)
    return found


def test_answers_are_those_of_the_vectors(goldens):
    vectors = json.loads(VECTORS.read_text())
    assert answers(goldens, vectors) == vectors["answers"]


def patch_of(dataset):
    """Returns edits of each kind, and the first edited track."""
    scene = dataset.scene(SCENE)
    ids, counts = np.unique(scene["agents.track_id"], return_counts=True)
    moved, stopped, fast, removed = ids[np.argsort(-counts, kind="stable")][:4].tolist()
    x, y = np.round(dataset.frame(SCENE, 20)["ego.centroid"]).tolist()
    timeline = dataset.timeline(SCENE)
    end = int(timeline["faces.id.offsets"][1])
    face = bytes(timeline["faces.id"][:end]).decode()
    edits = [
        {"op": "move", "track": moved, "from": 20, "by": [1.5, -2], "turn": 0.25}
        | {"in": "track", "ease": 5},
        {"op": "stop", "track": stopped, "from": 15, "deceleration": 2},
        {"op": "retime", "track": fast, "from": 10, "to": 40, "factor": 1.5},
        {"op": "remove", "track": removed, "from": 30},
        {"op": "add", "track": 10**6, "from": 5, "label": "CAR", "extent": [4.5, 2, 1.5]}
        | {"path": [[5, x + 8, y + 4, 0.5], [55, x + 30, y + 10, 0.75]]},
        {"op": "move", "track": "ego", "from": 3, "by": [0.5, 1]},
        {"op": "light", "face": face, "state": "active", "from": 10},
    ]
    edits = [{"op": one.pop("op"), "scene": SCENE, **one} for one in edits]
    return {"format": "bevscope-patch", "version": 1, "edits": edits}, moved


def main(goldens):
    goldens = Path(goldens)
    patch, track = patch_of(bevscope.open(goldens / "inputs/multi_scene.zarr"))
    file = {
        "comment": "By tests/python/data/patched_vectors_test.py, on the goldens' "
        "multi_scene.zarr.",
        "config": CONFIG,
        "scene": SCENE,
        "state": STATE,
        "track": track,
        "patch": patch,
    }
    file["answers"] = answers(goldens, file)
    VECTORS.write_text(json.dumps(file, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
