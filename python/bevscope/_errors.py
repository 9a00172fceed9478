"""The exceptions of bevscope."""

from __future__ import annotations

import re

from . import _core


def loggable(text: str) -> str:
    """Returns an address or message with all addresses in it without user name, password,
    query and fragment, which may be secret."""
    if "://" not in text and "?" not in text:
        return text
    return _core.loggable(text.encode(errors="replace").decode())


_KEY = re.compile(r"^((?:[^\s:]+/)?(?:\d+(?:[./]\d+)*|\.z\w+|zarr\.json)): ")


class Error(Exception):
    """Raised by all functions of bevscope.

    Attributes:
        code: what a program can act on: "corrupt_chunk", "network" ... (docs/cpp.md).
        url: the data set's path or URL, if the error belongs to one. URLs, also in the
            message, are without user name, password and query.
        key: the object that could not be read: "agents/3"; None if there is none.
    """

    code = "internal"

    def __init__(
        self, message: str, code: str = "", url: str | None = None, key: str | None = None
    ) -> None:
        super().__init__(loggable(message))
        self.code = code or type(self).code
        self.url = None if url is None else loggable(url)
        self.key = key

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.args[0], self.code, self.url, self.key)

    def __str__(self) -> str:
        return str(self.args[0])


class InvalidArgument(Error, ValueError):
    """A precondition was violated."""

    code = "invalid_argument"


class Closed(Error, ValueError):
    """Used after `close()`."""

    code = "closed"


class OutOfRange(Error, IndexError):
    """An index or range outside the data."""

    code = "out_of_range"


class NotFound(Error, LookupError):
    """An unknown array, field or file."""

    code = "not_found"


class ReadError(Error, OSError):
    """Reading failed: codes "io", "network", "changed"."""

    code = "io"


class Unsupported(Error, NotImplementedError):
    """Valid, but not supported."""

    code = "unsupported"


class OutOfMemory(Error, MemoryError):
    """The memory or the byte budget is too small, or a limit is exceeded."""

    code = "out_of_memory"


_CLASSES: dict[str, type[Error]] = {
    "invalid_argument": InvalidArgument,
    "out_of_range": OutOfRange,
    "not_found": NotFound,
    "io": ReadError,
    "network": ReadError,
    "changed": ReadError,
    "unsupported": Unsupported,
    "out_of_memory": OutOfMemory,
    "limit_exceeded": OutOfMemory,
}


def from_core(code: str, message: str) -> Error:
    """Returns the exception for an error of the core, which raises it."""
    found = _KEY.match(message)
    return _CLASSES.get(code, Error)(message, code, None, found[1] if found else None)
