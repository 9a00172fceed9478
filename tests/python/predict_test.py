"""python -m bevscope predict: a model's predictions of scenes as L5Kit's CSV."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import InvalidArgument
from bevscope._predict import predict_scenes

yaml = pytest.importorskip("yaml")

MODEL = Path(__file__).resolve().parents[2] / "examples/models/town.onnx"


@pytest.fixture(scope="module")
def config(town):
    made = yaml.safe_load((town / "config.yaml").read_text())
    made["model_params"].update(history_num_frames=2, future_num_frames=5)
    return made


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


def recorded(arrays):
    """The recorded future, and another one."""
    positions = arrays["target_positions"].astype(float)
    return {
        "positions": np.stack([positions, positions + 1], axis=1),
        "confidences": np.tile([0.75, 0.25], (len(positions), 1)),
    }


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_the_ego_vehicles_predictions(dataset, config, tmp_path):
    seen = []
    report = predict_scenes(
        dataset,
        recorded,
        tmp_path / "a.csv",
        config=config,
        scenes=[0, 2],
        stride=50,
        progress=lambda *at: seen.append(at),
    )
    assert report == {"scenes": 2, "predictions": 10, "kept": 0}
    assert seen == [(1, 2), (2, 2)]
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]
    rows = read(tmp_path / "a.csv")
    assert len(rows) == 10 and {row["track_id"] for row in rows} == {"-1"}
    begin = int(dataset.scenes[2]["frame_index_interval"][0])
    frames = dataset.frames[begin : begin + 60]
    row = rows[6]
    assert int(row["timestamp"]) == frames[50]["timestamp"]
    assert [float(row[f"conf_{k}"]) for k in (0, 1)] == [0.75, 0.25]
    for i in range(5):
        moved = frames[51 + i]["ego_translation"] - frames[50]["ego_translation"]
        found = [float(row[f"coord_{axis}0{i}"]) for axis in "xy"]
        assert np.allclose(found, moved[:2], atol=1e-4)


def test_agents_are_those_of_the_rules(dataset, config, tmp_path):
    rules = {"min_history": 2, "min_future": 5}
    options = {"config": config, "scenes": [1], "stride": 100, "rules": rules}
    predict_scenes(dataset, recorded, tmp_path / "a.csv", subject="agents", **options)
    rows = read(tmp_path / "a.csv")
    samples = bevscope.Samples(dataset, config, kind="agent", image="none", rules=rules)
    begin, end = dataset.scenes[1]["frame_index_interval"]
    wanted = []
    for frame in range(begin, end, 100):
        first, last = dataset.frames[frame]["agent_index_interval"]
        chosen = samples.agent_rows
        chosen = chosen[(chosen >= first) & (chosen < last)]
        time = int(dataset.frames[frame]["timestamp"])
        wanted += [(time, int(dataset.agents[row]["track_id"])) for row in chosen]
    assert [(int(r["timestamp"]), int(r["track_id"])) for r in rows] == wanted
    predict_scenes(dataset, recorded, tmp_path / "b.csv", subject="both", **options)
    assert len(read(tmp_path / "b.csv")) == len(wanted) + 3


def test_an_interrupted_file_is_continued(dataset, town, tmp_path):
    pytest.importorskip("onnxruntime")
    model = bevscope.Model.open(MODEL)
    options = {"scenes": [0, 1, 2], "stride": 60, "root": town, "subject": "ego"}

    class Stop(Exception):
        pass

    def stops(done, of):
        if done == 2:
            raise Stop

    whole = predict_scenes(dataset, model, tmp_path / "whole.csv", **options)
    with pytest.raises(Stop):
        predict_scenes(dataset, model, tmp_path / "a.csv", progress=stops, **options)
    assert not (tmp_path / "a.csv").exists()
    report = predict_scenes(dataset, model, tmp_path / "a.csv", **options)
    assert report == {**whole, "kept": 2}
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_what_does_not_fit_is_named(dataset, config, tmp_path):
    for message, options in [
        ("config: missing", {"config": None}),
        ("subject: invalid value", {"subject": "car"}),
        ("stride: out of range", {"stride": 0}),
    ]:
        given = {"config": config, **options}
        with pytest.raises(InvalidArgument, match=message):
            predict_scenes(dataset, recorded, tmp_path / "a.csv", **given)


def test_the_command_predicts(town, tmp_path):
    pytest.importorskip("onnxruntime")
    words = [town / "scenes/town.zarr", MODEL, "-o", tmp_path / "a.csv"]
    words += ["--root", town, "--scenes", "0", "1", "--stride", "100", "--subject", "ego"]
    command = [sys.executable, "-m", "bevscope", "predict", *map(str, words)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {"scenes": 1, "predictions": 3, "kept": 0}
    assert "1 of 1 scenes" in ran.stderr
    assert len(read(tmp_path / "a.csv")) == 3
    missing = [*command[:5], str(tmp_path / "x.onnx"), *command[6:]]
    ran = subprocess.run(missing, capture_output=True, text=True)
    assert ran.returncode == 1
    assert "bevscope: predict: x.onnx: not found" in ran.stderr


def test_the_example_model_predicts_and_drives(town, dataset):
    """Better than a steady motion, and for a second as the log."""
    pytest.importorskip("onnxruntime")
    with bevscope.Model.open(MODEL) as model:
        config = model.contract["config"]
        samples = bevscope.Samples(dataset, config, vectorized=True, root=town)
        batch = samples.batch(range(10, len(samples), 17))
        futures = model.predict(batch)
        turn, move = (
            batch["agent_from_world"][:, :2, :2],
            batch["agent_from_world"][:, :2, 2],
        )
        found = np.einsum("bij,bktj->bkti", turn, futures.positions)
        found += move[:, None, None]
        steady = -batch["history_positions"][:, 1:2] * np.arange(1, 51)[:, None]
        known = batch["target_availabilities"]

        def error(positions):
            away = np.linalg.norm(positions - batch["target_positions"], axis=-1)
            return (away * known).sum(1) / known.sum(1).clip(1)

        best = np.min([error(found[:, k]) for k in range(3)], axis=0)
        assert best.mean() < 0.5 * error(steady).mean()
        scenes = bevscope.simulate(
            dataset,
            **{"model": model, "scenes": [1, 2, 3], "root": town},
            **{"start": 20, "history": 4, "steps": 11},
        )
    for one in scenes:
        begin = int(dataset.scenes[one.scene]["frame_index_interval"][0]) + 20
        log = dataset.frames[begin + 10]["ego_translation"]
        assert np.hypot(one.ego["x"][-1] - log[0], one.ego["y"][-1] - log[1]) < 1
