"""Writes tests/vectors/pickle.json: pickles of all protocols, and what they contain.

Usage: make_pickle.py PYTHON.., interpreters with NumPy 1 and NumPy 2. The arrays are the
same for all of them; the values are pickled by this interpreter, without NumPy.
make_pickle.py --seeds FOLDER writes the pickles as files, for the fuzzer.
"""

import array
import collections
import datetime
import decimal
import fractions
import json
import math
import pickle
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


class Slots:
    __slots__ = ("a", "b")


class Row(collections.namedtuple("Row", "name size")):
    __slots__ = ()


class Keyed:
    """Made with keyword arguments, which is pickled so from protocol 4 on."""

    def __new__(cls, a, *, b):
        made = object.__new__(cls)
        made.a, made.b = a, b
        return made

    def __getnewargs_ex__(self):
        return (self.a,), {"b": self.b}


class Items(list):
    pass


class Names(dict):
    pass


for one in (Point, Slots, Row, Keyed, Items, Names):
    one.__module__ = "made"
sys.modules["made"] = sys.modules["__main__"]


def named(name):
    return {"global": name}


def called(name, *arguments, **more):
    return {"call": named(name), "arguments": list(arguments), **more}


def plain(value, protocol):
    """Returns plain values as the tests show them."""

    def inner(value):
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            if -(2**63) <= value < 2**63:
                return value
            size = (value.bit_length() >> 3) + 1
            return {"big": value.to_bytes(size, "little", signed=True).hex()}
        if isinstance(value, float):
            return {"real": repr(value)}
        if isinstance(value, bytes):
            return {"bytes": value.hex()}
        if isinstance(value, bytearray):
            content = {"bytes": bytes(value).hex()}
            if protocol == 5:
                return content
            module = "builtins" if protocol > 2 else "__builtin__"
            return called(f"{module}.bytearray", *([content] if value else []))
        if isinstance(value, list):
            return [inner(each) for each in value]
        if isinstance(value, tuple):
            return {"tuple": [inner(each) for each in value]}
        if isinstance(value, (set, frozenset)):
            each = [inner(one) for one in value]
            if protocol > 3:
                return {type(value).__name__: each}
            module = "builtins" if protocol == 3 else "__builtin__"
            return called(f"{module}.{type(value).__name__}", each)
        return {"dict": [[inner(key), inner(each)] for key, each in value.items()]}

    return inner(value)


DEEP = None
for _ in range(40):
    DEEP = [DEEP]
SHARED = ["shared", (1, 2)]
VALUES = {
    "constants": [None, True, False],
    "integers": [
        0,
        1,
        -1,
        255,
        256,
        65535,
        65536,
        2**31 - 1,
        -(2**31),
        2**31,
        2**63 - 1,
        -(2**63),
        -129,
        2**40,
    ],
    "reals": [0.0, -0.0, 1.5, -2.5e-300, 1e22, math.inf, -math.inf, math.nan, 0.1],
    "texts": [
        "",
        "a",
        "caf\xe9",
        "\u20ac and \U0001f697",
        "line\nbreak\r\0\x1a",
        "back\\slash",
        "\\u0041",
        "x" * 300,
    ],
    "bytes": [b"", b"a", bytes(range(256)), b"\xfe" * 257],
    "bytearrays": [bytearray(b""), bytearray(b"ab\xff"), bytearray(257)],
    "tuples": [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), ((), ((),))],
    "lists": [[], [1], [[], [2, [3]]], DEEP],
    "dicts": [{}, {"a": 1}, {1: "x", (2, 3): [], b"k": {}}],
    "long containers": [[None] * 1005, dict.fromkeys(range(1001))],
    "sets": [set(), {7}, frozenset(), frozenset({8})],
    "shared": [SHARED, SHARED, {"again": SHARED}],
}
BIG = [2**63, -(2**63) - 1, 2**64 - 1, -(2**64), 2**400]


