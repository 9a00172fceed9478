"""Batch work whose processes are killed at random times."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import batch_data
import pytest

from bevscope import batch

KILLS = 20
DRIVER = """
import sys
from bevscope import batch
work = batch.plan({"job": "mask", "chunks": 1}, sys.argv[1], sys.argv[2])
batch.local(work, processes=2)
batch.commit(work)
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return batch_data.make(tmp_path_factory.mktemp("kill") / "made.zarr", (6, 31, 400))


@pytest.fixture(scope="module")
def expected(data, tmp_path_factory):
    output = tmp_path_factory.mktemp("kill") / "out"
    work = batch.plan({"job": "mask", "chunks": 1}, data, output)
    batch.local(work, processes=1)
    batch.commit(work)
    return batch_data.contents(output)


def start(data, output):
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, data, output],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def workers_of(process):
    """Returns the processes that the driver has started."""
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    try:
        return [int(one) for one in path.read_text().split()]
    except OSError:
        return []


def test_twenty_random_kills_leave_all_or_nothing(data, expected, tmp_path):
    choose, output, kills, rounds = random.Random(24), tmp_path / "out", 0, 0
    while kills < KILLS:
        rounds += 1
        assert rounds < 5 * KILLS
        process = start(data, output)
        until = time.monotonic() + choose.uniform(0.05, 0.9)
        while time.monotonic() < until and process.poll() is None:
            time.sleep(0.01)
        victims = workers_of(process)
        if process.poll() is None:
            kills += 1
            victim = choose.choice([process.pid, *victims])
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass
            if victim == process.pid:
                process.wait()
        _, problem = process.communicate(timeout=60)
        assert process.returncode in (0, -signal.SIGKILL), problem
        if output.exists():
            assert batch_data.contents(output) == expected
            if process.returncode == 0:
                assert not Path(f"{output}.batch").exists()
                output.rename(tmp_path / f"out-{rounds}")
    process = start(data, output)
    _, problem = process.communicate(timeout=60)
    assert process.returncode == 0, problem
    assert batch_data.contents(output) == expected
    left = [one.name for one in tmp_path.iterdir() if ".batch" in one.name]
    # Removal is by a rename first: what a kill leaves of it has another name.
    assert all(name.startswith("out.batch-") for name in left)


def test_a_task_that_ends_its_process_is_an_error(data, tmp_path, monkeypatch):
    from bevscope.batch import _local

    work = batch.plan({"job": "mask", "chunks": 1}, data, tmp_path / "out")
    monkeypatch.setattr(_local._Worker, "send", _killed(_local._Worker.send))
    with pytest.raises(Exception, match=r"task \d+: its process ended 3 times"):
        batch.local(work, processes=2)
    assert not (tmp_path / "out").exists()


def _killed(send):
    def killed(worker, task):
        send(worker, task)
        worker.process.kill()

    return killed
