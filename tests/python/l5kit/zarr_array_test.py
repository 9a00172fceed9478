"""Arrays of data sets that scripts of L5Kit create and change."""

import numpy as np

import bevscope
from bevscope.l5kit.data import ChunkedDataset


def test_arrays_of_a_new_data_set_are_complete_and_can_be_changed(tmp_path):
    path = str(tmp_path / "a.zarr")
    made = ChunkedDataset(path).initialize(num_scenes=1, num_frames=20_001, num_agents=3)
    made.agents["track_id", 1:] = [7, 8]
    made.frames[-1:]["timestamp"]
    made.frames["timestamp", 3] = 5
    again = ChunkedDataset(path).open("r+")
    again.frames.append(np.zeros(2, again.frames.dtype))
    assert len(ChunkedDataset(path).open("r").frames) == 20_003
    stored = bevscope.open(path)  # in which every chunk must exist
    assert list(stored.agents["track_id"]) == [0, 7, 8]
    assert np.flatnonzero(stored.frames["timestamp"]).tolist() == [3]
    assert stored.labels[:2] == list(made.root.attrs["labels"])[:2]


def test_a_data_set_that_zarr_wrote_is_changed_in_place(tmp_path, town):
    import shutil

    path = tmp_path / "town.zarr"
    shutil.copytree(town / "scenes/town.zarr", path)
    before = (path / "agents/.zarray").read_bytes()
    known = bevscope.open(path).agents[:]
    agents = ChunkedDataset(str(path)).open("r+").agents
    agents["velocity", 5:9] = 0
    known["velocity"][5:9] = 0
    assert np.array_equal(bevscope.open(path).agents[:], known)
    assert (path / "agents/.zarray").read_bytes() == before
