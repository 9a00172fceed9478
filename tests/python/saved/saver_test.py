"""Saving data sets from Python: schemas, batches, crashes, several savers."""

import hashlib
import json
import os
import pickle
import random
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import DataConfig, DataLoader, DataSaver, InvalidArgument

SCHEMA = {"image": ("u1", (7, 9)), "label": "i4"}


def config_of(**options):
    options = {"compressor": "lz4", "max_object_size": 4096, **options}
    return DataConfig("digits", SCHEMA, **options)


def batch_of(begin, end):
    """Rows that depend on their numbers alone, and compress badly."""
    rows = np.arange(begin, end)
    places = rows[:, None, None] * 63 + np.arange(63).reshape(7, 9)
    image = (places * 6364136223846793005).view("u8") >> 40
    return {"image": image.astype("u1"), "label": rows.astype("i4") * 3}


def save(store, begin, end, **options):
    with DataSaver(config_of(), store, **options) as saver:
        for row in range(begin, end, 50):
            saver.save(batch_of(row, min(row + 50, end)))


def check_rows(store, begin, end):
    found = DataLoader(store)[:]
    for name, expected in batch_of(begin, end).items():
        assert found[name].dtype == expected.dtype
        np.testing.assert_array_equal(found[name], expected)


def content_of(store):
    """The digest of each file of a store."""
    return {
        str(path.relative_to(store)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(Path(store).rglob("*"))
        if path.is_file()
    }


def test_a_config_is_json_both_ways():
    config = config_of(additional={"source": "made", "año": [1, None]})
    again = DataConfig.from_json(config.to_json())
    assert again == config and hash(again) == hash(config)
    assert pickle.loads(pickle.dumps(config)) == config
    assert again.fingerprint == config.fingerprint and len(config.fingerprint) == 16
    assert again.additional == {"source": "made", "año": [1, None]}
    assert again.name == "digits" and again.max_object_size == 4096
    assert again.compressor["cname"] == "lz4"
    assert again.attributes["image"].shape == (7, 9)
    assert again.attributes["image"].base == np.uint8
    assert again.attributes["label"] == np.int32
    assert config_of(compressor=None) != config
    assert config_of(compressor=None) == config_of(compressor="none")
    assert config_of(compressor="blosc:lz4") == config_of()
    assert config_of(compressor="blosc:zstd").compressor["cname"] == "zstd"
    assert config_of(compressor=None).fingerprint != config.fingerprint


def test_a_config_has_no_address_and_no_secret(tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "planted-secret")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "planted-key")
    save(tmp_path / "d.zarr", 0, 100)
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or b"planted" not in path.read_bytes()
        assert path.is_dir() or str(tmp_path).encode() not in path.read_bytes()


@pytest.mark.parametrize(
    "compressor", [None, "none", "lz4", "zstd", "zlib", "blosc:lz4hc", {"id": "lz4"}]
)
def test_every_compressor_saves(tmp_path, compressor):
    config = config_of(compressor=compressor)
    with DataSaver(config, tmp_path / "d.zarr") as saver:
        saver.save(batch_of(0, 200))
    check_rows(tmp_path / "d.zarr", 0, 200)


def test_compressors_are_checked():
    for wrong in (
        "gzap",
        "blosc:",
        "blosc:lz5",
        "zlib:lz4",
        {"id": "blosc", "cname": "lz5"},
        {"id": "zlib", "level": 12},
    ):
        with pytest.raises(bevscope.Error):
            config_of(compressor=wrong)


def test_codecs_of_numcodecs_are_compressors():
    numcodecs = pytest.importorskip("numcodecs")
    config = config_of(compressor=numcodecs.Blosc("zstd", 3, numcodecs.Blosc.BITSHUFFLE))
    assert config.compressor["cname"] == "zstd"
    assert config.compressor["clevel"] == 3
    assert config.compressor["shuffle"] == 2


def test_a_config_of_a_batch_accepts_this_batch(tmp_path):
    batch = batch_of(0, 10)
    config = DataConfig.of("digits", batch, max_object_size=4096)
    assert config == config_of()
    with DataSaver(config, tmp_path / "d.zarr") as saver:
        saver.save(batch)
    check_rows(tmp_path / "d.zarr", 0, 10)


