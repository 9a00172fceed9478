"""Anchor frames of converted data sets: where the predictions of a benchmark begin."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .._data.dataset import Dataset
from .._errors import InvalidArgument, NotFound
from .._sources.source import shown

Key = tuple[str, str]


class Anchors:
    """The agents in the anchor frames of a converted data set, by scenario and track."""

    def __init__(self, dataset: Dataset) -> None:
        """Raises InvalidArgument for a data set that bevscope did not convert."""
        own = dataset.attrs.get("bevscope")
        scenes = own.get("scenes") if isinstance(own, dict) else None
        if not isinstance(scenes, list) or len(scenes) != len(dataset.scenes):
            raise InvalidArgument(
                f"{shown(dataset.address)}: attribute bevscope.scenes not found (expected "
                "a data set that bevscope converted)"
            )
        self._agents = dataset.agents
        self._ids = [str(scene.get("scenario_id", "")) for scene in scenes]
        self._names = [dict(scene.get("track_names", {})) for scene in scenes]
        first = np.asarray(dataset.scenes["frame_index_interval"])[:, 0]
        at = [i for i, scene in enumerate(scenes) if "anchor_frame" in scene]
        rows = [int(first[i]) + int(scenes[i]["anchor_frame"]) for i in at]
        frames = dataset.frames[rows] if rows else []
        self._frames = dict(zip(at, frames, strict=True))
        self._scenes = {self._ids[i]: i for i in at}
        if len(self._scenes) != len(at):
            raise InvalidArgument(
                f"{shown(dataset.address)}: two scenes have one scenario_id"
            )

    def rows_of(self, keys: Sequence[Key]) -> tuple[Any, Any, npt.NDArray[np.float64]]:
        """Returns timestamps (T), track ids (T) and centroids (T, 2) in the anchor frames.

        Raises NotFound for a track that is not an agent of its scenario's anchor frame,
        InvalidArgument if two tracks have equal timestamps and ids."""
        stamps, ids = np.zeros(len(keys), np.int64), np.zeros(len(keys), np.uint64)
        centroids = np.zeros((len(keys), 2))
        known: dict[tuple[int, int], Key] = {}
        order = sorted(range(len(keys)), key=lambda i: keys[i])
        scenario, agents = None, None
        for i in order:
            scene = self._scenes.get(keys[i][0])
            if scene is None:
                raise NotFound(f"scenario {keys[i][0]}: no anchor frame in the data set")
            if scene != scenario:
                scenario, agents = scene, self._agents_of(scene)
            id = self._number(scene, keys[i][1])
            if agents is None or id not in agents:
                raise NotFound(
                    f"scenario {keys[i][0]}: track {keys[i][1]}: not an agent of the "
                    "anchor frame"
                )
            stamps[i], ids[i] = self._frames[scene]["timestamp"], id
            centroids[i] = agents[id]
            other = known.setdefault((int(stamps[i]), id), keys[i])
            if other != keys[i]:
                raise InvalidArgument(
                    f"tracks {other} and {keys[i]}: equal timestamps and track ids, by "
                    "which L5Kit's files know an agent"
                )
        return stamps, ids, centroids

    def keys_of(
        self, rows: Sequence[tuple[int, int]]
    ) -> tuple[list[Key], npt.NDArray[np.float64]]:
        """Returns the tracks of timestamps and track ids, and their centroids.

        Raises NotFound for rows that are not in an anchor frame, InvalidArgument for rows
        that are in several."""
        scenes: dict[int, list[int]] = {}
        for scene, frame in self._frames.items():
            scenes.setdefault(int(frame["timestamp"]), []).append(scene)
        keys: list[Key] = [("", "")] * len(rows)
        centroids = np.zeros((len(rows), 2))
        order = sorted(range(len(rows)), key=lambda i: rows[i][0])
        for stamp, group in itertools.groupby(order, key=lambda i: rows[i][0]):
            agents = {scene: self._agents_of(scene) for scene in scenes.get(stamp, [])}
            for i in group:
                id = rows[i][1]
                found = [scene for scene, known in agents.items() if id in known]
                if not found:
                    raise NotFound(
                        f"timestamp {stamp}, track {id}: not an agent of an anchor frame"
                    )
                if len(found) > 1:
                    raise InvalidArgument(
                        f"timestamp {stamp}, track {id}: in {len(found)} anchor frames"
                    )
                (scene,) = found
                name = self._names[scene].get(str(id), str(id))
                keys[i], centroids[i] = (self._ids[scene], name), agents[scene][id]
        return keys, centroids

    def _agents_of(self, scene: int) -> dict[int, Any]:
        """Returns the centroids in a scene's anchor frame by track id."""
        begin, end = (int(row) for row in self._frames[scene]["agent_index_interval"])
        agents = self._agents[begin:end]
        return dict(zip(agents["track_id"].tolist(), agents["centroid"], strict=True))

    def _number(self, scene: int, track: str) -> int:
        """Returns the id that a track has in the records; -1 if it has none."""
        for number, name in self._names[scene].items():
            if name == track:
                return int(number)
        return int(track) if track.isascii() and track.isdecimal() else -1
