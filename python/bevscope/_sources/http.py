"""Sends the core's HTTP requests. Retries and the meaning of answers are the core's."""

from __future__ import annotations

import http.client
import threading
import urllib.parse
import zlib
from collections import deque
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any, NamedTuple

import urllib3

from .. import _core
from .connections import Connections, Exchange, Seen, Target
from .signing import Signing, signed_headers


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
#: Bytes that are read and decoded at a time.
BLOCK = 1 << 20
#: How a server ends a connection that was idle for too long.
STALE = (http.client.BadStatusLine, ConnectionError)
#: zlib's format of an encoding.
WBITS = {"gzip": 31, "x-gzip": 31, "deflate": 15}

_connections = Connections()


class TooLong(Exception):
    """A body exceeds its maximum."""


class Body:
    """Collects a body, of at most `limit` bytes before and after decoding."""

    def __init__(self, limit: int, encoding: str) -> None:
        self._wbits = WBITS.get(encoding.strip().lower())
        self._decoder = self._wbits and zlib.decompressobj(self._wbits)
        self._blocks: list[bytes] = []
        self._free = limit
        self.received, self._limit = 0, limit

    def add(self, block: bytes) -> None:
        """Raises TooLong, or zlib.error."""
        self.received += len(block)
        if self.received > self._limit:
            raise TooLong
        if not self._decoder:
            self._take(block)
        while block and self._decoder:
            if self._decoder.eof:  # gzip may have several members
                self._decoder = zlib.decompressobj(self._wbits or 0)
            self._take(self._decoder.decompress(block, self._free + 1))
            rest = self._decoder.unused_data.lstrip(b"\0")  # padding
            block = self._decoder.unconsumed_tail or rest

    def _take(self, block: bytes) -> None:
        self._free -= len(block)
        if self._free < 0:
            raise TooLong
        self._blocks.append(block)

    def end(self) -> bytes:
        """Returns the body. Raises EOFError if the encoding is cut off."""
        if self._decoder and self.received and not self._decoder.eof:
            raise EOFError(f"truncated Content-Encoding (found {self.received} bytes)")
        return b"".join(self._blocks)


def _reason(error: BaseException) -> str:
    """Returns the text of the error that urllib3 wraps."""
    while error.__context__ is not None:
        error = error.__context__
    return str(error) or type(error).__name__


def _is_stale(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, STALE):
        error = error.__context__
    return error is not None


class Round:
    """Requests that are sent together, by threads that end with the process.

    Only the caller's thread waits in Python, so that Ctrl+C ends the round at once.
    """

    def __init__(self, requests: list[Request], connect: float, silence: float) -> None:
        self._requests, self._timeouts = requests, (connect, silence)
        self._waiting = deque(range(len(requests)))
        self._used: set[Any] = set()
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
        except EOFError as error:
            return 0, {}, b"", str(error)
        except (ValueError, urllib3.exceptions.LocationValueError):
            return 0, {}, b"", "invalid URL"  # their texts contain parts of it
        except Exception as error:  # the caller waits for an answer
            return 0, {}, b"", _reason(error)

    def _get(self, url: str, request: Request) -> Answer:
        """Sends one request, again if a kept connection turns out to be closed, or its
        answer to be perhaps the one before."""
        target = Target.of(url)
        is_fresh = False
        while True:
            exchange = Exchange(self._timeouts[1], self._use, is_fresh)
            try:
                answer = self._exchange(exchange, target, request)
            except Exception as error:
                if not exchange.is_reused or self._ended or not _is_stale(error):
                    raise
                continue
            finally:
                with self._lock:
                    self._used.discard(exchange.connection)
            if answer is not None:
                return answer
            is_fresh = True

    def _use(self, connection: Any) -> None:
        with self._lock:
            if self._ended:
                raise TimeoutError("the request was dropped")
            self._used.add(connection)

    def _exchange(
        self, exchange: Exchange, target: Target, request: Request
    ) -> Answer | None:
        """Returns the answer of a response and why it is none. None if it may belong to
        the connection's request before."""
        method = request.method
        limit = request.max_bytes or MAX_BYTES
        response = _connections.send(
            exchange,
            method,
            target,
            _headers(target, request),
            request.body if method in ("PUT", "POST") else None,
            self._timeouts[0],
        )
        try:
            headers = {name.lower(): value for name, value in response.headers.items()}
            is_data = method != "HEAD" and response.status < 400
            # Only whole objects are decoded.
            is_whole = is_data and request.range is None
            body = Body(limit, headers.get("content-encoding", "") if is_whole else "")
            try:
                while block := response.read(BLOCK):
                    body.add(block)
            except TooLong:
                return response.status, headers, b"", "the body is too long"
            except urllib3.exceptions.ProtocolError as error:
                if not isinstance(error.__context__, http.client.IncompleteRead):
                    raise
                return 0, {}, b"", f"truncated response (found {body.received} bytes)"
            if is_data and not body.received and _has_no_end(response, headers):
                return 0, {}, b"", "truncated response (found no body)"
            found = body.end()
            # Some servers send a body after the headers that HEAD asks for: a connection
            # is not used again after it.
            if method != "HEAD":
                question = (method, target, request.range)
                seen = Seen.of(question, response.status, headers, found)
                if not exchange.end(seen, request.is_read):
                    return None
            return response.status, headers, found, ""
        finally:
            response.close()  # unless it was read to its end


def _has_no_end(response: Any, headers: dict[str, str]) -> bool:
    """Tells whether a body ends with the connection. If it is empty, perhaps the headers
    were cut off."""
    known = {"content-length", "transfer-encoding"}
    return response.status not in (204, 304) and known.isdisjoint(headers)


def _headers(target: Target, request: Request) -> dict[str, str]:
    part, signing = request.range, request.signing
    headers = {"Accept-Encoding": "identity", "User-Agent": urllib3.util.SKIP_HEADER}
    if part is not None:
        headers["Range"] = f"bytes={part[0]}-{part[1] - 1}"
    for line in request.headers:
        name, _, value = line.partition(": ")
        headers[name] = value
    if signing is not None:
        signed = signed_headers(request.method, target, signing, request.body, headers)
        headers.update(signed)
    return headers


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
