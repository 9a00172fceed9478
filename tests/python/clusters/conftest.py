"""Data for the tests of clusters."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
import batch_data  # noqa: E402

from bevscope import batch  # noqa: E402

# Workers of the engines import bevscope from where the tests do, and use no network.
os.environ["PYTHONPATH"] = os.pathsep.join(one for one in sys.path if one)
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_worker_niceness"] = "0"  # by default, other programs go first

JOBS = {**batch_data.JOBS, **batch_data.ARROW_JOBS}


def pytest_generate_tests(metafunc):
    if "job" in metafunc.fixturenames:
        metafunc.parametrize("job", JOBS.values(), ids=JOBS)


@pytest.fixture(scope="session")
def sources(tmp_path_factory):
    return batch_data.Sources(tmp_path_factory.mktemp("clusters"))


@pytest.fixture(scope="session")
def data(sources):
    return sources.of(JOBS["mask"])


@pytest.fixture(scope="session")
def numbers(tmp_path_factory):
    """Returns a store with an array of special numbers, and its rows."""
    return batch_data.make_numbers(tmp_path_factory.mktemp("numbers") / "numbers.zarr")


@pytest.fixture(scope="session")
def expected(sources, tmp_path_factory):
    """Returns the output of a job, run in this process, as hashes."""
    known = {}

    def output_of(job):
        name = str(job)
        if name not in known:
            output = tmp_path_factory.mktemp("expected") / "out"
            work = batch.plan(job, sources.of(job), output)
            assert len(work) > 2
            batch.local(work, processes=1)
            batch.commit(work)
            known[name] = batch_data.contents(output)
        return known[name]

    return output_of


@pytest.fixture
def check_mask(goldens, tmp_path):
    """Returns a check that a runner's mask is L5Kit's."""
    import zarr

    def check(run):
        job = {"job": "mask", "chunks": 1}
        store = goldens / "inputs/multi_scene.zarr"
        work = batch.plan(job, store, tmp_path / "mask.zarr")
        batch.commit(work, run(work))
        mask = zarr.open_group(str(tmp_path / "mask.zarr"), mode="r")["agents_mask/0.5"]
        with np.load(goldens / "outputs/select/multi_th0.5.npz") as file:
            np.testing.assert_array_equal(mask[:], file["mask"])

    return check
