"""Saved fields of variable length, and null: cameras, lidar and text beside labels."""

import io
import multiprocessing
import pathlib
import pickle
import sys

import numpy as np
import pytest
from cache_test import Server

import bevscope
from bevscope import (
    DataConfig,
    DataLoader,
    DataSaver,
    InvalidArgument,
    NotFound,
    Nullable,
)

Image = pytest.importorskip("PIL.Image")

ROWS = 2000
CAMERAS = ("front", "left", "right")
CONFIG = DataConfig(
    "drive",
    {
        **{name: "image/jpeg" for name in CAMERAS},
        "lidar": ("f4", (None, 4)),
        "radar": Nullable(("f4", (None, 2))),
        "grid": ("u1", (None, None, 3)),
        "label": "i8",
        "speed": Nullable("f4"),
        "note": "text?",
    },
    max_object_size=64 << 10,
)


def jpeg_of(number, camera):
    """A small picture that differs from row to row."""
    random = np.random.default_rng([number, camera])
    pixels = random.integers(0, 255, (6, 8, 3)).astype("u1").repeat(4, 0).repeat(4, 1)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG")
    return file.getvalue()


def row_of(number):
    random = np.random.default_rng(number)
    return {
        **{name: jpeg_of(number, i) for i, name in enumerate(CAMERAS)},
        "lidar": random.random((number % 41, 4)).astype("f4"),
        "radar": None if number % 3 == 0 else random.random((number % 4, 2)).astype("f4"),
        "grid": np.full((number % 3 + 1, number % 5, 3), number % 256, "u1"),
        "label": number,
        "speed": None if number % 7 == 0 else number / 2,
        "note": None if number % 5 == 0 else f"Zeile {number} €" * (number % 3),
    }


def batch_of(begin, end):
    rows = [row_of(number) for number in range(begin, end)]
    batch = {name: [row[name] for row in rows] for name in CONFIG.attributes}
    batch["label"] = np.arange(begin, end)
    return batch


