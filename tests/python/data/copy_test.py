"""Copying data sets from Python: scenes, fields, layouts, errors, cancellation."""

import os
import signal

import numpy as np
import pytest

import bevscope
from bevscope import InvalidArgument, NotFound

NAMES = ["scenes", "frames", "agents", "traffic_light_faces"]


@pytest.fixture(scope="module")
def dataset(goldens):
    return bevscope.open(goldens / "inputs/multi_scene.zarr")


def test_a_copy_has_the_same_rows(dataset, tmp_path):
    report = dataset.copy(tmp_path / "a.zarr")
    assert report == {"scenes": 5, "left_out": [], "has_statistics": False}
    copied = bevscope.open(tmp_path / "a.zarr")
    for name in NAMES:
        assert copied[name].chunks == dataset[name].chunks
        assert copied[name][:].tobytes() == dataset[name][:].tobytes()
    assert copied.attrs == dataset.attrs


@pytest.mark.parametrize(
    "scenes, chosen",
    [(slice(1, 3), [1, 2]), (slice(None, None, -2), [4, 2, 0]), (-1, [4]), (0, [0])],
)
def test_scenes_are_chosen_as_from_a_list(dataset, tmp_path, scenes, chosen):
    dataset.copy(tmp_path / "a.zip", scenes=scenes)
    copied = bevscope.open(tmp_path / "a.zip")
    for scene, original in enumerate(chosen):
        ours, theirs = copied.scene(scene), dataset.scene(original)
        assert list(ours) == list(theirs)
        for name, values in theirs.items():
            np.testing.assert_array_equal(ours[name], values)
    assert len(copied.scenes) == len(chosen)


def test_chunks_codec_and_fields_are_chosen(dataset, tmp_path):
    dataset.copy(
        tmp_path / "a.zarr",
        chunks={"agents": 100},
        codec="zstd",
        level=1,
        fields=["agents.yaw"],
        statistics=True,
    )
    agents = bevscope.open(tmp_path / "a.zarr").agents
    assert agents.chunks == (100,)
    assert agents[:].dtype.names == ("yaw",)
    np.testing.assert_array_equal(agents["yaw"], dataset.agents["yaw"])
    assert (tmp_path / "a.zarr/.bevscope/statistics.json").exists()


def test_a_copy_for_viewing_has_the_same_frames(dataset, tmp_path):
    report = dataset.copy(tmp_path / "a.zarr", layout="viewing")
    assert report["has_statistics"]
    copied = bevscope.open(tmp_path / "a.zarr")
    assert "agent_tracks" in copied
    for scene, frame in [(0, 0), (2, 30), (4, 59)]:
        theirs = dataset.frame(scene, frame)
        for name, values in copied.frame(scene, frame).items():
            np.testing.assert_array_equal(values, theirs[name])


def test_columns_are_plain_arrays(dataset, tmp_path):
    dataset.copy(tmp_path / "a.zarr", layout="columnar")
    copied = bevscope.open(tmp_path / "a.zarr")
    for name in NAMES:
        rows = dataset[name][:]
        for field in rows.dtype.names:
            column = copied[f"{name}/{field}"][:]
            if rows[field].dtype.kind == "U":
                assert column.dtype == np.dtype("S64")
                column = np.char.decode(column, "utf-8")
            np.testing.assert_array_equal(column, rows[field])
            assert column.shape == rows[field].shape


