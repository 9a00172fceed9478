"""Groups whose arrays can be changed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy.typing as npt

from .. import _checks
from .._errors import InvalidArgument, NotFound, Unsupported
from .._sources.source import shown
from . import attributes
from .writable import WritableArray, create_array

_DOCUMENT = b'{"zarr_format": 2}'


class Group:
    """A group in a directory or in S3, of which arrays can be changed and created. Arrays
    come as they are stored now; the group itself holds nothing."""

    def __init__(self, path: str | os.PathLike[str], mode: str = "r+") -> None:
        self.path = _checks.path("group", path)
        if mode not in ("r+", "a", "w", "w-"):
            raise _checks.invalid("group: mode", mode, "r+, a, w or w-")
        if self._is_remote and mode in ("w", "w-"):
            raise Unsupported(
                f"{shown(self.path)}: mode {mode}: groups in S3 are created with their "
                "arrays (mode a)"
            )
        if mode != "r+" and not self._is_remote:
            self._create(Path(self.path), mode)

    @property
    def _is_remote(self) -> bool:
        return "://" in self.path

    @staticmethod
    def _create(folder: Path, mode: str) -> None:
        document = folder / ".zgroup"
        known = document.exists() or (folder / "zarr.json").exists()
        if mode != "a" and known:
            raise InvalidArgument(f"{folder}: already exists (found a group)")
        if (folder / ".zarray").exists():
            raise InvalidArgument(f"{folder}: already exists (found an array)")
        if not known:
            attributes.write(document, _DOCUMENT)

    @property
    def attrs(self) -> attributes.Attributes:
        """The attributes; a change of a key is written at once."""
        if self._is_remote:
            raise Unsupported(f"{shown(self.path)}: attributes in S3 cannot be changed")
        return attributes.Attributes(Path(self.path) / ".zattrs")

    def __contains__(self, name: str) -> bool:
        try:
            self[name]
        except NotFound:
            return False
        return True

    def __getitem__(self, name: str) -> WritableArray:
        return WritableArray(self.path, name)

    def create_dataset(
        self,
        name: str,
        *,
        shape: int | Iterable[int],
        dtype: npt.DTypeLike,
        chunks: int | Iterable[int] | None = None,
        **options: Any,
    ) -> WritableArray:
        """Creates an array with the options of `bevscope.open`. Raises InvalidArgument
        if there is one."""
        return create_array(
            self.path, name, shape=shape, dtype=dtype, chunks=chunks, **options
        )

    def require_dataset(
        self, name: str, *, shape: int | Iterable[int], dtype: npt.DTypeLike, **options: Any
    ) -> WritableArray:
        """As `create_dataset`, but returns an array that exists with this shape and
        dtype."""
        options["existing"] = "keep"
        return self.create_dataset(name, shape=shape, dtype=dtype, **options)

    def __repr__(self) -> str:
        return f"<bevscope.Group {shown(self.path)!r}>"


def open_writable(
    address: Any,
    mode: str,
    *,
    shape: int | Iterable[int] | None = None,
    dtype: npt.DTypeLike = None,
    **options: Any,
) -> WritableArray | Group:
    """Opens or creates what `bevscope.open` returns in other modes than "r"."""
    existing = {"r+": None, "a": "keep", "w": "replace", "w-": "refuse"}
    if mode not in existing:
        raise _checks.invalid("open: mode", mode, "r, r+, a, w or w-")
    path = _checks.path("open: address", address)
    if (shape is None) != (dtype is None):
        raise InvalidArgument("open: an array needs both shape and dtype")
    if shape is not None and mode != "r+":
        return create_array(
            path, shape=shape, dtype=dtype, existing=existing[mode] or "", **options
        )
    if shape is not None or options:
        given = ", ".join(["shape"] * (shape is not None) + [*options])
        raise InvalidArgument(f"open: {given}: only for an array that is created")
    if mode in ("r+", "a"):
        try:
            return WritableArray(path)
        except NotFound:
            if mode == "r+" and not _has_group(path):
                raise
    return Group(path, mode)


def _has_group(path: str) -> bool:
    if "://" in path:
        return True  # its arrays tell
    return any((Path(path) / name).exists() for name in (".zgroup", "zarr.json"))
