"""Sends the core's HTTP requests. Retries and the meaning of answers are the core's."""

from __future__ import annotations

import gzip
import http.client
import threading
import urllib.parse
import zlib
from collections import deque
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any, NamedTuple

from . import _core
from ._connections import Connection, Connections, Target
from ._signing import Signing, signed_headers


class Request(NamedTuple):
    """A request of the core."""

    url: str
    range: tuple[int, int] | None
    max_bytes: int
    method: str
    body: bytes
    headers: list[str]
    signing: Signing | None

    @property
    def is_read(self) -> bool:
        return self.method in ("GET", "HEAD")


Answer = tuple[int, dict[str, str], bytes, str]

#: Bytes of a body without a stated maximum.
MAX_BYTES = 1 << 30
MAX_REDIRECTS = 10
#: How a server ends a connection that was idle for too long.
STALE = (http.client.BadStatusLine, ConnectionError)

_connections = Connections()


def _decoded(body: bytes, encoding: str) -> bytes:
    if encoding == "gzip":
        return gzip.decompress(body)
    if encoding == "deflate":
        return zlib.decompress(body)
    return body


class Round:
    """Requests that are sent together, by threads that end with the process.

    Only the caller's thread waits in Python, so that Ctrl+C ends the round at once.
    """

    def __init__(self, requests: list[Request], connect: float, silence: float) -> None:
        self._requests, self._timeouts = requests, (connect, silence)
        self._waiting = deque(range(len(requests)))
        self._used: set[Connection] = set()
        self._lock = threading.Lock()
        self._ended = False
        self.answers: SimpleQueue[tuple[int, Answer]] = SimpleQueue()

    def start(self, width: int) -> None:
        for _ in range(min(width, len(self._requests))):
            threading.Thread(target=self._work, daemon=True).start()

    def end(self) -> None:
        """Drops what is not answered."""
        with self._lock:
            self._ended = True
            self._waiting.clear()
            for connection in self._used:
                connection.interrupt()

    def _work(self) -> None:
        while True:
            try:
                index = self._waiting.popleft()
            except IndexError:
                return
            self.answers.put((index, self._answer(self._requests[index])))

    def _answer(self, request: Request) -> Answer:
        try:
            url = request.url
            for _ in range(MAX_REDIRECTS):
                answer = self._get(url, request)
                where = answer[1].get("location")
                is_moved = answer[0] in (301, 302, 303, 307, 308)
                if not is_moved or not where or request.signing or not request.is_read:
                    return answer
                url = urllib.parse.urljoin(url, where)
            return 0, {}, b"", f"more than {MAX_REDIRECTS} redirects"
        except (http.client.InvalidURL, ValueError):  # whose texts contain parts of it
            return 0, {}, b"", "invalid URL"
        except (OSError, http.client.HTTPException, zlib.error, EOFError) as error:
            return 0, {}, b"", str(error) or type(error).__name__
        except Exception as error:  # the caller waits for an answer
            return 0, {}, b"", f"{type(error).__name__}: {error}"

    def _get(self, url: str, request: Request) -> Answer:
        """Sends one request, again if a kept connection turns out to be closed."""
        target = Target.of(url)
        while True:
            connection = _connections.take(target.origin, self._timeouts[0])
            self._use(connection)
            try:
                return self._exchange(connection, target, request)
            except STALE:
                if not connection.reused or self._ended:
                    raise
            finally:
                with self._lock:
                    self._used.discard(connection)

    def _use(self, connection: Connection) -> None:
        with self._lock:
            if self._ended:
                raise ConnectionAbortedError("the request was dropped")
            self._used.add(connection)

    def _exchange(self, connection: Connection, target: Target, request: Request) -> Answer:
        part, method, body = request.range, request.method, request.body
        limit = request.max_bytes or MAX_BYTES
        headers = {"Accept-Encoding": "identity"}
        if part is not None:
            headers["Range"] = f"bytes={part[0]}-{part[1] - 1}"
        for line in request.headers:
            name, _, value = line.partition(": ")
            headers[name] = value
        if request.signing is not None:
            signing = request.signing
            headers.update(signed_headers(method, target, signing, body, headers))
        whole = False
        try:
            response = connection.send(method, target, headers, body, self._timeouts[1])
            found = response.read(limit + 1)
            whole = response.isclosed() and not response.will_close
        finally:
            if not whole:
                connection.close()
        if whole:
            _connections.give(connection)
        return _read(response, found, part is not None or method == "HEAD", limit)


def _read(
    response: http.client.HTTPResponse, body: bytes, is_raw: bool, limit: int
) -> Answer:
    """Returns the answer of a response, and why it is none. Only whole objects are
    decoded."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    if len(body) > limit:
        return response.status, headers, b"", "the body is too long"
    if response.length:  # the bytes that are missing
        return 0, {}, b"", f"truncated response (found {len(body)} bytes)"
    if not is_raw and response.status < 400:
        body = _decoded(body, headers.get("content-encoding", ""))
    return response.status, headers, body, ""


def send(
    requests: list[tuple[Any, ...]],
    width: int,
    connect_timeout_ms: int,
    silence_timeout_s: int,
) -> Iterator[tuple[int, int, dict[str, str], bytes, str]]:
    """Sends requests, up to `width` at a time; yields each answer after its index."""
    connect = connect_timeout_ms / 1000
    sent = Round(
        [Request(*request) for request in requests],
        connect,
        max(connect, float(silence_timeout_s)),
    )
    try:
        sent.start(width)
        for _ in requests:
            index, answer = sent.answers.get()
            yield (index, *answer)
    finally:
        sent.end()


_core.set_http_transport(send)
