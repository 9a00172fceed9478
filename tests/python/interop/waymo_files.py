"""Waymo scenarios as Python objects: encodes made-up ones and decodes any, by a table of
the published schema, independently of the core."""

import struct

# message -> field number -> (name, type, repeated); a type in capitals is a message.
SCHEMA = {
    "Scenario": {
        1: ("timestamps_seconds", "double", True),
        2: ("tracks", "Track", True),
        4: ("objects_of_interest", "int", True),
        5: ("scenario_id", "string", False),
        6: ("sdc_track_index", "int", False),
        7: ("dynamic_map_states", "DynamicMapState", True),
        8: ("map_features", "MapFeature", True),
        10: ("current_time_index", "int", False),
        11: ("tracks_to_predict", "RequiredPrediction", True),
    },
    "Track": {
        1: ("id", "int", False),
        2: ("object_type", "int", False),
        3: ("states", "ObjectState", True),
    },
    "ObjectState": {
        2: ("center_x", "double", False),
        3: ("center_y", "double", False),
        4: ("center_z", "double", False),
        5: ("length", "float", False),
        6: ("width", "float", False),
        7: ("height", "float", False),
        8: ("heading", "float", False),
        9: ("velocity_x", "float", False),
        10: ("velocity_y", "float", False),
        11: ("valid", "int", False),
    },
    "RequiredPrediction": {
        1: ("track_index", "int", False),
        2: ("difficulty", "int", False),
    },
    "DynamicMapState": {1: ("lane_states", "LaneState", True)},
    "LaneState": {
        1: ("lane", "int", False),
        2: ("state", "int", False),
        3: ("stop_point", "MapPoint", False),
    },
    "MapPoint": {
        1: ("x", "double", False),
        2: ("y", "double", False),
        3: ("z", "double", False),
    },
    "MapFeature": {
        1: ("id", "int", False),
        3: ("lane", "LaneCenter", False),
        4: ("road_line", "RoadLine", False),
        5: ("road_edge", "RoadLine", False),
        7: ("stop_sign", "StopSign", False),
        8: ("crosswalk", "Polygon", False),
        9: ("speed_bump", "Polygon", False),
        10: ("driveway", "Polygon", False),
    },
    "LaneCenter": {
        1: ("speed_limit_mph", "double", False),
        2: ("type", "int", False),
        3: ("interpolating", "int", False),
        8: ("polyline", "MapPoint", True),
        9: ("entry_lanes", "int", True),
        10: ("exit_lanes", "int", True),
        11: ("left_neighbors", "LaneNeighbor", True),
        12: ("right_neighbors", "LaneNeighbor", True),
        13: ("left_boundaries", "BoundarySegment", True),
        14: ("right_boundaries", "BoundarySegment", True),
    },
    "LaneNeighbor": {
        1: ("feature_id", "int", False),
        2: ("self_start_index", "int", False),
        3: ("self_end_index", "int", False),
        6: ("boundaries", "BoundarySegment", True),
    },
    "BoundarySegment": {
        1: ("lane_start_index", "int", False),
        2: ("lane_end_index", "int", False),
        3: ("boundary_feature_id", "int", False),
        4: ("boundary_type", "int", False),
    },
    "RoadLine": {1: ("type", "int", False), 2: ("polyline", "MapPoint", True)},
    "StopSign": {1: ("lane", "int", True), 2: ("position", "MapPoint", False)},
    "Polygon": {1: ("polygon", "MapPoint", True)},
}
PACKED = {"exit_lanes", "entry_lanes"}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _field(number, kind, value):
    if kind == "double":
        return varint(number << 3 | 1) + struct.pack("<d", value)
    if kind == "float":
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if kind == "int":
        return varint(number << 3) + varint(int(value))
    content = value.encode() if kind == "string" else encode(kind, value)
    return varint(number << 3 | 2) + varint(len(content)) + content


def encode(message, values):
    """Returns the bytes of a message, given as a dict of its fields."""
    out = b""
    for number, (name, kind, is_repeated) in SCHEMA[message].items():
        if name not in values:
            continue
        if name in PACKED:
            content = b"".join(varint(one) for one in values[name])
            out += varint(number << 3 | 2) + varint(len(content)) + content
            continue
        for value in values[name] if is_repeated else [values[name]]:
            out += _field(number, kind, value)
    return out


