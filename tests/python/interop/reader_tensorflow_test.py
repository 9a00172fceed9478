"""tf.data takes readers and loaders: same rows, known shapes, an epoch per iteration."""

import numpy as np
import pytest

import bevscope

tf = pytest.importorskip("tensorflow")

FIELDS = ["row", "centroid", "track_id", "host", "kept"]


@pytest.fixture
def reader(town):
    dataset = bevscope.open(town / "scenes/town.zarr")
    return lambda **more: dataset.reader(
        "agents", where="speed > 1", fields=FIELDS, order="blocks", **more
    )


def rows_of(batches):
    return [np.asarray(one["row"]) for one in batches]


def test_an_epoch_is_that_of_the_reader(reader):
    one = reader()
    made = one.tf()
    assert made.element_spec["centroid"] == tf.TensorSpec((None, 2), tf.float64)
    assert made.element_spec["track_id"] == tf.TensorSpec((None,), tf.uint64)
    assert made.element_spec["host"] == tf.TensorSpec((None,), tf.string)
    epochs = [list(made) for _ in range(2)]
    for epoch, found in enumerate(epochs):
        one.reset(epoch)
        expected = list(one)
        assert len(found) == len(expected)
        for batch, known in zip(found, expected):
            for name in FIELDS:
                values = batch[name].numpy()
                if name == "host":
                    values = np.char.decode(values.astype("S"), "utf-8")
                assert np.array_equal(values, known[name])


def test_an_iteration_that_ends_early_is_an_epoch_too(reader):
    made = reader(batch=16).tf(prefetch=0)
    first = rows_of(made.take(2))
    second = rows_of(made)
    known = reader(batch=16)
    assert all(map(np.array_equal, first, rows_of(known)))
    assert len(second) > 2
    known.reset(1)
    assert all(map(np.array_equal, second, rows_of(known)))


@pytest.mark.parametrize("shards", [2, 3])
def test_shards_have_all_rows_once_in_an_order_that_repeats(reader, shards):
    made = reader(batch=32).tf(shards=shards)
    found = rows_of(made)
    assert sorted(np.concatenate(found)) == sorted(np.concatenate(rows_of(reader())))
    again = rows_of(reader(batch=32).tf(shards=shards))
    assert all(map(np.array_equal, found, again))
    assert not all(map(np.array_equal, found, rows_of(made)))  # the next epoch's order
    with pytest.raises(bevscope.InvalidArgument, match="shards must be 1"):
        reader(shard=(0, 2)).tf(shards=2)


def test_batches_of_equal_length_have_static_shapes(reader):
    made = reader(batch=32, last="drop").tf()
    assert made.element_spec["centroid"] == tf.TensorSpec((32, 2), tf.float64)
    assert {len(rows) for rows in rows_of(made)} == {32}


@pytest.fixture
def digits(tmp_path):
    config = bevscope.DataConfig(
        "digits", {"image": ("u1", (4, 4)), "label": "i8"}, max_object_size=2048
    )
    images = np.random.default_rng(1).integers(0, 255, (1000, 4, 4), np.uint8)
    with bevscope.DataSaver(config, tmp_path / "digits.zarr") as saver:
        saver.save({"image": images, "label": np.arange(1000)})
    return bevscope.DataLoader(tmp_path / "digits.zarr"), images


@pytest.mark.parametrize("shards", [1, 3])
def test_saved_rows_come_once_and_with_their_shapes(digits, shards):
    loader, images = digits
    made = loader.tf(64, shards=shards)
    assert made.element_spec["image"] == tf.TensorSpec((None, 4, 4), tf.uint8)
    for _ in range(2):
        found = list(made)
        labels = np.concatenate([one["label"].numpy() for one in found])
        assert sorted(labels) == list(range(1000))
        if shards == 1:
            assert np.array_equal(labels, np.arange(1000))
        for one in found:
            assert np.array_equal(one["image"].numpy(), images[one["label"].numpy()])
    dropped = loader.tf(64, drop_last=True, shards=shards)
    assert dropped.element_spec["label"] == tf.TensorSpec((64,), tf.int64)
    assert sum(1 for _ in dropped) == 1000 // 64


def test_a_model_of_keras_learns_from_saved_rows(digits):
    loader, images = digits
    model = tf.keras.Sequential(
        [tf.keras.layers.Flatten(input_shape=(4, 4)), tf.keras.layers.Dense(1)]
    )
    model.compile(optimizer="adam", loss="mse")

    def example(batch):
        pixels = tf.cast(batch["image"], tf.float32) / 255
        return pixels, tf.reduce_mean(pixels, axis=(1, 2))

    history = model.fit(loader.tf(50).map(example), epochs=5, verbose=0)
    losses = history.history["loss"]
    assert losses[-1] < losses[0]


@pytest.fixture
def drives(tmp_path):
    """Rows whose fields vary: the store, and the points of each row."""
    config = bevscope.DataConfig(
        "drive",
        {
            "lidar": ("f4", (None, 4)),
            "front": "image/png",
            "note": "text?",
            "speed": bevscope.Nullable("f4"),
            "label": "i8",
        },
        max_object_size=4096,
    )
    random = np.random.default_rng(3)
    points = [random.normal(size=(i % 5, 4)).astype("f4") for i in range(100)]
    images = [tf.io.encode_png(np.full((2, 3, 3), i, "u1")).numpy() for i in range(100)]
    rows = {
        "lidar": points,
        "front": images,
        "note": [None if i % 3 == 0 else f"n\u00e4{i}" for i in range(100)],
        "speed": [None if i % 4 == 0 else float(i) for i in range(100)],
        "label": np.arange(100),
    }
    with bevscope.DataSaver(config, tmp_path / "drive.zarr") as saver:
        saver.save(rows)
    return tmp_path / "drive.zarr", points


def check_drives(made, points):
    seen = 0
    for batch in made:
        for i, label in enumerate(batch["label"].numpy().tolist()):
            assert np.array_equal(batch["lidar"][i].numpy(), points[label])
            pixels = tf.io.decode_image(batch["front"][i]).numpy()
            assert (pixels == label).all() and pixels.shape == (2, 3, 3)
            note = batch["note"][i].numpy().decode()
            assert note == ("" if label % 3 == 0 else f"n\u00e4{label}")
            assert bool(batch["note.valid"][i]) == (label % 3 > 0)
            assert bool(batch["speed.valid"][i]) == (label % 4 > 0)
            assert float(batch["speed"][i]) == (float(label) if label % 4 else 0.0)
            seen += 1
    assert seen == len(points)


def test_fields_that_vary_are_ragged_tensors_and_strings(drives):
    store, points = drives
    made = bevscope.open(store).reader("rows", order="full", batch=16).tf(shards=2)
    spec = made.element_spec
    assert spec["lidar"] == tf.RaggedTensorSpec((None, None, 4), tf.float32, 1, tf.int64)
    assert spec["front"] == tf.TensorSpec((None,), tf.string)
    assert spec["note.valid"] == tf.TensorSpec((None,), tf.bool)
    for _ in range(2):
        check_drives(made, points)
    check_drives(bevscope.DataLoader(store).tf(7, shards=3), points)
    windows = bevscope.open(store).reader(
        "rows", window={"past": 1, "future": 1}, fields=["lidar"]
    )
    with pytest.raises(bevscope.Unsupported, match="lidar"):
        windows.tf()
