"""Data sets."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _checks, _core
from .._errors import InvalidArgument, NotFound
from .._sources.source import scenario_format, shown
from ..reader import MAX_THREADS, Reader, Where, needs_maps, plan_of, wanted_fields
from ..types import Facts, Frame, Timeline
from .array import Array, dtype_of
from .handle import Handle, Patched
from .maps import AerialImage, Maps, SemanticMap, map_files

_Dataset = TypeVar("_Dataset", bound="Dataset")

#: The options of scenarios, of which an address is opened.
_SCENARIOS = ("with_map", "maps", "ego")

Columns = "dict[str, npt.NDArray[Any]]"


class Dataset:
    """An L5Kit data set: `scenes`, `frames`, `agents`, `traffic_light_faces`.

    Opening reads metadata only. May be used from several threads, which wait for each
    other; pickles as address and options, and opens anew in other processes. May be a
    context manager, which closes it.
    """

    def __init__(
        self,
        address: Any,
        *,
        byte_budget: int = 256 << 20,
        missing: str = "records_required",
        cache: str | os.PathLike[str] | None = None,
        cache_limit: int = 1 << 30,
        map: bool | str | os.PathLike[str] = False,  # noqa: A002
        ego: str = "",
    ) -> None:
        has_folder = isinstance(map, (str, os.PathLike))
        with_map = has_folder or _checks.flag("open: map", map)
        if with_map and scenario_format(address) is None:
            raise InvalidArgument("open: map: only scenarios have a map to convert")
        if _checks.text("open: ego", ego) and scenario_format(address) is None:
            raise InvalidArgument("open: ego: only of CommonRoad and INTERACTION")
        options = {
            "byte_budget": _checks.integer("open: byte_budget", byte_budget),
            "missing": _checks.text("open: missing", missing),
            "cache": "" if cache is None else _checks.path("open: cache", cache),
            "cache_limit": _checks.integer("open: cache_limit", cache_limit),
            "with_map": with_map,
            "maps": _checks.path("open: map", map) if has_folder else "",
            "ego": ego,
        }
        self._handle = Handle(address, options)
        self._describe()

    def _describe(self) -> None:
        described = json.loads(self._handle.call(lambda core: core.describe()))
        unlisted = _unlisted_arrays(self.address) if isinstance(self.address, str) else {}
        #: The arrays by path.
        self.arrays = {
            path: Array(self._handle, path, one)
            for path, one in {**unlisted, **described["arrays"]}.items()
        }
        #: The attributes of the root group.
        self.attrs: dict[str, Any] = described["attrs"]
        #: The names of the labels of `label_probabilities`.
        self.labels: list[str] = described["labels"]

    def __getstate__(self) -> dict[str, Any]:
        return {"handle": self._handle}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._handle = state["handle"]

    def close(self) -> None:
        """Frees cached chunks, files and connections. Later reads raise Closed, also those
        of its samples and readers, whose own memory is freed when they are collected.
        Arrays that were read stay valid."""
        self._handle.close()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._handle.closed

    def __enter__(self: _Dataset) -> _Dataset:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        # After unpickling, metadata is read when it is first needed.
        if name in ("arrays", "attrs", "labels") and "_handle" in self.__dict__:
            self._describe()
            return self.__dict__[name]
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    @property
    def address(self) -> Any:
        """The path, URL or source."""
        return self._handle.address

    @property
    def scenes(self) -> Array:
        return self["scenes"]

    @property
    def frames(self) -> Array:
        return self["frames"]

    @property
    def agents(self) -> Array:
        return self["agents"]

    @property
    def traffic_light_faces(self) -> Array:
        return self["traffic_light_faces"]

    tl_faces = traffic_light_faces

    def __getitem__(self, path: str) -> Array:
        try:
            return self.arrays[path]
        except (KeyError, TypeError):
            raise NotFound(f"array {path}: not in the store", url=self._url) from None

    def __contains__(self, path: str) -> bool:
        return path in self.arrays

    @property
    def _url(self) -> str | None:
        return shown(self.address) if isinstance(self.address, str) else None

    def __repr__(self) -> str:
        arrays = ", ".join(f"{path} {one.shape}" for path, one in self.arrays.items())
        return f"<bevscope.Dataset {shown(self.address)!r}: {arrays}>"

    def __str__(self) -> str:
        return self.summary()

    def summary(self) -> str:
        """Returns L5Kit's table of counts."""
        return self._handle.call(lambda core: core.summary())

    def columns(
        self, array: str, fields: Iterable[str] = (), rows: slice = slice(None)
    ) -> dict[str, npt.NDArray[Any]]:
        """Returns the fields of rows as arrays of shape (n, ...); all fields if none is
        named. Strings come as structured rows do."""
        return self[array].columns(fields, rows)

    def frame(
        self,
        scene: int,
        frame: int,
        *,
        past: int = 25,
        future: int = 0,
        threshold: float = 0.5,
    ) -> Frame:
        """Returns frame `frame` of a scene with derived values, as named arrays in world:
        `bevscope.types.Frame` lists them.

        Args:
            past: frames per trail.
            future: frames of future positions.
            threshold: minimum label probability for "agents.kept".
        """
        scene = _checks.index("frame: scene", scene)
        frame = _checks.index("frame: frame", frame)
        past = _checks.integer("frame: past", past, 0, _checks.UINT32_MAX)
        future = _checks.integer("frame: future", future, 0, _checks.UINT32_MAX)
        threshold = _checks.number("frame: threshold", threshold)
        found: Any = self._handle.call(
            lambda core: core.frame(scene, frame, past, future, threshold)
        )
        return found

    def scene(self, scene: int) -> dict[str, npt.NDArray[Any]]:
        """Returns the records of a scene, counted from its first frame and agent."""
        scene = _checks.index("scene", scene)
        return self._handle.call(lambda core: core.scene(scene))

    def timeline(self, scene: int, track_id: int | None = None) -> Timeline:
        """Returns the motion of the ego vehicle, or of a track, over a scene, its lights
        and anomalies: `bevscope.types.Timeline` lists them. Raises NotFound if the scene
        has no such track."""
        scene = _checks.index("timeline: scene", scene)
        if track_id is not None:
            track_id = _checks.index("timeline: track_id", track_id, _checks.UINT64_MAX)
        found: Any = self._handle.call(lambda core: core.timeline(scene, track_id))
        if track_id is not None and not _has_track(found):
            raise NotFound(
                f"timeline: track {track_id}: not in scene {scene}", url=self._url
            )
        return found

    def facts(
        self,
        scenes: slice = slice(None),
        *,
        map: str | os.PathLike[str] | SemanticMap | None = None,  # noqa: A002
        compute: bool = False,
    ) -> Facts:
        """Returns facts of scenes and of their tracks, which docs/scenarios.md defines:
        the columns of "scenes" and of "tracks" by name (`bevscope.types.Facts`). Names
        come as strings. Facts that `bevscope index` wrote beside the data set are read;
        those of changed or new scenes are computed, with a warning.

        Args:
            scenes: consecutive scenes.
            map: a semantic map, or the path of one, for facts of lights.
            compute: compute all facts, also those that `bevscope index` wrote.
        """
        if not isinstance(scenes, slice):
            raise _checks.invalid("facts: scenes", scenes, "a slice")
        begin, end, step = scenes.indices(len(self.scenes))
        if step != 1:
            raise InvalidArgument(f"facts: step of scenes must be 1 (found {step})")
        if map is not None and not isinstance(map, SemanticMap):
            map = SemanticMap(*map_files(map))  # noqa: A001
        lights = None if map is None else map.core
        found, notice = self._handle.call(
            lambda core: core.facts(begin, max(begin, end), lights, bool(compute))
        )
        if notice:
            warnings.warn(f"facts: {notice}", stacklevel=2)
        described = json.loads(_core.describe_facts())
        tables: Any = {"scenes": {}, "tracks": {}}
        for table, columns in tables.items():
            for column in described[table]:
                name = column["name"]
                values = found[f"{table}.{name}"]
                names = column.get("names")
                columns[name] = values if names is None else np.array(names)[values]
        return tables

    def semantic_map(self, scene: int | None = None) -> SemanticMap:
        """Returns the map that was converted with the data set: of scenarios that are
        opened with `map`, and of a converted data set in a folder. Given a scene, returns
        its part alone if scenes have maps of their own. Raises NotFound."""
        if scene is not None:
            return self._map_of(_checks.index("semantic_map: scene", scene))
        name = self.attrs.get("bevscope", {}).get("map")
        folder = self._beside()
        if not isinstance(name, str) or not folder or "://" in folder:
            raise NotFound(
                "semantic_map: no map in a folder; scenarios have one if opened with map",
                url=self._url,
            )
        return SemanticMap(*map_files(os.path.join(folder, name)))

    def _map_of(self, scene: int) -> SemanticMap:
        begin, end = self.scenes[scene]["frame_index_interval"]
        part = None
        if begin < end:
            x, y, _ = self.frames[int(begin)]["ego_translation"]
            part = self.semantic_map().part_at(x, y)
        if part is None:
            raise NotFound(f"semantic_map: scene {scene}: no map around it", url=self._url)
        return part

    def _beside(self) -> str | None:
        """Returns the folder that has what is kept beside the data set."""
        address = self.address
        if not isinstance(address, str):
            beside = getattr(address, "beside", None)
            return None if beside is None else beside()
        options = self._handle.options
        of_scenarios = {key: options[key] for key in _SCENARIOS if key in options}
        found = _core.Objects(address, "", 0, **of_scenarios).beside()
        return address if found is None else found

    def reader(
        self,
        table: str = "agents",
        *,
        where: Where = None,
        fields: Iterable[str | re.Pattern[str]] | None = None,
        window: Mapping[str, Any] | None = None,
        order: str | Mapping[str, Any] = "none",
        seed: int = 0,
        epoch: int = 0,
        shard: tuple[int, int] | Mapping[str, Any] = (0, 1),
        batch: int | Mapping[str, Any] | None = None,
        last: str = "keep",
        on_damage: str = "fail",
        transform: str | None = None,
        sample: Mapping[str, Any] | None = None,
        root: str | os.PathLike[str] | None = None,
        map: SemanticMap | None = None,
        aerial: AerialImage | None = None,
        threads: int = 1,
        decode: bool = False,
    ) -> Reader:
        """Returns a reader of rows, of windows of rows, or of samples, in batches.

        Args:
            table: path of an array, or a table: `rows` of a data set that savers wrote.
            where: a filter as text or tree; see docs/filters.md.
            fields: names and compiled patterns that match whole names; None for the
                fields of the array.
            window: rows before and after each row: {"past", "future", "step", "stride",
                "overlap", "edges", "max_gap_s", "fields_at"}; of tables without frames
                also "time", an integer field, and "max_gap", its largest difference.
            order: "none", "tracks", "blocks" or "full", or {"mode", "group", "repeat"}.
            seed: chooses the order, with the epoch.
            shard: index and number of shards, or {"index", "count", "mode", "equal",
                "allow_empty"}.
            batch: items of a batch, by default 256 rows or 16 samples; or {"by_block":
                True} for a batch per scene (chunk of other tables), possibly empty.
            last: "keep" or "drop" an incomplete last batch.
            on_damage: "fail", or "skip" the scenes (chunks of other tables) with damaged
                chunks, which `Reader.skipped` lists; with order "none" or "blocks".
            transform: "agent_frame" for centroid, velocity and yaw of agents in the frame
                of the row's agent, in a window that of the chosen row.
            sample: L5Kit's samples at the rows, for the tables frames and agents:
                {"config", "vectorized", "image", "min_frame_history",
                "min_frame_future", "use_stored"}. `fields` are then their keys.
            root, map, aerial: maps of the samples, as of `Samples`.
            threads: that decode rows, 1 to 64; at most as many as there are processors.
                The batches are the same. Order "full" and samples are read by one.
            decode: whether PNG, JPEG and WebP images are decoded to arrays of shape
                (height, width, channels), by Pillow; otherwise they are bytes.
        """
        threads = _checks.integer("reader: threads", threads, 1, MAX_THREADS)
        plan = plan_of(
            table,
            where=where,
            window=window,
            order=order,
            seed=seed,
            shard=shard,
            batch=batch,
            last=last,
            on_damage=on_damage,
            transform=transform,
            sample=sample,
        )
        if fields is not None:
            fields = wanted_fields(fields)
        maps = Maps(map, aerial)
        if sample is not None and needs_maps(sample, fields):
            maps.find(sample["config"], bool(sample.get("vectorized", False)), root)
        return Reader(self._handle, plan, fields, epoch, maps, threads, decode)

    def copy(
        self,
        store: str | os.PathLike[str],
        *,
        scenes: slice | int = slice(None),
        layout: str = "original",
        fields: Iterable[str] = (),
        chunks: Mapping[str, int] | None = None,
        codec: str | None = None,
        level: int | None = None,
        split_vectors: bool = False,
        zarr_format: int = 2,
        chunks_per_shard: int = 0,
        statistics: bool = False,
        replace: bool = False,
        progress: Callable[[int], object] | None = None,
    ) -> dict[str, Any]:
        """Copies scenes to a new store: a .zip if the name ends in ".zip", a folder
        otherwise. It appears under its name when it is complete; an exception or
        KeyboardInterrupt leaves nothing.

        Returns "scenes", their number; "left_out", the arrays beyond L5Kit's four, which
        are not copied; "has_statistics". See docs/storage.md.

        Args:
            scenes: a slice, or the number of one scene.
            layout: "original"; "viewing" for small chunks and statistics, so that a page
                reads little for a frame; "columnar" for one plain array per field.
            fields: fields to copy ("agents.yaw"); arrays that are not named keep all.
            chunks: rows per chunk, by array; others as in the original.
            codec: "none", "zlib", "gzip", "zstd", "lz4", "blosc:lz4" and so on; None for
                the original's.
            level: of the codec.
            split_vectors: with layout "columnar", one plain array per element of a field
                with axes, agents/extent/0.
            zarr_format: 2, or 3, which needs layout "columnar".
            chunks_per_shard: chunks per object, of zarr format 3; 0 for one each.
            statistics: also write the limits of each chunk's values.
            replace: replace an existing store.
            progress: called with the number of scenes written.
        """
        rows = scenes
        if not isinstance(rows, slice):
            _checks.integer("copy: scenes", rows, -_checks.UINT32_MAX, _checks.UINT32_MAX)
            (scene,) = _checks.indices("copy: scenes", [rows], len(self.scenes)).tolist()
            rows = slice(scene, scene + 1)
        rows = _checks.bounds("copy: scenes", rows)
        step = 1 if rows.step is None else int(rows.step)
        if chunks is not None and not isinstance(chunks, Mapping):
            raise _checks.invalid("copy: chunks", chunks, "numbers of rows by array")
        sizes = {
            _checks.text("copy: chunks", name): _checks.integer(f"copy: chunks: {name}", n)
            for name, n in (chunks or {}).items()
        }
        wanted = _checks.names("copy: fields", fields)
        layout = _checks.text("copy: layout", layout)
        codec = None if codec is None else _checks.text("copy: codec", codec)
        if level is not None:
            level = _checks.integer("copy: level", level, -(2**31), 2**31 - 1)
        zarr_format = _checks.integer("copy: zarr_format", zarr_format, 0, 2**31 - 1)
        chunks_per_shard = _checks.integer("copy: chunks_per_shard", chunks_per_shard)
        path = _checks.path("copy: store", store)
        if progress is not None and not callable(progress):
            raise _checks.invalid("copy: progress", progress, "a function")
        count, left_out, has_statistics = self._handle.call(
            lambda core: _core.copy(
                core,
                path,
                (rows.start, rows.stop, step),
                layout,
                wanted,
                sizes,
                codec,
                level,
                bool(split_vectors),
                zarr_format,
                chunks_per_shard,
                bool(statistics),
                bool(replace),
                progress,
            )
        )
        return {
            "scenes": count,
            "left_out": left_out,
            "has_statistics": has_statistics,
        }

    def patched(
        self: _Dataset, patch: Mapping[str, Any] | str | os.PathLike[str]
    ) -> _Dataset:
        """Returns the data set with scenes that a what-if patch edits: the document as a
        mapping, or the path of its file; see docs/patches.md. Frames, scenes, samples by
        track, time lines, facts and copies are those of the edited scenes; what numbers
        rows or items is refused. Raises InvalidArgument for an invalid patch and one of
        another data set, OutOfRange for frames and tracks that it lacks."""
        if isinstance(patch, Mapping):
            try:
                text = json.dumps(dict(patch))
            except (TypeError, ValueError) as error:
                raise InvalidArgument(f"patched: patch: {error}") from None
        else:
            text = Path(_checks.path("patched: patch", patch)).read_text("utf-8")
        if "patch" in self._handle.options:
            raise InvalidArgument("patched: has edits already; put all into one patch")
        made = copy.copy(self)
        made._handle = Patched(self._handle, text)
        made._describe()
        return made

    def forget_failures(self) -> None:
        """Forgets damaged and absent chunks, so that they are requested again."""
        self._handle.call(lambda core: core.forget_failures())

    def cache_counters(self) -> dict[str, int] | None:
        """Returns what the persistent cache did in this process, None without one.

        "hits", "misses" and "shared" (answered by another reader's fetch) add up to the
        reads; "validations" are HEAD requests; "cached_bytes" and "fetched_bytes";
        "evictions" and "refused" entries.
        """
        return self._handle.call(lambda core: core.cache_counters())

    def check_unchanged(self) -> None:
        """Raises ReadError if the data set was replaced since it was opened."""
        self._handle.call(lambda core: core.check_unchanged())


def _unlisted_arrays(root: str) -> dict[str, Any]:
    """Returns the arrays of a folder without consolidated metadata, by path: only that
    lists arrays other than L5Kit's."""
    found: dict[str, Any] = {}
    if not os.path.isdir(root) or os.path.exists(os.path.join(root, ".zmetadata")):
        return found
    if scenario_format(root) is not None:
        return found
    for folder, folders, files in os.walk(root):
        if ".zarray" in files:
            folders.clear()  # of chunks
            with contextlib.suppress(OSError, ValueError, TypeError, KeyError, IndexError):
                document = json.loads(Path(folder, ".zarray").read_text("utf-8"))
                described = {name: document[name] for name in ("shape", "chunks", "dtype")}
                dtype_of(described["dtype"])
                path = os.path.relpath(folder, root).replace(os.sep, "/")
                found[path] = described
        else:
            folders[:] = sorted(one for one in folders if not one.startswith("."))
    return found


def _has_track(timeline: Mapping[str, Any]) -> bool:
    return any(np.isfinite(timeline[f"track.{one}"]).any() for one in ("yaw", "speed"))
