"""A job of batch work: what a task is, and what a commit adds."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ... import _checks
from ..._data.dataset import Dataset
from ..._errors import InvalidArgument
from ..._sources.files import accessing
from ..._sources.source import shown

#: Stores an object of the output.
Put = Callable[[str, bytes], None]
Report = dict[str, Any]


class Job:
    """A job on a data set.

    Attributes:
        options: all options with their values, as the plan has them.
        address: of the data set.
        units: files or folders of the output that may be added to an existing store;
            empty if the output must be new.
    """

    #: Options and their usual values; None must be given.
    usual: Mapping[str, Any] = {}

    def __init__(self, options: Mapping[str, Any], address: Any) -> None:
        self.options = {"job": options["job"], **_completed(options, self.usual)}
        self.address = address
        self.units: tuple[str, ...] = ()

    def fingerprint(self) -> str:
        """Returns what changes when the data set does."""
        return fingerprint_of(self.address, lambda: self.dataset, self.uses_masks())

    def uses_masks(self) -> bool:
        """Whether the output depends on the masks in the data set. Other jobs may run
        while masks are added to it."""
        return False

    @functools.cached_property
    def dataset(self) -> Dataset:
        """The data set, opened when it is first used."""
        return Dataset(self.address)

    def tasks(self) -> list[dict[str, Any]]:
        """Returns the tasks, each of which owns whole objects of the output."""
        raise NotImplementedError

    def run(self, task: Mapping[str, Any], put: Put) -> Report:
        """Writes a task's objects, with bytes that depend on plan and data set alone."""
        raise NotImplementedError

    def finish(
        self, tasks: Sequence[Mapping[str, Any]], reports: Sequence[Report], put: Put
    ) -> Report:
        """Writes what describes all objects, and returns the job's report."""
        raise NotImplementedError

    def published(self, output: str) -> None:
        """Called after units were added to an existing store."""


def _completed(given: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    for name in given:
        if name != "job" and name not in usual:
            known = ", ".join(sorted(usual))
            raise InvalidArgument(
                f'job {given["job"]}: unknown option "{name}" (expected one of {known})'
            )
    return {**usual, **{name: one for name, one in given.items() if name != "job"}}


def address_of(dataset: Any) -> Any:
    """Returns an address as JSON: paths are absolute."""
    if isinstance(dataset, (list, tuple)):
        return [address_of(one) for one in dataset]
    if not isinstance(dataset, (str, os.PathLike)):
        raise InvalidArgument(
            f"data set: expected a path or URL (found {type(dataset).__name__})"
        )
    path = _checks.expanded(dataset)
    if "://" not in path:
        return os.path.abspath(path)
    if shown(path) != path:
        raise InvalidArgument(
            f"{path}: a user name, password or query would be stored in OUTPUT.batch; use "
            "an address without them, such as s3://BUCKET/KEY"
        )
    return path


def ranges(count: int, step: int, name: str) -> list[tuple[int, int]]:
    """Divides a number of items into tasks."""
    if not isinstance(step, int) or step < 1:
        raise InvalidArgument(f"{name}: must be at least 1 (found {step})")
    return [(begin, min(begin + step, count)) for begin in range(0, count, step)]


def files_fingerprint(root: str, paths: Sequence[str]) -> str:
    """Returns a hash of the names, sizes and modification times of files."""
    digest = hashlib.sha256()
    for path in paths:
        with accessing(path):
            found = os.stat(path)
        name = os.path.relpath(path, root)
        digest.update(f"{name}\0{found.st_size}\0{found.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def fingerprint_of(address: Any, opened: Callable[[], Dataset], with_masks: bool) -> str:
    """Returns a hash of a data set's files: names, sizes, modification times. Of a URL,
    one of its metadata."""
    if isinstance(address, str) and os.path.isfile(address):
        return files_fingerprint(os.path.dirname(address), [address])
    if not isinstance(address, str) or not os.path.isdir(address):
        described = opened()._handle.call(lambda core: core.describe())
        return hashlib.sha256(described.encode()).hexdigest()
    paths = []
    for folder, folders, names in os.walk(address):
        # What commits added does not change the data set.
        added = (".bevscope",) if with_masks else (".bevscope", "agents_mask")
        folders[:] = sorted(one for one in folders if one not in added)
        paths += [os.path.join(folder, name) for name in sorted(names)]
    return files_fingerprint(address, paths)
