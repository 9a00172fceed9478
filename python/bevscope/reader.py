"""Readers: rows of a data set, or windows of rows, in batches."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _checks, _core, arrow
from ._data.handle import Handle
from ._data.maps import Maps, config_json
from ._errors import InvalidArgument, NotFound, Unsupported
from ._streams.ragged import Ragged
from ._streams.stream import Batch, FieldType, Stream

#: A filter: text, or the tree that `Reader.explain()` returns.
Where = str | Mapping[str, Any] | None

_LAST = {"keep": False, "drop": True}

#: The most threads of a reader.
MAX_THREADS = 64


def plan_of(
    table: str,
    *,
    where: Where = None,
    window: Mapping[str, Any] | None = None,
    order: str | Mapping[str, Any] = "none",
    seed: int = 0,
    shard: tuple[int, int] | Mapping[str, Any] = (0, 1),
    batch: int | Mapping[str, Any] | None = None,
    last: str = "keep",
    on_damage: str = "fail",
    transform: str | None = None,
    sample: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Returns a plan for the core, without fields."""
    _checks.text("reader: table", table)
    _checks.text("on_damage", on_damage)
    _checks.integer("seed", seed)
    if not isinstance(last, str) or last not in _LAST:
        raise InvalidArgument(
            f'last: invalid value (found "{last}", expected keep or drop)'
        )
    if not isinstance(shard, Mapping):
        if not isinstance(shard, (tuple, list)) or len(shard) != 2:
            raise _checks.invalid("shard", shard, "index and number of shards")
        shard = {"index": shard[0], "count": shard[1]}
    if not isinstance(order, Mapping):
        order = {"mode": _checks.text("order", order)}
    if where is not None and not isinstance(where, (str, Mapping)):
        raise _checks.invalid("where", where, "a filter as text or tree")
    for name, one in (("window", window), ("sample", sample)):
        if one is not None and not isinstance(one, Mapping):
            raise _checks.invalid(name, one, "options by name")
    plan: dict[str, Any] = {
        "from": table,
        "order": {**order, "seed": seed},
        "shard": dict(shard),
        "batch": {"drop_last": _LAST[last]},
        "on_damage": on_damage,
    }
    if isinstance(batch, Mapping):
        plan["batch"].update(batch)
    elif batch is not None:
        plan["batch"]["size"] = _checks.integer("batch", batch)
    if where is not None:
        plan["where"] = where if isinstance(where, str) else dict(where)
    if transform is not None:
        plan["transform"] = transform
    if sample is not None:
        config = json.loads(config_json(sample.get("config")))
        plan["sample"] = {**sample, "config": config}
    if window is not None:
        plan["window"] = dict(window)
        at = plan["window"].get("fields_at")
        if at is not None:
            offsets = {str(offset): list(names) for offset, names in at.items()}
            plan["window"]["fields_at"] = offsets
    return plan


def needs_maps(
    sample: Mapping[str, Any], fields: Iterable[str | re.Pattern[str]] | None
) -> bool:
    """Whether the arrays of samples may be drawn or computed from maps."""
    if sample.get("vectorized", False):
        return True
    wanted = [fields] if isinstance(fields, (str, re.Pattern)) else fields
    drawn = wanted is None or any(
        isinstance(one, re.Pattern) or one == "image" for one in wanted
    )
    return sample.get("image", "f32") != "none" and drawn


def names_of(fields: Iterable[str | re.Pattern[str]], known: Sequence[str]) -> list[str]:
    """Returns the names of fields, each once; a pattern stands for those it matches as a
    whole, in the order of `known`."""
    found: dict[str, None] = {}
    for field in fields:
        if isinstance(field, str):
            found[field] = None
            continue
        matched = [name for name in known if field.fullmatch(name)]
        if not matched:
            raise NotFound(
                f'fields: no field matches "{field.pattern}" (expected one of '
                f"{', '.join(known)})"
            )
        found.update(dict.fromkeys(matched))
    return list(found)


def wanted_fields(fields: Any) -> list[str | re.Pattern[str]]:
    """Returns names and patterns as a list."""
    if isinstance(fields, (str, re.Pattern)):
        return [fields]
    if not isinstance(fields, Iterable):
        raise _checks.invalid("fields", fields, "names or compiled patterns")
    wanted = list(fields)
    for one in wanted:
        if not isinstance(one, (str, re.Pattern)):
            raise _checks.invalid("fields", one, "names or compiled patterns")
    return wanted


