"""Messages of the semantic map as Python objects, without the package protobuf.

A `Message` has the attributes, `HasField` and `WhichOneof` of protobuf's objects and
decodes a message when an attribute is first used. Read only. Reference: L5Kit's
road_network.proto, Protocol Buffers' encoding.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from ..._errors import Error

#: Fields by message: "name=number:type", "*" for repeated fields, "/group" for a oneof.
#: Types that are no numbers and no texts are messages.
_SOURCE = {
    "GlobalId": "id=1:bytes",
    "GeoLocation": "lat_e7=1:sfixed32 lng_e7=2:sfixed32 altitude_cm=3:sint32/Altitude",
    "GeoFrame": "origin=1:GeoLocation bearing_degrees=2:float",
    "LocalizedString": "language_code=1:string value=2:string",
    "LatLngBox": "south_west=1:GeoLocation north_east=2:GeoLocation",
    "AccessRestriction": "type=1:int32",
    "Empty": "",
    "LaneSequence": "lanes=1:GlobalId*",
    "LaneSet": "num_driving_lanes=1:int32 num_left_turn_driving_lanes=2:int32 "
    "num_right_turn_driving_lanes=3:int32 turn_descriptions_for_driving_lanes=4:string "
    "bike_lane_access=16:int32*",
    "RoadNetworkSegment": "vertices=1:GeoLocation* start_node=2:GlobalId "
    "end_node=3:GlobalId forward_lane_set=4:LaneSet backward_lane_set=13:LaneSet "
    "num_bidirectional_lanes=15:int32 lanes=12:GlobalId* name=5:LocalizedString* "
    "road_class=6:int32 is_private=14:bool is_toll_road=17:bool travel_direction=7:int32 "
    "z_level=8:sint32 speed_limit_meters_per_second=9:float "
    "backward_direction_speed_limit_meters_per_second=10:float restrictions=11:GlobalId* "
    "driveable=20:bool walkable=21:int32 forward_bikeable=23:int32 "
    "backward_bikeable=24:int32",
    "RoadNetworkNode": "location=1:GeoLocation road_segments=2:GlobalId* z_level=3:sint32 "
    "junction=4:GlobalId",
    "Junction": "is_non_trivial_intersection=4:bool road_network_nodes=1:GlobalId* "
    "lanes=3:GlobalId* traffic_control_elements=2:GlobalId*",
    "Boundary": "vertex_deltas_x_cm=1:sint32* vertex_deltas_y_cm=2:sint32* "
    "vertex_deltas_z_cm=3:sint32* divider_type=4:int32* type_change_point_cm=5:int32*",
    "Lane": "parent_segment_or_junction=1:GlobalId access_restriction=11:AccessRestriction "
    "orientation_in_parent_segment=12:int32 turn_type_in_parent_junction=13:int32 "
    "geo_frame=2:GeoFrame left_boundary=3:Boundary right_boundary=4:Boundary "
    "lanes_ahead=5:GlobalId* adjacent_lane_change_left=6:GlobalId "
    "adjacent_lane_change_right=7:GlobalId traffic_controls=8:GlobalId* "
    "yield_to_lanes=9:GlobalId* can_have_parked_cars=10:bool tolls=14:GlobalId* "
    "centre_line=100:Boundary",  # of converted maps; not in L5Kit's schema
    "PedestrianCrosswalk": "traffic_lights=1:GlobalId* yield_lines=2:GlobalId*",
    "AuxiliaryElement": "primary_traffic_control_elements=1:GlobalId*",
    "YieldSet": "lane=1:GlobalId yield_to_lanes=2:GlobalId* "
    "yield_to_crosswalks=3:GlobalId*",
    "FaceState": "yield_rules_when_on=1:YieldSet* no_right_turn_on_red=2:bool",
    "TrafficLight": "face_states=3:GlobalId*",
    "TrafficControlElement": "geo_frame=2:GeoFrame points_x_deltas_cm=3:sint32* "
    "points_y_deltas_cm=4:sint32* points_z_deltas_cm=5:sint32* geometry_type=48:int32 "
    "controlled_paths=6:LaneSequence* stop_line=47:AuxiliaryElement/Type "
    "traffic_light=29:TrafficLight/Type pedestrian_crosswalk=16:PedestrianCrosswalk/Type",
    "SegmentWithOrientation": "segment=1:GlobalId orientation=2:int32",
    "SegmentSequence": "type=1:int32 segments=2:SegmentWithOrientation*",
    "Polygon": "shell_vertices=1:GeoLocation* holes=2:Polygon*",
    "MultiPolygon": "polygons=1:Polygon*",
    "Building": "type=1:int32 height_meters=2:int32 above_ground_floors=3:int32",
    "Region": "source=1:string",
    "AnnotatedShape": "name=1:LocalizedString* multipolygon=2:MultiPolygon "
    "building=3:Building/Type region=4:Region/Type venue=5:Empty/Type "
    "administrative_boundary=6:Empty/Type park=7:Empty/Type "
    "drivable_surface_prior=8:Empty/Type",
    "DailyTimeInterval": "day_of_the_week=1:int32 start_local_time_seconds=2:int32 "
    "end_local_time_seconds=3:int32 timezone_database_region_name=4:string",
    "Condition": "daily_temporal_condition=1:DailyTimeInterval/condition",
    "AssociatedConditions": "conditions=1:Condition* overrides=2:Element",
    "Element": "segment=1:RoadNetworkSegment/element node=2:RoadNetworkNode/element "
    "lane=3:Lane/element traffic_control_element=4:TrafficControlElement/element "
    "junction=5:Junction/element segment_sequence=6:SegmentSequence/element "
    "annotated_shape=8:AnnotatedShape/element",
    "MapElement": "id=1:GlobalId element=2:Element bounding_box=3:LatLngBox "
    "associated_conditions=5:AssociatedConditions*",
    "MapFragment": "name=1:string elements=2:MapElement*",
}
#: Members of TrafficControlElement's oneof that are faces: signal_<name>=number.
_FACES = (
    "flashing_yellow=9 flashing_red=10 red_face=11 yellow_face=12 green_face=13 "
    "left_arrow_red_face=30 left_arrow_yellow_face=36 left_arrow_green_face=31 "
    "right_arrow_red_face=32 right_arrow_yellow_face=37 right_arrow_green_face=33 "
    "upper_left_arrow_red_face=38 upper_left_arrow_yellow_face=39 "
    "upper_left_arrow_green_face=40 upper_right_arrow_red_face=41 "
    "upper_right_arrow_yellow_face=42 upper_right_arrow_green_face=43 red_u_turn=44 "
    "yellow_u_turn=45 green_u_turn=46"
)
#: Members of that oneof without fields.
_SIGNS = (
    "stop_sign=7 yield_sign=8 speed_bump=15 speed_hump=34 keep_clear_zone=17 "
    "pedestrian_crossing_sign=18 signal_ahead_sign=19 no_left_turn_sign=20 "
    "no_right_turn_sign=21 left_turn_yield_on_green_sign=22 no_parking_sign=23 "
    "one_way_sign=24 school_zone_sign=25 parking_zone=35 speed_bump_sign=27 "
    "construction_zone=49 stop_here_for_pedestrians_sign=50 "
    "state_law_stop_for_pedestrian_in_crosswalk_sign=51 "
    "yield_here_for_pedestrians_sign=52 turning_vehicles_yield_to_pedestrians_sign=53 "
    "state_law_yield_for_pedestrian_sign=54 railroad_crossing_regulatory_sign=55 "
    "railroad_crossing_warning_sign=56 railroad_crossing_other_sign=57 "
    "roundabout_circulation_sign=58 roundabout_directional_sign=59 "
    "roundabout_other_sign=60 no_left_turn_on_red_sign=61 no_right_turn_on_red_sign=62 "
    "no_turn_on_red_sign=63 do_not_enter_sign=64 no_u_turn_sign=65 "
    "no_left_and_u_turn_sign=66 no_straight_through_sign=67 left_turn_only_sign=68 "
    "right_turn_only_sign=69 u_turn_only_sign=70 straight_through_only_sign=71 "
    "other_turn_restriction_sign=72 construction_zone_sign=73"
)
_SOURCE["TrafficControlElement"] += "".join(
    f" signal_{one}:FaceState/Type" for one in _FACES.split()
) + "".join(f" {one}:Empty/Type" for one in _SIGNS.split())

#: (name, type, repeated, group) by number, of each message.
Fields = dict[int, tuple[str, str, bool, str]]


def _fields_of(text: str) -> Fields:
    fields: Fields = {}
    for one in text.split():
        name, _, rest = one.partition("=")
        number, _, kind = rest.partition(":")
        kind, _, group = kind.partition("/")
        fields[int(number)] = (name, kind.rstrip("*"), kind.endswith("*"), group)
    return fields


_SCHEMA = {message: _fields_of(text) for message, text in _SOURCE.items()}
_DEFAULTS = {"bytes": b"", "string": "", "bool": False, "float": 0.0}


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise IndexError


def _parts(data: memoryview) -> Iterator[tuple[int, Any]]:
    """Yields number and raw value, an int or bytes, of the fields of a message."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        wire = tag & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield tag >> 3, value
            continue
        size = {1: 8, 5: 4}.get(wire)
        if wire == 2:
            size, at = _varint(data, at)
        if size is None or at + size > len(data):
            raise IndexError
        yield tag >> 3, data[at : at + size]
        at += size


