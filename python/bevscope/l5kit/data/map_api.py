"""The semantic map."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._data.maps import SemanticMap, map_files
from ..._errors import Error
from .messages import Message

Points = npt.NDArray[Any]


class InterpolationMethod(IntEnum):
    """What the step of an interpolation is: metres, or a number of points."""

    INTER_METER = 0
    INTER_ENSURE_LEN = 1


class TLFacesColors(IntEnum):
    """Colours of faces, with the values of a lane's traffic light feature."""

    RED = 0
    GREEN = 1
    YELLOW = 2


def map_of(path: str, world_to_ecef: Any) -> SemanticMap:
    """Returns the map of a file and of the matrix that meta.json has. If that is beside
    the map, it also tells its parts."""
    matrix = np.asarray(world_to_ecef, np.float64)
    with contextlib.suppress(Error, KeyError, TypeError, ValueError):
        found = SemanticMap(*map_files(path))
        if np.array_equal(found.meta()["world_to_ecef"], matrix):
            return found
    return SemanticMap(path, json.dumps({"world_to_ecef": matrix.tolist()}).encode())


class _Kind:
    """Tells whether an element of the map has a kind. Takes an element, also without a
    map, as L5Kit's functions do; as a method of a map, also an id."""

    def __init__(self, field: str, table: str) -> None:
        self._field, self._table = field, table

    def __get__(self, api: MapAPI | None, _: Any = None) -> Callable[[Any], bool]:
        return functools.partial(self._is, api)

    def _is(self, api: MapAPI | None, element: Any) -> bool:
        if hasattr(element, "element"):
            one = element.element
            if self._field != "pedestrian_crosswalk":
                return bool(one.HasField(self._field))
            kind = "traffic_control_element"
            if not one.HasField(kind):
                return False
            control = getattr(one, kind)
            has_outline = len(control.points_x_deltas_cm) > 0
            return bool(control.HasField(self._field)) and has_outline
        if api is None:
            raise TypeError(
                f"element: found {type(element).__name__}, expected an element of the map "
                "(ids need a MapAPI)"
            )
        return api._has(self._table, element)


