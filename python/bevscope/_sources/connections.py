"""HTTP connections that are kept open between requests, by urllib3."""

from __future__ import annotations

import logging
import os
import socket
import threading
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any, NamedTuple

import urllib3
import urllib3.connection
import urllib3.connectionpool

#: Idle connections to an origin that are kept.
MAX_IDLE = 16
#: Bytes at each end of a body that are compared.
EDGE = 4096


class Origin(NamedTuple):
    """What requests have in common that can use one connection."""

    scheme: str
    host: str
    port: int | None


class Target(NamedTuple):
    """A URL as its parts of a request."""

    origin: Origin
    path: str

    @classmethod
    def of(cls, url: str) -> Target:
        """Raises ValueError if a URL is not http(s), or has a user name or password."""
        parts = urllib.parse.urlsplit(url)
        if (
            parts.scheme not in ("http", "https")
            or not parts.hostname
            or "@" in parts.netloc
        ):
            raise ValueError("not an http(s) URL")
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        quoted = urllib.parse.quote(path, safe="%/:=&?~+!$,;'@()*")
        host = parts.hostname
        host = host if host.isascii() else host.encode("idna").decode()
        return cls(Origin(parts.scheme, host, parts.port), quoted)

    @property
    def host(self) -> str:
        """The header Host."""
        host, port = self.origin.host, self.origin.port
        host = f"[{host}]" if ":" in host else host
        usual = 443 if self.origin.scheme == "https" else 80
        return host if port in (None, usual) else f"{host}:{port}"

    @property
    def url(self) -> str:
        return f"{self.origin.scheme}://{self.host}{self.path}"


class Seen(NamedTuple):
    """An answer as far as repetitions of it are recognized by."""

    question: object
    status: int
    headers: dict[str, str]
    length: int
    ends: tuple[bytes, bytes]

    @classmethod
    def of(
        cls, question: object, status: int, headers: dict[str, str], body: bytes
    ) -> Seen:
        return cls(question, status, headers, len(body), (body[:EDGE], body[-EDGE:]))

    def repeats(self, before: Seen | None) -> bool:
        """Tells whether this is perhaps the answer to the question before."""
        return (
            before is not None
            and before.question != self.question
            and before[1:] == self[1:]
        )


class _Kept:
    """A connection that is used again only after an exchange that was read to its end.

    urllib3 closes idle connections on which bytes wait. An answer that comes later than
    the next request is recognized by its content: see Exchange.
    """

    sock: socket.socket | None
    timeout: Any
    #: The last answer; None: there was none yet.
    seen: Seen | None = None
    #: An answer is expected, or the last one did not end properly.
    is_pending = False
    is_used = False

    def connect(self) -> None:
        super().connect()  # type: ignore[misc]
        self.seen, self.is_pending, self.is_used = None, False, False

    def request(self, *arguments: Any, **options: Any) -> Any:
        exchange: Exchange = _thread.exchange
        exchange.begin(self)
        if self.sock is None:
            self.connect()
            exchange.begin(self)
        assert self.sock is not None
        self.timeout = exchange.silence  # of sending too, not the one of connecting
        self.sock.settimeout(exchange.silence)
        self.is_pending = self.is_used = True
        return super().request(*arguments, **options)  # type: ignore[misc]

    def interrupt(self) -> None:
        """Ends a request that another thread waits for."""
        try:
            if self.sock is not None:
                self.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass  # closed meanwhile


class _Http(_Kept, urllib3.connection.HTTPConnection):
    pass


class _Https(_Kept, urllib3.connection.HTTPSConnection):
    pass


class _HttpPool(urllib3.connectionpool.HTTPConnectionPool):
    ConnectionCls = _Http  # type: ignore[assignment]


class _HttpsPool(urllib3.connectionpool.HTTPSConnectionPool):
    ConnectionCls = _Https  # type: ignore[assignment]


class Exchange:
    """A request and its answer, on one connection.

    Attributes:
        silence: the longest pause in seconds.
        is_fresh: connections that were used before are not used.
        is_reused: the connection was used before.
        connection: that of the request; None before.
    """

    def __init__(
        self, silence: float, use: Callable[[_Kept], None], is_fresh: bool
    ) -> None:
        self.silence, self._use, self.is_fresh = silence, use, is_fresh
        self.is_reused = False
        self.connection: _Kept | None = None
        self._before: Seen | None = None

    def begin(self, connection: _Kept) -> None:
        """Raises ConnectionResetError if a kept connection must not be used again."""
        self.is_reused = connection.is_used
        pending = getattr(connection.sock, "pending", None)  # bytes that TLS has decoded
        if self.is_reused and (
            self.is_fresh or connection.is_pending or (pending is not None and pending())
        ):
            raise ConnectionResetError("the connection is not used again")
        self._use(connection)
        self.connection, self._before = connection, connection.seen

    def end(self, seen: Seen, is_read: bool) -> bool:
        """Keeps the connection, unless the answer to a read may be a repetition of the
        connection's answer before: then returns False."""
        assert self.connection is not None
        if is_read and seen.repeats(self._before):
            return False
        self.connection.seen, self.connection.is_pending = seen, False
        return True


_thread = threading.local()


def _is_of_others(record: logging.LogRecord) -> bool:
    """Drops urllib3's messages about these requests: they quote whole addresses."""
    return getattr(_thread, "exchange", None) is None


for _name in ("urllib3.connection", "urllib3.connectionpool"):
    logging.getLogger(_name).addFilter(_is_of_others)


def _proxy_of(origin: Origin) -> str | None:
    """Returns the environment's proxy."""
    address = urllib.request.getproxies().get(origin.scheme)
    if not address or urllib.request.proxy_bypass(origin.host):
        return None
    return address if "//" in address else f"http://{address}"


def _manager(proxy: str | None) -> urllib3.PoolManager:
    if proxy is None:
        made = urllib3.PoolManager(maxsize=MAX_IDLE)
    else:
        parts = urllib.parse.urlsplit(proxy)
        pair = f"{parts.username}:{parts.password or ''}" if parts.username else None
        headers = urllib3.make_headers(proxy_basic_auth=pair and urllib.parse.unquote(pair))
        address = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        made = urllib3.ProxyManager(address, maxsize=MAX_IDLE, proxy_headers=headers)
    made.pool_classes_by_scheme = {"http": _HttpPool, "https": _HttpsPool}
    return made


class Connections:
    """Kept connections, directly or through the environment's proxy. A forked child does
    not share its parent's."""

    def __init__(self) -> None:
        self._forget()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self._managers: dict[str | None, urllib3.PoolManager] = {}
        self._lock = threading.Lock()

    def send(
        self,
        exchange: Exchange,
        method: str,
        target: Target,
        headers: dict[str, str],
        body: bytes | None,
        connect: float,
    ) -> Any:
        """Sends a request and returns its response, whose body is not read yet. Raises
        urllib3's errors. `connect` limits the time of connecting, in seconds."""
        proxy = _proxy_of(target.origin)
        with self._lock:
            if proxy not in self._managers:
                self._managers[proxy] = _manager(proxy)
            manager = self._managers[proxy]
        _thread.exchange = exchange
        return manager.urlopen(
            method,
            target.url,
            headers={"Host": target.host, **headers},
            body=body,
            timeout=urllib3.Timeout(connect=connect, read=exchange.silence),
            retries=False,
            redirect=False,
            preload_content=False,
            decode_content=False,
            enforce_content_length=True,
        )
