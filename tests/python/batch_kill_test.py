"""Batch work whose processes are killed, at random times and at each step of a commit."""

import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import batch_data
import pytest

from bevscope import batch
from bevscope.batch import _local
from bevscope.batch._worker import Worker

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


def test_random_kills_leave_all_or_nothing(data, expected, tmp_path, request):
    wanted = 20 if request.config.getoption("whole") else 5
    choose, output, kills, rounds = random.Random(24), tmp_path / "out", 0, 0
    while kills < wanted:
        rounds += 1
        assert rounds < 5 * wanted
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
                assert not list(tmp_path.glob("out.batch*"))
                output.rename(tmp_path / f"out-{rounds}")
    process = start(data, output)
    _, problem = process.communicate(timeout=60)
    assert process.returncode == 0, problem
    assert batch_data.contents(output) == expected
    assert not list(tmp_path.glob("out.batch*"))


def test_a_worker_that_is_killed_before_it_is_sent_a_task_is_replaced(data, tmp_path):
    worker = Worker(batch.plan({"job": "mask", "chunks": 1}, data, tmp_path / "out"))
    os.kill(worker.process.pid, signal.SIGKILL)
    worker.process.wait()
    worker.send(0)
    assert worker.answer() is None
    worker.stop()  # the unsent task is still in the buffer of the pipe


def commit_until(step, output):
    """Commits in a process that ends at a step: when it would give a file or folder a
    name, or make one durable. Returns whether it ended there."""
    process = os.fork()
    if process == 0:
        left = itertools.count(1)

        def ending(call):
            def counted(*arguments):
                if next(left) == step:
                    os._exit(9)
                return call(*arguments)

            return counted

        for name in ("rename", "replace", "fsync"):
            setattr(os, name, ending(getattr(os, name)))
        status = 1
        try:
            batch.commit(batch.open(output))
            status = 0
        finally:
            os._exit(status)
    ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    assert ended in (0, 9)
    return ended == 9


@pytest.mark.parametrize("adds", [False, True])
def test_a_commit_killed_at_any_step_is_all_or_nothing(adds, data, expected, tmp_path):
    job = {"job": "mask", "chunks": 1}
    before = batch_data.contents(data)
    source = shutil.copytree(data, tmp_path / "source.zarr") if adds else data
    output = source if adds else tmp_path / "out"
    batch.local(batch.plan(job, source, output), processes=1)
    collected, original = Path(f"{output}.batch"), tmp_path / "collected"
    shutil.copytree(collected, original)

    def check_committed():
        found = batch_data.contents(output)
        assert not list(tmp_path.glob(f"{output.name}.batch*"))
        new = {key: one for key, one in found.items() if key not in before}
        names = {"agents_mask", ".bevscope"}
        known = {k: v for k, v in expected.items() if k.split("/")[0] in names}
        if adds:  # another data set has another plan, with another manifest
            new, known = (
                {k: v for k, v in one.items() if not k.startswith(".bevscope")}
                for one in (new, known)
            )
            assert {key: found[key] for key in before} == before
            assert new == known
        else:
            assert found == expected

    for step in itertools.count(1):
        killed = commit_until(step, output)
        mask = output / "agents_mask/0.5"
        if mask.exists():
            chunks = {k: v for k, v in expected.items() if k.startswith("agents_mask/0.5")}
            found = batch_data.contents(output)
            assert {k: found.get(k) for k in chunks} == chunks
        if killed and collected.exists():
            batch.commit(batch.open(output))
        elif killed:
            batch.commit(batch.plan(job, source, output))
        check_committed()
        if not killed:
            break
        for folder in ("agents_mask", ".bevscope") if adds else (".",):
            shutil.rmtree(output / folder)
        shutil.copytree(original, collected)
    assert step > 15


