"""Saved data sets on the local disk, and stores of it in S3."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, overload

from .. import _checks, _core


class Download(Sequence[str]):
    """The paths of a data set's objects on the local disk, metadata first.

    Attributes:
        folder: in which they are, a store that `bevscope.DataLoader` opens.
    """

    def __init__(
        self, folder: str, paths: Sequence[str], on_clear: Callable[[], None]
    ) -> None:
        self.folder = folder
        self._paths = list(paths)
        self._on_clear = on_clear

    def __len__(self) -> int:
        return len(self._paths)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: Any) -> Any:
        return self._paths[index]

    def __repr__(self) -> str:
        return f"<bevscope.Download {self.folder!r}: {len(self)} objects>"

    def clear(self) -> None:
        """Removes the folder. The loader reads from its address again; other loaders that
        read from the folder fail."""
        self._on_clear()
        _core.remove_download(self.folder)
        self._paths = []


def upload(
    folder: str | os.PathLike[str],
    address: str,
    *,
    replace: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Copies a folder to `s3://bucket/key`, or into a .zip there, file by file, and returns
    the number of objects. Readers see a store when it is complete; an upload that was
    interrupted is repeated.

    Args:
        replace: an existing .zip is replaced; a prefix never is.
        progress: called with the number of objects that were passed on, and of all.
    """
    return _core.upload(
        _checks.path("upload: folder", folder),
        _checks.text("upload: address", address),
        bool(replace),
        progress,
    )
