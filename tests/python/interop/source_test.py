"""File systems of fsspec and stores of obstore as sources."""

import functools
import http.server
import os
import pickle
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

import bevscope


@pytest.fixture(scope="module")
def path(goldens):
    return goldens / "inputs/multi_scene.zarr"


@pytest.fixture(scope="module")
def expected(path):
    return bevscope.open(path).agents[:]


def objects_of(path):
    root = Path(path)
    return {
        str(f.relative_to(root)): f.read_bytes() for f in root.rglob("*") if f.is_file()
    }


def assert_reads(source, expected):
    dataset = bevscope.open(source)
    assert np.array_equal(dataset.agents[:], expected)
    assert np.array_equal(dataset.agents[5:7], expected[5:7])
    assert "nothing" not in dataset


@pytest.fixture
def memory(path):
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    for key, content in objects_of(path).items():
        files.pipe_file(f"/bucket/a.zarr/{key}", content)
    yield files
    files.rm("/bucket", recursive=True)


def test_fsspec_in_memory(memory, expected):
    assert_reads(memory.get_mapper("/bucket/a.zarr"), expected)


def test_fsspec_of_local_files(path, expected):
    fsspec = pytest.importorskip("fsspec")
    assert_reads(fsspec.get_mapper(str(path)), expected)


def test_fsspec_reads_ranges(memory, tmp_path, path):
    from bevscope._sources.remote import FsspecSource

    source = FsspecSource(memory.get_mapper("/bucket/a.zarr"))
    chunk = (path / "agents/0").read_bytes()
    assert source.read("agents/0", None) == chunk
    assert source.read("agents/0", (3, 9)) == chunk[3:9]
    assert source.read("agents/0", (len(chunk) - 4, len(chunk) + 9)) == chunk[-4:]
    assert source.read("agents/999", None) is None
    assert source.read("agents/999", (0, 4)) is None
    assert source.size("agents/0") == len(chunk)
    assert source.size("agents/999") is None
    asked = [("agents/0", None), ("none", None), ("agents/1", None), ("agents/0", (3, 9))]
    found = dict(source.read_all(asked))
    assert [found[i] for i in range(4)] == [
        chunk,
        None,
        (path / "agents/1").read_bytes(),
        chunk[3:9],
    ]


def test_failures_of_fsspec_arrive_as_they_are(memory):
    class Fails(type(memory)):
        cachable = False

        def cat_file(self, path, start=None, end=None, **options):
            if path.endswith("agents/1"):
                raise PermissionError("on purpose")
            return super().cat_file(path, start, end, **options)

    files = Fails()
    with pytest.raises(PermissionError, match="on purpose"):
        bevscope.open(files.get_mapper("/bucket/a.zarr")).agents[:]


def test_obstore_in_memory(path, expected):
    stores = pytest.importorskip("obstore.store")
    store = stores.MemoryStore()
    for key, content in objects_of(path).items():
        store.put(key, content)
    assert_reads(store, expected)


def test_obstore_of_local_files(path, expected):
    stores = pytest.importorskip("obstore.store")
    store = stores.LocalStore(str(path))
    assert_reads(store, expected)
    again = pickle.loads(pickle.dumps(bevscope.open(store)))
    assert np.array_equal(again.agents[:], expected)


@pytest.fixture
def server(path):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(path.parent))
    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{served.server_port}/{path.name}"
    served.shutdown()


def test_obstore_of_a_server(server, expected):
    stores = pytest.importorskip("obstore.store")
    store = stores.HTTPStore.from_url(server, client_options={"allow_http": True})
    assert_reads(store, expected)


def test_arrow_and_zarr_of_a_store_in_memory(memory, expected):
    pa = pytest.importorskip("pyarrow")
    dataset = bevscope.open(memory.get_mapper("/bucket/a.zarr"))
    table = pa.table(dataset.agents)
    assert np.array_equal(table["track_id"].to_numpy(), expected["track_id"])


def cached_chunks(source, folder):
    """Returns what a persistent cache had of the agents, and what it fetched."""
    dataset = bevscope.open(source, cache=folder)
    rows = dataset.agents[:]
    counters = dataset.cache_counters()
    return rows, counters["hits"], counters["misses"]


def check_cache(make, change, folder, expected):
    rows, hits, misses = cached_chunks(make(), folder)
    np.testing.assert_array_equal(rows, expected)
    assert hits == 0
    assert misses > 0
    rows, hits, again = cached_chunks(make(), folder)
    np.testing.assert_array_equal(rows, expected)
    assert (hits, again) == (misses, 0)
    change()
    rows, _, again = cached_chunks(make(), folder)
    np.testing.assert_array_equal(rows, expected)
    assert again == 1


@pytest.mark.parametrize("package", ["fsspec", "obstore"])
def test_local_files_are_cached_until_they_change(package, path, expected, tmp_path):
    pytest.importorskip(package)
    copied = shutil.copytree(path, tmp_path / "a.zarr")

    def make():
        if package == "fsspec":
            import fsspec

            return fsspec.get_mapper(str(copied))
        from obstore.store import LocalStore

        return LocalStore(str(copied))

    def change():
        chunk = copied / "agents/0"
        content = chunk.read_bytes()
        chunk.unlink()
        chunk.write_bytes(content)
        os.utime(chunk, (1, 1))

    check_cache(make, change, tmp_path / "cache", expected)


def test_a_file_system_in_memory_is_cached(memory, expected, tmp_path):
    def change():
        content = memory.cat_file("/bucket/a.zarr/agents/0")
        memory.pipe_file("/bucket/a.zarr/agents/0", content)

    make = functools.partial(memory.get_mapper, "/bucket/a.zarr")
    check_cache(make, change, tmp_path / "cache", expected)


def test_names_tell_stores_apart_without_keys():
    stores = pytest.importorskip("obstore.store")
    options = {"access_key_id": "public", "secret_access_key": "secret", "region": "r"}
    names = {
        bevscope.ObstoreSource(
            stores.S3Store("b", endpoint=f"http://127.0.0.1:{port}", prefix="p", **options)
        ).name
        for port in (1, 2)
    }
    assert len(names) == 2
    assert not any("secret" in name for name in names)
