"""Simulations of nuPlan's planners: their logs, serialized scenes, and measures."""

from __future__ import annotations

import lzma
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import Error
from ._sources.files import accessing, files_in

Floats = npt.NDArray[np.float64]

_XZ = b"\xfd7zXZ\x00"
_READ_BYTES = 2**16
_PIECE_BYTES = 2**20
_DECODER_MEMORY = 2**26
_ENDINGS = (".json", ".msgpack.xz", ".pkl.xz")


@dataclass(frozen=True)
class Measures:
    """Measures that need no map, with the names and definitions of nuPlan's metrics; None
    if unknown, such as where lanes decide."""

    #: Score from 0 to 1.
    no_ego_at_fault_collisions: float | None
    time_to_collision_within_bound: bool | None
    ego_is_comfortable: bool | None
    #: (C) frames of the collisions, each track once.
    collision_frame: npt.NDArray[np.uint32]
    #: (C) index into the tracks.
    collision_track: npt.NDArray[np.uint32]
    #: (C) of nuPlan's CollisionType; 255: unknown.
    collision_type: npt.NDArray[np.uint8]
    #: (F) seconds, infinite above 2.9: only of road users ahead.
    time_to_collision_ahead: Floats | None
    #: (6, F) longitudinal and lateral acceleration, longitudinal jerk, jerk, yaw rate and
    #: yaw acceleration.
    comfort: Floats | None


@dataclass(frozen=True)
class Simulation:
    """A simulated scenario: F frames, B boxes and P planned states of all frames. Poses are
    x, y and yaw of the centre, in metres of the map's UTM zone and radians."""

    #: Names; "" if unknown.
    scenario: str
    log: str
    type: str
    map: str
    planner: str
    #: Of the ego vehicle: length, width, and from the rear axle to the centre.
    length: float
    width: float
    centre_ahead: float
    #: (F) microseconds.
    times_us: npt.NDArray[np.int64]
    #: (F, 3) poses.
    ego: Floats
    #: (F, 6) velocity and acceleration along and across, yaw rate and yaw acceleration, at
    #: the rear axle; None for serialized scenes, whose speed is always 0.
    motion: Floats | None
    #: Tokens.
    tracks: list[str]
    #: (F) boxes of each frame.
    box_counts: npt.NDArray[np.uint32]
    #: (B) index into `tracks`.
    box_track: npt.NDArray[np.uint32]
    #: (B) of nuPlan's TrackedObjectType.
    box_type: npt.NDArray[np.uint8]
    #: (B, 6) pose, length, width, speed.
    boxes: Floats
    #: (F) planned states of each frame.
    plan_counts: npt.NDArray[np.uint32]
    #: (P, 3) poses.
    plan: Floats
    #: (P) microseconds; None for serialized scenes.
    plan_us: npt.NDArray[np.int64] | None
    #: (E, 3) poses of the expert; None for logs.
    expert: Floats | None
    measures: Measures


def open_simulation(*paths: str | os.PathLike[str]) -> Simulation:
    """Opens a simulation of nuPlan: a log (`.msgpack.xz`, `.pkl.xz`), the serialized scenes
    of a scenario (`.json`, `.msgpack.xz`, `.pkl.xz`), or a folder of these.

    Logs are pickles: they are read without calling or importing anything in them.

    Raises NotFound for a path that does not exist and a folder without such files, and
    Error, with file and place, for files that are not simulations.
    """
    reader = _core.SimulationReader()
    for path in files_in(paths, *_ENDINGS):
        reader.begin(path)
        with accessing(path), open(path, "rb") as file:
            head = file.read(len(_XZ))
            file.seek(0)
            if head == _XZ:
                _inflate(file, path, reader.push)
            else:
                while piece := file.read(_PIECE_BYTES):
                    reader.push(piece, file.tell())
        reader.end()
    found = reader.finish()
    measures = reader.measures()
    names = ("scenario", "log", "type", "map", "planner", "length", "width")
    return Simulation(
        **{name: getattr(found, name) for name in names},
        centre_ahead=found.centre_ahead,
        tracks=found.tracks,
        measures=_measures_of(measures),
        **found.arrays(),
    )


def _measures_of(found: _core.SimulationMeasures) -> Measures:
    def known(value: float) -> float | None:
        return None if np.isnan(value) else value

    def flag(value: float) -> bool | None:
        return None if np.isnan(value) else bool(value)

    return Measures(
        no_ego_at_fault_collisions=known(found.no_ego_at_fault_collisions),
        time_to_collision_within_bound=flag(found.time_to_collision_within_bound),
        ego_is_comfortable=flag(found.ego_is_comfortable),
        **found.arrays(),
    )


def _inflate(file: BinaryIO, path: str, push: Callable[[bytes, int], None]) -> None:
    """Inflates an xz file; the core refuses bombs."""
    decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_DECODER_MEMORY)
    try:
        while not decoder.eof:
            piece = file.read(_READ_BYTES) if decoder.needs_input else b""
            if decoder.needs_input and not piece:
                raise Error(f"{path}: xz: ends too early", "corrupt_chunk")
            push(decoder.decompress(piece, _PIECE_BYTES), file.tell())
    except lzma.LZMAError as error:
        raise Error(f"{path}: xz: {error}", "corrupt_chunk") from None
    if decoder.unused_data or file.read(1):
        raise Error(f"{path}: xz: bytes after the end", "corrupt_chunk")
