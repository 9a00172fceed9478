"""Converts other data sets to L5Kit's format."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from . import _checks, _core
from ._convert import argoverse2 as _argoverse2
from ._convert import nuplan as _nuplan
from ._convert import waymo as _waymo
from ._convert import whole_file as _whole_file
from ._convert.conversion import Conversion as _Conversion
from ._errors import InvalidArgument, NotFound

#: Scenarios between two checkpoints, from which an interrupted conversion continues.
CHECKPOINT = 200

Progress = Callable[[int, int], None]


def argoverse2(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    map: bool = False,
    mask: str = "scored",
    tables: str = "",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Converts Argoverse 2 motion forecasting scenarios to one data set, a scene each,
    and returns the report: for each data set its path, counts and losses.

    An interrupted conversion leaves the folder OUTPUT.partial; the same call continues
    it. Raises NotFound if there is no scenario, map or column, InvalidArgument if the
    output exists, Error if a file is invalid. Needs pyarrow.

    Args:
        sources: scenario folders, folders of them, or scenario_ID.parquet files.
        output: the data set's folder, which must not exist.
        map: also write semantic_map/semantic_map.pb and meta.json into the folder.
            Scenarios of several cities then give a data set per city, OUTPUT-CITY.zarr.
        mask: agents that the stored mask selects: "focal", "scored" (with the focal
            track), "all" or "none".
        tables: JSON with labels and extents by object type, and origins by city.
        jobs: threads that read; by default the number of processors.
        progress: called with the number of scenarios done, and of all.
    """
    found = _argoverse2.find(_paths(sources))
    importer = _core.Argoverse2Importer(tables)
    path = _folder(output)
    groups = _by_city(found, path) if map else {path: found}
    for target in groups:
        if os.path.lexists(target):
            raise InvalidArgument(f"{target}: exists already")

    settings = {"mask": mask, "map": map, "tables": tables}
    return _run(
        [
            _Conversion(
                target,
                [functools.partial(_argoverse2.read, importer, one, map) for one in group],
                {
                    "settings": settings,
                    "sources": [os.path.abspath(one.parquet) for one in group],
                },
                "argoverse2",
            )
            for target, group in groups.items()
        ],
        jobs,
        progress,
    )