def test_control_c_ends_the_processes_and_the_command_continues(data, expected, tmp_path):
    output = tmp_path / "out"
    work = batch.plan({"job": "mask", "chunks": 1}, data, output)
    # In the background, the signal would be ignored.
    program = (
        "import runpy, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "runpy.run_module('bevscope', run_name='__main__')\n"
    )
    words = ["batch", "run", str(output), "--processes", "2", "--commit"]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not workers_of(process):
        time.sleep(0.01)
    workers = workers_of(process)
    process.send_signal(signal.SIGINT)
    _, problem = process.communicate(timeout=60)
    assert process.returncode == 130, problem
    assert "tasks are done; the same command continues" in problem
    # One that was just being started ends when it finds its driver gone.
    until = time.monotonic() + 60
    while any(Path(f"/proc/{one}").exists() for one in workers):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert not output.exists()
    shown = []
    batch.local(work, processes=2, progress=lambda *numbers: shown.append(numbers))
    assert shown[-1] == (len(work), len(work))
    assert shown == sorted(shown)
    batch.commit(work)
    assert batch_data.contents(output) == expected


def test_two_drivers_at_once_write_the_same_bytes(data, expected, tmp_path):
    output = tmp_path / "out"
    drivers = [start(data, output) for _ in range(2)]
    problems = [one.communicate(timeout=120)[1] for one in drivers]
    assert [one.returncode for one in drivers] == [0, 0], problems
    assert batch_data.contents(output) == expected


@pytest.mark.parametrize("processes", [1, 2])
def test_a_driver_ends_when_another_has_committed(
    data, expected, tmp_path, monkeypatch, processes
):
    output = tmp_path / "out"
    work = batch.plan({"job": "mask", "chunks": 1}, data, output)
    name = "run" if processes == 1 else "_Pool"
    begin = getattr(_local, name)

    def late(*arguments):
        monkeypatch.undo()
        other = batch.open(work.output)
        batch.local(other, processes=1)
        batch.commit(other)
        return begin(*arguments)

    monkeypatch.setattr(_local, name, late)
    assert batch.local(work, processes=processes) == []
    batch.commit(work)
    assert batch_data.contents(output) == expected


FULL = """
import errno, os, subprocess, sys
from bevscope import ReadError, batch
data, output = sys.argv[1:]
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", os.path.dirname(output)],
               check=True)
try:
    work = batch.plan({"job": "mask", "chunks": 1}, data, output)
    batch.local(work, processes=2)
    batch.commit(work)
except ReadError as error:
    print(error.code, error)
    print(os.path.exists(output))
    subprocess.run(["mount", "-o", "remount,size=64m", os.path.dirname(output)], check=True)
    work = batch.plan({"job": "mask", "chunks": 1}, data, output)
    print(len(work.missing()) > 0)
    batch.local(work, processes=2)
    batch.commit(work)
    sys.path.insert(0, os.environ["HERE"])
    import batch_data, json
    print(json.dumps(batch_data.contents(__import__("pathlib").Path(output))))
"""


def test_a_disk_that_is_full_is_a_typed_error_and_nothing_is_published(
    data, expected, tmp_path
):
    can = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", tmp_path])
    if can.returncode != 0:
        pytest.skip("a file system cannot be mounted here")
    ran = subprocess.run(
        ["unshare", "-rm", sys.executable, "-c", FULL, data, tmp_path / "out"],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "HERE": str(Path(__file__).parent),
        },
    )
    assert ran.returncode == 0, ran.stderr
    error, published, is_incomplete, found = ran.stdout.splitlines()
    assert error.startswith("io ")
    assert "write failed: No space left on device" in error
    assert (published, is_incomplete) == ("False", "True")
    assert json.loads(found) == expected


def test_a_task_that_ends_its_process_is_an_error(data, tmp_path, monkeypatch):
    from bevscope.batch import _local

    work = batch.plan({"job": "mask", "chunks": 1}, data, tmp_path / "out")
    monkeypatch.setattr(_local.Worker, "send", _killed(_local.Worker.send))
    with pytest.raises(Exception, match=r"task \d+: its process ended 3 times"):
        batch.local(work, processes=2)
    assert not (tmp_path / "out").exists()


def _killed(send):
    def killed(worker, task):
        send(worker, task)
        worker.process.kill()

    return killed
