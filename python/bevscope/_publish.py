"""Static sites of data sets: `bevscope publish`, and Argoverse 2 scenarios too."""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from . import _checks, _core, convert
from ._element import SCRIPT
from ._errors import InvalidArgument, NotFound, ReadError
from ._sources.files import raise_error

#: The viewer of sites. Its modules that the notebook widget contains, too, are in the
#: widget's script only; modules.json has their paths and SHA-256.
_APP = SCRIPT.parent / "app"
_SHARED = SCRIPT.parent / "modules.json"

#: A module in the widget's script: gzip in base64.
_MODULE = re.compile(r"H4sI[0-9A-Za-z+/]+={0,2}")

#: Depth below a folder in which scenarios are looked for.
_DEPTH = 3

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
    map: bool = True,
    zip: bool = False,
    keep: bool = False,
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
    sets that were not written again; "notices", what is not in the site.

    Args:
        sources: L5Kit data sets (folders, .zip, URLs), folders of Argoverse 2 scenarios,
            files of scenarios of Waymo or ScenarioNet, or folders of them.
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
        map: convert the maps of scenarios, too.
        zip: each data set is one object, for hosts that dislike many files.
        keep: do not remove folders of older versions.
        app: folder of the viewer; by default that of the package.
        progress: called with a step's name, how much of it is done, and of how much.
    """
    given = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    paths = [_checks.path("publish: sources", one) for one in given]
    target = _checks.path("publish: site", site)
    if progress is not None and not callable(progress):
        raise _checks.invalid("publish: progress", progress, "a function")
    about = (
        _text("title", title),
        _text("description", description),
        _text("licence", licence),
        _text("author", author),
        _text("url", url),
        _text("citation", citation),
    )
    converted = os.path.normpath(target) + ".converted"
    stores = _stores(paths, converted, map, progress)
    with _viewer(app) as folder:
        made = _core.publish(
            stores,
            target,
            folder,
            about,
            None if picture is None else _checks.path("publish: picture", picture),
            [_checks.path("publish: predictions", one) for one in predictions],
            [_checks.path("publish: rollouts", one) for one in rollouts],
            bool(zip),
            bool(keep),
            progress,
        )
    shutil.rmtree(converted, ignore_errors=True)
    scenes, objects, size, unchanged, notices = made
    return {
        "scenes": scenes,
        "objects": objects,
        "bytes": size,
        "unchanged": unchanged,
        "notices": notices,
    }


def _text(name: str, value: str | None) -> str | None:
    return None if value is None else _checks.text(f"publish: {name}", value)


@contextmanager
def _viewer(app: Path | None) -> Iterator[str]:
    """Yields the folder of the viewer."""
    if app is not None:
        yield _checks.path("publish: app", app)
        return
    if not _APP.is_dir():
        raise NotFound("publish: this package has no viewer (expected app, its folder)")
    with tempfile.TemporaryDirectory(prefix="bevscope-app-") as folder:
        whole = shutil.copytree(_APP, os.path.join(folder, "app"))
        for name, module in _shared_modules().items():
            with open(os.path.join(whole, name), "wb") as file:
                file.write(module)
        yield whole


def _shared_modules() -> dict[str, bytes]:
    """Returns the modules of the viewer that are in the widget's script, by path."""
    wanted: dict[str, str] = json.loads(_SHARED.read_text(encoding="utf-8"))
    texts = _MODULE.findall(SCRIPT.read_text(encoding="utf-8"))
    modules = [gzip.decompress(base64.b64decode(text)) for text in texts]
    found = {hashlib.sha256(module).hexdigest(): module for module in modules}
    missing = sorted(name for name, hash in wanted.items() if hash not in found)
    if missing:
        raise ReadError(f"{SCRIPT}: missing modules (expected {', '.join(missing)})")
    return {name: found[hash] for name, hash in wanted.items()}


def _kind(path: str) -> str:
    """Returns "argoverse2", "scenarionet", "waymo" or "store"."""
    if "://" in path or path.endswith(".zip"):
        return "store"
    if not os.path.exists(path):
        raise NotFound(f"{path}: no such file or folder")
    if not os.path.isdir(path):
        return _kind_of_name(os.path.basename(path)) or "store"
    if any(os.path.exists(os.path.join(path, name)) for name in (".zgroup", "zarr.json")):
        return "store"
    base = path.rstrip(os.sep).count(os.sep)
    for folder, folders, names in os.walk(path, onerror=raise_error):
        if folder.count(os.sep) - base >= _DEPTH:
            folders.clear()
        for name in sorted(names):
            kind = _kind_of_name(name)
            if kind:
                return kind
    raise InvalidArgument(
        f"{path}: not a data set (expected a zarr store of L5Kit, Argoverse 2 scenarios "
        "or scenarios of ScenarioNet or Waymo)"
    )


