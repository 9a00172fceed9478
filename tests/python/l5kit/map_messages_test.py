"""MapAPI's elements: messages without the package protobuf."""

import importlib.util
import json
import os
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope.l5kit.data import MapAPI
from bevscope.l5kit.data.messages import Message


@pytest.fixture(scope="module")
def path(goldens):
    return str(goldens / "inputs/town_map.pb")


@pytest.fixture(scope="module")
def api(goldens, path):
    meta = json.loads((goldens / "inputs/meta.json").read_text())
    return MapAPI(path, np.array(meta["world_to_ecef"]))


def test_elements_are_found_by_id_and_place(api):
    ids = [api.id_as_str(element.id) for element in api]
    assert len(api) == len(ids) == len(set(ids)) > 0
    for i, one in enumerate(ids):
        assert api[one] == api[one.encode()] == api[i]
    assert set(api.bounds_info["lanes"]["ids"]) <= set(ids)
    with pytest.raises(KeyError):
        api["nothing"]
    with pytest.raises(TypeError, match="found float"):
        api[1.5]


def test_elements_agree_with_the_methods(api):
    kinds = set()
    for element in api:
        one, kind = element.element, element.element.WhichOneof("element")
        kinds.add(kind)
        assert one.HasField(kind)
        is_lane = one.HasField("lane")
        assert api.is_lane(element.id) == api.is_lane(element) == is_lane
        assert MapAPI.is_lane(element) == is_lane
        text = api.id_as_str(element.id)
        assert api.id_as_str(element) == text and api.is_lane(text) == is_lane
        assert api.is_crosswalk(element) == api.is_crosswalk(element.id)
        assert MapAPI.is_crosswalk(element) == api.is_crosswalk(text)
        assert api.is_traffic_light(element) == api.is_traffic_light(element.id)
        assert api.is_traffic_face(element) == api.is_traffic_face(element.id)
        if kind == "lane":
            lane = one.lane
            controls = {api.id_as_str(control) for control in lane.traffic_controls}
            assert controls == api.get_lane_traffic_control_ids(element.id)
            coords = api.get_lane_coords(element.id)
            left = lane.left_boundary.vertex_deltas_x_cm
            assert len(left) == len(coords["xyz_left"])
            x = np.diff(coords["xyz_left"][:, :2], axis=0)
            steps = np.hypot(left, lane.left_boundary.vertex_deltas_y_cm)[1:] / 100
            assert np.allclose(np.hypot(x[:, 0], x[:, 1]), steps, atol=1e-3)
        if kind == "traffic_control_element":
            control = one.traffic_control_element
            outlined = control.HasField("pedestrian_crosswalk") and any(
                control.points_x_deltas_cm
            )
            assert outlined == api.is_crosswalk(element.id)
            assert control.HasField("traffic_light") == api.is_traffic_light(element.id)
            is_face = (control.WhichOneof("Type") or "").endswith("_face")
            assert is_face == api.is_traffic_face(element.id)
    assert {"lane", "traffic_control_element"} <= kinds


def test_an_id_needs_a_map(api):
    assert any(api.is_lane(element) for element in api)
    assert any(api.is_crosswalk(element) for element in api)
    for kind in (MapAPI.is_lane, MapAPI.is_crosswalk):
        with pytest.raises(TypeError, match="found str, expected an element of the map"):
            kind("an id")


def test_messages_pickle_and_have_defaults(api):
    element = pickle.loads(pickle.dumps(api[0]))
    assert element == api[0]
    assert repr(element) == repr(api[0])
    empty = Message("Lane")
    assert empty.lanes_ahead == []
    assert empty.geo_frame.origin.lat_e7 == 0
    assert empty.can_have_parked_cars is False
    assert not empty.HasField("geo_frame")
    with pytest.raises(AttributeError, match="nothing"):
        empty.nothing
    with pytest.raises(ValueError, match="no presence"):
        empty.HasField("lanes_ahead")


def test_numbers_are_decoded():
    data = b"\x0d" + struct.pack("<i", -5) + b"\x18\x03"  # lat_e7, altitude_cm = -2
    location = Message("GeoLocation", data)
    assert (location.lat_e7, location.altitude_cm) == (-5, -2)
    assert location.WhichOneof("Altitude") == "altitude_cm"
    assert Message("Boundary", b"\x0a\x03\x01\x02\x04").vertex_deltas_x_cm == [-1, 1, 2]
    assert Message("Boundary", b"\x08\x01\x08\x02").vertex_deltas_x_cm == [-1, 1]
    negative = b"\x08" + b"\xff" * 9 + b"\x01"
    assert Message("AccessRestriction", negative).type == -1


def test_later_members_of_a_oneof_replace_earlier_ones():
    both = Message("Element", b"\x1a\x00\x22\x00")
    assert both.WhichOneof("element") == "traffic_control_element"
    assert not both.HasField("lane")


@pytest.mark.parametrize(
    "data", [b"\x0a", b"\x0a\x05ab", b"\x0d\x00", b"\x0b", b"\x08", b"\xff" * 12]
)
def test_damaged_messages_are_errors(data):
    with pytest.raises(bevscope.Error, match="damaged message"):
        Message("MapElement", data).id


def assert_same(ours, theirs):
    """Compares with an object of protobuf, field by field."""
    for descriptor, value in theirs.ListFields():
        found = getattr(ours, descriptor.name)
        values = zip(found, value) if isinstance(found, list) else [(found, value)]
        if isinstance(found, list):
            assert len(found) == len(value)
        for mine, other in values:
            if isinstance(mine, Message):
                assert_same(mine, other)
            else:
                assert mine == other, descriptor.full_name
    assert len(ours.ListFields()) >= len(theirs.ListFields())


@pytest.mark.skipif("L5KIT" not in os.environ, reason="L5KIT is not set")
def test_messages_are_those_of_protobuf(api, path):
    pytest.importorskip("google.protobuf")
    os.environ.setdefault("PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION", "python")
    found = list(Path(os.environ["L5KIT"]).glob("**/road_network_pb2.py"))
    spec = importlib.util.spec_from_file_location("road_network_pb2", found[0])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    fragment = module.MapFragment()
    fragment.ParseFromString(Path(path).read_bytes())
    assert len(api) == len(fragment.elements)
    for ours, theirs in zip(api, fragment.elements):
        assert_same(ours, theirs)
