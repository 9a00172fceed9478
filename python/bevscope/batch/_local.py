"""Runs batch work in processes of this machine."""

from __future__ import annotations

import collections
import os
import selectors
from collections.abc import Callable

from .._errors import Error, InvalidArgument, from_core
from ._work import Work, run
from ._worker import Worker

Progress = Callable[[int, int], None]

#: How often a task may end its process before that is an error.
ATTEMPTS = 3


class _Pool:
    """The workers of a run."""

    def __init__(
        self,
        work: Work,
        tasks: list[int],
        progress: Progress | None,
        results: dict[int, str],
    ) -> None:
        self.work, self.progress, self.results = work, progress, results
        self.waiting = collections.deque(tasks)
        self.deaths: collections.Counter[int] = collections.Counter()
        self.selector = selectors.DefaultSelector()

    def start(self) -> None:
        worker = Worker(self.work)
        assert worker.process.stdout is not None
        self.selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
        worker.send(self.waiting.popleft())

    def stop(self, worker: Worker) -> None:
        assert worker.process.stdout is not None
        self.selector.unregister(worker.process.stdout)
        worker.stop()

    def run(self, processes: int) -> None:
        try:
            for _ in range(min(processes, len(self.waiting))):
                self.start()
            while self.selector.get_map():
                for key, _ in self.selector.select():
                    self.take(key.data)
        finally:
            for key in list(self.selector.get_map().values()):
                self.stop(key.data)
            self.selector.close()

    def take(self, worker: Worker) -> None:
        """Takes a worker's answer, and gives it, or its successor, the next task."""
        answer, task = worker.answer(), worker.task
        assert task is not None
        if answer is None:
            self.stop(worker)
            self.deaths[task] += 1
            if self.deaths[task] == ATTEMPTS:
                raise Error(
                    f"task {task}: its process ended {ATTEMPTS} times (exit status "
                    f"{worker.process.returncode})",
                    "internal",
                )
            self.waiting.appendleft(task)
            self.start()
            return
        if "error" in answer:
            raise from_core(*answer["error"])
        self.results[task] = answer["result"]
        if self.progress is not None:
            done = len(self.work) - len(self.waiting) - self.running() + 1
            self.progress(done, len(self.work))
        if self.waiting:
            worker.send(self.waiting.popleft())
        else:
            self.stop(worker)

    def running(self) -> int:
        return len(self.selector.get_map())


def local(
    work: Work, *, processes: int | None = None, progress: Progress | None = None
) -> list[str]:
    """Runs the tasks without a result in processes of this machine, and returns the
    results of these.

    A process that is killed is replaced, and its task run again. KeyboardInterrupt and
    errors end all processes; the same call then continues. If another driver commits the
    same work meanwhile, the results are those of the tasks that this call has run.

    Args:
        processes: by default the number of processors. 1 runs tasks in this process.
        progress: called with the numbers of tasks done and of all.
    """
    count = processes if processes is not None else os.cpu_count() or 1
    if count < 1:
        raise InvalidArgument(f"processes: must be at least 1 (found {count})")
    results: dict[int, str] = {}
    try:
        _run(work, count, progress, results)
    except Error:
        # A commit removes the folder of the work, under tasks that begin.
        if not work.is_committed:
            raise
    return [text for _, text in sorted(results.items())]


def _run(
    work: Work, count: int, progress: Progress | None, results: dict[int, str]
) -> None:
    """Adds the results of the tasks that have none."""
    missing = work.missing()
    if progress is not None:
        progress(len(work) - len(missing), len(work))
    if count == 1 or len(missing) <= 1:
        for number, task in enumerate(missing, 1):
            results[task] = run(work, task)
            if progress is not None:
                progress(len(work) - len(missing) + number, len(work))
        return
    _Pool(work, missing, progress, results).run(count)