def object_cases(protocol):
    """Yields names, objects and what they are."""
    py = "builtins" if protocol > 2 else "__builtin__"
    copyreg = "copyreg" if protocol > 2 else "copy_reg"

    def made(name, state, base="object", given=None):
        if protocol >= 2:
            return {"call": named(name), "arguments": [], **state}
        return called(
            f"{copyreg}._reconstructor", named(name), named(f"{py}.{base}"), given, **state
        )

    yield "a class", Point, named("made.Point")
    yield "a function", len, named(f"{py}.len")
    state = {"dict": [["x", 1], ["y", [2]]]}
    yield "an object", Point(1, [2]), made("made.Point", {"state": state})
    row = Row("a", 3)
    given = {"tuple": ["a", 3]}
    if protocol >= 2:
        yield "a named tuple", row, called("made.Row", "a", 3)
    else:
        expected = called(
            f"{copyreg}._reconstructor", named("made.Row"), named(f"{py}.tuple"), given
        )
        yield "a named tuple", row, expected
    if protocol >= 2:
        slots = Slots()
        slots.a = 5
        state = {"tuple": [None, {"dict": [["a", 5]]}]}
        yield "an object with slots", slots, made("made.Slots", {"state": state})
        items = Items([1, 2])
        items.note = "n"
        more = {"appended": [1, 2], "state": {"dict": [["note", "n"]]}}
        yield "a list with a class", items, made("made.Items", more)
        names = Names(a=1)
        yield (
            "a dict with a class",
            names,
            made("made.Names", {"pairs": {"dict": [["a", 1]]}}),
        )
    if protocol >= 4:
        keyed = Keyed(1, b=2)
        expected = called(
            "made.Keyed",
            1,
            keywords={"dict": [["b", 2]]},
            state={"dict": [["a", 1], ["b", 2]]},
        )
        yield "an object with keywords", keyed, expected
    ordered = collections.OrderedDict([("b", 1), ("a", 2)])
    yield (
        "an ordered dict",
        ordered,
        called("collections.OrderedDict", pairs={"dict": [["b", 1], ["a", 2]]}),
    )
    default = collections.defaultdict(int, {"k": 3})
    yield (
        "a default dict",
        default,
        called(
            "collections.defaultdict",
            named(f"{py}.{'int' if protocol > 2 else 'long'}"),
            pairs={"dict": [["k", 3]]},
        ),
    )
    queue = collections.deque([1, 2], 5)
    yield "a queue", queue, called("collections.deque", {"tuple": []}, 5, appended=[1, 2])
    yield "a fraction", fractions.Fraction(3, 4), called("fractions.Fraction", 3, 4)
    yield "a decimal", decimal.Decimal("1.50"), called("decimal.Decimal", "1.50")
    day = datetime.date(2024, 2, 29)
    yield "a date", day, called("datetime.date", {"bytes": "07e8021d"})
    numbers = array.array("h", [1, -2])
    if protocol >= 3:
        yield (
            "an array",
            numbers,
            called(
                "array._array_reconstructor",
                named("array.array"),
                "h",
                4,
                {"bytes": "0100feff"},
            ),
        )
    yield (
        "a complex number",
        1.5 + 2j,
        called(f"{py}.complex", {"real": "1.5"}, {"real": "2.0"}),
    )
    yield (
        "a range",
        range(1, 9, 2),
        called(f"{py}.{'range' if protocol > 2 else 'xrange'}", 1, 9, 2),
    )


def values():
    cases = []
    for protocol in range(6):
        for name, value in VALUES.items():
            if name == "long containers" and protocol not in (1, 4):
                continue
            code = pickle.dumps(value, protocol)
            expected = plain(value, protocol)
            cases.append([f"{name}, protocol {protocol}", code.hex(), expected])
        if protocol >= 2:
            code = pickle.dumps(BIG, protocol)
            cases.append(
                [f"big integers, protocol {protocol}", code.hex(), plain(BIG, protocol)]
            )
        for name, value, expected in object_cases(protocol):
            code = pickle.dumps(value, protocol)
            cases.append([f"{name}, protocol {protocol}", code.hex(), expected])
    # What Python 2 writes: str as STRING and BINSTRING.
    two = [
        ("S'abc'\np0\n.", {"string": b"abc".hex()}),
        ('S"it\'s \\\\ \\x41\\n\\t\\101\\xff"\n.', {"string": b"it's \\ A\n\tA\xff".hex()}),
        ("T\x03\0\0\0abc.", {"string": b"abc".hex()}),
        ("U\x02\xe9a.", {"string": b"\xe9a".hex()}),
        ("(lp0\nI1\naL2L\na.", [1, 2]),
        ("(dp0\nS'k'\np1\nF1.5\ns.", {"dict": [[{"string": b"k".hex()}, {"real": "1.5"}]]}),
        ("(imade\nOld\np0\n(dp1\nb.", called("made.Old", state={"dict": []})),
        ("(cmade\nOld\nI1\nI2\no.", called("made.Old", 1, 2)),
        ("(I7\n1I8\n.", 8),
        ("I5\n2\x86.", {"tuple": [5, 5]}),
    ]
    for text, expected in two:
        cases.append([f"Python 2: {text!r}", text.encode("latin-1").hex(), expected])
    return cases