def test_another_schema_is_refused_with_the_difference(tmp_path):
    store = tmp_path / "d.zarr"
    save(store, 0, 10)
    other = DataConfig("digits", {**SCHEMA, "label": "i8"}, max_object_size=4096)
    with pytest.raises(InvalidArgument) as caught:
        DataSaver(other, store, mode="append")
    assert "has another config (" in str(caught.value)
    assert ": found " in str(caught.value) and ", given " in str(caught.value)


def test_a_moved_data_set_is_the_same(tmp_path):
    save(tmp_path / "d.zarr", 0, 10)
    (tmp_path / "d.zarr").rename(tmp_path / "e.zarr")
    save(tmp_path / "e.zarr", 10, 20, mode="append")
    check_rows(tmp_path / "e.zarr", 0, 20)


def wrong_batches():
    good = batch_of(0, 5)
    yield "shape", {**good, "image": good["image"][:, :6]}
    yield "dtype", {**good, "label": good["label"].astype("i8")}
    yield "order of bytes", {**good, "label": good["label"].astype(">i4")}
    yield "rows", {**good, "label": good["label"][:4]}
    yield "no rows", {**good, "label": np.int32(3)}
    yield "missing", {"image": good["image"]}
    yield "unknown", {**good, "extra": good["label"]}
    yield "objects", {**good, "label": np.array([None] * 5)}


@pytest.mark.parametrize(("what", "batch"), list(wrong_batches()))
def test_a_wrong_batch_saves_nothing(tmp_path, what, batch):
    with DataSaver(config_of(), tmp_path / "d.zarr") as saver:
        saver.save(batch_of(0, 5))
        with pytest.raises((InvalidArgument, TypeError)):
            saver.save(batch)
        assert saver.rows == 5 and saver.batches == 1
        saver.save(batch_of(5, 9))
    check_rows(tmp_path / "d.zarr", 0, 9)


def test_no_object_is_above_the_limit_as_stored(tmp_path):
    draw = np.random.default_rng(2)
    for dtype in ("u1", "f8"):  # the element type does not change the limit
        noise = draw.integers(0, 255, (3000, 16), dtype="u1").astype(dtype)
        store = tmp_path / f"{dtype}.zarr"
        config = DataConfig("n", {"x": (dtype, (16,))}, max_object_size=4096)
        with DataSaver(config, store) as saver:
            saver.save({"x": noise})
        sizes = [path.stat().st_size for path in sorted(store.glob("x/[0-9]*"))]
        assert max(sizes) <= 4096
        assert sum(size < 2048 for size in sizes) <= 1


def test_strings_dates_and_records_are_attributes(tmp_path):
    record = np.dtype([("at", "<f8", (2,)), ("id", "<i4"), ("tag", "<U4")])
    batch = {
        "name": np.array(["a", "größer", ""]),
        "tag": np.array([b"x", b"yz", b""], "S2"),
        "time": np.array(["2020-01-01", "NaT", "1969-07-20"], "M8[ns]"),
        "flag": np.array([True, False, True]),
        "half": np.array([0.5, -1, np.inf], "f2"),
        "big": np.array([1, 2, -3], ">i8"),
        "row": np.array([((1, 2), 3, "b"), ((4, 5), 6, "cdef"), ((7, 8), 9, "")], record),
        "rows": np.zeros((3, 2), record),
    }
    schema = {
        "name": "U12", "tag": "S8", "time": "M8[ns]", "flag": "?", "half": "f2",
        "big": ">i8", "row": record, "rows": (record, (2,)),
    }  # fmt: skip
    store = tmp_path / "d.zarr"
    with DataSaver(DataConfig("d", schema), store) as saver:
        saver.save(batch)
        with pytest.raises(InvalidArgument):
            saver.save({**batch, "name": np.array(["longer than 12 characters"] * 3)})
    loader = DataLoader(store)
    found = loader[:]
    for name, expected in batch.items():
        wanted = loader.config.attributes[name].base
        np.testing.assert_array_equal(found[name], expected.astype(wanted))
        assert found[name].dtype == wanted
    assert loader[1]["name"] == "größer"
    assert loader[1]["row"]["tag"] == "cdef"


