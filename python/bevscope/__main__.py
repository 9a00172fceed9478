"""python -m bevscope: the commands that need Python."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from . import _doctor, _predict, _publish, convert
from ._errors import Error
from .batch import _command


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bevscope")
    commands = parser.add_subparsers(dest="command", required=True)
    converter = commands.add_parser(
        "convert", help="converts other data sets to L5Kit's format"
    )
    _command.add_to(commands)
    doctor = commands.add_parser(
        "doctor",
        help="says which packages are installed, and what to do about the rest",
        description="Examines the package, what it requires, what its extras add, and the "
        "program's version. Exit status 1 if there is a problem. The program examines the "
        "machine: bevscope doctor.",
    )
    doctor.add_argument("--json", action="store_true", help="print JSON")
    _predict.add_to(commands)
    _publish.add_to(commands)
    formats = converter.add_subparsers(dest="format", required=True)
    _add_format(
        formats,
        "argoverse2",
        "Argoverse 2 motion forecasting scenarios",
        "scenario folders, folders of them, or scenario_ID.parquet files",
        "scenarios of several cities then give a data set per city, OUT-CITY.zarr",
    )
    scenarios = _add_format(
        formats,
        "commonroad",
        "scenarios of CommonRoad",
        "XML files of scenarios, or folders of them",
        "several scenarios are then moved by whole metres, so that maps do not overlap",
        mask="all",
    )
    scenarios.add_argument(
        "--ego", default="", metavar="ID", help="the obstacle that is the ego vehicle"
    )
    tracks = _add_format(
        formats,
        "interaction",
        "recordings and cases of INTERACTION",
        "track files (.csv), or folders of them",
        "scenes of several locations are then moved, so that maps do not overlap",
        mask="all",
    )
    tracks.add_argument(
        "--maps", metavar="DIR", help="folder of LOCATION.osm, or a map: also convert maps"
    )
    tracks.add_argument(
        "--ego", metavar="TRACK", default="", help="the ego vehicle; default: a fixed pose"
    )
    logs = _add_format(
        formats,
        "nuplan",
        "scenes of nuPlan's logs",
        "logs (.db), or folders of them",
        "",
        mask="all",
    )
    logs.add_argument(
        "--maps", metavar="DIR", help="folder of CITY/*/map.gpkg: also convert the maps"
    )
    logs.add_argument(
        "--all-sweeps", action="store_true", help="a frame per sweep (20 Hz), not 10 Hz"
    )
    versions = _add_format(
        formats,
        "nuscenes",
        "scenes of versions of nuScenes",
        "folders of versions (v1.0-mini), or a folder in which these are",
        "scenes of several locations are then moved, so that maps do not overlap",
        mask="all",
    )
    versions.add_argument(
        "--maps", metavar="DIR", help="folder of expansion/LOCATION.json, with the maps"
    )
    _add_format(
        formats,
        "scenarionet",
        "scenarios of ScenarioNet and MetaDrive",
        "pickles of scenarios, or folders of them",
        "several scenarios are then moved by whole metres, so that maps do not overlap",
    )
    _add_format(
        formats,
        "waymo",
        "Waymo Open Motion scenarios",
        "TFRecord files of scenarios, or folders of them",
        "several scenarios are then moved by whole metres, so that maps do not overlap",
    )
    return parser


def _add_format(
    formats: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    title: str,
    sources: str,
    map_note: str,
    mask: str = "scored",
) -> argparse.ArgumentParser:
    parser = formats.add_parser(
        name,
        help=title,
        description="Converts scenarios to one data set, a scene each, and prints a report "
        "as JSON. If it is interrupted, the same command continues.",
    )
    parser.add_argument("sources", nargs="+", metavar="SRC", help=sources)
    parser.add_argument(
        "-o", "--output", required=True, metavar="OUT.zarr", help="must not exist"
    )
    if map_note:
        parser.add_argument(
            "--map",
            action="store_true",
            help="also convert the maps, into the data set; " + map_note,
        )
    parser.add_argument(
        "--mask",
        choices=("focal", "scored", "all", "none"),
        default=mask,
        help="agents that the stored mask selects (default: %(default)s)",
    )
    parser.add_argument(
        "--tables",
        metavar="FILE",
        help="JSON that replaces labels, extents, origins of cities, widths of lanes",
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="threads that read")
    parser.add_argument("--quiet", action="store_true", help="do not show progress")
    return parser


def _show(done: int, total: int) -> None:
    end = "\n" if done == total or not sys.stderr.isatty() else ""
    start = "\r" if sys.stderr.isatty() else ""
    if sys.stderr.isatty() or done == total or done % 100 == 0:
        print(f"{start}{done} of {total} scenarios", end=end, file=sys.stderr, flush=True)


def main(words: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit status."""
    arguments = _parser().parse_args(words)
    if arguments.command == "doctor":
        findings = _doctor.examine()
        report = _doctor.as_json(findings)
        print(json.dumps(report, indent=1) if arguments.json else _doctor.report(findings))
        return 0 if report["ok"] else 1
    if arguments.command in ("predict", "publish"):
        command = _predict if arguments.command == "predict" else _publish
        try:
            return command.main(arguments)
        except (Error, OSError) as error:
            text = str(error).removeprefix(f"{arguments.command}: ")
            print(f"bevscope: {arguments.command}: {text}", file=sys.stderr)
            return 1
    if arguments.command == "batch":
        try:
            return _command.main(arguments)
        except (Error, OSError) as error:
            print(f"bevscope: batch {arguments.step}: {error}", file=sys.stderr)
            return 1
    try:
        tables = ""
        if arguments.tables:
            with open(arguments.tables, encoding="utf-8") as file:
                tables = file.read()
        convert_sources = getattr(convert, arguments.format)
        options = {
            name: getattr(arguments, name)
            for name in ("map", "maps", "all_sweeps", "ego")
            if name in arguments
        }
        report = convert_sources(
            arguments.sources,
            arguments.output,
            **options,
            mask=arguments.mask,
            tables=tables,
            jobs=arguments.jobs,
            progress=None if arguments.quiet else _show,
        )
    except (Error, OSError, UnicodeDecodeError) as error:
        print(f"bevscope: convert: {error}", file=sys.stderr)
        return 1
    print(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
