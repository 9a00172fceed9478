"""Runs batch work in processes of this machine."""

from __future__ import annotations

import collections
import json
import os
import selectors
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from .._errors import Error, InvalidArgument, from_core
from ._work import Work, run

Progress = Callable[[int, int], None]

#: How often a task may end its process before that is an error.
ATTEMPTS = 3


class _Worker:
    """A process that runs the tasks whose numbers it is sent, one at a time."""

    def __init__(self, work: Work) -> None:
        # A session of its own: Control-C reaches the driver alone. At the end of its
        # input, when the driver is gone, the worker ends after its task.
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bevscope", "batch", "worker", work.output],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
            start_new_session=True,
            text=True,
        )
        self.task: int | None = None

    def send(self, task: int) -> None:
        self.task = task
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{task}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # its output ends too

    def answer(self) -> dict[str, Any] | None:
        """Returns the answer to send(); None if the process has ended."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.endswith("\n"):
            return None
        answer: dict[str, Any] = json.loads(line)
        return answer

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


class _Pool:
    """The workers of a run."""

    def __init__(self, work: Work, tasks: list[int], progress: Progress | None) -> None:
        self.work, self.progress = work, progress
        self.waiting = collections.deque(tasks)
        self.deaths: collections.Counter[int] = collections.Counter()
        self.results: dict[int, str] = {}
        self.selector = selectors.DefaultSelector()

    def start(self) -> None:
        worker = _Worker(self.work)
        assert worker.process.stdout is not None
        self.selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
        worker.send(self.waiting.popleft())

    def stop(self, worker: _Worker) -> None:
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

    def take(self, worker: _Worker) -> None:
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
    errors end all processes; the same call then continues.

    Args:
        processes: by default the number of processors. 1 runs tasks in this process.
        progress: called with the numbers of tasks done and of all.
    """
    count = processes if processes is not None else os.cpu_count() or 1
    if count < 1:
        raise InvalidArgument(f"processes: must be at least 1 (found {count})")
    missing = work.missing()
    if progress is not None:
        progress(len(work) - len(missing), len(work))
    if count == 1 or len(missing) <= 1:
        out = []
        for number, task in enumerate(missing, 1):
            out.append(run(work, task))
            if progress is not None:
                progress(len(work) - len(missing) + number, len(work))
        return out
    pool = _Pool(work, missing, progress)
    pool.run(count)
    return [pool.results[task] for task in missing]


def serve(work: Work) -> int:
    """Runs the tasks whose numbers come from the driver: the process of a worker."""
    # What libraries print must not be taken for answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        answer: dict[str, Any]
        try:
            answer = {"result": run(work, int(line))}
        except Error as error:
            answer = {"error": [error.code, str(error)]}
        except Exception as error:
            answer = {"error": ["internal", f"task {line.strip()}: {error!r}"]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    return 0
