"""The persistent cache of chunks read over HTTP."""

import http.server
import multiprocessing
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest

import bevscope


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self._answer(with_body=False)

    def do_GET(self):
        self._answer(with_body=True)

    def _answer(self, with_body):
        name = self.path.lstrip("/")
        path = Path(self.server.root, name)
        is_document = path.name.startswith(".z")
        self.server.log.append((self.command, is_document))
        body = path.read_bytes() if path.is_file() else b""
        self.send_response(200 if path.is_file() else 404)
        self.send_header("ETag", f'"{self.server.version}-{name}"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)
            self.server.sent += len(body)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, root):
        super().__init__(("127.0.0.1", 0), Handler)
        self.root, self.log, self.version, self.sent = root, [], 1, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server_port}/multi_scene.zarr"

    def taken(self):
        """Returns the requests for chunks since the last call, by method."""
        chunks = [method for method, is_document in self.log if not is_document]
        self.log.clear()
        return {method: chunks.count(method) for method in ("GET", "HEAD")}


@pytest.fixture
def server(goldens):
    started = Server(goldens / "inputs")
    yield started
    started.shutdown()
    started.server_close()


def agents_of(url, folder, **options):
    dataset = bevscope.open(url, cache=folder, **options)
    return dataset.agents[:], dataset.cache_counters()


def test_a_second_opening_only_validates(server, goldens, tmp_path):
    expected = bevscope.open(goldens / "inputs/multi_scene.zarr").agents[:]
    cold, counters = agents_of(server.url(), tmp_path)
    chunks = server.taken()["GET"]
    assert chunks > 0
    assert counters["misses"] == chunks
    assert counters["fetched_bytes"] == server.sent
    warm, counters = agents_of(server.url(), tmp_path)
    assert server.taken() == {"GET": 0, "HEAD": chunks}
    assert counters["hits"] == counters["validations"] == chunks
    assert counters["misses"] == 0
    assert np.array_equal(cold, expected)
    assert np.array_equal(warm, expected)


def test_a_changed_object_is_fetched(server, tmp_path):
    before, _ = agents_of(server.url(), tmp_path)
    chunks = server.taken()["GET"]
    server.version = 2
    after, _ = agents_of(server.url(), tmp_path)
    assert server.taken() == {"GET": chunks, "HEAD": chunks}
    assert np.array_equal(before, after)


def test_a_damaged_entry_is_fetched(server, tmp_path):
    before, _ = agents_of(server.url(), tmp_path)
    server.taken()
    entries = [path for path in tmp_path.rglob("*-*") if path.is_file()]
    for path in entries:
        content = bytearray(path.read_bytes())
        content[-1] ^= 1
        path.write_bytes(content)
    after, _ = agents_of(server.url(), tmp_path)
    assert server.taken()["GET"] == len(entries)
    assert np.array_equal(before, after)


def test_the_limit_holds(server, tmp_path):
    _, counters = agents_of(server.url(), tmp_path, cache_limit=20_000)
    sizes = [path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()]
    assert sum(sizes) <= 20_000
    assert counters["refused"] + counters["evictions"] > 0


def test_a_folder_that_cannot_be_written_is_one_warning(server, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.warns(RuntimeWarning, match="write failed: Not a directory") as caught:
        rows, counters = agents_of(server.url(), tmp_path / "file" / "below")
    assert len(caught) == 1
    assert counters["refused"] == counters["misses"] > 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again, _ = agents_of(server.url(), tmp_path / "file" / "below")
    assert np.array_equal(rows, again)


def test_without_a_cache_there_are_no_counters(server, goldens, tmp_path):
    assert bevscope.open(server.url()).cache_counters() is None
    local = bevscope.open(goldens / "inputs/multi_scene.zarr", cache=tmp_path)
    assert local.cache_counters() is None
    assert list(tmp_path.iterdir()) == []


def read_in_child(url, folder, queue):
    queue.put(agents_of(url, folder)[0].tobytes())


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_share_the_folder(server, tmp_path, method):
    rows, _ = agents_of(server.url(), tmp_path)
    server.taken()
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    children = [
        context.Process(target=read_in_child, args=(server.url(), tmp_path, queue))
        for _ in range(2)
    ]
    for child in children:
        child.start()
    answers = [queue.get(timeout=120) for _ in children]
    for child in children:
        child.join()
    assert answers == [rows.tobytes()] * 2
    assert server.taken()["GET"] == 0


class Owned:
    """A folder as source with a name and states; counts the reads of chunks."""

    name = "own://multi"

    def __init__(self, folder):
        self.folder, self.version, self.reads = folder, 1, 0

    def read(self, key, range):
        path = self.folder / key
        if not path.is_file():
            return None
        if not path.name.startswith("."):
            self.reads += 1
        found = path.read_bytes()
        return found if range is None else found[range[0] : range[1]]

    def states(self, keys):
        return [
            f"{self.version}" if (self.folder / key).is_file() else None for key in keys
        ]


def test_a_source_with_states_is_cached(goldens, tmp_path):
    source = Owned(goldens / "inputs/multi_scene.zarr")
    expected, _ = agents_of(source, tmp_path)
    assert source.reads > 0
    source.reads = 0
    found, counters = agents_of(source, tmp_path)
    np.testing.assert_array_equal(found, expected)
    assert source.reads == 0
    assert counters["hits"] > 0
    source.version = 2
    agents_of(source, tmp_path)
    assert source.reads > 0


def test_a_source_without_states_refuses_a_cache(goldens, tmp_path):
    objects = {
        str(path.relative_to(goldens / "inputs/multi_scene.zarr")): path.read_bytes()
        for path in (goldens / "inputs/multi_scene.zarr").rglob("*")
        if path.is_file()
    }
    with pytest.raises(bevscope.InvalidArgument, match=r"name and states.*MappingSource"):
        bevscope.open(objects, cache=tmp_path)
    assert len(bevscope.open(objects).agents) > 0


def test_the_folder_is_counted_and_cleared(server, tmp_path):
    agents_of(server.url(), tmp_path)
    held = bevscope.cache_contents(tmp_path)
    assert held["entries"] > 0
    (tmp_path / "own.txt").write_text("mine")
    assert bevscope.clear_cache(tmp_path)["entries"] == held["entries"]
    assert bevscope.cache_contents(tmp_path)["entries"] == 0
    assert (tmp_path / "own.txt").read_text() == "mine"
    server.taken()
    agents_of(server.url(), tmp_path)
    assert server.taken()["GET"] > 0
    with pytest.raises(bevscope.NotFound):
        bevscope.clear_cache(tmp_path / "none")
