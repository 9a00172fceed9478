"""Opens Parquet data sets."""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Iterable, Mapping
from typing import Any

from .. import _checks
from .._data.dataset import Dataset
from .._errors import Unsupported
from ..reader import Reader
from .parquet_files import COMMON, SUMMARY, is_hidden, is_parquet_name
from .parquet_source import ParquetSource
from .stored_arrays import TABLE

#: Documents of zarr, one of which is in each of its stores.
_ZARR = (".zgroup", ".zmetadata", ".zattrs", ".zarray", "zarr.json")


class ParquetDataset(Dataset):
    """A Parquet data set: one table, `rows`, whose fields are the columns.

    `attrs["parquet"]` has the columns with their types, also those that are no fields, and
    why. Everything else is as of `bevscope.Dataset`.
    """

    def reader(self, table: str = "rows", **options: Any) -> Reader:
        """Returns a reader of rows, or of windows of rows, in batches: see
        `Dataset.reader`."""
        fields = options.get("fields")
        if isinstance(fields, str):
            fields = [fields]
        if table == TABLE and isinstance(fields, Iterable):
            options["fields"] = fields = list(fields)
            self._refuse(fields)
        return super().reader(table, **options)

    def _refuse(self, fields: Iterable[Any]) -> None:
        refused = {
            one["name"]: f"column {one['name']} ({one['type']}): {one['refused']}"
            for one in self.attrs["parquet"]["columns"]
            if "refused" in one
        }
        for name in fields:
            if isinstance(name, str) and name in refused:
                raise Unsupported(refused[name])

    def summary(self) -> str:
        """Returns the numbers of files, row groups and rows, and the columns."""
        described = self.attrs["parquet"]
        lines = [
            f"{described['files']} files, {described['row_groups']} row groups, "
            f"{len(self[TABLE])} rows"
        ]
        for one in described["columns"]:
            shape = f" {one['shape']}" if one.get("shape") else ""
            found = (
                f"{one['dtype']}{shape}"
                if "dtype" in one
                else f"no field: {one['refused']}"
            )
            unit = f", {one['unit']}" if "unit" in one else ""
            lines.append(f"  {one['name']}: {one['type']} ({found}{unit})")
        return "\n".join(lines)


def parquet(
    address: Any,
    *,
    text: Mapping[str, int] | None = None,
    byte_budget: int = 256 << 20,
    cache: str | os.PathLike[str] | None = None,
    cache_limit: int = 1 << 30,
) -> ParquetDataset:
    """Opens a Parquet data set: reads the footers of its files, and no data. Needs pyarrow.

    Args:
        address: a file, a folder (also with folders `key=value/`), a list of files, their
            paths, http(s) URLs or S3 addresses, or what `bevscope.open` takes of mappings
            and stores. A folder that cannot be listed, by HTTP, needs `_metadata` or the
            `_common_metadata` that Petastorm writes.
        text: the longest text of columns in characters, so that these are fields of one
            length, which filters can use; other columns of text are of variable length.
        byte_budget: decoded chunks that are cached, in bytes.
        cache, cache_limit: as of `bevscope.open`.
    """
    options = {
        "cache": "" if cache is None else _checks.path("parquet: cache", cache),
        "cache_limit": _checks.integer("parquet: cache_limit", cache_limit),
    }
    if text is not None and not isinstance(text, Mapping):
        raise _checks.invalid("parquet: text", text, "numbers of characters by column")
    lengths = {
        _checks.text("parquet: text", name): _checks.integer(f"parquet: text: {name}", n, 1)
        for name, n in (text or {}).items()
    }
    source = ParquetSource(address, options, lengths)
    return ParquetDataset(source, byte_budget=byte_budget)


def is_parquet(address: Any) -> bool:
    """Whether an address that is opened is a Parquet data set: a list of files, a name
    that ends in .parquet, or a folder of files that do and of nothing of zarr's."""
    if isinstance(address, (list, tuple)):
        return True
    if not isinstance(address, (str, os.PathLike)):
        return False
    path = _checks.expanded(address)
    if not isinstance(path, str):
        return False
    if "://" in path:
        return is_parquet_name(urllib.parse.urlsplit(path).path.rstrip("/"))
    if not os.path.isdir(path):
        return is_parquet_name(path.rstrip("/"))
    if any(os.path.exists(os.path.join(path, name)) for name in _ZARR):
        return False
    if any(os.path.exists(os.path.join(path, name)) for name in (SUMMARY, COMMON)):
        return True
    for _, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        shown = [name for name in files if not is_hidden(name)]
        if shown:
            return any(is_parquet_name(name) for name in shown)
    return False
