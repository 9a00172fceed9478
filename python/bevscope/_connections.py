"""HTTP connections that are kept open between requests."""

from __future__ import annotations

import base64
import http.client
import os
import socket
import threading
import urllib.parse
import urllib.request
from typing import NamedTuple

#: Idle connections to an origin that are kept.
MAX_IDLE = 16


class Origin(NamedTuple):
    """What requests have in common that can use one connection."""

    scheme: str
    host: str
    port: int | None


class Target(NamedTuple):
    """A URL as its parts of a request."""

    origin: Origin
    path: str
    authorization: str | None

    @classmethod
    def of(cls, url: str) -> Target:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise http.client.InvalidURL("not an http(s) URL")
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        quoted = urllib.parse.quote(path, safe="%/:=&?~#+!$,;'@()*[]")
        origin = Origin(parts.scheme, parts.hostname, parts.port)
        return cls(origin, quoted, _basic(parts))


def _basic(parts: urllib.parse.SplitResult) -> str | None:
    """Returns the header value for the user name and password of a URL."""
    if parts.username is None:
        return None
    pair = urllib.parse.unquote(f"{parts.username}:{parts.password or ''}")
    return "Basic " + base64.b64encode(pair.encode()).decode()


class Connection:
    """A connection to an origin, directly or through the environment's proxy."""

    def __init__(self, origin: Origin, timeout: float) -> None:
        self.origin = origin
        self.reused = False
        self._prefix, self._headers = "", dict[str, str]()
        proxy = _proxy_of(origin)
        host, port = (origin.host, origin.port)
        if proxy is not None:
            host, port = str(proxy.hostname), proxy.port
            authorization = _basic(proxy)
            if authorization:
                self._headers["Proxy-Authorization"] = authorization
        make = (
            http.client.HTTPSConnection
            if origin.scheme == "https"
            else http.client.HTTPConnection
        )
        self.http = make(host, port, timeout=timeout)
        if proxy is not None and origin.scheme == "https":
            self.http.set_tunnel(origin.host, origin.port, self._headers)
            self._headers = {}
        elif proxy is not None:
            place = f"[{origin.host}]" if ":" in origin.host else origin.host
            self._prefix = f"http://{place}" + (f":{origin.port}" if origin.port else "")

    def send(
        self,
        method: str,
        target: Target,
        headers: dict[str, str],
        body: bytes,
        silence: float,
    ) -> http.client.HTTPResponse:
        """Sends a request; `silence` is the longest pause in seconds."""
        if self.http.sock is None:
            self.http.connect()
        self.http.sock.settimeout(silence)
        sent = {**headers, **self._headers}
        if target.authorization:
            sent["Authorization"] = target.authorization
        content = body if method in ("PUT", "POST") else None
        self.http.request(method, self._prefix + target.path, content, sent)
        return self.http.getresponse()

    def interrupt(self) -> None:
        """Ends a request that another thread waits for."""
        try:
            if self.http.sock is not None:
                self.http.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass  # closed meanwhile

    def close(self) -> None:
        self.http.close()


def _proxy_of(origin: Origin) -> urllib.parse.SplitResult | None:
    address = urllib.request.getproxies().get(origin.scheme)
    if not address or urllib.request.proxy_bypass(origin.host):
        return None
    return urllib.parse.urlsplit(address if "//" in address else f"//{address}")


class Connections:
    """Idle connections. A forked child does not share its parent's."""

    def __init__(self) -> None:
        self._forget()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[Origin, list[Connection]] = {}

    def take(self, origin: Origin, connect_timeout: float) -> Connection:
        """Returns an idle connection, the last used first, or a new one."""
        with self._lock:
            idle = self._idle.get(origin)
            if idle:
                found = idle.pop()
                found.reused = True
                return found
        return Connection(origin, connect_timeout)

    def give(self, connection: Connection) -> None:
        """Keeps a connection whose response was read to its end."""
        with self._lock:
            idle = self._idle.setdefault(connection.origin, [])
            if len(idle) < MAX_IDLE:
                idle.append(connection)
                return
        connection.close()
