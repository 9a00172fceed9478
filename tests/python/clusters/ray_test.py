"""Batch work and arrays on a Ray cluster of this machine."""

import batch_data
import numpy as np
import pytest

import bevscope
from bevscope import batch

ray = pytest.importorskip("ray")
from bevscope.batch import ray as engine  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.parametrize("name", batch_data.JOBS)
def test_the_bytes_are_those_of_one_process(name, data, expected, tmp_path):
    job = batch_data.JOBS[name]
    work = batch.plan(job, data, tmp_path / "out")
    seen = []
    results = engine.run(work, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(work), len(work))
    batch.commit(work, results)
    assert batch_data.contents(tmp_path / "out") == expected(job)


def test_rows_fields_and_filters_are_those_of_a_reader(data):
    from ray.data.expressions import col

    agents = ray.data.read_datasource(engine.BevscopeDatasource(str(data)))
    assert agents.count() == 6 * 31 * 240
    chosen = agents.filter(expr=(col("track_id") == 7) & (col("yaw") > 0.1))
    found = chosen.select_columns(["yaw", "centroid"]).to_pandas()
    reader = bevscope.open(data).reader("agents", where="track_id == 7 and yaw > 0.1")
    yaw = np.concatenate([one["yaw"] for one in reader])
    np.testing.assert_array_equal(np.sort(found["yaw"]), np.sort(yaw))
    assert list(found.columns) == ["yaw", "centroid"]


def test_filters_and_columns_are_pushed_down(data):
    from ray.data.expressions import col

    source = engine.BevscopeDatasource(str(data))
    pushed = source.apply_projection({"yaw": "yaw"}).apply_predicate(col("yaw") > 0.1)
    rows = pushed._pushed()
    assert (rows.fields, len(rows.where)) == (["yaw"], 1)
    # A condition on a vector is not one of a filter: Ray evaluates it.
    assert source.apply_predicate(col("centroid") == 1) is source


def test_a_data_set_is_written_by_one_commit(data, tmp_path):
    store = str(tmp_path / "copy.zarr")
    agents = ray.data.read_datasource(
        engine.BevscopeDatasource(str(data), fields=["yaw", "track_id"])
    )
    agents.write_datasink(engine.BevscopeDatasink(store))
    loader = bevscope.DataLoader(store)
    assert len(loader) == 6 * 31 * 240
    found = np.sort(bevscope.open(store)["yaw"][:])
    np.testing.assert_array_equal(found, np.sort(bevscope.open(data).agents["yaw"]))
