"""Made-up Argoverse 2 scenarios: the schema of the data set, with content of our own."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

STEPS = 60


def track(name, kind, category, steps, x, y):
    """Returns the rows of a track that moves along x from (x, y)."""
    steps = np.asarray(steps)
    count = len(steps)
    return {
        "observed": steps < 50,
        "track_id": [name] * count,
        "object_type": [kind] * count,
        "object_category": np.full(count, category),
        "timestep": steps,
        "position_x": x + 0.1 * steps,
        "position_y": np.full(count, float(y)),
        "heading": np.full(count, 0.01 * category),
        "velocity_x": np.full(count, 1.0),
        "velocity_y": np.full(count, 0.0),
    }


def rows(seed=0, city="austin", id="s0"):
    """Returns the columns of a scenario: the ego vehicle and four tracks."""
    every = range(STEPS)
    tracks = [
        track("7", "vehicle", 3, every, 100 + seed, 5),
        track("8", "pedestrian", 2, range(20, STEPS), 20 + seed, -3),
        track("9", "cyclist", 1, range(10), 0, 9),
        track("rock", "static", 0, every, 10, 10),
        track("AV", "vehicle", 1, every, seed, 0),
    ]
    out = {
        name: np.concatenate([np.asarray(one[name]) for one in tracks])
        for name in tracks[0]
    }
    count = len(out["timestep"])
    start = 315_986_559_459_579_000
    out |= {
        "scenario_id": np.full(count, id),
        "start_timestamp": np.full(count, float(start)),
        "end_timestamp": np.full(count, float(start + (STEPS - 1) * 100_000_000)),
        "num_timestamps": np.full(count, STEPS),
        "focal_track_id": np.full(count, "7"),
        "city": np.full(count, city),
        "map_id": np.full(count, 5, np.uint64),
    }
    return out


def line(*points):
    return [dict(zip("xyz", point, strict=True)) for point in points]


def lane(id, x, y):
    """Returns a straight lane of 20 m along x."""
    return {
        "id": id,
        "is_intersection": False,
        "lane_type": "VEHICLE",
        "left_lane_boundary": line((x, y + 1.5, 0), (x + 20, y + 1.5, 0.25)),
        "right_lane_boundary": line((x, y - 1.5, 0), (x + 20, y - 1.5, 0.25)),
        "left_lane_mark_type": "NONE",
        "right_lane_mark_type": "SOLID_WHITE",
        "left_neighbor_id": None,
        "right_neighbor_id": None,
        "predecessors": [],
        "successors": [],
    }


def map_of(lanes):
    crossing = {
        "id": 90,
        "edge1": line((0, 0, 0), (0, 4, 0)),
        "edge2": line((2, 0, 0), (2, 4, 0)),
    }
    return {
        "drivable_areas": {},
        "lane_segments": {str(one["id"]): one for one in lanes},
        "pedestrian_crossings": {"90": crossing},
    }


def write(root, id="s0", columns=None, lanes=None, **options):
    """Writes a scenario's folder and returns it."""
    folder = root / id
    folder.mkdir(parents=True)
    table = pa.table(rows(id=id) if columns is None else columns)
    pq.write_table(table, folder / f"scenario_{id}.parquet", **options)
    text = json.dumps(map_of([lane(1, 0, 0)] if lanes is None else lanes))
    (folder / f"log_map_archive_{id}.json").write_text(text)
    return folder