def _kind_of_name(name: str) -> str | None:
    if name.startswith("scenario_") and name.endswith(".parquet"):
        return "argoverse2"
    if name.endswith(".pkl"):
        return "scenarionet"
    return "waymo" if ".tfrecord" in name else None


def _stores(
    paths: list[str], converted: str, map: bool, progress: Progress | None
) -> list[tuple[str, str, None, None]]:
    """Returns the L5Kit data sets, after converting the others."""
    kinds = [_kind(path) for path in paths]
    stores: list[tuple[str, str, None, None]] = []
    for path, kind in zip(paths, kinds, strict=True):
        if kind == "store":
            stores.append((path, "", None, None))
    for kind in ("argoverse2", "waymo", "scenarionet"):
        own = [path for path, its in zip(paths, kinds, strict=True) if its == kind]
        if own:
            stores += _converted(own, kind, converted, map, progress)
    return stores


def _converted(
    paths: list[str], kind: str, converted: str, map: bool, progress: Progress | None
) -> list[tuple[str, str, None, None]]:
    """Converts scenarios, unless an interrupted call has done so."""
    name = (
        os.path.basename(os.path.normpath(paths[0]))
        .split(".tfrecord")[0]
        .removesuffix(".pkl")
    )
    name = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name)
    files = sorted(_files(paths))
    text = "\n".join([kind, str(map), *files])
    folder = os.path.join(converted, hashlib.sha256(text.encode()).hexdigest()[:16])
    done = os.path.join(folder, "done")
    if not os.path.exists(done):
        os.makedirs(os.path.join(folder, "stores"), exist_ok=True)
        for one in os.listdir(os.path.join(folder, "stores")):
            # Those of single cities are converted again; what is partial is continued.
            if not one.endswith(".partial"):
                shutil.rmtree(os.path.join(folder, "stores", one))

        def show(done: int, of: int) -> None:
            if progress is not None:
                progress("convert", done, of)

        run: Callable[..., object] = getattr(convert, kind)
        run(paths, os.path.join(folder, "stores", f"{name}.zarr"), map=map, progress=show)
        with open(done, "w", encoding="utf-8"):
            pass
    made = sorted(os.listdir(os.path.join(folder, "stores")))
    return [(os.path.join(folder, "stores", one), "", None, None) for one in made]


def _files(paths: list[str]) -> list[str]:
    """Returns files with size and time of modification, which identify the input."""
    found = []
    for path in paths:
        names = [path]
        if os.path.isdir(path):
            names = [
                os.path.join(folder, name)
                for folder, _, files in os.walk(path, onerror=raise_error)
                for name in files
            ]
        for name in names:
            status = os.stat(name)
            found.append(f"{os.path.abspath(name)} {status.st_size} {status.st_mtime_ns}")
    return found


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
        help="L5Kit data sets, folders of Argoverse 2 scenarios, Waymo files",
    )
    parser.add_argument("-o", "--output", required=True, metavar="SITE")
    for name in ("title", "description", "licence", "author", "url", "citation"):
        parser.add_argument(f"--{name}", metavar="TEXT")
    parser.add_argument("--picture", metavar="FILE", help="for previews of links")
    for name in ("predictions", "rollouts"):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="FILE")
    parser.add_argument("--no-map", action="store_true", help="do not convert maps")
    parser.add_argument("--zip", action="store_true", help="each data set is one object")
    parser.add_argument("--keep", action="store_true", help="keep older versions")
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
        map=not arguments.no_map,
        zip=arguments.zip,
        keep=arguments.keep,
        app=arguments.app,
        progress=None if arguments.quiet or not sys.stderr.isatty() else _show,
    )
    print(json.dumps(report, indent=1))
    return 0


def _show(step: str, done: int, of: int) -> None:
    end = "\n" if done >= of else ""
    print(f"\r{step} {done} of {of}", end=end, file=sys.stderr, flush=True)
