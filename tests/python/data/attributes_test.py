"""Attributes of groups: each change is written, or refused without touching a file."""

import json

import numpy as np
import pytest

import bevscope
from bevscope._data.attributes import Attributes

CHANGES = {
    "set": lambda a: a.__setitem__("new", [1, {"x": None}]),
    "delete": lambda a: a.__delitem__("x"),
    "update": lambda a: a.update({"x": 5}, z=6),
    "update pairs": lambda a: a.update([("x", 5)]),
    "or": lambda a: a.__ior__({"w": 7}),
    "setdefault": lambda a: a.setdefault("y", 8),
    "setdefault of a known key": lambda a: a.setdefault("x", 8),
    "pop": lambda a: a.pop("x"),
    "pop of an unknown key": lambda a: a.pop("y", 3),
    "popitem": lambda a: a.popitem(),
    "clear": lambda a: a.clear(),
}
REFUSED = {
    "not JSON": lambda a: a.__setitem__("x", {1, 2}),
    "update not JSON": lambda a: a.update(x=object()),
    "delete unknown": lambda a: a.__delitem__("y"),
    "pop unknown": lambda a: a.pop("y"),
    "setdefault not JSON": lambda a: a.setdefault("y", np.zeros(1)),
    "or not JSON": lambda a: a.__ior__({"x": {1}}),
}


@pytest.fixture
def attributes(tmp_path):
    path = tmp_path / ".zattrs"
    path.write_text('{"x": 1, "labels": ["a"]}')
    return Attributes(path)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_of_attributes_is_written(attributes, change):
    expected = {"x": 1, "labels": ["a"]}
    result = change(expected)
    found = change(attributes)
    assert found == result
    assert dict(attributes) == expected
    assert json.loads(attributes._path.read_text()) == expected
    assert dict(Attributes(attributes._path)) == expected


def test_an_operator_writes_attributes(attributes):
    kept = attributes
    attributes |= {"y": 2}
    assert attributes is kept
    assert json.loads(kept._path.read_text()) == {"x": 1, "labels": ["a"], "y": 2}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED)
def test_refused_changes_of_attributes_change_nothing(attributes, change):
    before = attributes._path.read_text()
    with pytest.raises((TypeError, KeyError)):
        change(attributes)
    assert attributes._path.read_text() == before
    assert dict(attributes) == json.loads(before)
    assert [path.name for path in attributes._path.parent.iterdir()] == [".zattrs"]


def test_all_mutators_of_a_dict_are_covered():
    changing = {"__setitem__", "__delitem__", "__ior__", "update", "setdefault", "pop"}
    changing |= {"popitem", "clear"}
    assert changing <= set(vars(Attributes))


def test_changes_of_others_are_kept(attributes):
    other = Attributes(attributes._path)
    other["a"], attributes["b"] = 1, 2
    assert set(json.loads(attributes._path.read_text())) == {"x", "labels", "a", "b"}


def test_attributes_that_consolidated_metadata_repeats_cannot_be_changed(attributes):
    consolidated = attributes._path.with_name(".zmetadata")
    consolidated.write_text('{"metadata": {".zattrs": {}}}')
    before = attributes._path.read_text()
    with pytest.raises(bevscope.Unsupported, match=consolidated.name):
        attributes["x"] = 2
    assert attributes._path.read_text() == before
    consolidated.write_text('{"metadata": {"frames/.zarray": {}}}')
    attributes["x"] = 2
