"""Data for the tests of clusters."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
import batch_data  # noqa: E402

from bevscope import batch  # noqa: E402

# Workers of the engines import bevscope from where the tests do.
os.environ["PYTHONPATH"] = os.pathsep.join(one for one in sys.path if one)
os.environ["PYSPARK_PYTHON"] = sys.executable


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    return batch_data.make(tmp_path_factory.mktemp("clusters") / "made.zarr")


@pytest.fixture(scope="session")
def expected(data, tmp_path_factory):
    """Returns the output of a job, run in this process, as hashes."""

    def output_of(job):
        output = tmp_path_factory.mktemp("expected") / "out"
        work = batch.plan(job, data, output)
        batch.local(work, processes=1)
        batch.commit(work)
        return batch_data.contents(output)

    return output_of
