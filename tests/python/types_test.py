"""Results have the keys, types, shapes and units that bevscope.types states."""

import json
import subprocess
import sys
from typing import Annotated, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from plot_test import CONFIG

import bevscope
from bevscope import _core, types


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


def stated(kind):
    """Yields the keys with their types and the text of their annotations."""
    for key, hint in get_type_hints(kind, include_extras=True).items():
        assert get_origin(hint) is Annotated, key
        shape, unit, *_ = [*hint.__metadata__, "", ""]
        yield key, hint.__origin__, shape, unit


def dtypes_of(kind):
    """Returns the dtypes of an array's type, or of a union of those."""
    if get_origin(kind) is np.ndarray:
        return {np.dtype(get_args(get_args(kind)[1])[0])}
    return set().union(*(dtypes_of(one) for one in get_args(kind)))


def check(result, kind, lengths=()):
    """Compares a result with its type, and returns the lengths by letter."""
    expected = {key: (of, shape) for key, of, shape, _ in stated(kind)}
    assert set(result) <= set(expected)
    assert not kind.__required_keys__ - set(result)
    known = dict(lengths)
    # A letter alone gives the length; expressions of it are compared after that.
    for strict in (False, True):
        for key, value in result.items():
            of, text = expected[key]
            parts = [one.strip() for one in text.split(",")] if text else []
            assert np.ndim(value) == len(parts), key
            for part, size in zip(parts, np.shape(value), strict=True):
                if part.isalpha():
                    assert known.setdefault(part, size) == size, (key, part)
                elif part.isdigit() or strict:
                    at = {"h": known.get("h", -1), **known}
                    assert eval(part, {}, at) == size, (key, part)
            if isinstance(of, type) and get_origin(of) is None:
                assert type(value) is of, key
            elif np.dtype("U") in dtypes_of(of):
                assert value.dtype.kind == "U", key
            else:
                assert value.dtype in dtypes_of(of), key
    return known


def test_frames(dataset):
    for scene, frame in ((0, 84), (1, 0), (3, 200)):
        found = dataset.frame(scene, frame, past=7, future=5)
        known = check(found, types.Frame, {"l": len(found["lights.state"])})
        assert known["n"] > 0 and known["k"] <= 8 and known["j"] <= 6
        assert types.Frame.__optional_keys__ == frozenset()


def test_timelines(dataset):
    for track in (None, int(dataset.scene(2)["agents.track_id"][0])):
        found = dataset.timeline(2, track)
        counts = {
            "f": len(found["faces.first_frame"]),
            "t": len(found["lights.id.offsets"]),
        }
        known = check(found, types.Timeline, {**counts, "t": counts["t"] - 1})
        assert known["n"] == 248 and known["s"] == 1
        has_track = types.Timeline.__optional_keys__ <= set(found)
        assert has_track == (track is not None)


def test_facts(dataset):
    facts = dataset.facts(slice(1, 3))
    assert set(facts) == set(types.Facts.__annotations__)
    assert check(facts["scenes"], types.SceneFacts) == {"n": 2}
    assert check(facts["tracks"], types.TrackFacts)["n"] > 2
    described = json.loads(_core.describe_facts())
    for table, kind in (("scenes", types.SceneFacts), ("tracks", types.TrackFacts)):
        units = [(one["name"], one["unit"]) for one in described[table]]
        assert units == [(key, unit) for key, _, _, unit in stated(kind)]


@pytest.mark.parametrize("image", ["f32", "u8", "none"])
@pytest.mark.parametrize("kind", ["ego", "agent"])
def test_samples(dataset, town, kind, image):
    samples = bevscope.Samples(dataset, CONFIG, kind=kind, root=town, image=image)
    for index in (0, 90):
        sample = samples[index]
        check(sample, types.Sample, {"h": 4, "f": 12})
        assert ("image" in sample) == (image != "none")
    model = {**CONFIG["model_params"], "history_num_frames": 0}
    model |= {"history_num_frames_ego": 0, "history_num_frames_agents": 0}
    config = {**CONFIG, "model_params": model}
    without = bevscope.Samples(dataset, config, kind=kind, root=town, image="none")[3]
    check(without, types.Sample, {"h": 0, "f": 12})
    assert types.Sample.__optional_keys__ == {"image", "curr_speed"}
    assert not types.Sample.__optional_keys__ & set(without)


@pytest.mark.parametrize("kind", ["ego", "agent", "ego_agent"])
def test_vectorized_samples(dataset, town, kind):
    samples = bevscope.Samples(dataset, CONFIG, kind=kind, vectorized=True, root=town)
    sample = samples[90]
    known = check(sample, types.VectorizedSample, {"h": 4, "f": 12, "l": 6})
    assert known["a"] == 5 and known["p"] == known["q"] == 20
    assert ("all_valid_agents_track_ids" in sample) == (kind == "ego_agent")


def test_type_checkers_know_the_keys(tmp_path):
    pytest.importorskip("mypy")
    script = tmp_path / "user.py"
    script.write_text(
        "import bevscope\n"
        "dataset = bevscope.open('x')\n"
        "reveal_type(dataset.frame(0, 1)['agents.kept'])\n"
        "dataset.frame(0, 1)['agents.keep']\n"
        "dataset.facts()['scenes']['min_tcc']\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "c")]
    out = subprocess.run(
        [*command, str(script)], capture_output=True, text=True, cwd=tmp_path
    ).stdout
    assert "numpy.bool" in out
    assert 'has no key "agents.keep"' in out and 'has no key "min_tcc"' in out
