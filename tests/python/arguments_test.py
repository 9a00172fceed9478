"""Wrong arguments of public functions are errors of bevscope or of Python, whose texts do
not show the signatures of the binding."""

import collections

import numpy as np
import pytest

import bevscope
from bevscope import DataConfig, DataLoader, DataSaver, MemorySource
from bevscope.l5kit import data

#: Kinds of wrong values, which no function below accepts for the arguments it names.
WRONG = {
    "None": None,
    "mask": np.array([True, False, True]),
    "fraction": 0.5,
    "NaN": float("nan"),
    "text": "wrong",
    "bytes": b"wrong",
    "negative": -(10**9),
    "huge": 2**70,
    "two axes": np.zeros((2, 2), np.int64),
    "fractions": [0.5, 1.5],
    "texts": ["a", "b"],
    "ragged": [[1], [1, 2]],
    "object": object(),
    "bool": True,
    "complex": 1j,
    "surrogate": "\udcff",
    "dict": {1: 2},
}
ACCEPTED = (bevscope.Error, TypeError, ValueError, IndexError, KeyError, AttributeError)
NUMBERS = set(WRONG) - {"None"}  # None is a default of some
TEXTS = {"text", "surrogate"}

CONFIG = {
    "format_version": 4,
    "model_params": {
        "history_num_frames": 2,
        "future_num_frames": 2,
        "step_time": 0.1,
        "render_ego_history": True,
    },
    "raster_params": {
        "raster_size": [16, 16],
        "pixel_size": [0.5, 0.5],
        "ego_center": [0.5, 0.5],
        "map_type": "box_debug",
        "filter_agents_threshold": 0.5,
        "disable_traffic_light_faces": False,
        "set_origin_to_bottom": True,
    },
}


def scenes():
    frames = np.zeros(20, data.FRAME_DTYPE)
    frames["agent_index_interval"] = [[2 * i, 2 * i + 2] for i in range(20)]
    frames["ego_rotation"] = np.eye(3)
    frames["timestamp"] = np.arange(20) * 10**8
    agents = np.zeros(40, data.AGENT_DTYPE)
    agents["track_id"] = np.arange(40) % 2 + 1
    agents["extent"] = (4, 2, 1.5)
    agents["label_probabilities"][:, 3] = 1
    scene = np.zeros(1, data.SCENE_DTYPE)
    scene["frame_index_interval"] = [[0, 20]]
    faces = np.zeros(0, data.TL_FACE_DTYPE)
    return {
        "scenes": scene,
        "frames": frames,
        "agents": agents,
        "traffic_light_faces": faces,
    }


@pytest.fixture(scope="module")
def things(tmp_path_factory):
    """Objects of the main classes."""
    root = tmp_path_factory.mktemp("arguments")
    dataset = bevscope.open(MemorySource(scenes(), {"labels": []}))
    config = DataConfig("numbers", {"x": "i8"})
    with DataSaver(config, root / "n.zarr") as saver:
        saver.save({"x": np.arange(100)})
    saver = DataSaver(config, root / "other.zarr")
    found = {
        "root": root,
        "dataset": dataset,
        "array": dataset.agents,
        "samples": bevscope.Samples(dataset, CONFIG),
        "config": config,
        "loader": DataLoader(root / "n.zarr"),
        "saver": saver,
        "reader": dataset.reader("agents"),
    }
    yield found
    saver.abort()


