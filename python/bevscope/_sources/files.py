"""Files of this machine: errors of the system as those of bevscope."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator

from .. import _checks
from .._errors import Error, NotFound, ReadError


@contextlib.contextmanager
def accessing(path: object, failure: str = "") -> Iterator[None]:
    """Raises ReadError with this path for an error of the system."""
    try:
        yield
    except Error:
        raise
    except OSError as error:
        raise ReadError(f"{path}: {failure}{error.strerror or error}") from None


def writing(path: object) -> contextlib.AbstractContextManager[None]:
    """As accessing(), for writing."""
    return accessing(path, "write failed: ")


@contextlib.contextmanager
def reading(path: object) -> Iterator[None]:
    """As accessing(), but an absent file is NotFound."""
    with accessing(path):
        try:
            yield
        except FileNotFoundError:
            raise NotFound(f"{path}: not found") from None


def read_file(path: str) -> bytes:
    with reading(path), open(path, "rb") as file:
        return file.read()


def raise_error(error: OSError) -> None:
    """Raises the error of a folder, for os.walk()."""
    with accessing(error.filename):
        raise error


def files_in(paths: Iterable[str | os.PathLike[str]], *endings: str) -> Iterator[str]:
    """Yields files, and those with an ending in folders and below, sorted."""
    for given in paths:
        path = _checks.expanded(given)
        if not os.path.isdir(path):
            if not os.path.isfile(path):
                raise NotFound(f"{path}: not found, or not a file")
            yield path
            continue
        found = sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(path, onerror=raise_error)
            for name in names
            if name.endswith(endings)
        )
        if not found:
            *others, last = (f"*{ending}" for ending in endings)
            expected = f"{', '.join(others)} or {last}" if others else last
            raise NotFound(f"{path}: no files {expected} found")
        yield from found