# In an interpreter with NumPy.
ARRAYS = r"""
import pickle, sys
import numpy as np

def code_of(dtype):
    if dtype.names:
        return [field_of(name, dtype.fields[name][0]) for name in dtype.names]
    return dtype.str if dtype.kind != "b" else "|b1"

def field_of(name, dtype):
    base = dtype.base
    shape = [list(dtype.shape)] if dtype.shape else []
    return [name, code_of(base), *shape]

rng = np.random.default_rng(5)
arrays = []
for code in ("?", "i1", "u1", "<i2", ">i2", "<u2", "<i4", ">u4", "<i8", ">i8", "<u8", "<f2",
             ">f2", "<f4", ">f4", "<f8", ">f8", "<c8", ">c16", "S3", "<U2", ">U2", "V5",
             "<M8[ns]", ">M8[D]", "<M8[25s]", "<m8[us]", "<M8"):
    dtype = np.dtype(code)
    raw = rng.integers(0, 60, (2, 3, dtype.itemsize), np.uint8)
    if code == "?":
        raw %= 2
    arrays.append(raw.view(dtype)[..., 0])
floats = np.arange(12.0).reshape(3, 4)
INNER = [("d", "S2"), ("e", "<U1", 2)]
record = np.dtype([("a", "<i4"), ("b", ">f8", (2, 3)), ("c", INNER)])
arrays += [floats.T, floats[:, ::2], floats[1], floats[1, 2:2], np.array(7.5)]
arrays += [np.zeros((0, 3)), np.zeros((2, 3), "<f4", "F"), np.zeros((3, 0), order="F")]
arrays += [np.arange(24, dtype="<i2").reshape(2, 3, 4).transpose(2, 0, 1)]
arrays += [np.zeros(3, record), np.zeros((2, 2), [("x", "?")]), np.zeros(2, "<f8")[::-1]]
arrays += [np.broadcast_to(np.float32(2), (2, 2))]
scalars = [np.float64(1.5), np.int32(-7), np.bool_(True), np.str_("ab")]
scalars += [np.datetime64(5, "ms"), np.zeros(1, record)[0]]

def described(one):
    shape, data = list(one.shape), one.tobytes().hex()
    return {"dtype": code_of(one.dtype), "shape": shape, "data": data}

everything = arrays + scalars[:3] + [np.asarray(scalars[3])] + scalars[4:]
found = {"numpy": np.__version__,
         "arrays": [described(np.asarray(one)) for one in everything],
         "pickles": [pickle.dumps(everything, p).hex() for p in range(6)]}
import json
print(json.dumps(found))
"""


def arrays(interpreters):
    made = []
    for python in interpreters:
        run = subprocess.run([python, "-c", ARRAYS], check=True, capture_output=True)
        made.append(json.loads(run.stdout))
    first = made[0]["arrays"]
    assert all(one["arrays"] == first for one in made)
    pickles = {
        f"NumPy {one['numpy']}, protocol {protocol}": code
        for one in made
        for protocol, code in enumerate(one["pickles"])
    }
    return {"expected": first, "pickles": pickles}


def lines(cases):
    return ",\n".join(json.dumps(one) for one in cases)


def write_seeds(folder):
    vectors = json.loads((HERE / "pickle.json").read_text())
    codes = [code for _, code, _ in vectors["values"]] + [*vectors["pickles"].values()]
    folder.mkdir(parents=True, exist_ok=True)
    for number, code in enumerate(codes):
        (folder / str(number)).write_bytes(bytes.fromhex(code))


def main():
    if sys.argv[1] == "--seeds":
        write_seeds(Path(sys.argv[2]))
        return
    found = arrays(sys.argv[1:])
    expected = lines(found["expected"])
    pickles = ",\n".join(
        f"{json.dumps(k)}: {json.dumps(v)}" for k, v in found["pickles"].items()
    )
    text = (
        f'{{"values": [\n{lines(values())}\n],\n"arrays": [\n{expected}\n],\n'
        f'"pickles": {{\n{pickles}\n}}}}\n'
    )
    json.loads(text)
    (HERE / "pickle.json").write_text(text)


if __name__ == "__main__":
    main()