def make_calls(t):
    """Returns calls by name, each with the kinds of wrong values that it refuses."""
    dataset, array, samples, reader = t["dataset"], t["array"], t["samples"], t["reader"]
    loader, saver, config, root = t["loader"], t["saver"], t["config"], t["root"]
    all_kinds, numbers = set(WRONG), NUMBERS
    integers = numbers - {"bool"} | {"bool"}
    calls = {
        "open": (lambda v: bevscope.open(v), all_kinds),
        "open(byte_budget)": (lambda v: bevscope.open({}, byte_budget=v), all_kinds),
        "open(missing)": (lambda v: bevscope.open({}, missing=v), all_kinds),
        "open(cache)": (lambda v: bevscope.open({}, cache=v), integers - {"text", "bytes"}),
        "open(cache_limit)": (lambda v: bevscope.open({}, cache_limit=v), all_kinds),
        "dataset[]": (lambda v: dataset[v], all_kinds),
        "frame(scene)": (lambda v: dataset.frame(v, 0), all_kinds),
        "frame(frame)": (lambda v: dataset.frame(0, v), all_kinds),
        "frame(past)": (lambda v: dataset.frame(0, 1, past=v), all_kinds),
        "frame(future)": (lambda v: dataset.frame(0, 1, future=v), all_kinds),
        "frame(threshold)": (
            lambda v: dataset.frame(0, 1, threshold=v),
            all_kinds - {"negative", "huge", "fraction"},
        ),
        "scene": (lambda v: dataset.scene(v), all_kinds),
        "timeline": (lambda v: dataset.timeline(v), all_kinds),
        "timeline(track)": (lambda v: dataset.timeline(0, v), integers),
        "facts": (lambda v: dataset.facts(v), all_kinds),
        "facts(map)": (lambda v: dataset.facts(map=v), integers),
        "columns": (lambda v: dataset.columns(v), all_kinds),
        "columns(fields)": (lambda v: dataset.columns("agents", v), all_kinds),
        "columns(rows)": (lambda v: array.columns(["yaw"], v), all_kinds),
        "array[]": (
            lambda v: array[v],
            all_kinds - {"bool"} | {"bool"},
        ),
        "array[field, ]": (lambda v: array["yaw", v], all_kinds - {"texts"}),
        "array[a:]": (lambda v: array[v:], integers - {"negative", "huge"}),
        "array[::a]": (lambda v: array[::v], integers - {"negative", "huge"}),
        "blocks": (lambda v: next(array.blocks(v)), integers - {"huge"}),
        "Samples(dataset)": (lambda v: bevscope.Samples(v, CONFIG), all_kinds),
        "Samples(config)": (lambda v: bevscope.Samples(dataset, v), all_kinds),
        "Samples(kind)": (lambda v: bevscope.Samples(dataset, CONFIG, kind=v), all_kinds),
        "Samples(image)": (lambda v: bevscope.Samples(dataset, CONFIG, image=v), all_kinds),
        "Samples(mask)": (
            lambda v: bevscope.Samples(dataset, CONFIG, kind="agent", mask=v),
            integers,
        ),
        "Samples(rules)": (
            lambda v: bevscope.Samples(dataset, CONFIG, kind="agent", rules=v),
            integers,
        ),
        "Samples(perturbation)": (
            lambda v: bevscope.Samples(dataset, CONFIG, perturbation=v),
            integers,
        ),
        "samples[]": (lambda v: samples[v], all_kinds),
        "batch": (lambda v: samples.batch(v), all_kinds),
        "batch(threads)": (lambda v: samples.batch([0], threads=v), all_kinds - {"huge"}),
        "batch(offsets)": (lambda v: samples.batch([0], offsets=v), integers),
        "batch(min_displacement)": (
            lambda v: samples.batch([0], min_displacement=v),
            all_kinds - {"negative", "huge", "fraction"},
        ),
        "batch(out)": (lambda v: samples.batch([0], out=v), integers),
        "track(scene)": (lambda v: samples.track(v, 0), all_kinds),
        "track(frame)": (lambda v: samples.track(0, v), all_kinds),
        "track(track)": (lambda v: samples.track(0, 0, v), integers),
        "reader": (lambda v: dataset.reader(v), all_kinds),
        "reader(where)": (lambda v: dataset.reader(where=v), integers),
        "reader(fields)": (lambda v: dataset.reader(fields=v), integers),
        "reader(window)": (lambda v: dataset.reader(window=v), integers),
        "reader(order)": (lambda v: dataset.reader(order=v), all_kinds),
        "reader(seed)": (lambda v: dataset.reader(seed=v), all_kinds),
        "reader(epoch)": (lambda v: dataset.reader(epoch=v), all_kinds),
        "reader(shard)": (lambda v: dataset.reader(shard=v), all_kinds),
        "reader(batch)": (lambda v: dataset.reader(batch=v), integers),
        "reader(last)": (lambda v: dataset.reader(last=v), all_kinds),
        "reader(on_damage)": (lambda v: dataset.reader(on_damage=v), all_kinds),
        "reader(sample)": (lambda v: dataset.reader("frames", sample=v), integers),
        "seek": (lambda v: reader.seek(v), all_kinds),
        "reset": (lambda v: reader.reset(v), integers),
        "load_state": (lambda v: reader.load_state(v), all_kinds),
        "describe": (lambda v: reader.describe(v), integers),
        "mix": (lambda v: bevscope.mix(v), all_kinds),
        "mix(weight)": (
            lambda v: bevscope.mix([(reader, v)]),
            all_kinds - {"fraction", "huge"},
        ),
        "mix(seed)": (lambda v: bevscope.mix([(reader, 1)], seed=v), all_kinds),
        "concat_readers": (lambda v: bevscope.concat_readers(v), all_kinds),
        "copy": (lambda v: dataset.copy(v), all_kinds - {"text", "bytes"}),
        "copy(scenes)": (lambda v: dataset.copy(root / "c.zarr", scenes=v), all_kinds),
        "copy(layout)": (lambda v: dataset.copy(root / "c.zarr", layout=v), all_kinds),
        "copy(fields)": (lambda v: dataset.copy(root / "c.zarr", fields=v), all_kinds),
        "copy(chunks)": (lambda v: dataset.copy(root / "c.zarr", chunks=v), integers),
        "copy(codec)": (lambda v: dataset.copy(root / "c.zarr", codec=v), integers),
        "copy(zarr_format)": (
            lambda v: dataset.copy(root / "c.zarr", zarr_format=v),
            all_kinds,
        ),
        "DataConfig(name)": (lambda v: DataConfig(v, {"x": "i8"}), all_kinds - {"text"}),
        "DataConfig(attributes)": (lambda v: DataConfig("n", v), all_kinds),
        "DataConfig(attribute)": (lambda v: DataConfig("n", {"x": v}), all_kinds),
        "DataConfig(compressor)": (
            lambda v: DataConfig("n", {"x": "i8"}, compressor=v),
            integers,
        ),
        "DataConfig(max_object_size)": (
            lambda v: DataConfig("n", {"x": "i8"}, max_object_size=v),
            all_kinds,
        ),
        "DataConfig.from_json": (lambda v: DataConfig.from_json(v), all_kinds),
        "DataSaver(config)": (lambda v: DataSaver(v, root / "d.zarr"), all_kinds),
        "DataSaver(store)": (lambda v: DataSaver(config, v), all_kinds - {"text", "bytes"}),
        "DataSaver(saver)": (
            lambda v: DataSaver(config, root / "d.zarr", saver=v),
            all_kinds,
        ),
        "DataSaver(mode)": (
            lambda v: DataSaver(config, root / "d.zarr", mode=v),
            all_kinds,
        ),
        "save": (lambda v: saver.save(v), all_kinds),
        "save(rows)": (lambda v: saver.save({"x": v}), all_kinds - {"bool"} | {"bool"}),
        "attach": (lambda v: saver.attach(v, b""), all_kinds - {"text"}),
        "attach(content)": (lambda v: saver.attach("a", v), all_kinds - {"bytes"}),
        "commit_parts": (lambda v: bevscope.commit_parts(v), all_kinds),
        "list_datasets": (lambda v: bevscope.list_datasets(v), all_kinds),
        "DataLoader": (lambda v: DataLoader(v), all_kinds),
        "loader[]": (lambda v: loader[v], all_kinds),
        "rows(begin)": (lambda v: loader.rows(v, 100), all_kinds),
        "rows(end)": (lambda v: loader.rows(0, v), all_kinds),
        "batches": (lambda v: next(loader.batches(v)), all_kinds - {"huge"}),
        "attachment": (lambda v: loader.attachment(v), all_kinds),
    }
    return calls


