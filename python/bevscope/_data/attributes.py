"""Attributes of groups in directories, which can be changed."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from .._errors import Unsupported

_Result = TypeVar("_Result")


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Excludes others that change the folder's files through this module."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _check_alone(path: Path) -> None:
    """Raises Unsupported if consolidated metadata repeats the attributes, which would no
    longer match after a change."""
    consolidated = path.with_name(".zmetadata")
    if not consolidated.exists():
        return
    if path.name in json.loads(consolidated.read_text()).get("metadata", {}):
        raise Unsupported(
            f"{path}: cannot be changed (found {consolidated.name}, which would not "
            "match; change a copy that zarr_concat or ChunkedDataset.initialize made)"
        )


class Attributes(dict[str, Any]):
    """The attributes of a group; every change of a key is written, or refused as a whole.
    Values are not watched: assign a list again after changing it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        super().__init__(self._stored())

    def _stored(self) -> dict[str, Any]:
        if not self._path.exists():
            return {}
        found: dict[str, Any] = json.loads(self._path.read_text())
        return found

    def _change(self, change: Callable[[dict[str, Any]], _Result]) -> _Result:
        """Changes what is stored now, and then this."""
        _check_alone(self._path)
        with _locked(self._path.parent):
            new = self._stored()
            result = change(new)
            text = json.dumps(new)
            write(self._path, text.encode())
        super().clear()
        super().update(json.loads(text))
        return result

    def __setitem__(self, key: str, value: Any) -> None:
        self._change(lambda new: new.__setitem__(key, value))

    def __delitem__(self, key: str) -> None:
        self._change(lambda new: new.__delitem__(key))

    def update(self, *args: Any, **kwargs: Any) -> None:
        self._change(lambda new: new.update(*args, **kwargs))

    def __ior__(self, other: Any) -> Attributes:  # type: ignore[override,misc]
        self.update(other)
        return self

    def setdefault(self, key: str, default: Any = None) -> Any:
        return self._change(lambda new: new.setdefault(key, default))

    def pop(self, key: str, *default: Any) -> Any:
        return self._change(lambda new: new.pop(key, *default))

    def popitem(self) -> tuple[str, Any]:
        return self._change(lambda new: new.popitem())

    def clear(self) -> None:
        self._change(lambda new: new.clear())
