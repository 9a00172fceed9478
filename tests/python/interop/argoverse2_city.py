"""A made-up city of Argoverse 2 scenarios, whose sizes are those of the published ones:
some 58 tracks, 2,400 rows and 70 lanes each, with lanes that scenarios share."""

import functools
import json
import os

import argoverse2_files as files
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

STEPS = 110
BLOCK = 60.0  # metres between streets
STREETS = 16  # in each direction
REACH = 120.0  # metres around a scenario's centre in which lanes are in its map
KINDS = ["vehicle"] * 31 + ["pedestrian"] * 12 + ["static"] * 8
KINDS += ["riderless_bicycle"] * 4 + ["background"] * 2


def _line(begin, end, offset, count=6):
    """Returns points at whole centimetres along a street, `offset` to its left."""
    begin, end = np.array(begin), np.array(end)
    along = (end - begin) / np.linalg.norm(end - begin)
    points = begin + np.linspace(0, 1, count)[:, None] * (end - begin)
    points = np.round(points + offset * np.array([-along[1], along[0]]), 2).tolist()
    return files.line(*((x, y, 20.25) for x, y in points))


@functools.cache
def lanes():
    """Returns the city's lanes by id, with their middles: both directions of the blocks of
    all streets."""
    out = {}
    for street in range(STREETS):
        for block in range(STREETS - 1):
            for axis in (0, 1):
                begin, end = np.array([block, street]), np.array([block + 1, street])
                ends = np.array([begin, end])[:, :: 1 - 2 * axis] * BLOCK
                for way in (ends, ends[::-1]):
                    id = 100_000 + len(out)
                    one = files.lane(id, 0, 0) | {
                        "left_lane_boundary": _line(*way, 0.0),
                        "right_lane_boundary": _line(*way, -3.5),
                        "left_lane_mark_type": "DOUBLE_SOLID_YELLOW",
                        "centerline": _line(*way, -1.75, 10),
                        "successors": [id + 2],
                        "predecessors": [id - 2],
                    }
                    out[id] = one, way.mean(axis=0)
    return out


def map_around(centre):
    """Returns the map of a scenario: the lanes, and an area of 250 points."""
    angles = np.linspace(0, 2 * np.pi, 250, endpoint=False)
    ring = np.round(centre + REACH * np.stack([np.cos(angles), np.sin(angles)], 1), 2)
    near = [
        one for one, middle in lanes().values() if np.abs(middle - centre).max() < REACH
    ]
    out = files.map_of(near)
    points = files.line(*((x, y, 20.25) for x, y in ring.tolist()))
    out["drivable_areas"]["1"] = {"area_boundary": points, "id": 1}
    return out


def rows(seed):
    """Returns the columns and the centre of a scenario."""
    random = np.random.default_rng(seed)
    centre = random.uniform(REACH, STREETS * BLOCK - REACH, 2)
    lengths = random.integers(10, 70, len(KINDS))
    lengths[0] = STEPS  # the focal track
    starts = random.integers(0, STEPS - lengths + 1)
    names = [str(139_000 + i) for i in range(len(KINDS))] + ["AV"]
    kinds = [*KINDS, "vehicle"]
    categories = [3, 2, 1, 1, 1, 1, *[0] * (len(KINDS) - 6), 1]
    lengths, starts = [*lengths, STEPS], [*starts, 0]
    of = np.repeat(np.arange(len(names)), lengths)
    step = np.concatenate([s + np.arange(n) for s, n in zip(starts, lengths, strict=True)])
    count = len(step)
    speed = random.normal(0, 5, (len(names), 2))[of]
    position = (
        centre + random.normal(0, 40, (len(names), 2))[of] + speed * step[:, None] / 10
    )
    position += random.normal(0, 0.02, position.shape)
    speed = speed + random.normal(0, 0.1, speed.shape)
    start = 315_986_559_459_579_000 + 20_000_000_000 * seed
    id = f"{seed:08x}-1817-4a98-b02e-db8c9327d151"
    columns = {
        "observed": step < 50,
        "track_id": np.array(names)[of],
        "object_type": np.array(kinds)[of],
        "object_category": np.array(categories)[of],
        "timestep": step,
        "position_x": position[:, 0],
        "position_y": position[:, 1],
        "heading": np.arctan2(speed[:, 1], speed[:, 0]),
        "velocity_x": speed[:, 0],
        "velocity_y": speed[:, 1],
        "scenario_id": np.full(count, id),
        "start_timestamp": np.full(count, float(start)),
        "end_timestamp": np.full(count, float(start + (STEPS - 1) * 100_000_000)),
        "num_timestamps": np.full(count, STEPS),
        "focal_track_id": np.full(count, names[0]),
        "city": np.full(count, "austin"),
        "map_id": np.full(count, 74_806, np.uint64),
        "slice_id": np.full(count, f"slice-{id}"),
    }
    return columns, centre


def write(root, count, distinct):
    """Writes `count` scenarios, of which `distinct` differ: the others are links to them
    in folders of their own. Returns the bytes of all files."""
    total = 0
    for i in range(count):
        first = root / f"{i % distinct:06d}"
        folder = root / f"{i:06d}"
        folder.mkdir()
        if i < distinct:
            columns, centre = rows(i)
            # As the published files: Snappy, no dictionaries.
            pq.write_table(
                pa.table(columns),
                folder / "scenario_s.parquet",
                compression="snappy",
                use_dictionary=False,
            )
            (folder / "log_map_archive_s.json").write_text(json.dumps(map_around(centre)))
        else:
            for name in ("scenario_s.parquet", "log_map_archive_s.json"):
                os.link(first / name, folder / name)
        total += sum(path.stat().st_size for path in folder.iterdir())
    return total
