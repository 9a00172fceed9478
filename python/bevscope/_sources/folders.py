"""Files of folders and zip files that a notebook's kernel reads for the viewer."""

from __future__ import annotations

import os
import re
import threading
import zipfile
from pathlib import Path

from .._errors import InvalidArgument

#: What the viewer reads in the folders around a data set: map, aerial image, their
#: metadata, and configs.
AROUND_KEYS = re.compile(
    r"meta\.json|config\.(json|yaml)|([^/]+/)?[^/]+\.pb|aerial_map/[^/]+\.(png|jpe?g)"
)

#: Hidden names that a data set has.
_OF_ZARR = {".zarray", ".zattrs", ".zgroup", ".zmetadata"}
_STATISTICS = ".bevscope/statistics.json"


def check_key(key: str) -> None:
    """Raises InvalidArgument for keys outside a source, and for hidden names."""
    *folders, name = key.split("/")
    if "" in (*folders, name) or "." in folders or ".." in folders or name in (".", ".."):
        raise InvalidArgument(f"key {key!r}: not below the folder", key=key)
    hidden = any(part.startswith(".") for part in folders) or (
        name.startswith(".") and name not in _OF_ZARR
    )
    if "\\" in key or "\0" in key or (hidden and key != _STATISTICS):
        raise InvalidArgument(f"key {key!r}: not an object of a data set", key=key)


class FolderSource:
    """The files of a folder, also those of links within it.

    Args:
        only: the keys that exist; all by default.
    """

    def __init__(
        self, folder: str | os.PathLike[str], only: re.Pattern[str] | None = None
    ) -> None:
        self._folder = Path(folder).resolve()
        self._only = only

    def _path(self, key: str) -> Path | None:
        """Returns the file of a key; None if there is none."""
        check_key(key)
        if self._only is not None and not self._only.fullmatch(key):
            raise InvalidArgument(f"key {key!r}: not a file that the viewer reads", key=key)
        path = self._folder.joinpath(*key.split("/")).resolve()
        return path if path.is_relative_to(self._folder) and path.is_file() else None

    def read(self, key: str, range: tuple[int, int] | None) -> bytes | None:
        path = self._path(key)
        if path is None:
            return None
        if range is None:
            return path.read_bytes()
        with path.open("rb") as file:
            file.seek(range[0])
            return file.read(range[1] - range[0])

    def size(self, key: str) -> int | None:
        path = self._path(key)
        return None if path is None else path.stat().st_size


class ZipSource:
    """The members of a zip file below a folder."""

    def __init__(self, path: str | os.PathLike[str], folder: str) -> None:
        self._zip = zipfile.ZipFile(path)
        self._prefix = f"{folder}/" if folder else ""
        self._lock = threading.Lock()

    def read(self, key: str, range: tuple[int, int] | None) -> bytes | None:
        with self._lock:
            try:
                whole = self._zip.read(self._prefix + key)
            except KeyError:
                return None
        return whole if range is None else whole[range[0] : range[1]]

    def size(self, key: str) -> int | None:
        try:
            return self._zip.getinfo(self._prefix + key).file_size
        except KeyError:
            return None
