"""bevscope.open and Dataset."""

import functools
import http.server
import os
import pickle
import signal
import threading
import time
import zipfile
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import bevscope


@pytest.fixture(scope="session")
def path(goldens):
    return str(goldens / "inputs/multi_scene.zarr")


@pytest.fixture(scope="session")
def expected(path):
    return bevscope.open(path).agents[:]


class DictSource:
    def __init__(self, path):
        self.path, self.keys = Path(path), []

    def read(self, key, range):
        self.keys.append(key)
        try:
            data = (self.path / key).read_bytes()
        except (FileNotFoundError, IsADirectoryError):
            return None
        return data if range is None else data[range[0] : range[1]]


class BatchSource(DictSource):
    def read_all(self, requests):
        for i, (key, part) in reversed(list(enumerate(requests))):
            yield i, self.read(key, part)


def objects_of(path):
    root = Path(path)
    return {
        str(f.relative_to(root)): f.read_bytes() for f in root.rglob("*") if f.is_file()
    }


@pytest.mark.parametrize("make", [DictSource, BatchSource, objects_of, Path])
def test_sources_give_the_same_rows(path, expected, make):
    assert np.array_equal(bevscope.open(make(path)).agents[:], expected)


def test_the_home_directory_is_expanded(path, expected, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a.zarr").symlink_to(path)
    for address in ("~/a.zarr", Path("~/a.zarr")):
        dataset = bevscope.open(address)
        assert dataset.address == str(tmp_path / "a.zarr")
        assert np.array_equal(dataset.agents[:], expected)
    dataset.copy("~/b.zarr.zip", scenes=0)
    assert (tmp_path / "b.zarr.zip").exists()
    array = bevscope.open("~/c.zarr/x", "w", shape=3, dtype="i4")
    array[:] = 7
    assert bevscope.open("~/c.zarr/x", "r+")[:].tolist() == [7, 7, 7]


def test_zip_archives_open(path, expected, tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zarr.zip", "w") as archive:
        for name, content in objects_of(path).items():
            archive.writestr(name, content)
    assert np.array_equal(bevscope.open(str(tmp_path / "a.zarr.zip")).agents[:], expected)


@pytest.fixture
def server(path):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(Path(path).parent))
    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{served.server_port}"
    served.shutdown()


def test_urls_open(server, expected):
    assert np.array_equal(bevscope.open(f"{server}/multi_scene.zarr").agents[:], expected)


def test_a_server_that_is_gone_raises_read_error():
    with pytest.raises(bevscope.ReadError) as found:
        bevscope.open("http://127.0.0.1:9/none.zarr")
    assert found.value.code == "network"
    assert found.value.url == "http://127.0.0.1:9/none.zarr"


def test_errors_of_a_source_arrive_as_they_are(path):
    class Broken(DictSource):
        def read(self, key, range):
            if key.startswith("agents/0"):
                raise ZeroDivisionError("on purpose")
            return super().read(key, range)

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        bevscope.open(Broken(path)).agents[:]


def test_damaged_chunks_raise_with_code_url_and_key(path, tmp_path):
    objects = objects_of(path)
    objects["agents/1"] = objects["agents/1"][:50]
    with pytest.raises(bevscope.Error) as found:
        bevscope.open(objects).agents[:]
    assert found.value.code == "corrupt_chunk"
    assert found.value.key == "agents/1"


def test_errors_pickle():
    error = bevscope.OutOfRange("row 7", "out_of_range", "a.zarr", "agents/1")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is bevscope.OutOfRange
    assert (str(again), again.code, again.url, again.key) == (
        "row 7",
        "out_of_range",
        "a.zarr",
        "agents/1",
    )


def test_data_sets_pickle_as_addresses(path, expected):
    data = pickle.dumps(bevscope.open(path))
    assert len(data) < 2000
    assert np.array_equal(pickle.loads(data).agents[:], expected)


def total(dataset):
    return int(dataset.agents["track_id"].sum())


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_processes_open_the_data_set_anew(path, expected, method):
    dataset = bevscope.open(path)
    dataset.agents[:]
    with get_context(method).Pool(2) as pool:
        assert set(pool.map(total, [dataset] * 4)) == {int(expected["track_id"].sum())}


def test_threads_share_a_data_set(path, expected):
    dataset = bevscope.open(path)
    results = []

    def read():
        for _ in range(20):
            results.append(np.array_equal(dataset.agents[:], expected))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert results == [True] * 80


def test_columns_are_the_fields_of_rows(path, expected):
    dataset = bevscope.open(path)
    found = dataset.columns("agents", ["yaw", "centroid"], slice(5, 50))
    assert list(found) == ["yaw", "centroid"]
    assert np.array_equal(found["centroid"], expected["centroid"][5:50])
    everything = dataset.columns("scenes")
    assert list(everything) == list(dataset.scenes.dtype.names)
    assert everything["host"].dtype.kind == "U"


def test_frames_have_derived_values(path):
    dataset = bevscope.open(path)
    frame = dataset.frame(1, 30)
    index = int(dataset.scenes["frame_index_interval"][1, 0]) + 30
    begin, end = dataset.frames[index]["agent_index_interval"]
    assert np.array_equal(frame["agents.centroid"], dataset.agents["centroid"][begin:end])
    assert frame["agents.corners"].shape == (end - begin, 4, 2)
    with pytest.raises(IndexError):
        dataset.frame(1, 10**6)


def test_results_outlive_the_data_set(path, expected):
    dataset = bevscope.open(path)
    rows, frame = dataset.agents[10:20], dataset.frame(0, 3)
    yaw = frame["agents.yaw"].copy()
    del dataset
    assert np.array_equal(rows, expected[10:20])
    assert np.array_equal(frame["agents.yaw"], yaw)


def test_memory_is_flat_over_many_data_sets(path):
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def cycle(count):
        for _ in range(count):
            bevscope.open(path).frames[0:10]

    cycle(200)
    before = resident()
    cycle(800)
    assert resident() - before < 8 << 20


@pytest.fixture
def interruptible():
    """Lets SIGINT raise KeyboardInterrupt, which jobs in the background ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_interrupts_end_a_long_read(path, interruptible):
    class SmallChunks(bevscope.MemorySource):
        CHUNK = 100

    rows = np.tile(bevscope.open(path).agents[:], 20)
    source = SmallChunks({"agents": rows})

    class Waits:
        chunks = 0

        def read(self, key, range):
            if key.startswith("agents/") and not key.endswith(".zarray"):
                self.chunks += 1
                time.sleep(0.02)
            return source.read(key, range)

    waits = Waits()
    dataset = bevscope.open(waits)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        dataset.agents[:]
    assert waits.chunks < len(rows) / SmallChunks.CHUNK
    assert np.array_equal(dataset.agents[0:5], rows[0:5])
