"""Saved data sets on the local disk before training."""

import pickle
from pathlib import Path

import pytest
from cache_test import Server
from loader_test import ROWS, Counting, same
from saver_test import save

import bevscope
from bevscope import DataLoader, Download


@pytest.fixture
def store(tmp_path):
    save(tmp_path / "d.zarr", 0, ROWS)
    return tmp_path / "d.zarr"


def test_a_loader_reads_what_it_has_downloaded(store, tmp_path):
    source, steps = Counting(store), []
    loader = DataLoader(source)
    found = loader.download(tmp_path / "local", progress=lambda *one: steps.append(one))
    assert isinstance(found, Download)
    assert steps[-1] == (len(found), len(found))
    assert all(Path(path).is_file() for path in found)
    assert {path.rpartition("/")[2] for path in found[:3]} >= {".zattrs"}
    source.reads.clear()
    same(loader[:], slice(None))
    same(pickle.loads(pickle.dumps(loader))[[3, 700]], [3, 700])
    assert source.reads == {}


def test_a_second_download_fetches_metadata_only(store, tmp_path):
    DataLoader(store).download(tmp_path / "local")
    source = Counting(store)
    DataLoader(source).download(tmp_path / "local")
    assert source.chunks == {}


def test_clear_removes_the_folder_and_reads_remotely_again(store, tmp_path):
    source = Counting(store)
    loader = DataLoader(source)
    found = loader.download(tmp_path / "local")
    found.clear()
    assert not (tmp_path / "local").exists()
    assert list(found) == []
    source.reads.clear()
    same(loader[5:9], slice(5, 9))
    assert source.chunks


def test_a_server_is_asked_for_each_object_once(tmp_path):
    save(tmp_path / "multi_scene.zarr", 0, ROWS)
    server = Server(tmp_path)
    try:
        loader = DataLoader(server.url(), cache=tmp_path / "cache")
        server.taken()
        objects = len(loader.download(tmp_path / "local"))
        chunks = server.taken()
        assert chunks["GET"] <= objects
        same(loader[:], slice(None))
        assert server.taken() == {"GET": 0, "HEAD": 0}
    finally:
        server.shutdown()
        server.server_close()


def test_failures_leave_nothing(store, tmp_path):
    source = Counting(store)
    loader = DataLoader(source)
    source.failing = "label/0"
    with pytest.raises(ConnectionError, match="label/0"):
        loader.download(tmp_path / "local")
    assert not (tmp_path / "local").exists()
    source.failing = None

    def stop(done, objects):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        loader.download(tmp_path / "local", progress=stop)
    assert not (tmp_path / "local").exists()
    (tmp_path / "own").mkdir()
    (tmp_path / "own/thesis.tex").write_text("x")
    with pytest.raises(bevscope.InvalidArgument, match="no earlier download"):
        loader.download(tmp_path / "own")
    same(loader[0:1], slice(0, 1))
