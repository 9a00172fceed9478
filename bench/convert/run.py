"""Scenarios that one core converts per second, without decoding Parquet.

Usage: python run.py, with the interpreter that has bevscope and pyarrow. The goal is 40
scenarios/s, with maps.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests/python/interop"))

import argoverse2_city as city

from bevscope import _core
from bevscope._convert import argoverse2 as _argoverse2
from bevscope._convert.parquet import core_column, read_table

COUNT, ROUNDS, GOAL = 100, 7, 40


def decoded(root):
    """Returns the columns and maps of all scenarios in memory."""
    out = []
    for source in _argoverse2.find([root]):
        content = _argoverse2.read_file(source.parquet)
        names = _argoverse2.REQUIRED + _argoverse2.OPTIONAL
        table = read_table(content, names, source.parquet)
        columns = [core_column(n, table.column(n), "") for n in table.column_names]
        out.append((columns, _argoverse2.read_file(source.map)))
    return out


def seconds_of(scenarios, with_map):
    """Returns the seconds of a conversion to objects that are dropped."""
    importer = _core.Argoverse2Importer("")
    size = 0

    def count(*objects):
        nonlocal size
        size += len(objects[-1])

    begin = time.perf_counter()
    writer = _core.ScenarioWriter(count, "scored", "argoverse2", count)
    for columns, log_map in scenarios:
        writer.add(importer.read(columns, log_map if with_map else b"", "", ""))
    writer.close()
    seconds = time.perf_counter() - begin
    assert writer.scene_count == len(scenarios)
    assert size > 10_000 * len(scenarios)
    return seconds


def main():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    met = True
    with tempfile.TemporaryDirectory() as folder:
        city.write(Path(folder), COUNT, COUNT)
        scenarios = decoded(folder)
    for with_map in (False, True):
        seconds = [seconds_of(scenarios, with_map) for _ in range(ROUNDS)]
        rate = COUNT / statistics.median(seconds)
        met = met and rate >= GOAL
        what = "with maps" if with_map else "without maps"
        print(f"{what:<14} {rate:7.0f} scenarios/s a core (goal {GOAL})")
    sys.exit(not met)


main()
