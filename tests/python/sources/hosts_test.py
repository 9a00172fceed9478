"""Addresses of hosts, read as from Hugging Face: small files are answered, others redirect
to another server; for the command line (libcurl) and the package (its own requests)."""

import subprocess
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

import bevscope

ROOT = "/datasets/me/town/resolve/v1/"


class Handler(BaseHTTPRequestHandler):
    """Serves the folder of its server, with ranges."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        server = self.server
        path = urllib.parse.unquote(self.path.split("?")[0])
        server.log.append((path, self.headers.get("Range")))
        key = path.removeprefix(ROOT) if server.cdn else path.removeprefix("/xet/")
        file = server.folder / key
        if not file.is_file() or key == path:
            return self.answer(404, b"")
        if server.cdn and file.name.replace(".", "").isdigit():
            return self.answer(302, b"", Location=f"{server.cdn}/xet/{key}?Signature=1")
        if server.busy:
            server.busy -= 1
            return self.answer(429, b"", **{"Retry-After": "1"})
        whole = file.read_bytes()
        asked = self.headers.get("Range")
        if asked is None or not server.ranges:
            return self.answer(200, whole)
        begin, end = map(int, asked.removeprefix("bytes=").split("-"))
        part = whole[begin : end + 1]
        said = f"bytes {begin}-{begin + len(part) - 1}/{len(whole)}"
        return self.answer(206, part, **{"Content-Range": said})

    def answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder, cdn=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.cdn = folder, cdn
        self.log, self.ranges, self.busy = [], True, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.server_port}"

    def end(self):
        self.shutdown()
        self.server_close()


@pytest.fixture
def hub(town, monkeypatch):
    cdn = Server(town)
    hub = Server(town, cdn.origin)
    hub.cdn_server = cdn
    monkeypatch.setenv("HF_ENDPOINT", f"{hub.origin}/")
    yield hub
    hub.end()
    cdn.end()


ADDRESS = "hf://datasets/me/town@v1/scenes/town.zarr"


@pytest.mark.parametrize("ranges", [True, False])
def test_a_data_set_is_read_behind_redirects(hub, town, ranges):
    hub.cdn_server.ranges = ranges
    expected = bevscope.open(town / "scenes/town.zarr").agents[10:20]["centroid"]
    dataset = bevscope.open(ADDRESS)
    assert np.array_equal(dataset.agents[10:20]["centroid"], expected)
    assert any(path.endswith("/agents/0") for path, _ in hub.cdn_server.log)
    assert not any(path.endswith(".zarray") for path, _ in hub.cdn_server.log)


def test_a_wait_that_the_host_requests_is_kept(hub):
    hub.busy = 1
    assert len(bevscope.open(ADDRESS).scenes) > 0


def test_the_command_line_reads_it_too(hub, program):
    ran = subprocess.run(
        [program, "info", ADDRESS], capture_output=True, text=True, check=True
    )
    assert "agents" in ran.stdout
    assert any("/agents/.zarray" in path for path, _ in hub.log)


def test_the_server_says_what_a_doctor_asks(hub, program):
    ran = subprocess.run([program, "doctor", ADDRESS], capture_output=True, text=True)
    assert "ranges" in ran.stdout
    assert hub.cdn_server.log


@pytest.mark.parametrize(
    "address", ["hf://datasets/me", "hf://datasets/me/town/../x", "gs://b/x"]
)
def test_invalid_addresses_are_refused(address):
    with pytest.raises(bevscope.InvalidArgument):
        bevscope.open(address)


def test_an_absent_data_set_is_an_error(hub):
    with pytest.raises(bevscope.Error, match="no zarr store"):
        bevscope.open("hf://datasets/me/town@v1/none.zarr")


def test_another_server_must_be_a_url(monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "hub")
    with pytest.raises(bevscope.InvalidArgument, match="HF_ENDPOINT"):
        bevscope.open(ADDRESS)
