"""bevscope.simulate: models drive through the synthetic town."""

import json

import numpy as np
import pytest

import bevscope
from bevscope import InvalidArgument, OutOfRange, SimulatedScene
from bevscope.rollouts import save_rollout

yaml = pytest.importorskip("yaml")


@pytest.fixture(scope="module")
def config(town):
    made = yaml.safe_load((town / "config.yaml").read_text())
    made["raster_params"].update(map_type="box_debug", raster_size=[32, 32])
    made["model_params"].update(
        history_num_frames=2,
        history_num_frames_ego=2,
        history_num_frames_agents=2,
        future_num_frames=4,
    )
    return made


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


def ahead(arrays):
    count = len(arrays["yaw"])
    return {
        "positions": np.tile([[1.5, 0.0], [3, 0]], (count, 1, 1)),
        "yaws": np.zeros((count, 2)),
    }


def recorded(arrays):
    """The recorded future, as a model that sees it."""
    return {"positions": arrays["target_positions"], "yaws": arrays["target_yaws"]}


def test_a_function_drives_the_ego_vehicle(dataset, config):
    calls = []
    scenes = bevscope.simulate(
        dataset,
        predict=ahead,
        config=config,
        scenes=[1, 0],
        start=20,
        steps=6,
        progress=lambda done, of: calls.append((done, of)),
    )
    assert calls == [(i, 6) for i in range(1, 7)]
    assert [one.scene for one in scenes] == [1, 0]
    for one in scenes:
        assert isinstance(one, SimulatedScene)
        assert one.first_frame == 20 and len(one.timestamps) == 6
        steps = np.hypot(np.diff(one.ego["x"]), np.diff(one.ego["y"]))
        assert steps == pytest.approx(1.5)
        assert np.allclose(one.ego["yaw"], one.ego["yaw"][0])
        frame = dataset.frames[
            int(dataset.scenes[one.scene]["frame_index_interval"][0]) + 20
        ]
        assert one.timestamps[0] == frame["timestamp"]
        assert one.agents["counts"].sum() == len(one.agents["x"]) > 0


def test_a_model_that_sees_the_future_follows_the_log(dataset, config):
    (one,) = bevscope.simulate(
        dataset,
        predict=recorded,
        config=config,
        scenes=[0],
        start=20,
        steps=8,
        agents="model",
        close_distance=40,
        far_distance=60,
    )
    log = dataset.frames[20:28]["ego_translation"]
    assert np.allclose(one.ego["x"], log[:, 0], atol=1e-4)
    assert np.allclose(one.ego["y"], log[:, 1], atol=1e-4)


def test_history_and_batches(dataset, config):
    seen, sizes = [], []

    def watches(arrays):
        seen.append(arrays["history_availabilities"].sum(axis=1).tolist())
        sizes.append(len(arrays["yaw"]))
        return ahead(arrays)

    options = {"config": config, "scenes": [0, 1], "start": 20, "steps": 3}
    plain = bevscope.simulate(dataset, predict=watches, **options)
    assert seen == [[1, 1], [2, 2]]
    seen.clear()
    sizes.clear()
    bevscope.simulate(dataset, predict=watches, history=2, batch=1, **options)
    assert seen == [[3]] * 4 and sizes == [1] * 4
    again = bevscope.simulate(dataset, predict=ahead, batch=1, **options)
    assert np.array_equal(plain[0].ego["x"], again[0].ego["x"])


def test_a_patch_is_applied_first(dataset, config):
    frame = dataset.frame(0, 20)
    track = int(frame["agents.track_id"][0])
    edit = {"op": "remove", "scene": 0, "track": track}
    patch = {"format": "bevscope-patch", "version": 1, "edits": [edit]}
    options = {"predict": ahead, "config": config, "scenes": [0], "start": 20, "steps": 3}
    (before,) = bevscope.simulate(dataset, **options)
    (after,) = bevscope.simulate(dataset, patch=patch, **options)
    assert track in before.agents["track_id"] and track not in after.agents["track_id"]
    assert (before.agents["counts"] - after.agents["counts"]).max() == 1


def test_a_rollout_is_saved(dataset, config, tmp_path):
    scenes = bevscope.simulate(
        dataset, predict=ahead, config=config, scenes=[0, 1], start=20, steps=3
    )
    save_rollout(scenes, tmp_path / "a.json", name="A")
    file = json.loads((tmp_path / "a.json").read_text())
    assert [one["scene"] for one in file["scenes"]] == [0, 1]
    assert file["scenes"][1]["ego"]["x"] == scenes[1].ego["x"].tolist()
    assert file["scenes"][1]["agents"]["track_id"] == scenes[1].agents["track_id"].tolist()


def test_what_does_not_fit_is_named(dataset, config):
    def refused(message, error=InvalidArgument, **options):
        given = {"predict": ahead, "config": config, "scenes": [0], **options}
        with pytest.raises(error, match=message):
            bevscope.simulate(dataset, **given)

    refused("expected a model or predict", predict=None)
    refused("expected a model or predict", model=bevscope.Model.open(ahead))
    refused("model: invalid value", predict=None, model="model.onnx")
    refused("config: missing", config=None)
    refused("raster_params.filter_agents_threshold: missing", config={})
    refused('agents: invalid value .found .me., expected "model" or "log"', agents="me")
    refused("steps: out of range", steps=0)
    refused("scenes must not repeat", scenes=[0, 0])
    refused("simulation: ends at frame", start=10, steps=1000)
    refused("scene 9|out of range", OutOfRange, scenes=[9])