def save_half(store, saver):
    begin = saver * ROWS // 2
    with DataSaver(CONFIG, store, saver=saver, commit=False) as made:
        for first in range(begin, begin + ROWS // 2, 90):
            made.save(batch_of(first, min(first + 90, begin + ROWS // 2)))
            made.flush()


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    made = tmp_path_factory.mktemp("fields") / "multi_scene.zarr"
    context = multiprocessing.get_context("spawn")
    both = [context.Process(target=save_half, args=(str(made), i)) for i in (1, 0)]
    for process in both:
        process.start()
    for process in both:
        process.join()
        assert process.exitcode == 0
    assert bevscope.commit_parts(made) == ROWS
    return made


def check_row(found, number):
    expected = row_of(number)
    assert set(found) <= set(expected)
    for name, value in found.items():
        wanted = expected[name]
        if wanted is None:
            assert value is None or value is np.ma.masked, name
        elif isinstance(wanted, np.ndarray):
            assert value.dtype == wanted.dtype
            np.testing.assert_array_equal(value, wanted)
        else:
            assert value == wanted, name


def test_every_object_is_within_the_limit(store):
    for path in pathlib.Path(store).rglob("*"):
        if path.is_file() and not path.name.startswith("."):
            assert path.stat().st_size <= CONFIG.max_object_size


def test_rows_are_loaded_by_index_and_in_order(store):
    loader = DataLoader(store)
    assert len(loader) == ROWS
    assert loader.config == CONFIG
    for index in (0, 999, 1000, -1, 1234):
        check_row(loader[index], index % ROWS)
    picked = loader[[7, 1999, 7, 1000, 999]]
    for i, number in enumerate((7, 1999, 7, 1000, 999)):
        check_row({name: rows[i] for name, rows in picked.items()}, number)
    number = 0
    for batch in loader.batches(123):
        for i in range(len(batch["label"])):
            check_row({name: rows[i] for name, rows in batch.items()}, number)
            number += 1
    assert number == ROWS


@pytest.mark.parametrize("order", ["none", "blocks", "full"])
def test_a_reader_has_every_field(store, order):
    reader = bevscope.open(store).reader("rows", order=order, seed=3, batch=117)
    seen = []
    for batch in reader:
        assert list(batch) == list(CONFIG.attributes)
        for i, number in enumerate(batch["label"].tolist()):
            check_row({name: rows[i] for name, rows in batch.items()}, number)
            seen.append(number)
    assert sorted(seen) == list(range(ROWS))
    assert (seen == list(range(ROWS))) == (order == "none")


def test_one_camera_is_read_alone(store):
    size = sum(
        path.stat().st_size
        for name in ("front", "front_values")
        for path in (store / name).iterdir()
    )
    everything = sum(p.stat().st_size for p in store.rglob("*") if p.is_file())
    server = Server(store.parent)
    try:
        rows = 0
        for batch in bevscope.open(server.url()).reader("rows", fields=["front"]):
            for data in batch["front"]:
                assert data == jpeg_of(rows, 0)
                rows += 1
        assert rows == ROWS
        assert size <= server.sent <= 1.1 * size
        assert everything > 3 * size
    finally:
        server.shutdown()
        server.server_close()


def test_a_loader_of_one_camera_reads_it_alone(store):
    size = sum(
        path.stat().st_size
        for name in ("front", "front_values")
        for path in (store / name).iterdir()
    )
    server = Server(store.parent)
    try:
        loader = pickle.loads(pickle.dumps(DataLoader(server.url(), attributes=["front"])))
        assert list(loader.config.attributes) == ["front"]
        rows = 0
        for batch in loader.batches(117):
            assert list(batch) == ["front"]
            for data in batch["front"]:
                assert data == jpeg_of(rows, 0)
                rows += 1
        assert rows == ROWS
        assert size <= server.sent <= 1.1 * size
        assert list(loader[1234]) == ["front"]
    finally:
        server.shutdown()
        server.server_close()


def test_a_loader_refuses_attributes_that_are_not_there(store):
    with pytest.raises(NotFound, match='attribute "fornt" not found'):
        DataLoader(store, attributes=["fornt"])
    for wrong in ([], ["front", "front"], "front", [3]):
        with pytest.raises(InvalidArgument):
            DataLoader(store, attributes=wrong)


def test_a_filter_reads_the_rows_that_pass(store):
    reader = bevscope.open(store).reader(
        "rows", where="label >= 1990 and speed > 3", fields=["note", "label"]
    )
    (batch,) = reader
    expected = [n for n in range(1990, 2000) if n % 7]
    assert batch["label"].tolist() == expected
    assert batch["note"].tolist() == [row_of(n)["note"] for n in expected]
    with pytest.raises(InvalidArgument, match="cannot be used in a filter"):
        bevscope.open(store).reader("rows", where="lidar[0] > 3").count()


def test_images_are_decoded_on_request(store):
    (batch,) = bevscope.open(store).reader(
        "rows", where="row < 5", fields=["left"], decode=True
    )
    for number, pixels in enumerate(batch["left"]):
        assert pixels.shape == (24, 32, 3)
        with Image.open(io.BytesIO(jpeg_of(number, 1))) as image:
            np.testing.assert_array_equal(pixels, np.asarray(image))
    loaded = DataLoader(store, decode=True)[3]
    assert loaded["front"].shape == (24, 32, 3)


def test_without_pillow_the_error_names_it(store, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match="pip install pillow"):
        list(bevscope.open(store).reader("rows", fields=["left"], decode=True))


def test_batches_of_readers_share_memory(store):
    (batch,) = bevscope.open(store).reader("rows", where="row < 50", fields=["lidar"])
    first, second = batch["lidar"][40], batch["lidar"][39]
    assert first.base is not None
    assert not first.flags.owndata
    assert second.shape == (39, 4)


def test_tensors_are_lists(store):
    torch = pytest.importorskip("torch")
    reader = bevscope.open(store).reader("rows", where="row < 9")
    (batch,) = reader.torch()
    assert [tuple(one.shape) for one in batch["lidar"]] == [(n, 4) for n in range(9)]
    assert batch["radar"][3] is None
    assert batch["speed.valid"].tolist() == [n % 7 != 0 for n in range(9)]
    assert torch.equal(batch["label"], torch.arange(9))
    loaded = next(iter(DataLoader(store).torch(9)))
    assert [tuple(one.shape) for one in loaded["lidar"]] == [(n, 4) for n in range(9)]


def test_arrow_has_lists_and_nulls(store):
    pa = pytest.importorskip("pyarrow")
    reader = bevscope.open(store).reader("rows", batch=300)
    table = pa.table(reader)
    table.validate(full=True)
    assert table.num_rows == ROWS
    assert table.schema.field("front").type == pa.binary()
    assert table.schema.field("note").type == pa.string()
    points = table.schema.field("lidar").type
    assert pa.types.is_list(points)
    assert points.value_type.list_size == 4
    assert not table.schema.field("front").nullable
    assert table.schema.field("speed").nullable
    for number in (0, 7, 299, 300, 1999):
        row = row_of(number)
        assert table["front"][number].as_py() == row["front"]
        assert table["note"][number].as_py() == row["note"]
        assert table["speed"][number].as_py() == row["speed"]
        assert table["lidar"][number].as_py() == row["lidar"].tolist()
        radar = table["radar"][number].as_py()
        assert radar == (None if row["radar"] is None else row["radar"].tolist())


@pytest.mark.parametrize("fields", [["lidar", "label"], ["speed", "label"]])
def test_arrow_of_joined_readers_refuses_what_it_would_lose(store, fields):
    readers = [bevscope.open(store).reader("rows", fields=fields) for _ in range(2)]
    joined = bevscope.concat_readers(readers)
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(Exception, match=f"not there .*{fields[0]}"):
        pyarrow.RecordBatchReader.from_stream(joined).read_all()


def test_what_does_not_match_is_refused(tmp_path):
    with DataSaver(CONFIG, tmp_path / "d.zarr") as saver:
        for name, value in (
            ("lidar", np.zeros((3, 5), "f4")),
            ("lidar", np.zeros((3, 4), "f8")),
            ("lidar", None),
            ("grid", np.zeros((2, 2, 4), "u1")),
            ("note", 7),
            ("note", b"bytes"),
            ("front", b"GIF89a"),
            ("front", "text"),
            ("front", b"\x89PNG\r\n\x1a\n"),
            ("speed", [1.0, 2.0]),
        ):
            batch = batch_of(1, 4)
            batch[name] = [batch[name][0], value, batch[name][2]]
            with pytest.raises((InvalidArgument, ValueError, TypeError), match=name):
                saver.save(batch)
        saver.save(batch_of(0, 3))
    assert len(DataLoader(tmp_path / "d.zarr")) == 3


def test_an_image_that_lies_is_an_error(tmp_path):
    config = DataConfig("d", {"front": "image"})
    with DataSaver(config, tmp_path / "d.zarr") as saver:
        saver.save({"front": [jpeg_of(0, 0)[:200]]})
    reader = bevscope.open(tmp_path / "d.zarr").reader("rows", decode=True)
    with pytest.raises(bevscope.ReadError, match="front: an image cannot be decoded"):
        list(reader)


def test_zarr_and_xarray_read_the_arrays(store):
    zarr = pytest.importorskip("zarr")
    group = zarr.open(str(store), mode="r")
    begin, end = group["lidar"][1500]
    np.testing.assert_array_equal(group["lidar_values"][begin:end], row_of(1500)["lidar"])
    begin, end = group["note"][1501]
    assert group["note_values"][begin:end].tobytes().decode() == row_of(1501)["note"]
