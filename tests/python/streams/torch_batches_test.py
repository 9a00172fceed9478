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


ORDERS = {
    "none": {"order": "none"},
    "large": {"order": "none", "batch": 3000},
    "tracks": {"order": "tracks"},
    "full": {"order": "full"},
    "windows": {"order": "none", "window": {"past": 2, "future": 3}},
    "scenes": {"order": "tracks", "batch": {"by_block": True}},
    "equal": {"shard": {"index": 0, "count": 2, "equal": "pad"}},
    "threads": {"threads": 2},
}


@pytest.mark.parametrize("name", ORDERS)
def test_workers_do_not_change_the_stream_of_any_order(dataset, name):
    expected = digest(dataset.reader("agents", **{**OPTIONS, **ORDERS[name]}))
    for workers in (0, 1, 2, 4):
        made = epoch_of(dataset, workers, "fork" if workers else None, **ORDERS[name])
        assert digest(made) == expected


def test_workers_continue_where_a_reader_stands(dataset):
    first = dataset.reader("agents", **OPTIONS)
    batches = list(dataset.reader("agents", **OPTIONS))
    for _ in range(5):
        first.next_batch()
    for workers in (0, 1, 2, 4):
        second = dataset.reader("agents", **OPTIONS)
        second.load_state(first.state())
        made = DataLoader(second.torch(), batch_size=None, num_workers=workers)
        assert digest(made) == digest(batches[5:])


def test_functions_run_on_a_workers_own_batches_alone(dataset, tmp_path):
    def counted(batch):
        with (tmp_path / "calls").open("a") as file:
            file.write("x")
        return batch

    reader = dataset.reader("agents", **OPTIONS)
    batches = len(reader)
    made = DataLoader(
        reader.map(counted).torch(),
        batch_size=None,
        num_workers=2,
        multiprocessing_context="fork",
    )
    assert digest(made) == digest(dataset.reader("agents", **OPTIONS))
    assert len((tmp_path / "calls").read_text()) == batches


def test_chunks_of_other_workers_batches_are_not_read(dataset, town):
    class Counting:
        def __init__(self):
            self.keys = set()

        def read(self, key, range):
            self.keys.add(key)
            path = town / "scenes/town.zarr" / key
            if not path.is_file():
                return None
            found = path.read_bytes()
            return found if range is None else found[range[0] : range[1]]

    array = dataset.agents
    source = Counting()
    reader = bevscope.open(source).reader("agents", batch=array.chunks[0])
    rows = [batch["yaw"] for batch in reader._iterate(1, 2)]
    assert sum(map(len, rows)) < len(array)
    assert np.array_equal(rows[0], array["yaw", array.chunks[0] : 2 * array.chunks[0]])
    assert "agents/0" not in source.keys
    assert "agents/1" in source.keys


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
