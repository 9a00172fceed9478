"""Static sites of data sets: `bevscope publish`, and Argoverse 2 scenarios too."""

from __future__ import annotations

import argparse
import base64
import builtins
import gzip
import hashlib
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from . import _checks, _core, convert
from ._element import SCRIPT
from ._errors import InvalidArgument, NotFound, ReadError

#: The viewer of sites. Its modules and workers that the notebook widget contains, too, are
#: in the widget's script only; modules.json has their paths and SHA-256.
_APP = SCRIPT.parent / "app"
_SHARED = SCRIPT.parent / "modules.json"

#: A module or worker in the widget's script: gzip in base64.
_MODULE = re.compile(r"H4sI[0-9A-Za-z+/]+={0,2}")

_REPORT = ("scenes", "objects", "bytes", "unchanged", "notices")
_ESTIMATE = ("scenes", "objects", "bytes", "largest", "page_bytes", "frame_bytes")

Path = str | os.PathLike[str]
Progress = Callable[[str, int, int], object]


def publish(
    sources: Path | Iterable[Path],
    site: Path,
    *,
    title: str | None = None,
    description: str | None = None,
    licence: str | None = None,
    author: str | None = None,
    url: str | None = None,
    citation: str | None = None,
    picture: Path | None = None,
    predictions: Iterable[Path] = (),
    rollouts: Iterable[Path] = (),
    map: bool | Path = True,
    aerial: Path | None = None,
    zip: bool = False,
    keep: bool = False,
    dry_run: bool = False,
    app: Path | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Writes a static site of data sets: data in the layout for viewing, maps, facts, the
    viewer, a start page that searches, README.md and croissant.json. Any server of files
    serves it, below any path.

    If the process is killed, the folder is the old site or the new one; the same call
    continues, and writes only data sets that have changed. Equal inputs give equal bytes.
    See docs/publish.md.

    Returns "scenes"; "objects" and "bytes" of the site; "unchanged", the number of data
    sets that were not written again; "notices", what is not in the site. Of a dry run
    "scenes", and about "objects", "bytes", the "largest" object, and what the start page
    and a frame of a scene load: "page_bytes", "frame_bytes".

    Args:
        sources: L5Kit data sets (folders, .zip, URLs), folders of Argoverse 2 scenarios,
            files of scenarios of CommonRoad, INTERACTION, nuPlan, nuScenes, ScenarioNet or
            Waymo, or folders of any of them.
        site: the folder, which must be absent, empty or a site.
        title: by default the names of the data sets. What is not given is left out.
        description: what is in the data.
        licence: its name ("cc-by-4.0"), or its URL.
        author: who made the data.
        url: where the site will be; previews of links need it.
        citation: how to cite the data.
        picture: PNG, JPEG or WebP for previews of links.
        predictions: files that the page opens with the data, for one data set.
        rollouts: likewise.
        map: False does not convert the maps of scenarios; a file is the semantic map of a
            data set of L5Kit, instead of the one beside it.
        aerial: its aerial image, PNG, instead of the one beside the map.
        zip: each data set is one object, for hosts that dislike many files.
        keep: do not remove folders of older versions.
        dry_run: estimate, and do not write the site.
        app: folder of the viewer; by default that of the package.
        progress: called with a step's name, how much of it is done, and of how much.
    """
    given = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    paths = [_checks.path("publish: sources", one) for one in given]
    target = _checks.path("publish: site", site)
    if progress is not None and not callable(progress):
        raise _checks.invalid("publish: progress", progress, "a function")
    texts = {
        "title": title,
        "description": description,
        "licence": licence,
        "author": author,
        "url": url,
        "citation": citation,
    }
    for name, text in texts.items():
        if text is not None:
            _checks.text(f"publish: {name}", text)
    own_map = None if isinstance(map, bool) else _checks.path("publish: map", map)
    own_aerial = None if aerial is None else _checks.path("publish: aerial", aerial)
    with_maps = map is not False
    if (own_map is not None or own_aerial is not None) and len(paths) != 1:
        raise InvalidArgument(
            f"publish: map and aerial need one data set (found {len(paths)})"
        )

    def convert_argoverse2(paths: Sequence[str], output: str) -> None:
        def show(done: int, of: int) -> None:
            if progress is not None:
                progress("convert", done, of)

        convert.argoverse2(paths, output, map=with_maps, progress=show)

    all = [(path, "", own_map, own_aerial) for path in paths]
    with _viewer(app) as folder:
        options = _core.SiteOptions(
            folder,
            (title, description, licence, author, url, citation),
            None if picture is None else _checks.path("publish: picture", picture),
            (
                [_checks.path("publish: predictions", one) for one in predictions],
                [_checks.path("publish: rollouts", one) for one in rollouts],
            ),
            (bool(zip), bool(keep), with_maps),
            progress,
            convert_argoverse2,
        )
        if dry_run:
            estimate = _core.estimate_site(all, options)
            return dict(builtins.zip(_ESTIMATE, estimate, strict=True))
        return dict(builtins.zip(_REPORT, _core.publish(all, target, options), strict=True))


@contextmanager
def _viewer(app: Path | None) -> Iterator[str]:
    """Yields the folder of the viewer."""
    if app is not None:
        yield _checks.path("publish: app", app)
        return
    if not _APP.is_dir():
        raise NotFound("publish: this package has no viewer (name its folder: app, --app)")
    with tempfile.TemporaryDirectory(prefix="bevscope-app-") as folder:
        whole = shutil.copytree(_APP, os.path.join(folder, "app"))
        for name, module in _shared_modules().items():
            with open(os.path.join(whole, name), "wb") as file:
                file.write(module)
        yield whole


def _shared_modules() -> dict[str, bytes]:
    """Returns the modules and workers that are in the widget's script, by path."""
    wanted: dict[str, str] = json.loads(_SHARED.read_text(encoding="utf-8"))
    texts = _MODULE.findall(SCRIPT.read_text(encoding="utf-8"))
    modules = [gzip.decompress(base64.b64decode(text)) for text in texts]
    found = {hashlib.sha256(module).hexdigest(): module for module in modules}
    missing = sorted(name for name, hash in wanted.items() if hash not in found)
    if missing:
        raise ReadError(f"{SCRIPT}: missing modules (expected {', '.join(missing)})")
    return {name: found[hash] for name, hash in wanted.items()}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to those of `python -m bevscope`."""
    parser = commands.add_parser(
        "publish",
        help="writes a static site of data sets, to look at and to search",
        description="Does what bevscope publish does, with Argoverse 2 scenarios too, and "
        "prints a report as JSON. If it is interrupted, the same command continues.",
    )
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="SRC",
        help="L5Kit data sets, scenarios of Argoverse 2, CommonRoad, INTERACTION, nuPlan, "
        "nuScenes, ScenarioNet or Waymo, or folders",
    )
    parser.add_argument("-o", "--output", required=True, metavar="SITE")
    for name in ("title", "description", "licence", "author", "url", "citation"):
        parser.add_argument(f"--{name}", metavar="TEXT")
    parser.add_argument("--picture", metavar="FILE", help="for previews of links")
    for name in ("predictions", "rollouts"):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="FILE")
    maps = parser.add_mutually_exclusive_group()
    maps.add_argument("--map", metavar="FILE", help="semantic map of the data set")
    maps.add_argument("--no-map", action="store_true", help="do not convert maps")
    parser.add_argument("--aerial", metavar="FILE", help="aerial image of the data set")
    parser.add_argument("--zip", action="store_true", help="each data set is one object")
    parser.add_argument("--keep", action="store_true", help="keep older versions")
    parser.add_argument("--dry-run", action="store_true", help="estimate, write nothing")
    parser.add_argument("--app", metavar="DIR", help="folder of the viewer")
    parser.add_argument("--quiet", action="store_true", help="do not show progress")


def main(arguments: argparse.Namespace) -> int:
    """Runs the command and returns its exit status."""
    report = publish(
        arguments.sources,
        arguments.output,
        title=arguments.title,
        description=arguments.description,
        licence=arguments.licence,
        author=arguments.author,
        url=arguments.url,
        citation=arguments.citation,
        picture=arguments.picture,
        predictions=arguments.predictions,
        rollouts=arguments.rollouts,
        map=arguments.map or not arguments.no_map,
        aerial=arguments.aerial,
        zip=arguments.zip,
        keep=arguments.keep,
        dry_run=arguments.dry_run,
        app=arguments.app,
        progress=None if arguments.quiet or not sys.stderr.isatty() else _show,
    )
    print(json.dumps(report, indent=1))
    if not arguments.quiet and not arguments.dry_run:
        command = shlex.join(
            ["python3", "-m", "http.server", "--directory", arguments.output]
        )
        print(f"look at it: {command}", file=sys.stderr)
    return 0


def _show(step: str, done: int, of: int) -> None:
    end = "\n" if done >= of else ""
    print(f"\r{step} {done} of {of}", end=end, file=sys.stderr, flush=True)
