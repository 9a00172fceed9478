"""The processes of the local runner."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from typing import Any

from .._errors import Error
from ._work import Work, run


class Worker:
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
                # A task that send() could not deliver is still in the buffer.
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


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
