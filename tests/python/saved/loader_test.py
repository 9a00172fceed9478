"""Loading saved data sets from Python: by index, in order, with PyTorch."""

import multiprocessing
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest
from cache_test import Server
from saver_test import batch_of, check_rows, config_of, save

import bevscope
from bevscope import DataConfig, DataLoader, DataSaver, OutOfRange

ROWS = 730


class Counting:
    """A folder as source that counts the reads of each object."""

    def __init__(self, folder):
        self.folder, self.reads, self.failing = Path(folder), {}, None

    def read(self, key, range):
        self.reads[key] = self.reads.get(key, 0) + 1
        if key == self.failing:
            raise ConnectionError(key)
        try:
            found = (self.folder / key).read_bytes()
        except FileNotFoundError:
            return None
        return found if range is None else found[range[0] : range[1]]

    @property
    def chunks(self):
        return {
            key: n
            for key, n in self.reads.items()
            if not key.rpartition("/")[2].startswith(".")
        }


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    made = tmp_path_factory.mktemp("loader") / "d.zarr"
    save(made, 0, ROWS)
    return made


def same(found, rows):
    expected = batch_of(0, ROWS)
    assert list(found) == ["image", "label"]
    for name, values in found.items():
        np.testing.assert_array_equal(values, expected[name][rows])
        assert values.dtype == expected[name].dtype


def test_indices_are_pythons(store):
    loader = DataLoader(store)
    assert len(loader) == ROWS
    assert loader.config == config_of()
    for index in (0, 5, -1, -ROWS, ROWS - 1, np.int64(7), np.array(3)):
        same(loader[index], index)
        assert loader[index]["image"].shape == (7, 9)
        assert loader[index]["label"].shape == ()
    for key in (
        slice(None),
        slice(3, 9),
        slice(-5, None),
        slice(9, 3),
        slice(None, None, -7),
    ):
        same(loader[key], key)
    for key in ([3, 1, 3, -1], np.array([], int), np.arange(ROWS) % 3 == 0, range(5)):
        same(loader[key], np.asarray(key, None if len(key) else int))
    for index in (ROWS, -ROWS - 1, [0, ROWS], 2**70, np.array([2**64 - 1], np.uint64)):
        with pytest.raises((OutOfRange, OverflowError)):
            loader[index]
    with pytest.raises(OutOfRange):
        loader[np.ones(3, bool)]
    with pytest.raises(IndexError):
        loader[["a"]]
    with pytest.raises(IndexError):
        loader[1.5]


def test_results_are_the_callers(store):
    loader = DataLoader(store)
    first = loader[0]
    first["image"][:] = 99
    same(loader[0], 0)
    kept = loader[3:5]
    loader.clear()
    del loader
    same(kept, slice(3, 5))


def test_the_first_batch_needs_one_chunk_per_attribute(store):
    source = Counting(store)
    loader = DataLoader(source)
    assert source.chunks == {}
    same(next(loader.batches(4)), slice(0, 4))
    assert sorted(source.chunks.values()) == [1, 1]


@pytest.mark.parametrize("size", [1, 33, 256, ROWS, 10_000])
@pytest.mark.parametrize("budget", [20_000, 1 << 20])
def test_all_rows_come_in_order_and_chunks_are_read_once(store, size, budget):
    source = Counting(store)
    loader = DataLoader(source, byte_budget=budget)
    begin = 0
    for batch in loader.batches(size):
        same(batch, slice(begin, begin + size))
        begin += len(batch["label"])
    assert begin == ROWS
    assert set(source.chunks.values()) == {1}
    assert loader.counters()["chunks"] == len(source.chunks)


def test_drop_last_drops_only_an_incomplete_batch(store):
    loader = DataLoader(store)
    whole = [len(batch["label"]) for batch in loader.batches(100, drop_last=True)]
    assert whole == [100] * 7
    assert len(list(loader.batches(73, drop_last=True))) == 10
    with pytest.raises(bevscope.InvalidArgument):
        next(loader.batches(0))


def test_iteration_yields_every_row(store):
    labels = [int(row["label"]) for row in DataLoader(store)]
    assert labels == [3 * row for row in range(ROWS)]


def test_a_thousand_reads_within_a_chunk_fetch_it_once(store):
    source = Counting(store)
    loader = DataLoader(source)
    draw = np.random.default_rng(1)
    for index in draw.integers(0, 60, 1000):
        assert loader[index]["label"] == 3 * index
    assert sorted(source.chunks.values()) == [1, 1]
    loader.clear()
    assert loader.counters()["held_bytes"] == 0
    same(loader[0], 0)
    assert sorted(source.chunks.values()) == [2, 2]


def test_failed_reads_raise_and_are_not_filled(tmp_path):
    store = tmp_path / "d.zarr"
    save(store, 0, ROWS)
    source = Counting(store)
    loader = DataLoader(source)
    source.failing = "image/0.0.0"
    with pytest.raises(ConnectionError):
        loader[0]
    same(loader[-1], -1)
    source.failing = None
    same(loader[0], 0)
    (store / "image/1.0.0").unlink()
    with pytest.raises(bevscope.Error) as caught:
        DataLoader(store)[:]
    assert caught.value.code == "missing_key" and caught.value.key == "image/1.0.0"
    (store / "image/1.0.0").write_bytes(b"damaged")
    with pytest.raises(bevscope.Error) as caught:
        DataLoader(store)[:]
    assert caught.value.code == "corrupt_chunk"


