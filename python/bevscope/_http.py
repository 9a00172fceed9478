"""Sends the core's HTTP requests. Retries and the meaning of answers are the core's."""

from __future__ import annotations

import gzip
import http.client
import urllib.error
import urllib.request
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from email.message import Message

from . import _core

Request = tuple[str, "tuple[int, int] | None", int]
Answer = tuple[int, dict[str, str], bytes, str]

#: Bytes of a body without a stated maximum.
MAX_BYTES = 1 << 30


def _headers_of(message: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in message.items()}


def _decoded(body: bytes, encoding: str) -> bytes:
    if encoding == "gzip":
        return gzip.decompress(body)
    if encoding == "deflate":
        return zlib.decompress(body)
    return body


def _get(request: Request, timeout: float) -> Answer:
    """Sends one request; returns status, headers, body and why it failed."""
    url, part, limit = request
    asked = urllib.request.Request(url, headers={"Accept-Encoding": "identity"})
    if part is not None:
        asked.add_header("Range", f"bytes={part[0]}-{part[1] - 1}")
    try:
        with urllib.request.urlopen(asked, timeout=timeout) as response:
            headers = _headers_of(response.headers)
            body = response.read((limit or MAX_BYTES) + 1)
            if len(body) > (limit or MAX_BYTES):
                return response.status, headers, b"", "the body is too long"
            if part is None:
                body = _decoded(body, headers.get("content-encoding", ""))
            return response.status, headers, body, ""
    except urllib.error.HTTPError as error:
        with error:
            return error.code, _headers_of(error.headers), error.read(), ""
    except http.client.IncompleteRead as error:
        return 0, {}, b"", f"truncated response (found {len(error.partial)} bytes)"
    except (OSError, http.client.HTTPException, zlib.error, EOFError) as error:
        return 0, {}, b"", str(getattr(error, "reason", error)) or type(error).__name__


def send(
    requests: list[Request], width: int, connect_timeout_ms: int, silence_timeout_s: int
) -> Iterator[tuple[int, int, dict[str, str], bytes, str]]:
    """Sends requests, up to `width` at a time; yields each answer after its index."""
    timeout = max(connect_timeout_ms / 1000, float(silence_timeout_s))
    if len(requests) == 1:
        yield (0, *_get(requests[0], timeout))
        return
    with ThreadPoolExecutor(min(width, len(requests))) as threads:
        jobs = {threads.submit(_get, one, timeout): i for i, one in enumerate(requests)}
        try:
            for job in as_completed(jobs):
                yield (jobs[job], *job.result())
        finally:
            for job in jobs:
                job.cancel()


_core.set_http_transport(send)
