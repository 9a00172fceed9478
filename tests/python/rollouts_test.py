"""Simulated scenes are saved for the viewer."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

import bevscope
from bevscope.l5kit.data import AGENT_DTYPE, FRAME_DTYPE
from bevscope.rollouts import save_rollout


def output_of(scene=3, offset=0):
    frames, agents = np.zeros(2, FRAME_DTYPE), np.zeros(offset + 3, AGENT_DTYPE)
    frames["timestamp"] = [1583280000000000001, 1583280000100000001]
    frames["agent_index_interval"] = [(offset, offset + 1), (offset + 1, offset + 3)]
    frames["ego_translation"] = [(1, 2, 3), (1.1, 2.2, 3)]
    frames["ego_rotation"] = [np.eye(3), [(0, -1, 0), (1, 0, 0), (0, 0, 1)]]
    agents["track_id"][offset:] = [7, 7, 2**64 - 1]
    agents["centroid"][offset:] = [(4, 5), (6, 7), (8, 9)]
    agents["extent"] = (4.5, 2, 1.5)
    agents["yaw"] = 0.5
    return SimpleNamespace(scene_id=scene, simulated_ego=frames, simulated_agents=agents)


@pytest.mark.parametrize("offset", [0, 40])
def test_a_file_has_the_documented_arrays(tmp_path, offset):
    save_rollout(output_of(offset=offset), tmp_path / "a.json", name="A")
    file = json.loads((tmp_path / "a.json").read_text())
    assert (file["format"], file["version"], file["name"]) == ("bevscope-rollout", 1, "A")
    (scene,) = file["scenes"]
    assert scene["scene"] == 3
    assert scene["timestamps"] == [1583280000000000001, 1583280000100000001]
    assert scene["ego"]["x"] == [1, 1.1]
    assert scene["ego"]["yaw"] == pytest.approx([0, math.pi / 2])
    assert scene["agents"]["counts"] == [1, 2]
    assert scene["agents"]["track_id"] == [7, 7, 2**64 - 1]
    assert scene["agents"]["y"] == [5, 7, 9]
    assert scene["agents"]["length"] == [4.5] * 3


def test_several_scenes_are_saved_once_each(tmp_path):
    save_rollout([output_of(1), output_of(2)], tmp_path / "a.json")
    file = json.loads((tmp_path / "a.json").read_text())
    assert [scene["scene"] for scene in file["scenes"]] == [1, 2]
    with pytest.raises(bevscope.InvalidArgument, match=r"twice \(found \[1, 1\]\)"):
        save_rollout([output_of(1), output_of(1)], tmp_path / "a.json")


def test_numbers_that_are_not_finite_and_gaps_are_refused(tmp_path):
    output = output_of()
    output.simulated_ego["ego_translation"][0, 0] = math.nan
    with pytest.raises(ValueError, match="not JSON compliant"):
        save_rollout(output, tmp_path / "a.json")
    output = output_of()
    output.simulated_ego["agent_index_interval"][1] = (2, 3)
    with pytest.raises(bevscope.InvalidArgument, match="scene 3: no frames, or rows"):
        save_rollout(output, tmp_path / "a.json")
    assert not (tmp_path / "a.json").exists()
