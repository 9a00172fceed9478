"""tf.data takes a reader. TensorFlow is not among the pinned packages: 600 MB."""

import numpy as np
import pytest

import bevscope

tf = pytest.importorskip("tensorflow")


def test_an_epoch_is_that_of_the_reader(town):
    dataset = bevscope.open(town / "scenes/town.zarr")
    fields = ["row", "centroid", "track_id", "host", "kept"]
    reader = dataset.reader("agents", where="speed > 1", fields=fields, order="blocks")
    made = reader.tf()
    assert made.element_spec["centroid"] == tf.TensorSpec((None, 2), tf.float64)
    assert made.element_spec["track_id"] == tf.TensorSpec((None,), tf.uint64)
    epochs = [[one["row"].numpy() for one in made] for _ in range(2)]
    assert reader.epoch == 2
    for epoch, found in enumerate(epochs):
        reader.reset(epoch)
        expected = [one["row"] for one in reader]
        assert all(map(np.array_equal, found, expected))
        assert len(found) == len(expected)