def test_batches_may_be_views_read_only_or_empty(tmp_path):
    whole = batch_of(0, 40)
    frozen = batch_of(20, 40)
    for array in frozen.values():
        array.flags.writeable = False
    fortran = {**batch_of(0, 10), "image": np.asfortranarray(batch_of(0, 10)["image"])}
    reverse = {name: array[19:9:-1] for name, array in whole.items()}
    store = tmp_path / "d.zarr"
    with DataSaver(config_of(), store) as saver:
        saver.save(fortran)
        saver.save({name: array[::-1] for name, array in reverse.items()})
        saver.save(batch_of(20, 20))
        saver.save(frozen)
        assert saver.rows == 40 and saver.batches == 4
    check_rows(store, 0, 40)


def test_tensors_are_batches(tmp_path):
    torch = pytest.importorskip("torch")
    batch = {name: torch.from_numpy(rows) for name, rows in batch_of(0, 30).items()}
    with DataSaver(config_of(), tmp_path / "d.zarr") as saver:
        saver.save(batch)
    check_rows(tmp_path / "d.zarr", 0, 30)
    with DataSaver(DataConfig("w", {"w": ("f4", (2,))}), tmp_path / "w.zarr") as saver:
        saver.save({"w": torch.ones(3, 2, requires_grad=True)})
    assert (DataLoader(tmp_path / "w.zarr")[:]["w"] == 1).all()


def test_an_exception_commits_nothing_and_keeps_flushed_rows(tmp_path):
    store = tmp_path / "d.zarr"

    def interrupted():
        with DataSaver(config_of(), store) as saver:
            saver.save(batch_of(0, 50))
            saver.flush()
            saver.save(batch_of(50, 60))
            raise KeyError("stop")

    with pytest.raises(KeyError):
        interrupted()
    assert not store.exists()
    with pytest.raises(InvalidArgument, match="50 rows in 1 batches"):
        DataSaver(config_of(), store)
    with pytest.raises(InvalidArgument):
        bevscope.commit_parts(store)
    with DataSaver(config_of(), store, resume=True) as saver:
        assert (saver.rows, saver.batches) == (50, 1)
        saver.save(batch_of(50, 70))
    check_rows(store, 0, 70)
    with pytest.raises(KeyError):
        with DataSaver(config_of(), store, mode="replace") as saver:
            saver.save(batch_of(0, 5))
            raise KeyError("nothing was flushed")
    save(store, 70, 80, mode="replace")
    check_rows(store, 70, 80)


def test_rows_are_discarded_on_request(tmp_path):
    store = tmp_path / "d.zarr"
    with DataSaver(config_of(), store) as saver:
        saver.save(batch_of(0, 5))
        saver.flush()
        saver.abort()
    assert not list(tmp_path.iterdir())
    with DataSaver(config_of(), store, commit=False) as saver:
        saver.save(batch_of(0, 5))
    assert bevscope.discard_parts(store)
    assert not bevscope.discard_parts(store)
    with pytest.raises(bevscope.NotFound):
        bevscope.commit_parts(store)
    assert not list(tmp_path.iterdir())


def test_append_and_replace_are_explicit(tmp_path):
    store = tmp_path / "d.zarr"
    save(store, 0, 30)
    before = content_of(store)
    with pytest.raises(InvalidArgument, match="already exists"):
        save(store, 0, 30)
    with pytest.raises(InvalidArgument, match="mode"):
        save(store, 0, 30, mode="accident")
    assert content_of(store) == before
    old = DataLoader(store)
    old[0]
    save(store, 30, 45, mode="append")
    check_rows(store, 0, 45)
    assert old[29]["label"] == 29 * 3  # the old version's rows, from memory
    save(store, 5, 9, mode="replace")
    check_rows(store, 5, 9)


def test_a_url_is_not_taken_for_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(bevscope.Unsupported):
        DataSaver(config_of(), "https://host/d.zarr")
    assert not list(tmp_path.iterdir())


