"""Petastorm's pickled schema is read without being unpickled."""

import collections
import json
import pickle
import sys

import numpy as np
import pytest

import bevscope
from bevscope import _core


class CompressedImageCodec:
    def __init__(self, image):
        self._image_codec, self._quality = f".{image}", 80


class NdarrayCodec:
    pass


class ScalarCodec:
    def __init__(self, of):
        self._spark_type = of


class UnischemaField(
    collections.namedtuple("UnischemaField", "name numpy_dtype shape codec nullable")
):
    pass


class Unischema:
    def __init__(self, fields):
        self._name = "Made"
        self._fields = collections.OrderedDict((one.name, one) for one in fields)
        for one in fields:
            setattr(self, one.name, one)


class Evil:
    def __reduce__(self):
        return sys.exit, (3,)


FIELDS = [
    UnischemaField("id", np.int32, (), ScalarCodec("long"), False),
    UnischemaField("points", np.float32, (None, 3), NdarrayCodec(), True),
    UnischemaField("image", np.uint8, (32, 16, 3), CompressedImageCodec("jpeg"), False),
    UnischemaField("name", np.str_, (), None, False),
    UnischemaField("code", np.dtype("<u2"), (), None, True),
]


def parse(pickled):
    return json.loads(_core.unischema_fields(pickled))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol(protocol):
    found = parse(pickle.dumps(Unischema(FIELDS), protocol))
    assert [one["name"] for one in found] == ["id", "points", "image", "name", "code"]
    assert [one["codec"] for one in found] == [
        *("ScalarCodec", "NdarrayCodec", "CompressedImageCodec", "", ""),
    ]
    assert found[1]["shape"] == [None, 3]
    assert found[1]["nullable"] is True
    assert found[2]["image"] == "jpeg"
    assert [one["dtype"] for one in found] == ["int32", "float32", "uint8", "str_", "u2"]


def test_nothing_is_called():
    fields = [UnischemaField("id", np.int32, (), Evil(), False)]
    assert parse(pickle.dumps(Unischema(fields)))[0]["codec"] == "exit"
    with pytest.raises(bevscope.Error, match="not a Unischema"):
        parse(pickle.dumps(Evil()))


@pytest.mark.parametrize(
    "code",
    [
        b"",
        b".",
        b"garbage",
        pickle.dumps(7),
        pickle.dumps({"_fields": {}}),
        pickle.dumps(Unischema([UnischemaField("a", np.int8, "no shape", None, False)])),
        pickle.dumps(Unischema([UnischemaField("a", np.int8, (-1,), None, False)])),
        b"(" * 1000 + b".",
        b"]" + b"2" * 100 + b".",
        b"\x80\x04P1\n.",
    ],
)
def test_other_pickles_are_refused(code):
    with pytest.raises(bevscope.Error, match="Unischema") as error:
        parse(code)
    assert error.value.code == "invalid_metadata"


def test_damaged_pickles_are_refused_or_read():
    good = pickle.dumps(Unischema(FIELDS), 2)
    rng = np.random.default_rng(0)
    for _ in range(3_000):
        damaged = bytearray(good[: rng.integers(1, len(good) + 1)])
        damaged[rng.integers(len(damaged))] = rng.integers(256)
        try:
            assert isinstance(parse(bytes(damaged)), list)
        except bevscope.Error:
            pass
