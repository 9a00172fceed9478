"""A hostile server: every answer is right or an error, with bounded memory and requests."""

import gzip
import socket
import threading
import time
import tracemalloc
import zlib

import pytest

from bevscope._sources import http as _http

#: Bytes of an object. All have the same, so that only their content tells them apart.
SIZE = 4096
KEYS = 12
MIB = 1 << 20


def value(name):
    """The content of an object."""
    return (name.encode() * SIZE)[:SIZE]


def head(status, length, **headers):
    lines = [f"HTTP/1.1 {status} Any", f"Content-Length: {length}"]
    lines += [f"{name.replace('_', '-')}: {text}" for name, text in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def plain(name, part=None):
    body = value(name)
    if part is None:
        return head(200, len(body)) + body
    begin, end = part
    place = f"bytes {begin}-{end - 1}/{SIZE}"
    return head(206, end - begin, Content_Range=place) + body[begin:end]


class Hostile:
    """Answers each request by `fault(link)`, which sends what it likes."""

    def __init__(self, fault):
        self._fault = fault
        self._lock = threading.Lock()
        self.requests = self.connections = 0
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._socket.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with self._lock:
            self.connections += 1
        link = Link(connection, self)
        try:
            while link.next():
                with self._lock:
                    self.requests += 1
                self._fault(link)
        except OSError:
            pass  # the client has closed it
        finally:
            connection.close()

    def close(self):
        self._socket.close()


class Link:
    """A connection of a hostile server; the current request and the answer before."""

    def __init__(self, connection, server):
        self._connection, self.server = connection, server
        self._file = connection.makefile("rb")
        self.before = b""
        self.count = 0

    def next(self):
        line = self._file.readline()
        if not line:
            return False
        self.method, self.path, _ = line.decode().split(" ")
        self.name = self.path.rpartition("/")[2]
        self.part, self.count, self.headers = None, self.count + 1, {}
        while (line := self._file.readline().strip()) != b"":
            name, _, text = line.decode().partition(": ")
            self.headers[name.lower()] = text
        if "range" in self.headers:
            begin, end = self.headers["range"].removeprefix("bytes=").split("-")
            self.part = int(begin), int(end) + 1
        return True

    @property
    def right(self):
        return plain(self.name, self.part)

    def send(self, *parts, pause=0.0):
        for i, part in enumerate(parts):
            if i:
                time.sleep(pause)
            self._connection.sendall(part)

    def drop(self):
        self._connection.shutdown(socket.SHUT_RDWR)
        raise ConnectionError


def twice(link):
    link.send(link.right * 2)


def twice_later(link):
    link.send(link.right, link.right, pause=0.002)


def shifted(link):
    """Every answer comes one request late."""
    before, link.before = link.before, link.right
    link.send(before or link.right)


def before_each(link):
    """The answer before is repeated when the next request is there."""
    before, link.before = link.before, link.right
    link.send(before, link.right)


def cut(link):
    link.send(link.right[:-100])
    link.drop()


def cut_head(link):
    link.send(link.right[:20])
    link.drop()


def length_too_long(link):
    link.send(link.right.replace(b"Content-Length: 4096", b"Content-Length: 4099"))
    link.drop()


def surplus(link):
    link.send(link.right + b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong")


def surplus_later(link):
    more = b"HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\n" + b"w" * SIZE
    link.send(link.right, more, pause=0.002)


def chunked(link, end=b"0\r\n\r\n"):
    body = value(link.name)
    lines = b"".join(
        b"400\r\n" + body[i : i + 1024] + b"\r\n" for i in range(0, SIZE, 1024)
    )
    link.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + lines + end)


def chunked_cut(link):
    chunked(link, b"")
    link.drop()


def chunked_surplus(link):
    chunked(link, b"0\r\n\r\n" + b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong")


def two_lengths(link):
    body = value(link.name)
    link.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n" + head(200, 4096)[18:] + body)
    link.drop()


def negative_length(link):
    link.send(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n" + value(link.name))
    link.drop()


def no_status_line(link):
    link.send(b"wrong\r\n\r\n")
    link.drop()


def many_headers(link):
    more = b"".join(b"x-%d: y\r\n" % i for i in range(5000))
    link.send(b"HTTP/1.1 200 OK\r\n" + more + b"\r\n" + value(link.name))
    link.drop()


def long_header(link):
    link.send(b"HTTP/1.1 200 OK\r\nx: " + b"y" * 200_000 + b"\r\n\r\n")
    link.drop()


def hang_up(link):
    link.drop()


def hang_up_after_one(link):
    if link.count > 1:
        link.drop()
    link.send(link.right)


def zipped(link):
    body = (
        gzip.compress(value(link.name)[:99])
        + gzip.compress(value(link.name)[99:])
        + bytes(9)
    )
    link.send(head(200, len(body), Content_Encoding="gzip") + body)


def zipped_cut(link):
    body = gzip.compress(value(link.name))[:-9]
    link.send(head(200, len(body), Content_Encoding="gzip") + body)


def not_zipped(link):
    link.send(head(200, SIZE, Content_Encoding="gzip") + value(link.name))


def deflated(link):
    body = zlib.compress(value(link.name))
    link.send(head(200, len(body), Content_Encoding="deflate") + body)


def moved(link):
    if link.name.startswith("new-"):
        link.send(plain(link.name.removeprefix("new-")))
    else:
        link.send(head(302, 0, Location=f"new-{link.name}"))


def moved_for_ever(link):
    link.send(head(302, 0, Location=f"{link.name}x"))


def moved_to_a_file(link):
    link.send(head(302, 0, Location="file:///etc/hostname"))


def moved_with_password(link):
    link.send(head(302, 0, Location=f"http://u:p@127.0.0.1:{link.server.port}/{link.name}"))


def throttled(link):
    link.send(head(429, 0, Retry_After="3600"))


def continued(link):
    link.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + link.right)


FAULTS = {
    "right": (
        *(twice, twice_later, before_each, surplus, chunked),
        *(chunked_surplus, hang_up_after_one, zipped, deflated, moved, continued),
    ),
    "error": (
        *(cut, cut_head, length_too_long, chunked_cut, two_lengths, no_status_line),
        *(many_headers, long_header, hang_up, zipped_cut, not_zipped, moved_for_ever),
        *(moved_to_a_file, moved_with_password, throttled),
    ),
    "either": (shifted, negative_length),
}
CASES = [(kind, fault) for kind, faults in FAULTS.items() for fault in faults]


@pytest.fixture
def serve():
    started = []

    def start(fault):
        started.append(Hostile(fault))
        return started[-1]

    yield start
    for server in started:
        server.close()


def requests_of(server, names, part=None, limit=0, method="GET"):
    return [
        (f"{server.address}/{name}", part, limit, method, b"", [], None) for name in names
    ]


def ask(requests, width=1, silence=2):
    answers = {}
    for index, *answer in _http.send(requests, width, 1000 * silence, silence):
        answers[index] = answer
    assert sorted(answers) == [*range(len(requests))]
    return [answers[i] for i in range(len(requests))]


def is_right(name, part, answer):
    status, _, body, failure = answer
    expected = value(name) if part is None else value(name)[slice(*part)]
    return status in (200, 206) and not failure and body == expected


def is_error(answer):
    return answer[0] == 0 and answer[3] != "" or answer[0] >= 400


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("part", [None, (100, 200)], ids=["whole", "range"])
@pytest.mark.parametrize(("kind", "fault"), CASES, ids=[f.__name__ for _, f in CASES])
def test_answers_are_right_or_errors(serve, kind, fault, part, width):
    if part is not None and fault.__name__.startswith(
        (
            "chunked",
            "zipped",
            "not_zipped",
            "deflated",
            "moved",
            "length",
            "two",
            "negative",
        )
    ):
        part = None  # their answers are whole objects
    server = serve(fault)
    names = [f"{i:02}" for i in range(KEYS)]
    right = wrong = 0
    for name in (*names, *names):  # one round after another, on kept connections
        (answer,) = ask(requests_of(server, [name], part))
        right += is_right(name, part, answer)
        wrong += not is_right(name, part, answer) and not is_error(answer)
    for name, answer in zip(
        names, ask(requests_of(server, names, part), width), strict=True
    ):
        right += is_right(name, part, answer)
        wrong += not is_right(name, part, answer) and not is_error(answer)
    total = 3 * KEYS
    print(f"{fault.__name__}: {total} answers, {right} right, {wrong} wrong")
    assert wrong == 0
    assert right == {"right": total, "error": 0}.get(kind, right)
    assert server.requests <= (11 if fault is moved_for_ever else 4) * total


def test_connections_on_which_bytes_arrive_meanwhile_are_dropped(serve):
    server = serve(surplus_later)
    for i in range(KEYS):
        (answer,) = ask(requests_of(server, [f"{i:02}"]))
        assert is_right(f"{i:02}", None, answer)
        time.sleep(0.02)  # a connection that is idle; a late answer is its surplus
    assert server.connections == KEYS


def test_a_body_after_head_is_not_the_next_answer(serve):
    def fault(link):
        link.send(link.right)  # for HEAD too

    server = serve(fault)
    for i in range(KEYS):
        name = f"{i:02}"
        (answer,) = ask(requests_of(server, [name], method="HEAD"))
        assert (answer[0], answer[2], answer[3]) == (200, b"", "")
        assert answer[1]["content-length"] == str(SIZE)
        (answer,) = ask(requests_of(server, [name]))
        assert is_right(name, None, answer)


def bomb(encoding, size):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31 if encoding == "gzip" else 15)
    block = bytes(MIB)
    return b"".join(packer.compress(block) for _ in range(size // MIB)) + packer.flush()


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_decoded_bytes_are_limited(serve, encoding):
    body = bomb(encoding, 512 * MIB)

    def fault(link):
        link.send(head(200, len(body), Content_Encoding=encoding) + body)

    server = serve(fault)
    tracemalloc.start()
    try:
        (answer,) = ask(requests_of(server, ["a"], limit=4 * MIB), silence=20)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer[2:] == [b"", "the body is too long"]
    print(f"{encoding}: {len(body)} bytes for 512 MiB, peak {peak / MIB:.0f} MiB")
    assert peak < 24 * MIB


def test_bodies_without_end_are_limited(serve):
    def fault(link):
        link.send(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            link.send(bytes(MIB))

    tracemalloc.start()
    try:
        (answer,) = ask(requests_of(serve(fault), ["a"], limit=4 * MIB), silence=20)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer[2:] == [b"", "the body is too long"]
    assert peak < 24 * MIB


def test_equal_answers_to_other_questions_are_asked_for_once_more(serve):
    def fault(link):
        link.send(head(404, 0))

    server = serve(fault)
    for i in range(KEYS):
        (answer,) = ask(requests_of(server, [f"{i:02}"]))
        assert answer[0] == 404
    assert server.requests <= 2 * KEYS


def test_answers_that_differ_in_a_header_are_asked_for_once(serve):
    def fault(link):
        link.send(head(404, 0, X_Request_Id=str(link.count)))

    server = serve(fault)
    for i in range(KEYS):
        ask(requests_of(server, [f"{i:02}"]))
    assert (server.requests, server.connections) == (KEYS, 1)


def test_names_and_passwords_are_not_sent(serve):
    server = serve(lambda link: link.send(link.right))
    url = f"http://user:secret@127.0.0.1:{server.port}/a"
    (answer,) = ask([(url, None, 0, "GET", b"", [], None)])
    assert (answer[0], answer[3]) == (0, "invalid URL")
    assert server.requests == 0


def test_whole_addresses_are_not_logged(serve, caplog):
    def fault(link):
        link.send(b"HTTP/1.1 200 OK\r\nwrong\r\n" + link.right[17:])
        link.drop()

    with caplog.at_level("DEBUG"):
        ask([(f"{serve(fault).address}/a?signature=secret", None, 0, "GET", b"", [], None)])
    assert "secret" not in caplog.text


def test_proxies_of_the_environment_are_used(serve, monkeypatch):
    lines = []

    def fault(link):
        lines.append((link.method, link.path, link.headers))
        link.send(link.right if link.method == "GET" else head(502, 0))

    proxy = serve(fault).address.removeprefix("http://")
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, f"http://user:p%40ss@{proxy}")
    monkeypatch.setenv("no_proxy", "")
    (answer,) = ask([("http://example.test:81/a?b=c", None, 0, "GET", b"", [], None)])
    assert answer[2] == value("a?b=c")
    (answer,) = ask([("https://example.test/a", None, 0, "GET", b"", [], None)])
    assert answer[0] == 0 and "502" in answer[3]
    (first, second) = lines
    assert first[:2] == ("GET", "http://example.test:81/a?b=c")
    assert first[2]["host"] == "example.test:81"
    assert second[:2] == ("CONNECT", "example.test:443")
    for _, _, headers in lines:
        assert headers["proxy-authorization"] == "Basic dXNlcjpwQHNz"
        assert "authorization" not in headers
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = serve(lambda link: link.send(link.right))
    (answer,) = ask(requests_of(server, ["a"]))
    assert is_right("a", None, answer)
    assert len(lines) == 2
