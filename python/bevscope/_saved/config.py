"""Schemas of saved data sets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _checks, _core
from .._data.array import dtype_of
from .._errors import InvalidArgument
from .._sources.source import descr_of
from .._streams.ragged import Ragged

#: Rows of an attribute: an array of NumPy, a tensor of PyTorch on the CPU; of variable
#: length, or if they may be null, a sequence.
Rows = Any

#: Kinds of attributes whose rows have no shape.
VARIABLE = ("text", "bytes", "image", "image/png", "image/jpeg", "image/webp", "npy")


@dataclass(frozen=True)
class Nullable:
    """An attribute whose rows may be None: `Nullable("f4")`.

    Attributes:
        type: as of an attribute of DataConfig.
    """

    type: Any


class DataConfig:
    """The schema of a data set and how it is stored; no address and no secret.

    Equal configs are equal wherever data is stored; `fingerprint` tells them apart.

    Args:
        name: of the data set.
        attributes: the dtype of a row of each array by name, with its shape if it has
            one: `{"image": ("u1", (28, 28)), "label": "i8"}`. Strings are "U12" or "S12",
            records lists of fields as in NumPy. A length that varies is None:
            `("f4", (None, 4))`. Other values are in `VARIABLE`: "text", "bytes",
            "image/png", "image/jpeg", "image/webp", "image" (any of these) and "npy"
            (arrays of any dtype and shape). "text?" may be None; so may a field
            `Nullable("f4")`.
        additional: what else to keep with the data, as JSON.
        compressor: "lz4" and "zstd" (in Blosc), "zlib", "blosc:lz4hc" as on the command
            line, another member of a .zarray (`{"id": "blosc", "cname": "lz4",
            "clevel": 5}`), a codec of numcodecs, or None or "none".
        max_object_size: the most bytes that an object may have, as stored.
        zarr_format: 2, or 3.
        chunks_per_shard: of version 3: an object holds so many chunks, each of them so
            many times smaller; 0 for one chunk per object.
    """

    def __init__(
        self,
        name: str,
        attributes: Mapping[str, npt.DTypeLike],
        *,
        additional: Mapping[str, Any] | None = None,
        compressor: Any = "lz4",
        max_object_size: int = 8 << 20,
        zarr_format: int = 2,
        chunks_per_shard: int = 0,
    ) -> None:
        _checks.text("config: name", name)
        if not isinstance(attributes, Mapping):
            raise _checks.invalid("config: attributes", attributes, "dtypes by name")
        listed = [
            {"name": _checks.text("config: attribute", key), **_attribute_of(key, given)}
            for key, given in attributes.items()
        ]
        given = {
            "name": name,
            "attributes": listed,
            "additional": dict(additional or {}),
            "compressor": _compressor_of(compressor),
            "max_object_size": _checks.integer("config: max_object_size", max_object_size),
            "zarr_format": _checks.integer("config: zarr_format", zarr_format),
            "chunks_per_shard": _checks.integer(
                "config: chunks_per_shard", chunks_per_shard
            ),
        }
        try:
            text = json.dumps(given, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise InvalidArgument(f"config: not JSON ({error})") from None
        self._set(text)

    def _set(self, text: str) -> None:
        self._json = _core.complete_config(text)
        self._members: dict[str, Any] = json.loads(self._json)

    @classmethod
    def from_json(cls, text: str) -> DataConfig:
        """Returns the config that to_json() has written."""
        made = cls.__new__(cls)
        made._set(_checks.text("config", text))
        return made

    @classmethod
    def of(cls, name: str, batch: Mapping[str, Rows], **options: Any) -> DataConfig:
        """Returns a config for batches like this one; `options` as of the class."""
        attributes: dict[str, Any] = {}
        for key, rows in batch.items():
            array = array_of(key, rows)
            attributes[key] = (array.dtype, array.shape[1:])
        return cls(name, attributes, **options)

    def to_json(self) -> str:
        """Returns all members as JSON. Equal configs have equal text."""
        return self._json

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits, equal for equal configs."""
        return _core.config_fingerprint(self._json)

    @property
    def name(self) -> str:
        """The data set's name."""
        return str(self._members["name"])

    @property
    def attributes(self) -> dict[str, np.dtype[Any]]:
        """The dtype of a row of each attribute; with axes a dtype with a `shape`; object
        of those whose rows vary in length."""
        return {
            one["name"]: np.dtype(object)
            if "kind" in one
            else np.dtype((dtype_of(one["dtype"]), tuple(one["shape"])))
            for one in self._members["attributes"]
        }

    @property
    def fields(self) -> dict[str, Ragged]:
        """The attributes whose rows vary in length, or may be None, by name."""
        found = {}
        for one in self._members["attributes"]:
            described = Ragged.of(one)
            if described is not None:
                found[one["name"]] = described
        return found

    @property
    def additional(self) -> dict[str, Any]:
        """The caller's own members."""
        return dict(self._members["additional"])

    @property
    def compressor(self) -> dict[str, Any] | None:
        """The compressor as in a .zarray."""
        found: dict[str, Any] | None = self._members["compressor"]
        return found

    @property
    def max_object_size(self) -> int:
        """The most bytes that an object may have."""
        return int(self._members["max_object_size"])

    @property
    def zarr_format(self) -> int:
        """The version of the zarr format."""
        return int(self._members.get("zarr_format", 2))

    @property
    def chunks_per_shard(self) -> int:
        """The chunks per object of version 3; 0 without shards."""
        return int(self._members.get("chunks_per_shard", 0))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataConfig) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)

    def __reduce__(self) -> tuple[Any, ...]:
        return DataConfig.from_json, (self._json,)

    def __repr__(self) -> str:
        return f"<bevscope.DataConfig {self._json}>"