NAMES = sorted(make_calls(collections.defaultdict(lambda: None)))


@pytest.mark.parametrize("name", NAMES)
def test_wrong_values_are_named(things, name):
    call, kinds = make_calls(things)[name]
    refused = 0
    for kind in sorted(kinds):
        try:
            result = call(WRONG[kind])
        except ACCEPTED as error:
            text = str(error)
            assert "incompatible function arguments" not in text, (kind, text)
            assert "bevscope._core" not in text, (kind, text)
            assert text or isinstance(error, KeyError), kind
            refused += 1
        else:
            pytest.fail(f"{name}: {kind} was accepted (found {result!r:.200})")
    print(f"{name}: {refused} of {len(kinds)} refused")
    assert refused == len(kinds)


KEYWORDS = {
    "open": lambda t, k: bevscope.open({}, **k),
    "frame": lambda t, k: t["dataset"].frame(0, 0, **k),
    "timeline": lambda t, k: t["dataset"].timeline(0, **k),
    "facts": lambda t, k: t["dataset"].facts(**k),
    "reader": lambda t, k: t["dataset"].reader(**k),
    "copy": lambda t, k: t["dataset"].copy("x.zarr", **k),
    "Samples": lambda t, k: bevscope.Samples(t["dataset"], CONFIG, **k),
    "batch": lambda t, k: t["samples"].batch([0], **k),
    "track": lambda t, k: t["samples"].track(0, 0, **k),
    "DataConfig": lambda t, k: DataConfig("n", {}, **k),
    "DataSaver": lambda t, k: DataSaver(t["config"], "x.zarr", **k),
    "DataLoader": lambda t, k: DataLoader({}, **k),
    "batches": lambda t, k: t["loader"].batches(3, **k),
    "mix": lambda t, k: bevscope.mix([], **k),
}