def _json_of(plan: Mapping[str, Any]) -> str:
    try:
        return json.dumps(plan, default=_plain, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"reader: not JSON ({error})") from None


def _plain(value: Any) -> Any:
    """Returns NumPy's arrays and scalars as lists and numbers."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"found {type(value).__name__}")


def _array_of(values: npt.NDArray[Any], offsets: npt.NDArray[Any], dtype: str) -> Any:
    """Returns strings, which the core has as UTF-8, as an array of NumPy's."""
    text = values.tobytes()
    bounds = offsets.tolist()
    found = [text[a:b].decode() for a, b in zip(bounds[:-1], bounds[1:], strict=True)]
    return np.array(found, dtype=dtype)


class Reader(Stream):
    """Reads an epoch's rows in batches; created by `Dataset.reader()`.

    Iteration continues at the reader's position. After the last batch, that is the
    beginning of the next epoch. Pickles as address, plan and position.
    """

    # Of pickles without them.
    _threads = 1
    _part = (0, 1)

    def __init__(
        self,
        handle: Handle,
        plan: Mapping[str, Any],
        fields: Iterable[str | re.Pattern[str]] | None = None,
        epoch: int = 0,
        maps: Maps | None = None,
        threads: int = 1,
        decode: bool = False,
    ) -> None:
        self._handle = handle
        if not isinstance(decode, bool):
            raise _checks.invalid("reader: decode", decode, "a bool")
        self._decode = decode
        self._plan = dict(plan)
        self._threads = threads
        self._maps = maps or Maps()
        self._pid = 0
        self._epoch, self._items = _checks.integer("reader: epoch", epoch), 0
        self._count: int | None = None
        if fields is not None:
            wanted = wanted_fields(fields)
            known: list[str] = []
            if any(isinstance(field, re.Pattern) for field in wanted):
                known = self._field_names()
            self._plan["fields"] = names_of(wanted, known)
            self._pid = 0
        self._described = self.explain()

    def _field_names(self) -> list[str]:
        of = "fields" if "sample" in self._plan else "columns"
        return [one["name"] for one in self.explain()[of]]

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state.pop("_core", None)
        state["_pid"] = 0
        return state

    def _native(self) -> _core.Reader:
        """Returns the core's reader of this process, at this reader's position."""
        pid = self._handle.generation
        if self._pid != pid:
            text = _json_of(self._plan)
            maps = self._maps.core
            self._core = self._handle.call(
                lambda core: core.reader(text, *maps, self._threads, *self._part)
            )
            self._core.seek(self._epoch, self._items)
            self._pid = pid
        return self._core

    def __repr__(self) -> str:
        return (
            f"<bevscope.Reader of {self._plan['from']}: {', '.join(self.schema)}; epoch "
            f"{self._epoch}>"
        )

    @property
    def plan(self) -> dict[str, Any]:
        """The plan as the core completed it."""
        return dict(self._described["plan"])

    @property
    def epoch(self) -> int:
        """The epoch of the next batch."""
        return self._epoch

    @property
    def schema(self) -> dict[str, FieldType]:
        """The dtype and the shape of an item of each array of a batch. Fields of variable
        length are arrays of objects; `fields` describes their items."""
        ragged = self.fields
        window = self._described["plan"].get("window")
        found: dict[str, FieldType] = {}
        for one in self._described["fields"]:
            name = one["name"]
            if self._is_folded(name, ragged):
                continue
            if name in ragged and ragged[name].kind:
                at = window is not None and "@" not in name
                length = window["past"] + 1 + window["future"] if at else None
                found[name] = (np.dtype(object), () if length is None else (length,))
            else:
                found[name] = (np.dtype(one["dtype"]), tuple(one["shape"]))
        return found

    @property
    def fields(self) -> dict[str, Ragged]:
        """The fields whose items vary in length, or may be null, by name."""
        found = {}
        for one in self._described["fields"]:
            if one.get("kind") == "npy":  # type and shape are each file's
                one = {key: value for key, value in one.items() if key != "dtype"}
                one["shape"] = []
            described = Ragged.of(one)
            if described is not None:
                found[one["name"]] = described
        return found

    def _is_folded(self, name: str, ragged: Mapping[str, Ragged]) -> bool:
        """Whether an array says which items of another are None, and was not asked for."""
        of = name.removesuffix(".valid")
        is_named = name in self._plan.get("fields", ())
        return of != name and of in ragged and ragged[of].nullable and not is_named

    @property
    def names(self) -> dict[str, list[str]]:
        """The names that integers of a field stand for: `names["label"][3]` is "CAR"."""
        return {
            one["name"]: list(one["names"])
            for one in self._described["columns"]
            if "names" in one
        }

    def _iterate(self, part: int, parts: int) -> Iterator[Batch]:
        """Yields each `parts`-th batch from number `part` on; the others are not read."""
        if parts == 1:
            yield from self
            return
        self._part, self._pid = (part, parts), 0
        try:
            yield from self
        finally:
            self._part, self._pid = (0, 1), 0

    def next_batch(self) -> Batch | None:
        """Returns the next batch: arrays by name, which share one block of memory. None
        after the last one; the batch after that is the first one of the next epoch."""
        found = self._next_raw()
        return None if found is None else self._converted(found)

    def _next_raw(self) -> Batch | None:
        native = self._native()
        found = self._handle.call(lambda core: native.next())
        if found is None:
            self.reset(self._epoch + 1)
            return None
        self._epoch, self._items = native.position()
        return found

    def _converted(self, found: Batch) -> Batch:
        if not any(name.endswith((".offsets", ".valid")) for name in found):
            return found
        ragged, made = self.fields, Batch()
        for name, (dtype, shape) in self.schema.items():
            made[name] = found[name]
            if name in ragged:
                items = ragged[name].items(name, found, self._decode)
                made[name] = items.reshape(-1, *shape)
            elif f"{name}.offsets" in found:
                text = _array_of(found[name], found[f"{name}.offsets"], dtype.str)
                made[name] = text.reshape(-1, *shape)
        return made

    def _raw_batches(self) -> Iterator[tuple[int, Batch, Batch]]:
        """Yields the number of items, the arrays without fields of variable length, and
        what the core returned."""
        ragged, schema = self.fields, self.schema
        while (found := self._next_raw()) is not None:
            made = {}
            for name, (dtype, shape) in schema.items():
                if name in ragged:
                    continue
                made[name] = found[name]
                if f"{name}.offsets" in found:
                    text = _array_of(found[name], found[f"{name}.offsets"], dtype.str)
                    made[name] = text.reshape(-1, *shape)
            yield self._native().batch_size(), made, found

    def __arrow_c_schema__(self) -> object:
        return arrow.schema_of_fields(self.schema, self._arrow_fields())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the rest of the epoch as an Arrow stream, a record batch per batch.
        Fields of variable length are lists, binary or strings, with nulls."""
        fields = self._arrow_fields()
        return arrow.stream_of_raw(self.schema, fields, self._raw_batches())

    def _arrow_fields(self) -> dict[str, Ragged]:
        fields = self.fields
        if fields and "window" in self._plan:
            raise Unsupported(
                "Arrow: fields of variable length in windows are not there (found "
                f"{', '.join(fields)})"
            )
        return fields

    def tf(self, *, shards: int = 1, prefetch: int = 2) -> Any:
        """Returns a `tf.data.Dataset` of batches, whose shapes and types are known; every
        iteration is an epoch, from its beginning.

        Arrays of variable length are ragged tensors; text, bytes and images are strings,
        for `tf.io.decode_image`. Of fields that may be null, `name.valid` says which
        items are not.

        Args:
            shards: threads that read, each a shard of the rows through an opened data set
                of its own; batches come from them in turns. The reader itself must not
                be one of several shards.
            prefetch: batches that are read ahead.
        """
        from ._streams.tf_batches import dataset_of

        varying = self.fields
        if varying and (self._decode or self._described["plan"].get("window")):
            raise Unsupported(
                "tf: fields that vary in length, or may be null, are not there in windows "
                f"and with decode=True (found {', '.join(varying)})"
            )
        fixed = {name: one for name, one in self.schema.items() if name not in varying}
        shards = _checks.integer("tf: shards", shards, 1)
        own = self._described["plan"]["shard"]
        if shards > 1 and own["count"] != 1:
            raise InvalidArgument(
                f"tf: shards must be 1 for a shard of {own['count']} (found {shards})"
            )
        readers = [self] if shards == 1 else [self._shard(i, shards) for i in range(shards)]

        def part(reader: Reader) -> Any:
            def read(epoch: int) -> Any:
                reader.reset(epoch)
                return iter(reader)

            return read

        batch = self._described["plan"]["batch"]
        is_full = batch["drop_last"] and not batch["by_block"]
        size = batch["size"] if is_full else None
        parts = [part(one) for one in readers]
        return dataset_of(parts, fixed, size, prefetch, self._epoch, varying)

    def _shard(self, index: int, count: int) -> Reader:
        """Returns a reader of a shard that opens the data set anew."""
        made: Reader = pickle.loads(pickle.dumps(self))
        made._plan["shard"] = {**made._plan["shard"], "index": index, "count": count}
        made._pid, made._count = 0, None
        made._described = made.explain()
        return made

    def count(self) -> int:
        """Returns the number of items of an epoch; reads what the filter needs, once."""
        if self._count is None:
            native = self._native()
            self._count = self._handle.call(lambda core: native.length())
        return self._count

    def __len__(self) -> int:
        """The number of batches of an epoch."""
        batch = self._described["plan"]["batch"]
        if batch["by_block"]:
            return int(self._described["blocks"])
        whole, rest = divmod(self.count(), batch["size"])
        return whole + (rest > 0 and not batch["drop_last"])

    def state(self) -> str:
        """Returns the position after the last batch as JSON of at most 1 KB."""
        native = self._native()
        return self._handle.call(lambda core: native.state())

    def load_state(self, state: str) -> None:
        """Continues at the position of a reader of the same data and plan, with any
        number of strided shards.

        Raises InvalidArgument if it belongs to another plan, ReadError if to other data.
        """
        _checks.text("state", state)
        native = self._native()
        self._handle.call(lambda core: native.restore(state))
        self._epoch, self._items = native.position()

    @property
    def position(self) -> tuple[int, int]:
        """The epoch of the next batch, and the items that all strided shards together have
        read of it."""
        return self._epoch, self._items

    def seek(self, item: int) -> None:
        """Goes to an item of the epoch: the next batch begins with it. Raises OutOfRange
        beyond the end, if no filter has to be read to know it."""
        shard = self._described["plan"]["shard"]
        item = _checks.integer("seek: item", item)
        if self._count is not None or "where" not in self._plan:
            item = _checks.index("seek: item", item, self.count())
        count = shard["count"] if shard["mode"] == "strided" else 1
        self._go(self._epoch, item * count)

    def reset(self, epoch: int | None = None) -> None:
        """Goes to the beginning of the epoch, or of another one."""
        if epoch is not None:
            epoch = _checks.integer("reset: epoch", epoch)
        self._go(self._epoch if epoch is None else epoch, 0)

    def _go(self, epoch: int, items: int) -> None:
        native = self._native()
        self._handle.call(lambda core: native.seek(epoch, items))
        self._epoch, self._items = epoch, items

    def describe(self, by: str | None = None) -> dict[str, Any]:
        """Returns limits, mean, standard deviation, quantiles and histogram of the fields
        of all rows of this shard; the position stays.

        Args:
            by: describes the rows of each value of this column, an integer, boolean or
                string.
        """
        if by is not None:
            _checks.text("describe: by", by)
        if by == "":
            raise NotFound('describe: no column has the name ""')
        native = self._native()
        described = self._handle.call(lambda core: native.describe(by or ""))
        return dict(json.loads(described))

    def explain(self) -> dict[str, Any]:
        """Returns the plan, the table's columns, and how many rows were tested or
        excluded so far."""
        native = self._native()
        described = self._handle.call(lambda core: native.explain())
        return dict(json.loads(described))

    @property
    def diagnostics(self) -> dict[str, int]:
        """What was read so far, in numbers of blocks, pieces and rows."""
        return dict(self.explain()["counts"])

    @property
    def skipped(self) -> list[dict[str, Any]]:
        """Blocks (scenes, or chunks of other tables) that were left out because of a
        damaged chunk, with `on_damage="skip"`: {"block", "error"}."""
        return list(self.explain()["skipped"])