def _attribute_of(name: str, given: Any) -> dict[str, Any]:
    if isinstance(given, Nullable):
        return {**_attribute_of(name, given.type), "nullable": True}
    if isinstance(given, str) and given.removesuffix("?") in VARIABLE:
        return _variable_of(given)
    if isinstance(given, tuple) and len(given) == 2 and _varies(given[1]):
        return {**_dtype_member(name, given[0]), "shape": list(given[1])}
    return _dtype_member(name, given)


def _variable_of(given: str) -> dict[str, Any]:
    kind, slash, _ = given.removesuffix("?").partition("/")
    made: dict[str, Any] = {"kind": kind}
    if slash:
        made["content_type"] = given.removesuffix("?")
    if given.endswith("?"):
        made["nullable"] = True
    return made


def _varies(shape: Any) -> bool:
    return isinstance(shape, (tuple, list)) and None in shape


def _dtype_member(name: str, given: npt.DTypeLike) -> dict[str, Any]:
    try:
        dtype = np.dtype(given)
        if given is None:  # NumPy's default, float64
            raise TypeError
    except (TypeError, ValueError):
        raise _checks.invalid(f"config: {name}", given, "a dtype") from None
    return {"dtype": descr_of(dtype.base), "shape": list(dtype.shape)}


def _compressor_of(given: Any) -> Any:
    """Returns a compressor as in a .zarray."""
    if isinstance(given, str):
        library, _, name = given.partition(":")
        if given in ("lz4", "zstd"):
            library, name = "blosc", given
        if library == "blosc" and name:
            return {"id": library, "cname": name}
        return None if given == "none" else {"id": given}
    if hasattr(given, "get_config"):  # a codec of numcodecs
        known: dict[str, Any] = given.get_config()
        return {key: value for key, value in known.items() if key != "typesize"}
    if given is not None and not isinstance(given, Mapping):
        raise _checks.invalid("config: compressor", given, "a name or a member of .zarray")
    return None if given is None else dict(given)


def array_of(name: str, rows: Rows) -> npt.NDArray[Any]:
    """Returns rows as an array, which shares the memory of arrays and of tensors on the
    CPU."""
    if hasattr(rows, "detach") and hasattr(rows, "cpu"):
        rows = rows.detach().cpu().numpy()
    array = np.asarray(rows)
    if array.dtype.hasobject:
        raise TypeError(f"{name}: unsupported dtype (found {array.dtype})")
    return array
