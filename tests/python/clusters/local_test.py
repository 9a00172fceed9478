"""All jobs in processes of this machine, and by commands, a process for each task."""

import os
import subprocess
import sys

import batch_data

from bevscope import batch


def test_four_processes_have_the_bytes_of_one(job, sources, expected, tmp_path):
    work = batch.plan(job, sources.of(job), tmp_path / "out")
    batch.local(work, processes=4)
    batch.commit(work)
    assert batch_data.contents(tmp_path / "out") == expected(job)


def test_commands_have_the_bytes_of_one_process(job, sources, expected, tmp_path):
    work = batch.plan(job, sources.of(job), tmp_path / "out")

    def command(*words):
        ran = subprocess.run(
            [sys.executable, "-m", "bevscope", "batch", *map(str, words)],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert ran.returncode == 0, ran.stderr

    for task in range(len(work)):
        command("run", work.output, "--task", task)
    command("commit", work.output)
    assert batch_data.contents(tmp_path / "out") == expected(job)
