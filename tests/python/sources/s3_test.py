"""Writing to S3: requests are signed, repeated when answers are lost, and interruptible."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from s3_bucket import ACCESS, SECRET, TOKEN, bucket_of

import bevscope
from bevscope import DataConfig, DataLoader, DataSaver

ROWS = 200


@pytest.fixture
def bucket(monkeypatch, tmp_path):
    server = bucket_of(monkeypatch)
    monkeypatch.setenv("BEVSCOPE_PARTS", str(tmp_path / "parts"))
    yield server
    server.end()


def save(store, seed=0, **options):
    config = DataConfig(
        "digits", {"image": ("u1", (8, 8)), "label": "i8"}, max_object_size=4096
    )
    random = np.random.default_rng(seed)
    with DataSaver(config, store, **options) as saver:
        saver.save(
            {
                "image": random.integers(0, 256, (ROWS, 8, 8), np.uint8),
                "label": np.arange(ROWS) + seed,
            }
        )


def local_objects(folder):
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_saved_objects_are_those_of_a_folder(bucket, tmp_path):
    save(tmp_path / "x.zarr")
    save("s3://bucket/a b/x.zarr")
    expected = local_objects(tmp_path / "x.zarr")
    assert len(expected) > 8
    assert bucket.folder("a b/x.zarr/") == expected
    assert len(DataLoader("s3://bucket/a b/x.zarr")) == ROWS
    for body in bucket.objects.values():
        assert SECRET.encode() not in body
        assert TOKEN.encode() not in body


def test_an_archive_is_one_object(bucket, tmp_path):
    save(tmp_path / "x.zarr.zip")
    save("s3://bucket/x.zarr.zip")
    assert bucket.objects == {"x.zarr.zip": (tmp_path / "x.zarr.zip").read_bytes()}


def test_savers_of_several_machines_upload_their_rows(bucket, tmp_path, monkeypatch):
    store = "s3://bucket/joined.zarr"
    for number in (1, 0):
        monkeypatch.setenv("BEVSCOPE_PARTS", str(tmp_path / f"machine{number}"))
        rows = np.arange(100) + 100 * number
        config = bevscope.DataConfig.of("joined", {"x": rows})
        with bevscope.DataSaver(config, store, saver=number, upload=True) as saver:
            saver.save({"x": rows})
    monkeypatch.setenv("BEVSCOPE_PARTS", str(tmp_path / "another"))
    with pytest.raises(bevscope.InvalidArgument, match="parts of 2 savers.*expected 3"):
        bevscope.commit_parts(store, savers=3)
    with pytest.raises(bevscope.InvalidArgument):
        bevscope.commit_parts(store, savers=0)
    assert bevscope.commit_parts(store, savers=2) == 200
    np.testing.assert_array_equal(bevscope.DataLoader(store)[:]["x"], np.arange(200))
    assert not any(".parts/" in key for key in bucket.objects)


def test_a_folder_is_uploaded(bucket, tmp_path, goldens):
    steps = []
    save(tmp_path / "x.zarr")
    count = bevscope.upload(
        tmp_path / "x.zarr", "s3://bucket/up", progress=lambda *one: steps.append(one)
    )
    assert bucket.folder("up/") == local_objects(tmp_path / "x.zarr")
    assert steps[-1] == (count, count)
    with pytest.raises(bevscope.InvalidArgument, match="already exists"):
        bevscope.upload(tmp_path / "x.zarr", "s3://bucket/up")
    with pytest.raises(bevscope.InvalidArgument, match="expected an address"):
        bevscope.upload(tmp_path / "x.zarr", "https://host/up")
    with pytest.raises(bevscope.NotFound):
        bevscope.upload(tmp_path / "none", "s3://bucket/none")


def test_the_output_of_batch_work_is_uploaded(bucket, tmp_path, goldens):
    from bevscope import batch

    data = goldens / "inputs/multi_scene.zarr"
    work = batch.plan({"job": "mask"}, data, tmp_path / "mask.zarr")
    batch.local(work, processes=1)
    report = batch.commit(work, upload="s3://bucket/mask.zarr")
    assert report["total_agent_frames"] > 0
    assert bucket.folder("mask.zarr/") == local_objects(tmp_path / "mask.zarr")


def test_a_data_set_is_copied(bucket, tmp_path, goldens):
    source = bevscope.open(goldens / "inputs/single_scene.zarr")
    source.copy(tmp_path / "x.zarr")
    source.copy("s3://bucket/x.zarr")
    assert bucket.folder("x.zarr/") == local_objects(tmp_path / "x.zarr")


@pytest.mark.parametrize("fault", [503, 500, "lost"])
def test_the_first_answer_to_every_write_is_lost(bucket, tmp_path, fault):
    def choose(command, key):
        return fault if command == "PUT" and bucket.seen[command, key] == 1 else None

    bucket.choose = choose
    save(tmp_path / "x.zarr")
    save("s3://bucket/x.zarr")
    assert bucket.folder("x.zarr/") == local_objects(tmp_path / "x.zarr")


def test_a_refused_write_is_an_error_without_keys(bucket):
    bucket.choose = lambda command, key: 403 if "image/1" in key else None
    with pytest.raises(bevscope.Error, match="PUT failed: HTTP 403") as caught:
        save("s3://bucket/x.zarr")
    for text in (SECRET, ACCESS, TOKEN):
        assert text not in str(caught.value)
    assert "x.zarr/.zgroup" not in bucket.objects
    bucket.choose = lambda command, key: None
    assert bevscope.commit_parts("s3://bucket/x.zarr") == ROWS
    assert len(DataLoader("s3://bucket/x.zarr")) == ROWS


def test_existing_data_sets_are_refused(bucket):
    save("s3://bucket/x.zarr")
    before = dict(bucket.objects)
    with pytest.raises(bevscope.InvalidArgument, match="already exists"):
        save("s3://bucket/x.zarr", 1)
    assert bucket.objects == before


SAVE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
sys.path.insert(0, sys.argv[1])
from sources import s3_test
try:
    s3_test.save("s3://bucket/x.zarr")
except KeyboardInterrupt:
    sys.exit(7)
"""


def test_an_interrupt_ends_an_upload(bucket):
    asked, released = threading.Event(), threading.Event()

    def wait():
        asked.set()
        released.wait()
        return 503

    bucket.choose = lambda command, key: wait if "image/1" in key else None
    process = subprocess.Popen([sys.executable, "-c", SAVE, str(Path(__file__).parents[1])])
    assert asked.wait(60)
    process.send_signal(signal.SIGINT)
    released.set()
    assert process.wait(60) == 7
    assert "x.zarr/.zgroup" not in bucket.objects