@pytest.mark.parametrize("split", [False, True])
def test_columns_are_a_data_set(dataset, tmp_path, split):
    dataset.copy(
        tmp_path / "a.zarr", layout="columnar", split_vectors=split, statistics=True
    )
    copied = bevscope.open(tmp_path / "a.zarr")
    for name in NAMES:
        assert copied[name].dtype == dataset[name].dtype
        assert copied[name][:].tobytes() == dataset[name][:].tobytes()
        assert copied[name][5:2:-1].tobytes() == dataset[name][5:2:-1].tobytes()
    np.testing.assert_array_equal(copied.agents["velocity"], dataset.agents["velocity"])
    for scene, frame in [(0, 0), (4, 59)]:
        theirs = dataset.frame(scene, frame)
        for name, values in copied.frame(scene, frame).items():
            np.testing.assert_array_equal(values, theirs[name])
    for where in ["speed > 2 and extent[0] > 4.5", "yaw > 100", 'label == "CAR"']:
        plan = {"where": where, "fields": ["row", "yaw", "host"], "order": "blocks"}
        ours, theirs = (one.reader("agents", **plan) for one in (copied, dataset))
        assert ours.count() == theirs.count()
        for found, expected in zip(ours, theirs, strict=True):
            for name, values in expected.items():
                np.testing.assert_array_equal(found[name], values)
    copied.copy(tmp_path / "b.zarr")
    for name in NAMES:
        rows = bevscope.open(tmp_path / "b.zarr")[name][:]
        assert rows.tobytes() == dataset[name][:].tobytes()


def test_split_vectors_are_an_array_per_element(dataset, tmp_path):
    with pytest.raises(bevscope.InvalidArgument, match="split vectors need columns"):
        dataset.copy(tmp_path / "a.zarr", split_vectors=True)
    dataset.copy(tmp_path / "a.zarr", layout="columnar", split_vectors=True)
    zarr = pytest.importorskip("zarr")
    agents = zarr.open_group(str(tmp_path / "a.zarr"), mode="r")["agents"]
    expected = dataset.agents["label_probabilities"]
    for i, values in enumerate(expected.T):
        np.testing.assert_array_equal(agents[f"label_probabilities/{i}"][:], values)


def test_an_absent_column_is_an_error(dataset, tmp_path):
    dataset.copy(tmp_path / "a.zarr", layout="columnar")
    (tmp_path / "a.zarr/agents/yaw/0").unlink()
    copied = bevscope.open(tmp_path / "a.zarr")
    with pytest.raises(bevscope.Error, match="agents/yaw/0: missing"):
        copied.agents["yaw"]
    assert len(copied.agents["velocity"]) == len(dataset.agents)


def test_a_mapping_is_copied_too(dataset, tmp_path):
    dataset.copy(tmp_path / "a.zarr", scenes=0)
    store = {
        str(path.relative_to(tmp_path / "a.zarr")): path.read_bytes()
        for path in (tmp_path / "a.zarr").rglob("*")
        if path.is_file()
    }
    bevscope.open(store).copy(tmp_path / "b.zarr")
    for key, text in store.items():
        assert (tmp_path / "b.zarr" / key).read_bytes() == text


def test_errors_leave_nothing(dataset, tmp_path):
    (tmp_path / "old.zarr").mkdir()
    with pytest.raises(InvalidArgument, match="already exists"):
        dataset.copy(tmp_path / "old.zarr")
    for options, error in [
        ({"layout": "pretty"}, InvalidArgument),
        ({"codec": "rar"}, InvalidArgument),
        ({"fields": ["agents.size"]}, NotFound),
        ({"chunks": {"agent": 1}}, NotFound),
        ({"scenes": 5}, IndexError),
    ]:
        with pytest.raises(error):
            dataset.copy(tmp_path / "new.zarr", **options)
    assert os.listdir(tmp_path) == ["old.zarr"]
    dataset.copy(tmp_path / "old.zarr", replace=True)
    assert len(bevscope.open(tmp_path / "old.zarr").scenes) == 5


def test_progress_counts_scenes_and_may_end_the_copy(dataset, tmp_path):
    seen = []
    dataset.copy(tmp_path / "a.zarr", progress=seen.append)
    assert seen == [1, 2, 3, 4, 5]

    def stop(scenes):
        raise ValueError(scenes)

    with pytest.raises(ValueError, match="1"):
        dataset.copy(tmp_path / "b.zarr", progress=stop)
    # Programs in the background of a shell ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            dataset.copy(
                tmp_path / "b.zarr",
                progress=lambda scenes: os.kill(os.getpid(), signal.SIGINT),
            )
    finally:
        signal.signal(signal.SIGINT, before)
    assert os.listdir(tmp_path) == ["a.zarr"]