def _number(kind: str, raw: Any) -> Any:
    if kind == "bool":
        return bool(raw)
    if kind == "sint32":
        return (raw >> 1) ^ -(raw & 1)
    if kind == "int32":
        return raw - (1 << 64) if raw >> 63 else raw
    return struct.unpack("<f" if kind == "float" else "<i", raw)[0]


def _values(kind: str, raw: Any) -> list[Any]:
    """Returns the values of a raw one: several if it is a packed list of numbers."""
    if kind in _SCHEMA:
        return [Message(kind, raw)]
    if kind == "bytes":
        return [bytes(raw)]
    if kind == "string":
        return [bytes(raw).decode()]
    if isinstance(raw, int) or kind in ("float", "sfixed32"):
        return [_number(kind, raw)]
    values, at = [], 0
    while at < len(raw):
        value, at = _varint(raw, at)
        values.append(_number(kind, value))
    return values


class Message:
    """A message, decoded when an attribute is first used; absent fields have defaults."""

    def __init__(self, kind: str, data: bytes | memoryview = b"") -> None:
        self._kind, self._data = kind, memoryview(data)
        self._found: dict[str, Any] | None = None

    def _decoded(self) -> dict[str, Any]:
        if self._found is None:
            found: dict[str, Any] = {}
            fields = _SCHEMA[self._kind]
            try:
                for number, raw in _parts(self._data):
                    if number not in fields:
                        continue
                    name, kind, repeated, group = fields[number]
                    values = _values(kind, raw)
                    if repeated:
                        found.setdefault(name, []).extend(values)
                        continue
                    for other in (f[0] for f in fields.values() if group and f[3] == group):
                        found.pop(other, None)
                    found[name] = values[-1]
            except (IndexError, struct.error, TypeError, UnicodeDecodeError):
                raise Error(f"map: damaged message {self._kind}", "corrupt_chunk") from None
            self._found = found
        return self._found

    def _field(self, name: str) -> tuple[str, str, bool, str]:
        for field in _SCHEMA[self._kind].values():
            if field[0] == name:
                return field
        raise AttributeError(f"{self._kind}: no field {name!r}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        _, kind, repeated, _ = self._field(name)
        found = self._decoded().get(name)
        if found is not None:
            return found
        if repeated:
            return []
        return Message(kind) if kind in _SCHEMA else _DEFAULTS.get(kind, 0)

    def HasField(self, name: str) -> bool:  # noqa: N802
        """Whether a message or a member of a oneof is present."""
        try:
            _, kind, repeated, group = self._field(name)
        except AttributeError as error:
            raise ValueError(str(error)) from None
        if repeated or (kind not in _SCHEMA and not group):
            raise ValueError(f"{self._kind}: field {name!r} has no presence")
        return name in self._decoded()

    def WhichOneof(self, group: str) -> str | None:  # noqa: N802
        """Returns the member of a oneof that is present."""
        members = [f[0] for f in _SCHEMA[self._kind].values() if f[3] == group]
        if not members:
            raise ValueError(f"{self._kind}: no oneof {group!r}")
        return next((one for one in members if one in self._decoded()), None)

    def ListFields(self) -> list[tuple[str, Any]]:  # noqa: N802
        """Returns name and value of the fields that are present."""
        return list(self._decoded().items())

    def SerializeToString(self) -> bytes:  # noqa: N802
        """Returns the encoded message, as it is in the file."""
        return bytes(self._data)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (self._kind, self._data) == (other._kind, other._data)

    def __hash__(self) -> int:
        return hash((self._kind, bytes(self._data)))

    def __reduce__(self) -> tuple[object, ...]:
        return Message, (self._kind, bytes(self._data))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.ListFields())
        return f"{self._kind}({fields})"
