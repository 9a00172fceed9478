"""Reading over HTTP: kept connections, failures, interruption."""

import http.server
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import bevscope


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


@pytest.fixture
def serve():
    """Starts servers; `serve(answer)` returns the address of one whose GET requests are
    answered by `answer(handler)`, and a record of connections and paths."""
    started = []

    def start(answer):
        record = {"connections": 0, "paths": []}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                record["connections"] += 1
                super().setup()

            def do_GET(self):
                record["paths"].append(self.path)
                answer(self)

            def log_message(self, *_):
                pass

        server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        started.append(server)
        return f"http://127.0.0.1:{server.server_port}", record

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


def reply(handler, body, status=200, length=None, **headers):
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body) if length is None else length))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


@pytest.fixture
def store(goldens):
    root = goldens / "inputs/multi_scene.zarr"

    def answer(handler):
        name = handler.path.split("multi_scene.zarr/", 1)[-1]
        file = Path(root) / name
        if not file.is_file():
            return reply(handler, b"", 404)
        body = file.read_bytes()
        part = handler.headers.get("Range")
        if part is None:
            return reply(handler, body)
        begin, end = (int(v) for v in part.removeprefix("bytes=").split("-"))
        end = min(end, len(body) - 1)
        place = f"bytes {begin}-{end}/{len(body)}"
        reply(handler, body[begin : end + 1], 206, Content_Range=place)

    return answer


def rows_at(address):
    return bevscope.open(f"{address}/multi_scene.zarr").agents[:]


@pytest.fixture(scope="session")
def expected(goldens):
    return bevscope.open(str(goldens / "inputs/multi_scene.zarr")).agents[:]


def test_connections_are_kept(serve, store, expected):
    address, record = serve(store)
    dataset = bevscope.open(f"{address}/multi_scene.zarr")
    opened = record["connections"]
    for begin in range(0, len(expected), 2000):
        assert np.array_equal(
            dataset.agents[begin : begin + 5], expected[begin : begin + 5]
        )
    assert np.array_equal(rows_at(address), expected)
    assert len(record["paths"]) > 12
    assert record["connections"] <= max(opened, 8)  # as many as are sent at a time


def test_connections_that_the_server_closed_are_opened_again(serve, store, expected):
    def answer(handler):
        store(handler)
        handler.close_connection = True  # without the header Connection: close

    address, record = serve(answer)
    assert np.array_equal(rows_at(address), expected)
    assert np.array_equal(rows_at(address), expected)
    assert record["connections"] == len(record["paths"])


def test_redirects_are_followed(serve, store, expected):
    def answer(handler):
        if handler.path.startswith("/old/"):
            return reply(handler, b"", 302, Location=handler.path.removeprefix("/old"))
        store(handler)

    address, _ = serve(answer)
    assert np.array_equal(rows_at(f"{address}/old"), expected)


def test_redirects_that_do_not_end_are_an_error(serve):
    address, _ = serve(lambda handler: reply(handler, b"", 302, Location=handler.path))
    with pytest.raises(bevscope.ReadError, match="redirects"):
        bevscope.open(f"{address}/a.zarr")


def test_truncated_bodies_are_read_again(serve, store, expected):
    failed = set()

    def answer(handler):
        if handler.path.endswith("agents/1") and handler.path not in failed:
            failed.add(handler.path)
            reply(handler, b"short", length=5000)
            handler.close_connection = True
        else:
            store(handler)

    address, _ = serve(answer)
    assert np.array_equal(rows_at(address), expected)
    assert failed


READ = """
import signal, sys, bevscope
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
try:
    bevscope.open(sys.argv[1])
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.parametrize("kind", ["silent", "throttled"])
def test_interrupts_end_a_wait_for_the_server(serve, kind):
    asked, released = threading.Event(), threading.Event()

    def answer(handler):
        asked.set()
        if kind == "silent":
            released.wait()
        else:
            reply(handler, b"", 503, Retry_After="3600")

    address, _ = serve(answer)
    reader = subprocess.Popen([sys.executable, "-c", READ, f"{address}/a.zarr"])
    try:
        assert asked.wait(60)
        reader.send_signal(signal.SIGINT)
        # Only the interrupt ends it: the server never answers.
        assert reader.wait(25) == 7
    finally:
        reader.kill()
        released.set()


@pytest.mark.parametrize("user", ["me:secret", "me", "me%40:secret", "a@me:secret"])
def test_user_names_in_urls_are_refused(serve, user):
    address, record = serve(lambda handler: reply(handler, b""))
    with pytest.raises(bevscope.InvalidArgument, match="user name and password") as caught:
        bevscope.open(f"{address.replace('//', f'//{user}@')}/a.zarr")
    assert "secret" not in str(caught.value)
    assert not record["paths"]
