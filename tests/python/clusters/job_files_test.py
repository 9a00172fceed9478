"""Kubernetes and Slurm accept the examples of job files, and Slurm runs its own."""

import contextlib
import getpass
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bevscope import batch

sys.path.insert(0, str(Path(__file__).parents[1]))
import batch_data  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "examples/batch/slurm.sh"
# Debian's slurm-wlm: daemons of this user, without keys that they share with others.
CONFIG = """
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CryptoType=crypto/none
StateSaveLocation={folder}
SlurmdSpoolDir={folder}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=localhost CPUs=2 RealMemory=8192
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def test_kubernetes_accepts_the_indexed_job():
    validate = pytest.importorskip("kubernetes_validate")
    import yaml

    job = yaml.safe_load((ROOT / "examples/batch/kubernetes.yaml").read_text())
    validate.validate(job, validate.latest_version(), strict=True)
    job["spec"]["completionMod"] = job["spec"].pop("completionMode")
    with pytest.raises(validate.ValidationError, match="completionMod"):
        validate.validate(job, validate.latest_version(), strict=True)


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """A cluster of this machine."""
    path = os.pathsep.join([os.environ["PATH"], "/usr/sbin"])
    daemons = [shutil.which(one, path=path) for one in ("slurmctld", "slurmd")]
    if not all(daemons):
        pytest.skip("slurmctld and slurmd are not installed (Debian's slurm-wlm)")
    folder = tmp_path / "cluster"
    folder.mkdir()
    config = folder / "slurm.conf"
    config.write_text(
        CONFIG.format(ports=free_ports(2), user=getpass.getuser(), folder=folder)
    )
    monkeypatch.setenv("SLURM_CONF", str(config))
    with contextlib.ExitStack() as stack:
        log = stack.enter_context((folder / "log").open("wb"))
        for command in ([daemons[0], "-D"], [daemons[1], "-D", "-N", "localhost"]):
            one = subprocess.Popen(command, stdout=log, stderr=log)
            stack.callback(one.wait)
            stack.callback(one.terminate)
        until("idle", "sinfo", "--noheader", "--format=%T")
        yield


def output_of(*command):
    done = subprocess.run(map(str, command), capture_output=True, text=True, check=False)
    return done.stdout.strip() + done.stderr.strip()


def until(expected, *command, seconds=300):
    """Waits until a command prints a text."""
    end = time.monotonic() + seconds
    while (found := output_of(*command)) != expected:
        assert time.monotonic() < end, f"{command}: found {found!r}"
        time.sleep(0.2)


def test_slurm_accepts_the_job_array_and_runs_it(slurm, tmp_path, monkeypatch):
    data = batch_data.make(tmp_path / "made.zarr")
    outputs = [tmp_path / name for name in ("slurm", "local")]
    works = [batch.plan({"job": "mask", "chunks": 1}, data, one) for one in outputs]
    assert "to start at" in output_of("sbatch", "--test-only", SCRIPT, outputs[0])
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    options = ("--parsable", "--array=0-1", f"--output={tmp_path}/%a.log")
    job = output_of("sbatch", *options, SCRIPT, outputs[0])
    assert job.isdigit(), job
    until("", "squeue", "--noheader", f"--jobs={job}")
    logs = [(tmp_path / f"{i}.log").read_text() for i in range(2)]
    assert works[0].missing() == [], logs
    batch.local(works[1], processes=1)
    for work in works:
        batch.commit(work)
    written, expected = (batch_data.contents(one) for one in outputs)
    assert written == expected
