"""Batch work on a data set of L5Kit's size: 320 million agents."""

import json
import os
import subprocess
import sys

import batch_data
import pytest

#: Runs steps in a process of its own, whose memory is measured.
STEPS = """
import json, resource, sys
from bevscope import batch
job, dataset, output, step = sys.argv[1:]
if step == "plan":
    work = batch.plan(json.loads(job), dataset, output)
elif step == "commit":
    batch.commit(batch.open(output))
else:
    work = batch.open(output)
    for task in map(int, step.split(",")):
        batch.run(work, task)
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10]))
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return batch_data.make_large(tmp_path_factory.mktemp("large") / "large.zarr")


def measured(job, large, output, step):
    """Returns the seconds of the processor, and the most memory in MiB."""
    ran = subprocess.run(
        [sys.executable, "-c", STEPS, json.dumps(job), large, output, step],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_plans_of_320_million_agents_take_seconds_and_little_memory(large, tmp_path):
    for name, job in batch_data.JOBS.items():
        if job["job"] not in ("mask", "statistics", "copy", "facts"):
            continue
        plain = {"job": job["job"]} | ({"format": "npy"} if name == "facts" else {})
        seconds, memory = measured(plain, large, tmp_path / name, "plan")
        print(f"plan {name}: {seconds:.2f} s, {memory} MiB")
        assert seconds < 10
        assert memory < 300


def test_workers_of_320_million_agents_need_little_memory(large, tmp_path):
    job = {"job": "mask"}
    measured(job, large, tmp_path / "out", "plan")
    # Of far places, and as many as one worker runs.
    tasks = ",".join(str(one) for one in range(0, 320, 8))
    seconds, memory = measured(job, large, tmp_path / "out", tasks)
    print(f"40 tasks, 40 million agents: {seconds:.1f} s, {memory} MiB")
    # 256 MiB of chunks are cached; the interpreter and a scene come on top.
    assert memory < 600
