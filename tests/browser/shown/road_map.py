"""A semantic map, decoded from its protobuf bytes (L5Kit's schema `l5kit.maps`)."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from struct import unpack

import numpy as np

# Colours of active faces by their kind in the schema's oneof: plain, left, right, upper
# left and upper right arrows.
COLOURS = {
    **dict.fromkeys((11, 30, 32, 38, 41), "red"),
    **dict.fromkeys((12, 36, 37, 39, 42), "yellow"),
    **dict.fromkeys((13, 31, 33, 40, 43), "green"),
}
STRICTEST = ("red", "yellow", "green")

TURNS = ("–", "through", "left", "sharp left", "right", "sharp right", "u-turn")
ACCESS = ("–", "no restriction", "HOV", "bus", "bike", "turn only")
DIRECTIONS = ("–", "two-way", "one-way forward", "one-way backward", "reversible")


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """Returns the values of a message by field number: integers or bytes."""
    found, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(tag & 7)
            if size is None:
                size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        found.setdefault(tag >> 3, []).append(value)
    return found


def identifier(message):
    return fields(message).get(1, [b""])[-1].decode()


def identifiers(messages):
    return [identifier(message) for message in messages]


def centimetres(packed):
    """Returns positions in metres from packed, zigzag encoded steps."""
    steps, at = [], 0
    data = b"".join(packed)
    while at < len(data):
        value, at = varint(data, at)
        steps.append((value >> 1) ^ -(value & 1))
    return np.cumsum(np.array(steps, float) / 100)


def to_world(message, numbers, world_from_ecef):
    """Converts a line of a lane or crosswalk to world: from east and north of its frame."""
    origin = fields(fields(message["frame"])[1][-1])
    lat, lng = (int.from_bytes(origin[k][-1], "little", signed=True) for k in (1, 2))
    phi, lam = np.radians(lat / 1e7), np.radians(lng / 1e7)
    east, north, up = (centimetres(message["line"].get(k, [])) for k in numbers)
    radius, flattening = 6378137.0, 1 / 298.257223563
    squared = flattening * (2 - flattening)  # of the eccentricity
    n = radius / np.sqrt(1 - squared * np.sin(phi) ** 2)
    out = np.cos(phi) * (n + up) - np.sin(phi) * north
    ecef = np.stack(
        [
            np.cos(lam) * out - np.sin(lam) * east,
            np.sin(lam) * out + np.cos(lam) * east,
            np.sin(phi) * ((1 - squared) * n + up) + np.cos(phi) * north,
            np.ones_like(east),
        ]
    )
    return (world_from_ecef @ ecef).T[:, :2]


def inside(polygon, points):
    """Returns which points are in a polygon, by the even-odd rule."""
    a, b = polygon, np.roll(polygon, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    crosses = (a[:, 1] > y) != (b[:, 1] > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = a[:, 0] + (b[:, 0] - a[:, 0]) * (y - a[:, 1]) / (b[:, 1] - a[:, 1])
    return (crosses & (x < at)).sum(axis=1) % 2 == 1


@dataclass
class Lane:
    id: str
    parent: str
    left: np.ndarray
    right: np.ndarray
    ahead: list
    neighbours: tuple
    controls: list
    access: int
    direction: int
    turn: int
    parking: bool

    @property
    def area(self):
        return np.concatenate([self.left, self.right[::-1]])

    def end(self, last):
        """Returns the middle of one end of the lane, and the lane's direction there."""
        points = [side[::-1] if last else side for side in (self.left, self.right)]
        away = sum(side[0] - side[1] for side in points)
        return sum(side[0] for side in points) / 2, away if last else -away


@dataclass
class RoadMap:
    lanes: dict = field(default_factory=dict)
    faces: dict = field(default_factory=dict)
    limits: dict = field(default_factory=dict)
    junctions: set = field(default_factory=set)
    crosswalks: int = 0

    def colour(self, faces):
        """Returns the strictest known colour of active faces, or None."""
        shown = {self.faces.get(face) for face in faces}
        return next((colour for colour in STRICTEST if colour in shown), None)


def lane_of(name, data, world):
    of = fields(data)
    ids = identifiers
    line = [
        to_world({"frame": of[2][-1], "line": fields(side)}, (1, 2, 3), world)
        for side in (of[3][-1], of[4][-1])
    ]
    return Lane(
        name,
        identifier(of.get(1, [b""])[-1]),
        *line,
        ids(of.get(5, [])),
        tuple(identifier(of.get(k, [b""])[-1]) for k in (6, 7)),
        ids(of.get(8, [])),
        fields(of.get(11, [b""])[-1]).get(1, [0])[-1],
        *(of.get(k, [0])[-1] for k in (12, 13)),
        bool(of.get(10, [0])[-1]),
    )


def read(path):
    """Returns the map of a file, and of `meta.json` in its folder or the parent."""
    folders = Path(path).parents[:2]
    meta = next(file for it in folders if (file := it / "meta.json").exists())
    world = np.linalg.inv(np.array(json.loads(meta.read_text())["world_to_ecef"]))
    found = RoadMap()
    for element in fields(Path(path).read_bytes())[2]:
        of = fields(element)
        name = identifier(of.get(1, [b""])[-1])
        ((kind, [*_, data]),) = fields(of[2][-1]).items()
        if kind == 3:
            found.lanes[name] = lane_of(name, data, world)
        elif kind == 5:
            found.junctions.add(name)
        elif kind == 1:
            (found.limits[name],) = unpack("<f", fields(data).get(9, [bytes(4)])[-1])
        elif kind == 4:
            control = fields(data)
            found.crosswalks += 16 in control and bool(control.get(3))
            colour = next((COLOURS[k] for k in control if k in COLOURS), None)
            if colour:
                found.faces[name] = colour
    return found


def lane_record(road, name, lights, points):
    """Returns what the viewer says of a lane: texts by name.

    lights  of the frame: faces and whether they are active, by light
    points  positions by the text of who is there
    """
    lane = road.lanes[name]
    active = [face for faces in lights.values() for face, on in faces if on]
    named = {face: light for light, faces in lights.items() for face, _ in faces}
    own = sorted({named[face] for face in lane.controls if face in named})
    limit = road.limits.get(lane.parent, 0)
    on = inside(lane.area, np.array(list(points.values())))
    known = [[other] if other in road.lanes else [] for other in lane.neighbours]
    texts = {
        "Row": [str(list(road.lanes).index(name))],
        "In a junction": ["yes" if lane.parent in road.junctions else "no"],
        "Light state": [road.colour(set(active) & set(lane.controls)) or "none"],
        "Turn": [TURNS[lane.turn]],
        "Access": [ACCESS[lane.access]],
        "Direction": [DIRECTIONS[lane.direction]],
        "Speed limit": [f"{limit:.1f} m/s" if limit > 0 else "none"],
        "Parking": ["yes" if lane.parking else "no"],
        "Lanes ahead": [other for other in lane.ahead if other in road.lanes],
        "Lanes behind": [other for other, it in road.lanes.items() if name in it.ahead],
        "Left": known[0],
        "Right": known[1],
        "Lights": own,
        "On it now": [who for who, here in zip(points, on) if here],
    }
    return {title: values or ["none"] for title, values in texts.items()}
