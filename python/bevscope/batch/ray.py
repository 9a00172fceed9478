"""Runs batch work on Ray, and reads and writes arrays with Ray Data. Needs ray[data].

    agents = ray.data.read_datasource(bevscope.batch.ray.BevscopeDatasource("train.zarr"))
    agents = agents.filter(expr=col("track_id") == 7).select_columns(["centroid"])
    agents.write_datasink(bevscope.batch.ray.BevscopeDatasink("copy.zarr"))

Selections of columns and filters are pushed down: other fields, and chunks that the filter
excludes, are not read.
"""

from __future__ import annotations

from typing import Any

import ray

from ._local import Progress
from ._ray_data import BevscopeDatasink, BevscopeDatasource
from ._work import Work
from ._work import open as open_work
from ._work import run as run_task

__all__ = ["BevscopeDatasink", "BevscopeDatasource", "run"]

#: Tasks that Ray holds at a time.
_IN_FLIGHT = 1000


def _run(output: str, task: int) -> str:
    return run_task(open_work(output), task)


def run(work: Work, *, progress: Progress | None = None, **options: Any) -> list[str]:
    """Runs the tasks without a result on a cluster, whose machines see the folder
    OUTPUT.batch, and returns their results in order.

    Args:
        progress: called with the numbers of tasks done and of all.
        options: of ray.remote. Tasks of lost workers are repeated three times.
    """
    remote = ray.remote(_run).options(**{"max_retries": 3, **options})
    missing = work.missing()
    waiting, results = iter(missing), dict.fromkeys(missing, "")
    pending: dict[Any, int] = {}

    def start() -> None:
        for task in waiting:
            pending[remote.remote(work.output, task)] = task
            if len(pending) >= _IN_FLIGHT:
                return

    start()
    done = len(work) - len(missing)
    while pending:
        for one in ray.wait(list(pending))[0]:
            results[pending.pop(one)] = ray.get(one)
            done += 1
            if progress is not None:
                progress(done, len(work))
        start()
    return list(results.values())