@pytest.mark.parametrize("name", KEYWORDS)
def test_unknown_keywords_are_errors(things, name):
    with pytest.raises(TypeError, match="unknown_option"):
        KEYWORDS[name](things, {"unknown_option": 1})


OPTIONS = {
    "rules": lambda d, o: bevscope.Samples(d, CONFIG, kind="agent", rules=o),
    "perturbation": lambda d, o: bevscope.Samples(d, CONFIG, perturbation=o),
    "config: bevscope": lambda d, o: bevscope.Samples(d, {**CONFIG, "bevscope": o}),
}
MISSPELT = {
    "rules": ("min_futur", "min_future"),
    "perturbation": ("probabilty", "probability"),
    "config: bevscope": ("frame_per_step", "frames_per_step"),
}


@pytest.mark.parametrize("thing", OPTIONS)
def test_misspelt_options_are_refused_with_the_nearest_name(things, thing):
    wrong, near = MISSPELT[thing]
    with pytest.raises(
        bevscope.NotFound, match=f"{thing}.*['\"]{wrong}['\"], nearest {near},"
    ):
        OPTIONS[thing](things["dataset"], {wrong: 2})
    config = {**CONFIG, "bevscope": {"frame_per_step": 2}}
    with pytest.raises(bevscope.NotFound, match="nearest frames_per_step"):
        things["dataset"].reader("frames", sample={"config": config})


def test_indices_of_samples_are_those_of_a_sequence(things):
    samples = things["samples"]
    count = len(samples)
    assert count == 20
    for index in (-1, -count, np.int64(3), np.uint8(3)):
        expected = samples[int(index) % count]
        assert all(np.array_equal(samples[index][key], expected[key]) for key in expected)
    for index in (count, -count - 1, 2**70, -(2**70)):
        with pytest.raises(IndexError, match="out of range"):
            samples[index]
    mask = np.arange(count) % 7 == 2
    lists = ([3, 1, -1], np.array([4, 4]), mask, mask.tolist(), [])
    for key in (slice(2, 8, 3), slice(None, None, -7), *lists):
        found = samples[key]
        rows = np.arange(count)[key if isinstance(key, slice) or len(key) else slice(0)]
        assert len(found) == len(rows)
        for one, row in zip(found, rows, strict=True):
            assert np.array_equal(one["image"], samples[int(row)]["image"])
            assert one["frame_index"] == samples[int(row)]["frame_index"]
    for wrong in ([True, False], np.ones(count + 1, bool), np.ones((count, 1), bool)):
        with pytest.raises(bevscope.OutOfRange, match="samples: wrong mask"):
            samples[wrong]
    for wrong in (slice("a"), slice(0.5), [0.5], [[1]], ["a"], [[1], [2, 3]], (1, 2)):
        with pytest.raises(bevscope.InvalidArgument, match="expected"):
            samples[wrong]
    for wrong in ([True, False], np.ones(count, bool), [0.5, 1.7], [[1]], ["a"]):
        with pytest.raises(bevscope.InvalidArgument, match="expected a list of integers"):
            samples.batch(wrong)
    assert np.array_equal(samples.batch([-1])["image"], samples.batch([19])["image"])
    with pytest.raises(bevscope.OutOfRange):
        samples.batch([0, count])


def test_numbers_of_samples_are_pythons(things):
    import json

    sample = things["samples"][3]
    names = ("scene_index", "frame_index", "yaw")
    json.dumps({name: sample[name] for name in names})
    for one in (sample, things["samples"].track(0, 3), things["samples"][3:4][0]):
        assert [type(one[name]) for name in names] == [int, int, float]


def test_too_many_indices_are_refused(things):
    array = things["array"]
    for key in [("yaw", 0, 1), (0, 1), ("yaw", slice(3), 0), (0, "yaw", 1)]:
        with pytest.raises((IndexError, bevscope.InvalidArgument), match="too many"):
            array[key]
    assert array["yaw", 0] == array[0]["yaw"]
    with pytest.raises(bevscope.NotFound, match='unknown field "x"'):
        array[["yaw", "x"]]


def test_unknown_tracks_of_a_timeline_are_not_found(things):
    dataset = things["dataset"]
    assert np.isfinite(dataset.timeline(0, 1)["track.yaw"]).all()
    with pytest.raises(bevscope.NotFound, match="track 999: not in scene 0"):
        dataset.timeline(0, 999)
    with pytest.raises(bevscope.OutOfRange):
        dataset.timeline(1)
