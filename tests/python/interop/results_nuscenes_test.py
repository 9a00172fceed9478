"""Predictions for nuScenes: joined with opened and converted versions, and measured as an
independent computation with NumPy measures them."""

import functools
import itertools
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import Error, convert
from bevscope.results import open_submission, score

sys.path.insert(0, str(Path(__file__).parent))
import nuscenes_files as files

VERSION = files.Version(scenes=2, samples=24)
STEPS = 12


def asked_for():
    """Returns instance and sample of each prediction that the challenge asks for."""
    listed = files.prediction(VERSION)
    return [one.split("_") for s in range(2) for one in listed[f"scene-{9000 + s}"]]


@functools.cache
def tables():
    """Returns the tables; the instances that are predicted have a box in each sample."""
    out = files.tables(VERSION)
    boxes = out["sample_annotation"]
    known = {(one["instance_token"], one["sample_token"]): one for one in boxes}
    for s, k in itertools.product(range(VERSION.scenes), range(2)):
        instance = files.token("instance", s, k)
        first = next(one for one in boxes if one["instance_token"] == instance)
        for i in range(VERSION.samples):
            sample = files.token("sample", s, i)
            if (instance, sample) in known:
                continue
            place = [405 + k + (0.5 + k / 4) * i, 1095 + 2.125 * k, 0.75 + k]
            changed = {"token": files.token("more", s, k, i), "sample_token": sample}
            boxes.append(first | changed | {"translation": place})
    return out


def truths():
    """Returns positions by instance and sample, and the samples of each scene in order."""
    places = {
        (box["instance_token"], box["sample_token"]): box["translation"][:2]
        for box in tables()["sample_annotation"]
    }
    samples = {}
    for one in sorted(tables()["sample"], key=lambda one: one["timestamp"]):
        samples.setdefault(one["scene_token"], []).append(one["token"])
    return places, list(samples.values())


def made(seed):
    """Returns a submission of random modes near the truth, in any order."""
    random = np.random.default_rng(seed)
    places, scenes = truths()
    out = []
    for instance, sample in asked_for():
        modes = int(random.choice([1, 3, 12, 25]))
        begin = np.array(places[instance, sample])
        ahead = np.arange(1, STEPS + 1)[:, None] * random.normal(0.5, 0.3, (modes, 1, 2))
        drawn = random.random() < 0.5
        scores = random.integers(1, 4, modes) / 8 if drawn else random.random(modes)
        out.append(
            {
                "instance": instance,
                "sample": sample,
                "prediction": (begin + ahead + random.normal(0, 0.2, ahead.shape)).tolist(),
                "probabilities": scores.tolist(),
            }
        )
    return [out[i] for i in random.permutation(len(out))]


def expected(submission):
    """Returns means of minADE_k, minFDE_k and misses, as the devkit defines them, by k."""
    places, scenes = truths()
    found = {1: [], 5: [], 10: []}
    for one in submission:
        samples = next(scene for scene in scenes if one["sample"] in scene)
        at = samples.index(one["sample"])
        keys = [(one["instance"], sample) for sample in samples[at + 1 : at + 1 + STEPS]]
        if len(keys) < STEPS or not all(key in places for key in keys):
            continue
        truth = np.array([places[key] for key in keys])
        modes = np.array(one["prediction"], np.float32)
        order = np.argsort(np.array(one["probabilities"], np.float32), kind="stable")[::-1]
        far = np.linalg.norm(modes - truth, axis=-1)[order]
        for k, rows in found.items():
            top = far[:k]
            missed = (top.max(axis=1) >= 2).all()
            rows.append([top.mean(axis=1).min(), top[:, -1].min(), missed])
    return {k: np.mean(rows, axis=0) for k, rows in found.items()}, len(found[1])


@pytest.fixture(scope="module")
def version(tmp_path_factory):
    return files.write(tmp_path_factory.mktemp("version"), VERSION, tables())


@pytest.mark.parametrize("kind", ["opened", "converted", "moved"])
def test_metrics_are_those_of_the_devkit(version, tmp_path, kind):
    source = version
    if kind != "opened":
        source = tmp_path / "n.zarr"
        convert.nuscenes(version, source, map=kind == "moved")
    submission = made(3)
    (tmp_path / "p.json").write_text(json.dumps(submission))
    with open_submission(tmp_path / "p.json") as opened, bevscope.open(source) as dataset:
        scores = score(opened, [dataset])
    means, count = expected(submission)
    assert len(scores.rows) == len(submission)
    summary = scores.summary
    assert not summary["mismatches"]
    assert count + summary["notRecorded"] == len(submission)
    assert count > 20
    for row in summary["nuscenes"]:
        assert row["predictions"] == count
        values = [row["minADE"], row["minFDE"], row["missRate"]]
        np.testing.assert_allclose(values, means[row["k"]], rtol=1e-5)
    assert {row["evaluated"] for row in scores.rows} == {1}


def test_what_is_missing_or_not_asked_for_is_named(version, tmp_path):
    submission = made(4)
    gone, extra = submission.pop(), dict(submission[0])
    # An instance that the challenge does not ask for.
    extra["instance"] = files.token("instance", 0, 4)
    extra["sample"] = next(
        sample for sample in truths()[1][0] if (extra["instance"], sample) in truths()[0]
    )
    foreign = dict(submission[0], sample="0" * 32)
    (tmp_path / "p.json").write_text(json.dumps([*submission, extra, foreign]))
    with bevscope.open(version) as dataset:
        found = score(open_submission(tmp_path / "p.json"), [dataset]).summary
    [missing] = found["mismatches"]["agents missing"]["first"]
    assert missing.endswith(f"/{gone['instance']}_{gone['sample']}")
    kinds = {"agents missing", "agents that may not be simulated or predicted"}
    assert found["mismatches"].keys() == kinds


def test_data_without_scenario_ids_are_refused(town, tmp_path):
    (tmp_path / "p.json").write_text(json.dumps(made(5)[:1]))
    made_up = bevscope.open(town / "scenes/town.zarr")
    with pytest.raises(Error, match="no scenario ids"):
        score(open_submission(tmp_path / "p.json"), [made_up])