def test_a_saver_belongs_to_one_process(tmp_path):
    saver = DataSaver(config_of(), tmp_path / "d.zarr")
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(saver)
    with pytest.raises(InvalidArgument, match="locked"):
        DataSaver(config_of(), tmp_path / "d.zarr")
    child = os.fork()
    if child == 0:
        try:
            saver.save(batch_of(0, 1))
        except InvalidArgument:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    saver.abort()
    with pytest.raises(InvalidArgument, match="ended"):
        saver.save(batch_of(0, 1))


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from saver_test import batch_of, config_of
from bevscope import DataSaver

store, first, count = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
with DataSaver(config_of(), store, saver=first, commit=False, resume=True) as saver:
    while saver.batches < count:
        row = 1000 * first + 20 * saver.batches
        saver.save(batch_of(row, row + 20))
        if saver.batches % 3 == 0:
            saver.flush()
        print(saver.batches, flush=True)
print("end", flush=True)
"""


def run_saver(store, saver, count):
    here = str(Path(__file__).parent)
    words = [sys.executable, "-c", SCRIPT, here, str(store), str(saver), str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def finish(process):
    out, _ = process.communicate()
    assert process.returncode == 0 and out.endswith("end\n")


def test_savers_killed_20_times_save_equal_bytes(tmp_path):
    count = 40
    finish(run_saver(tmp_path / "whole.zarr", 0, count))
    bevscope.commit_parts(tmp_path / "whole.zarr")
    store = tmp_path / "killed.zarr"
    save(store, 900, 910)
    old = content_of(store)
    bevscope.discard_parts(store)
    killed = tmp_path / "new.zarr"
    draw = random.Random(4)
    kills = 0
    while kills < 20:
        process = run_saver(killed, 0, count)
        for _ in range(draw.randrange(0, 6)):
            if process.stdout.readline() in ("end\n", ""):
                break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += 1
        assert not killed.exists()
        assert content_of(store) == old
    finish(run_saver(killed, 0, count))
    assert bevscope.commit_parts(killed) == 20 * count
    assert content_of(killed) == content_of(tmp_path / "whole.zarr")
    check_rows(killed, 0, 20 * count)


def test_four_savers_at_once_save_the_same_ten_times(tmp_path):
    contents = set()
    for run in range(10):
        store = tmp_path / f"{run}.zarr"
        processes = [run_saver(store, number, 4) for number in (3, 1, 0, 2)]
        for process in processes:
            finish(process)
        assert not store.exists()
        assert bevscope.commit_parts(store) == 4 * 4 * 20
        contents.add(json.dumps(content_of(store)))
        labels = DataLoader(store)[:]["label"]
        expected = [1000 * number + row for number in range(4) for row in range(80)]
        np.testing.assert_array_equal(labels, np.array(expected) * 3)
    assert len(contents) == 1


def test_the_catalogue_lists_data_sets(tmp_path):
    save(tmp_path / "b.zarr", 0, 30)
    save(tmp_path / "a.zarr.zip", 0, 5)
    (tmp_path / "other").mkdir()
    (tmp_path / "note.txt").write_text("x")
    with DataSaver(config_of(), tmp_path / "b.zarr", mode="append", commit=False) as saver:
        saver.save(batch_of(0, 5))
    found = bevscope.list_datasets(tmp_path)
    assert [Path(one.path).name for one in found] == ["a.zarr.zip", "b.zarr"]
    assert [one.rows for one in found] == [5, 30]
    assert [one.has_parts for one in found] == [False, True]
    assert all(one.config == config_of() for one in found)
    files = content_of(tmp_path / "b.zarr")
    assert found[1].objects == len(files)
    assert found[1].bytes == sum((tmp_path / "b.zarr" / f).stat().st_size for f in files)
    assert bevscope.list_datasets(tmp_path / "b.zarr") == found[1:]
    with pytest.raises(bevscope.NotFound):
        bevscope.list_datasets(tmp_path / "absent")


def test_zarr_opens_what_was_saved(tmp_path):
    zarr = pytest.importorskip("zarr")
    save(tmp_path / "d.zarr", 0, 300)
    group = zarr.open_group(str(tmp_path / "d.zarr"), mode="r")
    for name, expected in batch_of(0, 300).items():
        np.testing.assert_array_equal(group[name][:], expected)
    assert group.attrs["name"] == "digits"