def test_rows_of_a_replaced_data_set_are_not_returned(tmp_path):
    store = tmp_path / "d.zarr"
    save(store, 0, ROWS)
    loader = DataLoader(store)
    same(loader[0], 0)
    save(store, 5000, 6000, mode="replace")
    same(loader[1], 1)  # in memory
    with pytest.raises(bevscope.ReadError) as caught:
        loader[-1]
    assert caught.value.code == "changed"
    check_rows(store, 5000, 6000)


def test_loaders_pickle_and_serve_threads(store):
    loader = pickle.loads(pickle.dumps(DataLoader(store, byte_budget=20_000)))
    same(loader[17], 17)
    wrong = []

    def read(seed):
        for index in np.random.default_rng(seed).integers(0, ROWS, 200):
            if loader[index]["label"] != 3 * index:
                wrong.append(index)

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def read_all(url, folder):
    for begin, batch in enumerate(DataLoader(url, cache=folder).batches(100)):
        same(batch, slice(100 * begin, 100 * begin + 100))


@pytest.fixture
def server(store):
    started = Server(store.parent)
    yield started
    started.shutdown()
    started.server_close()


def test_processes_share_the_chunks_of_a_url(store, server, tmp_path):
    url = server.url().replace("multi_scene", "d")
    objects = sum(path.name[0].isdigit() for path in store.rglob("*/*"))
    read_all(url, None)
    assert server.taken()["GET"] == objects
    read_all(url, tmp_path)
    assert server.taken()["GET"] == objects
    workers = multiprocessing.get_context("spawn")
    with workers.Pool(3) as pool:
        pool.starmap(read_all, [(url, tmp_path)] * 3)
    assert server.taken()["GET"] == 0


def test_cold_processes_at_once_agree_and_fill_the_cache(store, server, tmp_path):
    url = server.url().replace("multi_scene", "d")
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        pool.starmap(read_all, [(url, tmp_path)] * 3)
    server.taken()
    read_all(url, tmp_path)
    assert server.taken()["GET"] == 0


def test_a_url_replaced_meanwhile_is_an_error(tmp_path):
    save(tmp_path / "d.zarr", 0, ROWS)
    started = Server(tmp_path)
    try:
        loader = DataLoader(started.url().replace("multi_scene", "d"))
        same(loader[0], 0)
        save(tmp_path / "d.zarr", 5000, 6000, mode="replace")
        started.version = 2
        with pytest.raises(bevscope.ReadError) as caught:
            loader[-1]
        assert caught.value.code == "changed"
    finally:
        started.shutdown()
        started.server_close()


def test_other_stores_are_refused(tmp_path):
    with pytest.raises(bevscope.NotFound):
        DataLoader(tmp_path / "absent")
    (tmp_path / "x.zarr").mkdir()
    (tmp_path / "x.zarr/.zgroup").write_text('{"zarr_format": 2}')
    with pytest.raises(bevscope.InvalidArgument, match="not a data set written by a saver"):
        DataLoader(tmp_path / "x.zarr")


def test_an_empty_data_set_has_no_rows(tmp_path):
    with DataSaver(config_of(), tmp_path / "d.zarr"):
        pass
    loader = DataLoader(tmp_path / "d.zarr")
    assert len(loader) == 0
    assert loader[:]["image"].shape == (0, 7, 9)
    assert list(loader) == []
    with pytest.raises(OutOfRange):
        loader[0]


@pytest.mark.parametrize(("workers", "method"), [(0, None), (2, "fork"), (2, "spawn")])
def test_torch_loads_in_any_order_with_workers(store, workers, method):
    torch = pytest.importorskip("torch")
    from bevscope.torch import collate

    context = {"multiprocessing_context": method} if method else {}
    batches = torch.utils.data.DataLoader(
        DataLoader(store),
        batch_size=50,
        shuffle=True,
        num_workers=workers,
        collate_fn=collate,
        generator=torch.Generator().manual_seed(2),
        **context,
    )
    labels = []
    for batch in batches:
        labels.extend(batch["label"].tolist())
        rows = (batch["label"] // 3).numpy()
        np.testing.assert_array_equal(batch["image"], batch_of(0, ROWS)["image"][rows])
    assert sorted(labels) == [3 * row for row in range(ROWS)]
    assert labels != sorted(labels)


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_torch_streams_rows_in_order_with_workers(store, workers):
    torch = pytest.importorskip("torch")
    made = DataLoader(store).torch(64)
    batches = torch.utils.data.DataLoader(made, batch_size=None, num_workers=workers)
    found = list(batches)
    assert len(found) == len(made) == 12
    labels = torch.cat([batch["label"] for batch in found]).tolist()
    assert labels == [3 * row for row in range(ROWS)]
    assert found[0]["image"].dtype == torch.uint8


def test_torch_leaves_out_strings(tmp_path):
    torch = pytest.importorskip("torch")
    with DataSaver(DataConfig("s", {"s": "U3", "x": "f4"}), tmp_path / "d.zarr") as saver:
        saver.save({"s": np.array(["a", "b"]), "x": np.ones(2, "f4")})
    (batch,) = DataLoader(tmp_path / "d.zarr").torch()
    assert list(batch) == ["x"]
    assert torch.equal(batch["x"], torch.ones(2))
