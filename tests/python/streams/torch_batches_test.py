"""Readers as data sets of PyTorch: one stream for any number of workers."""

import hashlib

import numpy as np
import pytest

import bevscope

torch = pytest.importorskip("torch")
from torch.utils.data import DataLoader, IterableDataset  # noqa: E402

OPTIONS = {
    "where": "speed > 1 or label = 14",
    "fields": ["row", "track_id", "centroid", "yaw", "label", "kept"],
    "order": "blocks",
    "seed": 3,
    "batch": 100,
}
LOADERS = [
    (0, None),
    (1, "fork"),
    (2, "fork"),
    (3, "forkserver"),
    (2, "spawn"),
]


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


def digest(batches):
    made = hashlib.sha256()
    for batch in batches:
        for name, values in batch.items():
            array = np.ascontiguousarray(values)
            made.update(f"{name}{array.shape}".encode())
            made.update(array.astype(np.float64).tobytes())
    return made.hexdigest()


def epoch_of(dataset, workers, method, **options):
    reader = dataset.reader("agents", **{**OPTIONS, **options})
    context = {"multiprocessing_context": method} if method else {}
    return DataLoader(reader.torch(), batch_size=None, num_workers=workers, **context)


@pytest.mark.parametrize(("workers", "method"), LOADERS)
def test_workers_do_not_change_the_stream(dataset, workers, method):
    expected = digest(dataset.reader("agents", **OPTIONS))
    assert digest(epoch_of(dataset, workers, method)) == expected


def test_workers_of_shards_do_not_change_the_stream(dataset):
    for index in range(3):
        shard = (index, 3)
        expected = digest(dataset.reader("agents", shard=shard, **OPTIONS))
        assert digest(epoch_of(dataset, 2, "fork", shard=shard)) == expected


def test_batches_are_tensors_that_share_memory(dataset):
    reader = dataset.reader("agents", **OPTIONS)
    made = reader.torch()
    assert isinstance(made, IterableDataset)
    batch = next(iter(made))
    assert batch["centroid"].dtype == torch.float64
    assert batch["centroid"].shape == (100, 2)
    assert batch["track_id"].dtype == torch.int64
    assert batch["kept"].dtype == torch.bool


def test_set_epoch_chooses_the_epoch_of_workers(dataset):
    reader = dataset.reader("agents", **OPTIONS)
    epochs = [digest(reader) for _ in range(3)]
    made = dataset.reader("agents", **OPTIONS).torch()
    for epoch in (2, 0, 1):
        made.set_epoch(epoch)
        loader = DataLoader(made, batch_size=None, num_workers=2)
        assert digest(loader) == epochs[epoch]