class MapAPI:
    """Lanes, crosswalks and traffic lights by id, in world."""

    def __init__(self, protobuf_map_path: str, world_to_ecef: Any) -> None:
        self._use(map_of(protobuf_map_path, world_to_ecef))

    @staticmethod
    def of(map: SemanticMap) -> MapAPI:  # noqa: A002
        """Returns the API of a map of bevscope, such as `Dataset.semantic_map(scene)`."""
        api = MapAPI.__new__(MapAPI)
        api._use(map)
        return api

    def _use(self, map: SemanticMap) -> None:  # noqa: A002
        self.map = map
        self.protobuf_map_path = map.map_path
        self.world_to_ecef = np.asarray(map.meta()["world_to_ecef"], np.float64)
        self._tables: dict[str, Any] | None = None
        self._elements: tuple[list[Message], dict[str, int]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_tables": None, "_elements": None}

    @staticmethod
    def from_cfg(data_manager: Any, cfg: dict[str, Any]) -> MapAPI:
        """Returns the map that a config names."""
        raster = cfg["raster_params"]
        with open(data_manager.require(raster["dataset_meta_key"])) as file:
            matrix = json.load(file)["world_to_ecef"]
        return MapAPI(data_manager.require(raster["semantic_map_key"]), matrix)

    @staticmethod
    def id_as_str(element_id: Any) -> str:
        """Returns an id as text: of text, bytes, or a message with the field `id`."""
        raw = element_id
        while not isinstance(raw, (str, bytes)) and hasattr(raw, "id"):
            raw = raw.id
        return raw.decode("utf-8") if isinstance(raw, bytes) else str(raw)

    @property
    def _all(self) -> dict[str, Any]:
        if self._tables is None:
            arrays = self.map.core.arrays()
            rows = {
                kind: {one: i for i, one in enumerate(_texts(arrays, f"{kind}.id"))}
                for kind in ("lanes", "crosswalks", "lights", "faces")
            }
            self._tables = {"arrays": arrays, "rows": rows}
        return self._tables

    def _row(self, kind: str, element_id: Any) -> int:
        return int(self._all["rows"][kind][self.id_as_str(element_id)])

    def _has(self, kind: str, element_id: Any) -> bool:
        return self.id_as_str(element_id) in self._all["rows"][kind]

    is_lane = _Kind("lane", "lanes")
    is_crosswalk = _Kind("pedestrian_crosswalk", "crosswalks")

    def is_traffic_light(self, element_id: Any) -> bool:
        return self._has("lights", element_id)

    def is_traffic_face(self, element_id: Any) -> bool:
        return self._has("faces", element_id)

    def _line(self, name: str, row: int) -> Points:
        arrays = self._all["arrays"]
        begin, end = arrays[f"{name}.offsets"][row : row + 2]
        points = arrays[f"{name}.points"][begin:end]
        return np.column_stack([points, arrays[f"{name}.z"][begin:end]])

    def get_lane_coords(self, element_id: Any) -> dict[str, Points]:
        """Returns the boundaries of a lane: xyz_left and xyz_right, each (n, 3)."""
        row = self._row("lanes", element_id)
        return {
            "xyz_left": self._line("lanes.left", row),
            "xyz_right": self._line("lanes.right", row),
        }

    def get_crosswalk_coords(self, element_id: Any) -> dict[str, Points]:
        """Returns the outline of a crosswalk: xyz (n, 3)."""
        return {"xyz": self._line("crosswalks", self._row("crosswalks", element_id))}

    def get_lane_as_interpolation(
        self, element_id: Any, step: float, method: InterpolationMethod
    ) -> dict[str, Points]:
        """Returns a lane's lines with points at equal distances: xyz_left, xyz_right,
        xyz_midlane."""
        row = self._row("lanes", element_id)
        if method == InterpolationMethod.INTER_METER:
            lines = self.map.core.lane_by_metres(row, float(step))
        else:
            lines = self.map.core.lane_by_count(row, int(step))
        return {
            "xyz_left": lines["left"],
            "xyz_right": lines["right"],
            "xyz_midlane": lines["mid"],
        }

    @staticmethod
    def interpolate(xyz: Points, step: float, method: InterpolationMethod) -> Points:
        """Returns points at equal distances along a line (n, 3)."""
        along = np.concatenate(
            [[0.0], np.cumsum(np.linalg.norm(np.diff(xyz, axis=0), axis=-1))]
        )
        if method == InterpolationMethod.INTER_ENSURE_LEN:
            at = np.linspace(along[0], along[-1], int(step))
        else:
            assert step > 0, "interpolate: step must be above 0"
            at = np.arange(along[0], along[-1], step)
        return np.column_stack([np.interp(at, along, xyz[:, i]) for i in range(3)])

    def get_lane_traffic_control_ids(self, element_id: Any) -> set[str]:
        """Returns the ids of a lane's traffic controls."""
        arrays = self._all["arrays"]
        row = self._row("lanes", element_id)
        begin, end = arrays["lanes.controls.first"][row : row + 2]
        return set(_texts(arrays, "lanes.controls", begin, end))

    def get_color_for_face(self, face_id: Any) -> str:
        """Returns the colour of a face: "RED", "GREEN" or "YELLOW"."""
        colour = self._all["arrays"]["faces.colour"][self._row("faces", face_id)]
        return TLFacesColors(int(colour)).name

    def is_traffic_face_color(self, element_id: Any, color: str) -> bool:
        """Whether the id is that of a face of a colour: "red", "green", "yellow"."""
        if not self.is_traffic_face(element_id):
            return False
        return self.get_color_for_face(element_id) == color.upper()

    def get_tl_feature_for_lane(
        self, lane_id: Any, active_tl_face_to_color: dict[str, str]
    ) -> int:
        """Returns 0 to 2 for an active red, green, yellow face of a lane, 3 if none of
        its faces is active, and 4 for a lane without traffic light."""
        controls = self.get_lane_traffic_control_ids(lane_id)
        lights = [one for one in controls if self.is_traffic_light(one)]
        faces = [one for one in controls if self.is_traffic_face(one)]
        if not lights and not faces:
            return 4
        active = [active_tl_face_to_color[f] for f in faces if f in active_tl_face_to_color]
        return int(TLFacesColors[active[0].upper()]) if active else 3

    def get_bounds(self) -> dict[str, Any]:
        """Returns ids and bounds (n, 2, 2) of lanes and crosswalks."""
        rows = self._all["rows"]
        found: dict[str, Any] = {}
        for kind, lines in (
            ("lanes", ("lanes.left", "lanes.right")),
            ("crosswalks", ("crosswalks",)),
        ):
            ids = list(rows[kind])
            found[kind] = {
                "ids": ids,
                "bounds": self._bounds_of(lines, len(ids)),
            }
        return found

    @property
    def bounds_info(self) -> dict[str, Any]:
        """The result of get_bounds(), computed once."""
        tables = self._all
        if "bounds" not in tables:
            tables["bounds"] = self.get_bounds()
        return tables["bounds"]

    def _bounds_of(self, lines: tuple[str, ...], count: int) -> Points:
        arrays = self._all["arrays"]
        low = np.full((count, 2), np.inf)
        high = np.full((count, 2), -np.inf)
        for line in lines:
            points, offsets = arrays[f"{line}.points"], arrays[f"{line}.offsets"]
            row = np.repeat(np.arange(count), np.diff(offsets))
            np.minimum.at(low, row, points)
            np.maximum.at(high, row, points)
        return np.stack([low, high], axis=1)

    @property
    def elements(self) -> list[Message]:
        """All elements of the map, in the file's order."""
        return self._indexed()[0]

    def _indexed(self) -> tuple[list[Message], dict[str, int]]:
        if self._elements is None:
            fragment = Message("MapFragment", self.map.content())
            elements: list[Message] = fragment.elements
            index = {self.id_as_str(one.id): i for i, one in enumerate(elements)}
            self._elements = elements, index
        return self._elements

    def __getitem__(self, item: int | str | bytes) -> Message:
        """Returns an element by id or by its place in the file."""
        elements, index = self._indexed()
        if isinstance(item, (str, bytes)):
            return elements[index[self.id_as_str(item)]]
        if isinstance(item, (int, np.integer)):
            return elements[item]
        raise TypeError(f"map: not an id or a number (found {type(item).__name__})")

    def __iter__(self) -> Iterator[Message]:
        return iter(self.elements)

    def __len__(self) -> int:
        return len(self.elements)


def _texts(
    arrays: dict[str, Any], name: str, begin: int = 0, end: int | None = None
) -> list[str]:
    """Returns strings of a result: bytes and offsets."""
    raw, offsets = arrays[name].tobytes(), arrays[f"{name}.offsets"]
    last = len(offsets) - 1 if end is None else end
    return [raw[offsets[i] : offsets[i + 1]].decode() for i in range(int(begin), int(last))]
