"""Compares a converted data set, real.zarr, with expected values through L5Kit.

Usage: L5KIT=DIR python with_l5kit.py read_converted.py FOLDER EXPECTED.json

Prints the numbers of compared lanes, crossings and futures.
"""

import json
import os
import sys
from pathlib import Path

import numpy as np
from l5kit.data import ChunkedDataset, LocalDataManager, MapAPI
from l5kit.dataset import AgentDataset, EgoDataset
from l5kit.rasterization import build_rasterizer

root, expected = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())
os.environ["L5KIT_DATA_FOLDER"] = str(root)
config, anchor, focal = (expected[name] for name in ("config", "anchor", "focal"))
meta = json.loads((root / "real.zarr/meta.json").read_text())
path = root / "real.zarr/semantic_map/semantic_map.pb"
api = MapAPI(str(path), np.array(meta["world_to_ecef"]))

lanes = {api.id_as_str(one.id) for one in api if api.is_lane(one)}
assert lanes == set(expected["lanes"])
for id, lane in expected["lanes"].items():
    found = api.get_lane_coords(id)
    for side, line in lane.items():
        assert found[f"xyz_{side}"].shape == np.shape(line), id
        assert np.abs(found[f"xyz_{side}"] - line).max() < 1e-6, id
crossings = {api.id_as_str(one.id) for one in api if api.is_crosswalk(one)}
assert crossings == set(expected["crossings"])
for id, outline in expected["crossings"].items():
    assert np.abs(api.get_crosswalk_coords(id)["xyz"] - outline).max() < 1e-6, id

dataset = ChunkedDataset(str(root / "real.zarr")).open()
rasterizer = build_rasterizer(config, LocalDataManager(str(root)))
agents = AgentDataset(
    config, dataset, rasterizer, min_frame_history=anchor, min_frame_future=60
)
assert len(agents) == 1
ego = EgoDataset(config, dataset, rasterizer)
samples = [
    (agents[0], str(focal)),
    (ego.get_frame(0, anchor, track_id=focal), str(focal)),
    (ego[anchor], "AV"),
]
for sample, name in samples:
    assert name == "AV" or sample["track_id"] == focal
    matrix = sample["world_from_agent"]
    targets = sample["target_positions"] @ matrix[:2, :2].T + matrix[:2, 2]
    assert targets.shape == (60, 2)
    assert np.abs(targets - expected["futures"][name]).max() < 1e-4, name
    assert sample["target_availabilities"].sum() == 60
    assert len(np.unique(sample["image"][-3:])) > 1  # the map
print(
    json.dumps({"lanes": len(lanes), "crossings": len(crossings), "futures": len(samples)})
)
