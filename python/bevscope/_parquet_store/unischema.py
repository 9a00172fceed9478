"""Petastorm's schema, which data sets contain as a pickle. It is read, never unpickled: a
pickle calls functions. Here names are text, and calls are recorded."""

from __future__ import annotations

import pickletools
from dataclasses import dataclass, field
from typing import Any

from .._errors import Error

KEY = b"dataset-toolkit.unischema.v1"
MAX_BYTES = 16 << 20
MAX_OPCODES = 1_000_000


@dataclass(frozen=True)
class UnischemaField:
    name: str
    dtype: str  #: NumPy's name of the type: "int32", "str_"; "Decimal"
    shape: tuple[int | None, ...]
    codec: str  #: "", "ScalarCodec", "NdarrayCodec", "CompressedNdarrayCodec" or
    #: "CompressedImageCodec"
    image: str  #: "png", "jpeg"; "" if it is none
    nullable: bool


@dataclass(frozen=True)
class _Name:
    """A class or function that a pickle names."""

    module: str
    name: str


@dataclass
class _Made:
    """What a call would have returned."""

    of: Any
    arguments: Any
    state: Any = None
    items: list[Any] = field(default_factory=list)


class _Mark:
    pass


_MARK = _Mark()
_PUSHED = {
    *("INT", "LONG", "LONG1", "LONG4", "BININT", "BININT1", "BININT2", "FLOAT", "BINFLOAT"),
    *("STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "BINUNICODE"),
    *("SHORT_BINUNICODE", "BINUNICODE8", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
}
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_EMPTY: dict[str, Any] = {"EMPTY_LIST": list, "EMPTY_DICT": dict, "EMPTY_TUPLE": tuple}
_IGNORED = {"PROTO", "FRAME", "STOP"}
#: Of a field.
_MEMBERS = ("name", "numpy_dtype", "shape", "codec", "nullable")
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


class _Machine:
    """Runs a pickle's opcodes on values of which none is a class."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def run(self, code: bytes) -> Any:
        for count, (opcode, argument, _) in enumerate(pickletools.genops(code)):
            if count == MAX_OPCODES:
                raise ValueError("too many opcodes")
            self._step(opcode.name, argument)
        (result,) = self.stack
        return result

    def _step(self, name: str, argument: Any) -> None:
        stack = self.stack
        if name in _PUSHED:
            stack.append(argument)
        elif name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name in _EMPTY:
            stack.append(_EMPTY[name]())
        elif name in _TUPLES:
            stack[-_TUPLES[name] :] = [tuple(stack[-_TUPLES[name] :])]
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            self._memo[int(argument)] = stack[-1]
        elif name == "MEMOIZE":
            self._memo[len(self._memo)] = stack[-1]
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(self._memo[int(argument)])
        elif name == "MARK":
            stack.append(_MARK)
        elif name in ("TUPLE", "LIST", "DICT"):
            self._gather(name)
        elif name in ("APPEND", "APPENDS", "SETITEM", "SETITEMS"):
            self._extend(name)
        elif name in ("GLOBAL", "STACK_GLOBAL"):
            self._name(name, argument)
        elif name in ("REDUCE", "NEWOBJ"):
            arguments = stack.pop()
            stack.append(_Made(stack.pop(), arguments))
        elif name == "BUILD":
            state = stack.pop()
            stack[-1].state = state
        elif name not in _IGNORED:
            raise ValueError(f"opcode {name}")

    def _to_mark(self) -> list[Any]:
        at = len(self.stack) - 1
        while self.stack[at] is not _MARK:
            at -= 1
            if at < 0:
                raise ValueError("no mark")
        found = self.stack[at + 1 :]
        del self.stack[at:]
        return found

    def _gather(self, name: str) -> None:
        found = self._to_mark()
        if name == "DICT":
            pairs = zip(found[::2], found[1::2], strict=True)
            self.stack.append({_hashed(key): value for key, value in pairs})
        else:
            self.stack.append(found if name == "LIST" else tuple(found))

    def _extend(self, name: str) -> None:
        if name.endswith("S"):
            found = self._to_mark()
        else:
            count = 1 if name == "APPEND" else 2
            found = self.stack[-count:]
            del self.stack[-count:]
        target = self.stack[-1]
        if name.startswith("APPEND"):
            (target.items if isinstance(target, _Made) else target).extend(found)
            return
        pairs = zip(found[::2], found[1::2], strict=True)
        if isinstance(target, _Made):
            target.items.extend(pairs)
        else:
            target.update((_hashed(key), value) for key, value in pairs)

    def _name(self, name: str, argument: Any) -> None:
        if name == "GLOBAL":
            module, _, what = argument.partition(" ")
        else:
            what = self.stack.pop()
            module = self.stack.pop()
        self.stack.append(_Name(str(module), str(what)))


def _hashed(key: Any) -> Any:
    if not isinstance(key, (str, int, bytes)):
        raise ValueError("a key that is not text")
    return key


def _class_of(made: Any) -> str:
    """Returns the name of the class of an object, also of copyreg's."""
    if isinstance(made, _Name):
        return made.name
    if not isinstance(made, _Made):
        return type(made).__name__
    of, arguments = made.of, made.arguments
    if isinstance(of, _Name) and of.name in ("_reconstructor", "__newobj__"):
        return _class_of(arguments[0])
    return _class_of(of)


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise ValueError("not text")
    return value


def _field_values(made: Any) -> list[Any]:
    """Returns name, type, shape, codec and nullable of a field: a named tuple, which
    pyspark pickles as names and values."""
    arguments = list(made.arguments)
    if isinstance(made.of, _Name) and made.of.name == "_restore":
        names = [_text(one) for one in arguments[1]]
        values = dict(zip(names, arguments[2], strict=True))
        return [
            values.get(one) for one in ("name", "numpy_dtype", "shape", "codec", "nullable")
        ]
    if isinstance(made.of, _Name) and made.of.name == "_reconstructor":
        arguments = list(arguments[2])
    return (arguments + [None, None, None])[:5]


def _field_of(made: Any) -> UnischemaField:
    name, dtype, shape, codec, nullable = _field_values(made)
    if not isinstance(shape, tuple) or any(
        one is not None and (not isinstance(one, int) or one < 0) for one in shape
    ):
        raise ValueError(f"shape of field {_text(name)[:60]}")
    state = codec.state if isinstance(codec, _Made) else None
    image = state.get("_image_codec", ".png") if isinstance(state, dict) else ""
    name_of_codec = "" if codec is None else _class_of(codec)
    is_image = name_of_codec == "CompressedImageCodec"
    return UnischemaField(
        name=_text(name),
        dtype=_dtype_name(dtype),
        shape=shape,
        codec=name_of_codec,
        image=_text(image).lstrip(".") if is_image else "",
        nullable=bool(nullable),
    )


def _dtype_name(dtype: Any) -> str:
    """Returns the name of a type; a dtype is pickled as a call of it with a code."""
    if isinstance(dtype, _Made) and _class_of(dtype) == "dtype":
        return _text(dtype.arguments[0])
    return _class_of(dtype)


def parse(pickled: bytes) -> list[UnischemaField]:
    """Returns the fields of a pickled Unischema.

    Raises Error ("invalid_metadata") for anything else.
    """
    if len(pickled) > MAX_BYTES:
        raise Error(f"Unischema: too long (found {len(pickled)} bytes)", "limit_exceeded")
    try:
        made = _Machine().run(pickled)
        state = made.state
        if _class_of(made) != "Unischema" or not isinstance(state, dict):
            raise ValueError("not a Unischema")
        fields = next(state[name] for name in ("_fields", b"_fields") if name in state)
        found = [_field_of(value) for _, value in _items(fields)]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise Error(
            f"Unischema: not readable ({error or type(error).__name__})",
            "invalid_metadata",
        ) from None
    except StopIteration:
        raise Error("Unischema: no fields", "invalid_metadata") from None
    return found


def _items(fields: Any) -> Any:
    """Returns the pairs of an OrderedDict: given to it, or set later."""
    if isinstance(fields, dict):
        return fields.items()
    given = fields.arguments[0] if fields.arguments else []
    return [*given, *fields.items]