def waymo(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    map: bool = False,
    mask: str = "scored",
    tables: str = "",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Converts scenarios of the Waymo Open Motion data set to one data set, a scene each,
    and returns the report: path, counts and losses.

    An interrupted conversion leaves the folder OUTPUT.partial; the same call continues
    it. Raises NotFound if there is no file or scenario, InvalidArgument if the output
    exists, Error if a file is damaged or invalid.

    Args:
        sources: TFRecord files of scenarios, or folders of them.
        output: the data set's folder, which must not exist.
        map: also write semantic_map/semantic_map.pb and meta.json into the folder. Of
            several scenarios, each is moved by whole metres, so that maps do not overlap.
        mask: agents that the stored mask selects: "focal" (tracks to predict that are
            objects of interest), "scored" (tracks to predict), "all" or "none".
        tables: JSON with labels and extents by object type, and widths of lanes.
        jobs: threads that read; by default the number of processors.
        progress: called with the number of scenarios done, and of all.
    """
    importer = _core.WaymoImporter(tables)
    path = _new_folder(output)
    names = _core.find_scenarios("waymo", _paths(sources))
    files = {name: _waymo.find_records(name) for name in names}
    read = functools.partial(_waymo.read, importer)
    settings = {"mask": mask, "map": map, "tables": tables}
    return _run([_placed("waymo", path, files, read, settings)], jobs, progress)


def scenarionet(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    map: bool = False,
    mask: str = "scored",
    tables: str = "",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Converts scenarios of ScenarioNet and MetaDrive to one data set, a scene each, and
    returns the report: path, counts, losses and corrections. Nothing in a file is called,
    and a class or function that scenarios do not have is an error that names it.

    An interrupted conversion leaves the folder OUTPUT.partial; the same call continues
    it. Raises NotFound if there is no file, InvalidArgument if the output exists, Error
    if a file is damaged or invalid.

    Args:
        sources: pickles of scenarios, or folders of them; of a folder with
            dataset_summary.pkl or dataset_mapping.pkl, the files that these list.
        output: the data set's folder, which must not exist.
        map: also write semantic_map/semantic_map.pb and meta.json into the folder. Of
            several scenarios, each is moved by whole metres, so that maps do not overlap.
        mask: agents that the stored mask selects: "focal" (tracks to predict that are
            objects of interest), "scored" (tracks to predict), "all" or "none".
        tables: JSON with labels and extents by object type, and widths of lanes.
        jobs: threads that read; by default the number of processors.
        progress: called with the number of scenarios done, and of all.
    """
    importer = _core.ScenarionetImporter(tables)
    path = _new_folder(output)
    files = {name: [name] for name in _core.find_scenarios("scenarionet", _paths(sources))}
    read = functools.partial(_whole_file.read, importer.read)
    settings = {"mask": mask, "map": map, "tables": tables}
    return _run([_placed("scenarionet", path, files, read, settings)], jobs, progress)


def commonroad(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    map: bool = False,
    ego: str = "",
    mask: str = "all",
    tables: str = "",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Converts scenarios of CommonRoad (versions 2018b and 2020a) to one data set, a scene
    each and a frame per time step; returns the report: path, counts and losses.

    An interrupted conversion leaves the folder OUTPUT.partial; the same call continues
    it. Raises NotFound if there is no file, or no obstacle `ego` in a file,
    InvalidArgument if the output exists, Error if a file is damaged or invalid.

    Args:
        sources: XML files of scenarios, or folders of them.
        output: the data set's folder, which must not exist.
        map: also write semantic_map/semantic_map.pb and meta.json into the folder. Of
            several scenarios, each is moved by whole metres, so that maps do not overlap.
        ego: id of the obstacle that is the ego vehicle; by default it stands still, at
            the start of the first planning problem.
        mask: agents that the stored mask selects: "all" or "none"; CommonRoad has no
            tracks to predict, which "focal" and "scored" would select.
        tables: JSON with labels and extents by type of obstacle.
        jobs: threads that read; by default the number of processors.
        progress: called with the number of scenarios done, and of all.
    """
    importer = _core.CommonroadImporter(tables)
    path = _new_folder(output)
    files = {name: [name] for name in _core.find_scenarios("commonroad", _paths(sources))}
    read = functools.partial(_whole_file.read, functools.partial(importer.read, ego=ego))
    settings = {"mask": mask, "map": map, "tables": tables, "ego": ego}
    return _run([_placed("commonroad", path, files, read, settings)], jobs, progress)


def nuplan(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    maps: str | os.PathLike[str] | None = None,
    all_sweeps: bool = False,
    mask: str = "all",
    tables: str = "",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Converts logs of nuPlan to one data set, with a scene per scene of a log; returns the
    report: path, counts and losses. Logs are read by ranges, without running SQL.

    An interrupted conversion leaves the folder OUTPUT.partial; the same call continues
    it. Raises NotFound if there is no log, map, table or column, InvalidArgument if the
    output exists, or logs have maps of several cities, Error if a file is damaged.

    Args:
        sources: logs (.db), or folders of them.
        output: the data set's folder, which must not exist.
        maps: folder of CITY/*/map.gpkg, or the one map of all logs: also write
            semantic_map/semantic_map.pb and meta.json into the folder.
        all_sweeps: a frame per sweep of the lidar (20 Hz); by default 10 Hz.
        mask: agents that the stored mask selects: "all" or "none"; nuPlan has no tracks
            to predict, which "focal" and "scored" would select.
        tables: JSON with labels and extents by category, origins by city, and widths of
            lanes.
        jobs: threads that read; by default the number of processors.
        progress: called with the number of scenes done, and of all.
    """
    folder = None if maps is None else _checks.expanded(maps)
    logs = _nuplan.Logs(tables, folder, all_sweeps)
    path = _new_folder(output)
    files = {
        name: logs.scenes(name) for name in _core.find_scenarios("nuplan", _paths(sources))
    }
    settings = {
        "mask": mask,
        "map": folder is not None,
        "tables": tables,
        "maps": folder or "",
        "all_sweeps": all_sweeps,
    }
    conversion = _placed("nuplan", path, files, logs.read, settings)
    return _run([conversion], jobs, progress)


def nuscenes(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    map: bool = False,
    maps: str | os.PathLike[str] | None = None,
    mask: str = "all",
    tables: str = "",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Converts versions of nuScenes to one data set, with a scene per scene and a frame per
    key frame (2 Hz); returns the report: path, counts and losses.

    An interrupted conversion leaves the folder OUTPUT.partial; the same call continues
    it. Raises NotFound if there is no version, table or map, InvalidArgument if the
    output exists, Error if a table is damaged or invalid.

    Args:
        sources: folders of versions (v1.0-mini), or a folder in which these are.
        output: the data set's folder, which must not exist.
        map: also write semantic_map/semantic_map.pb and meta.json into the folder. Scenes
            of several locations are moved by whole kilometres, so that maps do not
            overlap.
        maps: folder of expansion/LOCATION.json, with the maps; by default maps, beside
            each version.
        mask: agents that the stored mask selects: "all", "scored" (what the prediction
            challenge asks for), "focal" (none) or "none".
        tables: JSON with labels and extents by category, origins by location, and widths
            of lanes.
        jobs: threads that read; by default the number of processors.
        progress: called with the number of scenes done, and of all.
    """
    folder = "" if maps is None else _checks.expanded(maps)
    path = _new_folder(output)
    names = _core.find_scenarios("nuscenes", _paths(sources))
    versions = _core.NuscenesVersions(names, folder, tables)
    files = {
        name: [(i, scene) for scene in range(versions.scene_count(i))]
        for i, name in enumerate(names)
    }

    def read(one: tuple[int, int], with_map: bool, _place: int | None) -> _core.Scenario:
        return versions.read(*one, with_map)

    settings = {"mask": mask, "map": map or maps is not None, "tables": tables}
    settings["maps"] = folder
    return _run([_placed("nuscenes", path, files, read, settings)], jobs, progress)


def interaction(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    map: bool = False,
    maps: str | os.PathLike[str] | None = None,
    ego: str = "",
    mask: str = "all",
    tables: str = "",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Converts track files of INTERACTION to one data set, with a scene per recording or
    case and a frame per 100 ms; returns the report: path, counts and losses.

    An interrupted conversion leaves the folder OUTPUT.partial; the same call continues
    it. Raises NotFound if there is no track file, column, map or track `ego`,
    InvalidArgument if the output exists, Error if a file is damaged or invalid.

    Args:
        sources: track files (.csv), known by their columns, or folders of them.
        output: the data set's folder, which must not exist.
        map: also write semantic_map/semantic_map.pb and meta.json into the folder, from
            LOCATION.osm (Lanelet2) beside the tracks, in ../maps or ../../maps. Scenes of
            several locations are moved by whole kilometres, so that maps do not overlap.
        maps: the same, from another folder, or the one map of all files.
        ego: id of the track that is the ego vehicle, which each scene must have; by
            default a fixed pose at the centroid, which the report counts.
        mask: agents that the stored mask selects: "all" or "none"; INTERACTION has no
            tracks to predict, which "focal" and "scored" would select.
        tables: JSON with labels and extents by type.
        jobs: threads that read; by default the number of processors.
        progress: called with the number of scenes done, and of all.
    """
    folder = "" if maps is None else _checks.expanded(maps)
    path = _new_folder(output)
    names = _core.find_scenarios("interaction", _paths(sources))
    tracks = _core.InteractionFiles(names, folder, ego, tables)
    files = {
        name: [(i, scene) for scene in range(tracks.scene_count(i))]
        for i, name in enumerate(names)
    }

    def read(one: tuple[int, int], with_map: bool, _place: int | None) -> _core.Scenario:
        return tracks.read(*one, with_map)

    settings = {"mask": mask, "map": map or maps is not None, "tables": tables}
    settings |= {"maps": folder, "ego": ego}
    return _run([_placed("interaction", path, files, read, settings)], jobs, progress)


def _paths(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> list[str]:
    given = [sources] if isinstance(sources, (str, os.PathLike)) else sources
    return [_checks.expanded(one) for one in given]


def _new_folder(output: str | os.PathLike[str]) -> str:
    path = _folder(output)
    if os.path.lexists(path):
        raise InvalidArgument(f"{path}: exists already")
    return path


def _placed(
    source: str,
    path: str,
    files: Mapping[str, Sequence[Any]],
    read: Callable[[Any, bool, int | None], _core.Scenario],
    settings: dict[str, Any],
) -> _Conversion:
    """Returns the conversion of scenarios that have a map each: of several, with map, each
    has a place. `files` has the scenarios of each file."""
    found = [one for scenarios in files.values() for one in scenarios]
    if not found:
        raise NotFound("no scenarios found")
    is_moved = settings["map"] and len(found) > 1
    return _Conversion(
        path,
        [
            functools.partial(read, one, settings["map"], place if is_moved else None)
            for place, one in enumerate(found)
        ],
        {
            "settings": settings,
            "sources": [[os.path.abspath(name), len(all)] for name, all in files.items()],
        },
        source,
    )


def _run(
    conversions: Sequence[_Conversion], jobs: int | None, progress: Progress | None
) -> dict[str, Any]:
    total = sum(len(one.reads) for one in conversions)
    done = 0
    reports = []
    with contextlib.ExitStack() as stack:
        for conversion in conversions:
            stack.enter_context(conversion)
        for conversion in conversions:
            before = done

            def report_progress(count: int, before: int = before) -> None:
                if progress is not None:
                    progress(before + count, total)

            threads = os.cpu_count() or 1 if jobs is None else jobs
            reports.append(conversion.run(threads, report_progress, CHECKPOINT))
            done += len(conversion.reads)
        for conversion in conversions:
            conversion.commit()
    return {"datasets": reports}


def _folder(output: str | os.PathLike[str]) -> str:
    """Returns the output's path without trailing slash."""
    path = _checks.expanded(output).rstrip("/")
    if path.endswith(".zip") or "://" in path:
        raise InvalidArgument(f"{path}: expected a folder of this machine as output")
    return path


def _by_city(
    sources: Sequence[_argoverse2.Source], output: str
) -> dict[str, list[_argoverse2.Source]]:
    """Returns the sources by output: a data set has the map of one city."""
    cities: dict[str, list[_argoverse2.Source]] = {}
    for source in sources:
        cities.setdefault(_argoverse2.city_of(source), []).append(source)
    if len(cities) == 1:
        return {output: list(sources)}
    for city in cities:
        if not city.replace("-", "").isalnum():
            raise InvalidArgument(f"city {city!r}: not a name for a data set")
    stem, extension = os.path.splitext(output)
    return {f"{stem}-{city}{extension}": group for city, group in sorted(cities.items())}


__all__ = [
    "CHECKPOINT",
    "argoverse2",
    "commonroad",
    "interaction",
    "nuplan",
    "nuscenes",
    "scenarionet",
    "waymo",
]
