"""Argoverse 2 motion forecasting: finds scenarios and reads their files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass

from .. import _checks, _core
from .._errors import Error, NotFound
from .._sources.files import raise_error, read_file
from .parquet import core_column, pyarrow, read_table

REQUIRED = tuple(_core.argoverse2_columns(required=True))
OPTIONAL = tuple(_core.argoverse2_columns(required=False))


@dataclass(frozen=True)
class Source:
    """The files of a scenario."""

    parquet: str
    map: str

    @property
    def file(self) -> str:
        return os.path.basename(self.parquet)


def _source(parquet: str) -> Source:
    folder, name = os.path.split(parquet)
    id = name[len("scenario_") : -len(".parquet")]
    return Source(parquet, os.path.join(folder, f"log_map_archive_{id}.json"))


def _is_scenario(name: str) -> bool:
    return name.startswith("scenario_") and name.endswith(".parquet")


def find(paths: Iterable[str | os.PathLike[str]]) -> list[Source]:
    """Returns the scenarios below folders, and given files, in the order of the paths;
    those below a folder by name."""
    found: dict[str, Source] = {}
    for given in paths:
        path = _checks.expanded(given)
        if os.path.isdir(path):
            files = [
                os.path.join(folder, name)
                for folder, folders, names in os.walk(path, onerror=raise_error)
                if folders.sort() is None
                for name in sorted(names)
                if _is_scenario(name)
            ]
        elif os.path.exists(path):
            files = [path]
        else:
            raise NotFound(f"{path}: not found")
        if not files:
            raise NotFound(f"{path}: no scenarios (scenario_ID.parquet) found")
        for file in files:
            if not _is_scenario(os.path.basename(file)):
                raise NotFound(f"{file}: not a scenario (expected scenario_ID.parquet)")
            found.setdefault(os.path.abspath(file), _source(file))
    return list(found.values())


def city_of(source: Source) -> str:
    """Returns a scenario's city by reading one column."""
    pa = pyarrow()
    try:
        parquet = pa.parquet.ParquetFile(source.parquet)
        if "city" not in parquet.schema_arrow.names:
            raise Error(f"{source.parquet}: columns not found: city", "not_found")
        for batch in parquet.iter_batches(batch_size=1, columns=["city"]):
            return str(batch.column(0)[0].as_py())
    except (pa.ArrowException, OSError) as error:
        raise Error(
            f"{source.parquet}: not a readable Parquet file: {error}", "corrupt_chunk"
        ) from None
    raise Error(f"{source.parquet}: scenario: no rows", "invalid_metadata")


def read(
    importer: _core.Argoverse2Importer, source: Source, with_map: bool
) -> _core.Scenario:
    """Reads a scenario. May run in several threads at the same time."""
    content = read_file(source.parquet)
    table = read_table(content, REQUIRED + OPTIONAL, source.parquet)
    columns = [
        core_column(name, table.column(name), source.parquet)
        for name in table.column_names
        if name in REQUIRED or table.column(name).null_count == 0
    ]
    map_json = read_file(source.map) if with_map else b""
    if with_map and not map_json:
        raise Error(f"{source.map}: map: not a JSON object", "invalid_metadata")
    digest = hashlib.sha256(content).hexdigest()
    try:
        return importer.read(columns, map_json, source.file, digest)
    except Error as error:
        raise type(error)(f"{source.parquet}: {error}", error.code) from None