def _read_varint(content, at):
    value = shift = 0
    while True:
        byte = content[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value - (1 << 64 if value >> 63 else 0), at


def decode(message, content):
    """Returns a message as a dict; repeated fields are lists, absent ones are left out."""
    out = {name: [] for name, _, is_repeated in SCHEMA[message].values() if is_repeated}
    at = 0
    while at < len(content):
        tag, at = _read_varint(content, at)
        wire = tag & 7
        if wire == 0:
            value, at = _read_varint(content, at)
        else:
            size = {1: 8, 5: 4}.get(wire)
            if size is None:
                size, at = _read_varint(content, at)
            value = content[at : at + size]
            at += size
        if tag >> 3 not in SCHEMA[message]:
            continue
        name, kind, is_repeated = SCHEMA[message][tag >> 3]
        if kind == "int" and wire == 2:
            place = 0
            while place < len(value):
                one, place = _read_varint(value, place)
                out[name].append(one)
            continue
        if kind == "double":
            value = struct.unpack("<d", value)[0]
        elif kind == "float":
            value = struct.unpack("<f", value)[0]
        elif kind == "string":
            value = value.decode()
        elif kind != "int":
            value = decode(kind, value)
        if is_repeated:
            out[name].append(value)
        else:
            out[name] = value
    return out


def _crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_TABLE = _crc_table()


def masked_crc(content):
    crc = 0xFFFFFFFF
    for byte in content:
        crc = _TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(content):
    """Returns a record of a TFRecord file."""
    length = struct.pack("<Q", len(content))
    return (
        length
        + struct.pack("<I", masked_crc(length))
        + content
        + struct.pack("<I", masked_crc(content))
    )


def contents(file):
    """Yields the contents of a TFRecord file's records."""
    at = 0
    while at < len(file):
        length = struct.unpack_from("<Q", file, at)[0]
        yield file[at + 12 : at + 12 + length]
        at += length + 16


STEPS = 6


def point(x, y, z=0.0):
    return {"x": x, "y": y, "z": z}


def line(x, y, count=11):
    return [point(x + i, y, 0.5) for i in range(count)]


def track(id, kind, x, y, steps=range(STEPS)):
    states = [{"valid": 0}] * STEPS
    for i in steps:
        states[i] = {
            "center_x": x + 0.1 * i,
            "center_y": y,
            "center_z": 1.5,
            "length": 4.25,
            "width": 2.0,
            "height": 1.5,
            "heading": 0.25,
            "velocity_x": 1.0,
            "velocity_y": -0.5,
            "valid": 1,
        }
    return {"id": id, "object_type": kind, "states": states}


def scenario(id="made-up", x=100.0):
    """Returns a scenario: three tracks and the ego vehicle, two lanes, a light."""
    states = [4, 4, 5, 6, 3, 0]
    return {
        "scenario_id": id,
        "timestamps_seconds": [0.1 * i for i in range(STEPS)],
        "current_time_index": 1,
        "sdc_track_index": 1,
        "tracks": [
            track(7, 1, x + 20, 1.0),
            track(20, 1, x, 0.0),
            track(8, 2, x + 9, -5.0, range(2, 5)),
            track(9, 3, x + 3, 4.0, range(2)),
        ],
        "objects_of_interest": [7],
        "tracks_to_predict": [
            {"track_index": 0, "difficulty": 1},
            {"track_index": 2, "difficulty": 2},
        ],
        "dynamic_map_states": [
            {"lane_states": [{"lane": 1, "state": state, "stop_point": point(x + 9, 0)}]}
            for state in states
        ],
        "map_features": [
            {
                "id": 1,
                "lane": {
                    "type": 2,
                    "polyline": line(x, 0),
                    "exit_lanes": [2],
                    "left_boundaries": [
                        {
                            "lane_start_index": 0,
                            "lane_end_index": 10,
                            "boundary_feature_id": 3,
                            "boundary_type": 1,
                        }
                    ],
                },
            },
            {"id": 2, "lane": {"type": 3, "polyline": line(x + 10, 0)}},
            {"id": 3, "road_line": {"type": 1, "polyline": line(x - 1, 2, 20)}},
            {"id": 4, "stop_sign": {"lane": [1], "position": point(x, 0)}},
            {
                "id": 5,
                "crosswalk": {
                    "polygon": [
                        point(x + 11, -3),
                        point(x + 14, -3),
                        point(x + 14, 3),
                        point(x + 11, 3),
                    ]
                },
            },
        ],
    }


def write(path, *scenarios):
    """Writes a file of scenarios, and returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(record(encode("Scenario", one)) for one in scenarios))
    return path
