"""Loading data sets of arrays."""

from __future__ import annotations

import operator
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _checks, _core
from .._data.array import rows_of
from .._data.batch import Batch
from .._data.handle import Opened
from .._errors import OutOfRange, Unsupported
from .._sources.source import shown
from .._streams.ragged import Ragged
from .config import DataConfig
from .download import Download

if TYPE_CHECKING:
    from .._streams.torch_batches import RowsDataset

Arrays = dict[str, npt.NDArray[Any]]


class Rows(Batch):
    """Rows that share memory: a sequence of dicts, and `arrays`, the same stacked."""

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise OutOfRange(f"rows: {index} is out of range (found {len(self)} rows)")
        return {name: array[index] for name, array in self.arrays.items()}


@dataclass(frozen=True)
class Attachment:
    """A file that was attached to a data set.

    Attributes:
        size: in bytes.
        sha256: its hash, 64 hexadecimal digits.
    """

    size: int
    sha256: str


class DataLoader:
    """Loads rows of a data set that savers have written.

    `loader[7]` is a dict of arrays, `loader[-10:]`, `loader[[3, 1]]` and `loader[mask]`
    have the rows as first axis; `loader.batches(256)` and iteration read in order. A row
    costs one read of its chunk; the other rows of the chunk are then in memory. Opening
    reads metadata only.

    A chunk that cannot be read, is absent or damaged, and a data set that was replaced
    since it was opened, raise. Several processes share the folder `cache`. May be used
    from several threads, which wait for each other; pickles as address and options.

    Args:
        address: as of `bevscope.open`: a folder, a .zip file, a URL, a mapping, a source.
        byte_budget: memory for chunks, half for encoded and half for decoded ones.
        cache: folder that keeps chunks for later runs, as of `bevscope.open`.
        cache_limit: maximum size of all files in that folder, in bytes.
        attributes: those that are loaded, in this order; by default all. Of others,
            nothing is read.
        decode: whether PNG, JPEG and WebP images are decoded to arrays of shape (height,
            width, channels), by Pillow; otherwise they are bytes.
    """

    def __init__(
        self,
        address: Any,
        *,
        byte_budget: int = 512 << 20,
        cache: str | os.PathLike[str] | None = None,
        cache_limit: int = 1 << 30,
        attributes: Sequence[str] | None = None,
        decode: bool = False,
    ) -> None:
        if not isinstance(decode, bool):
            raise _checks.invalid("loader: decode", decode, "a bool")
        self._decode = decode
        options = {
            "byte_budget": _checks.integer("loader: byte_budget", byte_budget),
            "cache": "" if cache is None else _checks.path("loader: cache", cache),
            "cache_limit": _checks.integer("loader: cache_limit", cache_limit),
            "attributes": attributes
            if attributes is None
            else _checks.names("loader: attributes", attributes),
        }
        self._remote = Opened(address, options, _core.DataLoader)
        self._handle = self._remote
        self._describe()

    def _describe(self) -> None:
        text, self._rows, attached = self._handle.call(
            lambda core: (core.config_json(), len(core), core.attachments())
        )
        self._attachments = {
            name: Attachment(size, sha256) for name, size, sha256 in attached
        }
        #: The schema, as given to the savers, with the attributes that are loaded.
        self.config = DataConfig.from_json(text)
        self._attributes, self._fields = self.config.attributes, self.config.fields

    @property
    def attachments(self) -> dict[str, Attachment]:
        """The attached files by name."""
        return dict(self._attachments)

    def attachment(self, name: str) -> bytes:
        """Reads an attached file and compares it with its SHA-256."""
        _checks.text("attachment", name)
        return self._handle.call(lambda core: core.attachment(name))

    def __len__(self) -> int:
        return self._rows

    def __repr__(self) -> str:
        found = ", ".join(f"{name} {dtype}" for name, dtype in self._attributes.items())
        address = shown(self._handle.address)
        return f"<bevscope.DataLoader {address!r}: {len(self)} rows of {found}>"

    def _shaped(self, raw: Arrays, *rows: int) -> Arrays:
        """Returns bytes as arrays of the attributes' dtypes and shapes."""
        out: Arrays = {}
        for name, dtype in self._attributes.items():
            field = self._fields.get(name)
            if field is None:
                out[name] = raw[name].view(dtype.base).reshape((*rows, *dtype.shape))
            else:
                out[name] = self._varying(name, field, raw, rows)
        return out

    def _varying(self, name: str, field: Ragged, raw: Arrays, rows: tuple[int, ...]) -> Any:
        """Returns rows that vary in length, or may be null; without `rows` the only one."""
        typed = dict(raw)
        count = rows or (1,)
        if field.kind:
            typed[f"{name}.offsets"] = raw[f"{name}.offsets"].view("<u4")
        if field.kind in ("", "array"):
            assert field.dtype is not None
            lead = (-1,) if field.kind else count
            inner = field.shape[1:] if field.kind else field.shape
            axes = tuple(length or 0 for length in inner)
            typed[name] = raw[name].view(field.dtype).reshape((*lead, *axes))
        if field.nullable:
            typed[f"{name}.valid"] = raw[f"{name}.valid"].view(bool)
        found = field.items(name, typed, self._decode)
        if rows:
            return found
        is_null = field.nullable and not typed[f"{name}.valid"][0]
        return None if is_null else found[0]

    def __getitem__(self, key: Any) -> Arrays:
        if isinstance(key, slice):
            rows = range(*_checks.bounds("rows", key).indices(len(self)))
            if rows.step == 1:
                return self.rows(rows.start, max(rows.start, rows.stop))
            return self._items(np.asarray(rows, np.int64))
        if not isinstance(key, (bool, np.bool_)) and hasattr(key, "__index__"):
            if getattr(key, "ndim", 0) == 0:
                index = operator.index(key)
                if not -len(self) <= index < len(self):
                    raise OutOfRange(f"rows: index {index} (found {len(self)} rows)")
                return self._shaped(self._handle.call(lambda core: core.item(index)))
        return self._items(rows_of(key, len(self), "rows"))

    def _items(self, rows: npt.NDArray[np.int64]) -> Arrays:
        raw = self._handle.call(lambda core: core.items(rows))
        return self._shaped(raw, len(rows))

    def rows(self, begin: int, end: int) -> Arrays:
        """Returns rows [begin, end). Calls that continue each other read ahead."""
        begin, end = _checks.index("rows", begin), _checks.index("rows", end)
        if not 0 <= begin <= end <= len(self):
            raise OutOfRange(f"rows: {begin} to {end} (found {len(self)} rows)")
        raw = self._handle.call(lambda core: core.rows(begin, end))
        return self._shaped(raw, end - begin)

    def batches(self, size: int, *, drop_last: bool = False) -> Iterator[Arrays]:
        """Yields all rows in order, `size` at a time, each chunk read once. The first
        batch needs one chunk of each attribute.

        Args:
            drop_last: leave out a last batch of fewer rows.
        """
        size = _checks.integer("loader: batch", size, 1)
        for begin in range(0, len(self), size):
            if not drop_last or begin + size <= len(self):
                yield self.rows(begin, min(begin + size, len(self)))

    def __iter__(self) -> Iterator[Arrays]:
        for batch in self.batches(256):
            count = len(next(iter(batch.values())))
            yield from Rows(batch, count)

    def __getitems__(self, indices: Sequence[int] | npt.NDArray[Any]) -> Rows:
        """Returns the rows that PyTorch 2's loader asks for, from one read."""
        return Rows(self[_checks.indices("rows", indices, len(self))], len(indices))

    def torch(self, batch: int = 256, *, device: Any = None) -> RowsDataset:
        """Returns a `torch.utils.data.IterableDataset` of batches of tensors in order,
        for `DataLoader(dataset, batch_size=None)`; strings and records are left out. The
        stream is the same for any number of workers.

        For other orders, pass the loader itself: `DataLoader(loader, 32, shuffle=True)`.
        """
        from .._streams.torch_batches import RowsDataset

        return RowsDataset(self, _checks.integer("loader: batch", batch, 1), device)

    def tf(
        self,
        batch: int = 256,
        *,
        drop_last: bool = False,
        shards: int = 1,
        prefetch: int = 2,
    ) -> Any:
        """Returns a `tf.data.Dataset` of batches in order, whose shapes and types are
        known, as of `Reader.tf`; records are left out. Every iteration is an epoch.

        Args:
            drop_last: leave out a last batch of fewer rows, so that the batch's length
                is known, too.
            shards: threads that read, each a part of consecutive rows through a loader of
                its own; batches come from them in turns.
            prefetch: batches that are read ahead.
        """
        from .._streams.tf_batches import dataset_of

        if self._fields and self._decode:
            raise Unsupported("tf: decode=True is not there; use tf.io.decode_image")
        batch = _checks.integer("loader: batch", batch, 1)
        shards = _checks.integer("tf: shards", shards, 1)
        loaders = [self]
        if shards > 1:
            loaders = [pickle.loads(pickle.dumps(self)) for _ in range(shards)]
        kinds = {n: one for n, one in self._attributes.items() if one.base.names is None}
        fields = {
            name: (one.base, one.shape)
            for name, one in kinds.items()
            if name not in self._fields
        }
        count = -(-len(self) // batch)
        ends = [count * i // shards * batch for i in range(shards + 1)]

        def part(loader: DataLoader, begin: int, end: int) -> Any:
            def read(_: int) -> Iterator[Arrays]:
                for first in range(begin, min(end, len(loader)), batch):
                    if not drop_last or first + batch <= len(loader):
                        yield loader.rows(first, min(first + batch, len(loader)))

            return read

        parts = [part(*one) for one in zip(loaders, ends, ends[1:])]
        size = batch if drop_last else None
        return dataset_of(parts, fields, size, prefetch, 0, self._fields)

    def download(
        self,
        folder: str | os.PathLike[str],
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> Download:
        """Copies all objects into a folder before they are needed, and returns their
        paths. From then on the loader, and copies of it in other processes, read from
        the folder, until `clear()` of what is returned.

        The folder gets its name when it is complete. One with the same commit of the data
        set is used as it is; one with another commit is replaced. Raises InvalidArgument
        if the folder holds anything else, or while another process downloads into it.

        Args:
            progress: called with the number of objects that are there, and of all.
        """
        remote, name = self._remote, _checks.path("download: folder", folder)
        commit = self._handle.call(lambda core: core.commit())
        paths = _core.download(remote.address, name, commit, progress)
        options = {**remote.options, "cache": ""}
        self._handle = Opened(name, options, _core.DataLoader)

        def on_clear() -> None:
            if self._handle.address == name:
                self._handle = remote

        return Download(name, paths, on_clear)

    def clear(self) -> None:
        """Removes all chunks from memory, and forgets chunks found damaged or absent."""
        self._handle.call(lambda core: core.clear())

    def counters(self) -> dict[str, int]:
        """Returns "chunks", read in this process, and "held_bytes" of those in memory."""
        return self._handle.call(lambda core: core.counters())
