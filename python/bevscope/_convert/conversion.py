"""Writes scenarios to a folder, from which an interrupted conversion continues."""

from __future__ import annotations

import collections
import fcntl
import functools
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from .. import _core
from .._errors import InvalidArgument
from .._sources.files import accessing, read_file, writing

# Names in an incomplete folder.
_STATE, _PROGRESS = ".state", ".progress.json"
_MAP = "semantic_map/semantic_map.pb"

Read = Callable[[], _core.Scenario]


class Conversion:
    """Writes scenarios to OUTPUT.partial, which commit() renames to OUTPUT. As a context,
    it holds the folder's lock."""

    def __init__(
        self, output: str, reads: Sequence[Read], identity: dict[str, Any], source: str
    ) -> None:
        """`identity` has the settings and the sources, by which a conversion knows an
        incomplete folder as its own."""
        self.output, self.reads, self.identity = output, reads, identity
        self.partial = output + ".partial"
        # Not methods, which would be reference cycles that Python cannot see.
        write = functools.partial(_write, self.partial)
        append = functools.partial(_append, self._path(_MAP))
        mask = identity["settings"]["mask"]
        self.writer = _core.ScenarioWriter(write, mask, source, append)
        self._lock = -1

    def __enter__(self) -> Conversion:
        with accessing(self.partial):
            os.makedirs(self.partial, exist_ok=True)
            self._lock = os.open(self.partial, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_locked = os.path.samestat(os.fstat(self._lock), os.stat(self.partial))
        except OSError:
            is_locked = False
        if not is_locked:
            os.close(self._lock)
            raise InvalidArgument(f"{self.partial}: another process is writing it")
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)

    def run(
        self, jobs: int, progress: Callable[[int], None], checkpoint: int
    ) -> dict[str, Any]:
        """Writes all scenarios and returns the report. `checkpoint` is the number of
        scenarios between two checkpoints."""
        saved = self._restore()
        if "report" in saved:
            return {"path": self.output, **saved["report"]}
        start = saved["done"]
        # Maps are not part of a checkpoint.
        begin = 0 if self.identity["settings"]["map"] else start
        if self.identity["settings"]["map"]:
            _write(self.partial, _MAP, b"")
        for index, scenario in enumerate(_in_order(self.reads[begin:], jobs), begin):
            if index < start:
                self.writer.add_map(scenario)
                continue
            self.writer.add(scenario)
            progress(index + 1)
            if (index + 1) % checkpoint == 0:
                _write(self.partial, f"{_STATE}.{index + 1}", self.writer.state())
                self._save_progress({"done": index + 1})
        report = {"path": self.output, **json.loads(self.writer.close())}
        self._save_progress({"done": len(self.reads), "report": report})
        return report

    def commit(self) -> None:
        """Removes the checkpoint and renames the folder."""
        with accessing(self.output):
            for name in os.listdir(self.partial):
                if name.startswith((_STATE, _PROGRESS)):
                    os.remove(self._path(name))
            os.rename(self.partial, self.output)

    def _path(self, name: str) -> str:
        return os.path.join(self.partial, name)

    def _restore(self) -> dict[str, Any]:
        """Returns the progress of an interrupted conversion, which continues. Without
        any, the folder is emptied."""
        if not os.path.exists(self._path(_PROGRESS)):
            self._clear()
            return {"done": 0}
        saved: dict[str, Any] = json.loads(read_file(self._path(_PROGRESS)))
        if {key: saved[key] for key in ("settings", "sources")} != self.identity:
            raise InvalidArgument(
                f"{self.partial}: left by a conversion with other sources or options; "
                "remove it or repeat that call"
            )
        if "report" not in saved:
            state = self._path(f"{_STATE}.{saved['done']}")
            self.writer.restore(read_file(state))
        return saved

    def _clear(self) -> None:
        """Removes everything."""
        with accessing(self.partial), os.scandir(self.partial) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path)
                else:
                    os.remove(entry.path)

    def _save_progress(self, progress: dict[str, Any]) -> None:
        """Replaces the progress, which names the state, and then removes older states."""
        _write(self.partial, _PROGRESS, json.dumps({**self.identity, **progress}).encode())
        for name in os.listdir(self.partial):
            if name.startswith(_STATE) and name != f"{_STATE}.{progress['done']}":
                os.remove(self._path(name))


def _write(folder: str, key: str, content: bytes) -> None:
    """Replaces an object in a folder."""
    path = os.path.join(folder, *key.split("/"))
    with writing(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "wb") as file:
            file.write(content)
        os.replace(path + ".new", path)


def _append(path: str, content: bytes) -> None:
    """Appends bytes to a file."""
    with writing(path), open(path, "ab") as file:
        file.write(content)


def _in_order(reads: Sequence[Read], jobs: int) -> Iterator[_core.Scenario]:
    """Yields the scenarios in order, reading a few ahead in threads."""
    if jobs < 1:
        raise InvalidArgument(f"jobs: must be at least 1 (found {jobs})")
    pending: collections.deque[Future[_core.Scenario]] = collections.deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for read in reads:
                pending.append(pool.submit(read))
                if len(pending) > 2 * jobs:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()
