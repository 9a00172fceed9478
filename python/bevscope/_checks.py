"""Checks of arguments before they reach the core."""

from __future__ import annotations

import difflib
import math
import operator
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InvalidArgument, NotFound, OutOfRange

_INT64_MAX = 2**63 - 1
UINT64_MAX = 2**64 - 1
UINT32_MAX = 2**32 - 1
_SHOWN = 60


def shown_value(value: Any) -> str:
    """Returns a value for an error message, or its type if it is long."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}, shape {value.shape}"
    text = repr(value)
    return text if len(text) <= _SHOWN else type(value).__name__


def invalid(thing: str, value: Any, expected: str) -> InvalidArgument:
    return InvalidArgument(
        f"{thing}: invalid value (found {shown_value(value)}, expected {expected})"
    )


def integer(thing: str, value: Any, least: int = 0, most: int = _INT64_MAX) -> int:
    """Returns an integer of Python or NumPy. Raises InvalidArgument for others and bool,
    and unless it is between `least` and `most`."""
    found = _integer(thing, value)
    if not least <= found <= most:
        raise InvalidArgument(_limits(thing, found, least, most))
    return found


def index(thing: str, value: Any, most: int = _INT64_MAX) -> int:
    """Returns an integer from 0 to `most`. Raises InvalidArgument for other types, and
    OutOfRange."""
    found = _integer(thing, value)
    if not 0 <= found <= most:
        raise OutOfRange(_limits(thing, found, 0, most))
    return found


def _limits(thing: str, found: int, least: int, most: int) -> str:
    above = f"at least {least}" if most == _INT64_MAX else f"{least} to {most}"
    return f"{thing}: out of range (found {found}, expected {above})"


def _integer(thing: str, value: Any) -> int:
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise invalid(thing, value, "an integer") from None


def number(thing: str, value: Any) -> float:
    """Returns a finite number. Raises InvalidArgument for others, str and bool."""
    try:
        if isinstance(value, (bool, np.bool_, str, bytes)) or np.ndim(value) != 0:
            raise TypeError
        found = float(value)
        if not math.isfinite(found):
            raise TypeError
    except (TypeError, ValueError, OverflowError):
        raise invalid(thing, value, "a finite number") from None
    return found


def integers(thing: str, values: Any, dtype: npt.DTypeLike = np.int64) -> npt.NDArray[Any]:
    """Returns integers as a contiguous array of another type. Raises InvalidArgument for
    bool, fractions and values that the type does not have."""
    try:
        found = np.asarray(values)
    except (TypeError, ValueError):
        raise invalid(thing, values, "integers") from None
    if found.size and found.dtype.kind not in "iu":
        raise invalid(thing, found, "integers")
    converted = np.ascontiguousarray(found.astype(dtype))
    if found.size and not np.array_equal(converted, found):
        raise OutOfRange(f"{thing}: too large (expected {np.dtype(dtype)})")
    return converted


def floats(thing: str, values: Any) -> npt.NDArray[np.float64]:
    """Returns numbers as a contiguous array."""
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "iuf":
            raise TypeError
    except (TypeError, ValueError):
        raise invalid(thing, values, "numbers") from None
    return np.ascontiguousarray(found, np.float64)


def text(thing: str, value: Any) -> str:
    """Raises InvalidArgument unless a value is a string that UTF-8 has."""
    if not isinstance(value, str):
        raise invalid(thing, value, "a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise invalid(thing, value, "UTF-8") from None
    return value


def flag(thing: str, value: Any) -> bool:
    """Returns a bool, not what only counts as one."""
    if not isinstance(value, (bool, np.bool_)):
        raise invalid(thing, value, "True or False")
    return bool(value)


def expanded(value: Any) -> Any:
    """Returns a path as text, with the home directory for `~`, as shells expand it."""
    return os.path.expanduser(os.fspath(value))


def path(thing: str, value: Any) -> str:
    """Returns the text of a path."""
    try:
        return text(thing, expanded(value))
    except TypeError:
        raise invalid(thing, value, "a path") from None


def bounds(thing: str, value: slice) -> slice:
    """Raises InvalidArgument unless the members of a slice are integers or None."""
    for one in (value.start, value.stop, value.step):
        if one is not None:
            integer(thing, one, -(2**63))
    if value.step == 0:
        raise InvalidArgument(f"{thing}: step must not be 0")
    return value


def names(thing: str, values: Any) -> list[str]:
    """Returns a list of names. Raises InvalidArgument for a single string."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise invalid(thing, values, "a list of names")
    return [text(thing, one) for one in values]


def indices(thing: str, values: Any, count: int) -> npt.NDArray[np.int64]:
    """Returns indices from 0 to `count`; negative ones count from the end.

    Raises InvalidArgument for masks, fractions and other shapes than (n,), OutOfRange for
    indices beyond the end."""
    try:
        found = np.asarray(values)
    except (TypeError, ValueError):
        raise invalid(thing, values, "a list of integers") from None
    if found.shape == (0,):
        return np.empty(0, np.int64)
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise invalid(thing, found if found.ndim else values, "a list of integers")
    low, high = int(found.min()), int(found.max())
    if low < -count or high >= count:
        wrong = low if low < -count else high
        raise OutOfRange(f"{thing}: index {wrong} is out of range (count {count})")
    rows = np.array(found, np.int64)
    rows[rows < 0] += count
    return rows


def options(thing: str, given: Mapping[str, Any], known: Iterable[str]) -> None:
    """Raises NotFound for an unknown option, with the name that is like it."""
    names = sorted(known)
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(str(name), names, 1)
            hint = f", nearest {near[0]}" if near else ""
            raise NotFound(
                f"{thing}: unknown option (found {shown_value(name)}{hint}, expected one "
                f"of {', '.join(names)})"
            )
