"""Batch work and arrays on a Ray cluster of this machine."""

import itertools
import operator
import os
import signal

import batch_data
import numpy as np
import pyarrow as pa
import pytest

import bevscope
from bevscope import batch

ray = pytest.importorskip("ray")
from ray.data.expressions import col, lit  # noqa: E402

from bevscope.batch import _ray_data  # noqa: E402
from bevscope.batch import ray as engine  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        object_store_memory=200 << 20,
        _node_ip_address="127.0.0.1",
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


def test_the_bytes_are_those_of_one_process(job, sources, expected, tmp_path):
    work = batch.plan(job, sources.of(job), tmp_path / "out")
    seen = []
    results = engine.run(work, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(work), len(work))
    batch.commit(work, results)
    assert batch_data.contents(tmp_path / "out") == expected(job)


def test_the_mask_is_l5kits(check_mask):
    check_mask(engine.run)


def test_a_killed_worker_is_replaced(data, expected, tmp_path):
    work = batch.plan(batch_data.JOBS["mask"], data, tmp_path / "out")
    killed = []

    def kill(done, total):
        if not killed and done == 1:
            killed.append(ray.get(worker.remote()))
            os.kill(killed[0], signal.SIGKILL)

    @ray.remote
    def worker():
        return os.getpid()

    results = engine.run(work, progress=kill)
    assert killed
    batch.commit(work, results)
    assert batch_data.contents(tmp_path / "out") == expected(batch_data.JOBS["mask"])


def test_errors_of_tasks_are_typed(data, tmp_path):
    work = batch.plan(batch_data.JOBS["mask"], data, tmp_path / "out")
    assert batch.gc(tmp_path / "out")
    with pytest.raises(bevscope.NotFound, match="plan.json: not found"):
        engine.run(work)


def test_rows_fields_and_filters_are_those_of_a_reader(data):
    agents = ray.data.read_datasource(engine.BevscopeDatasource(str(data)))
    assert agents.count() == 6 * 31 * 240
    chosen = agents.filter(expr=(col("track_id") == 7) & (col("yaw") > 0.1))
    found = chosen.select_columns(["yaw", "centroid"]).to_pandas()
    reader = bevscope.open(data).reader("agents", where="track_id == 7 and yaw > 0.1")
    yaw = np.concatenate([one["yaw"] for one in reader])
    np.testing.assert_array_equal(np.sort(found["yaw"]), np.sort(yaw))
    assert list(found.columns) == ["yaw", "centroid"]


OPERATORS = [
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]


def test_filters_that_are_pushed_down_have_rays_meaning(numbers):
    """Compares with Ray's own evaluation, for NaN, infinities, zeros and large integers."""
    store, rows = numbers
    table = batch_data.table_of(rows)
    pushed = 0
    for compare, (name, values) in itertools.product(
        OPERATORS, batch_data.compared_values(rows).items()
    ):
        for value in values:
            expr = compare(col(name), lit(value))
            tree = _ray_data.tree_of(expr, table.schema)
            if tree is None:
                continue
            try:
                expected = table.filter(expr.to_pyarrow())["row"].to_pylist()
            except pa.ArrowInvalid:
                continue  # Arrow does not compare large integers with floats
            pushed += 1
            reader = bevscope.open(store).reader("numbers", where=tree, fields=["row"])
            found = [int(row) for one in reader for row in one["row"]]
            assert found == expected, (compare.__name__, name, value)
    assert pushed > 100


def test_filters_and_columns_are_pushed_down(data):
    source = engine.BevscopeDatasource(str(data))
    pushed = source.apply_projection({"yaw": "yaw"}).apply_predicate(col("yaw") > 0.1)
    rows = pushed._pushed()
    assert (rows.fields, len(rows.where)) == (["yaw"], 1)
    assert len(source.apply_projection({})._pushed().fields) == 1
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


def test_a_failed_write_leaves_nothing(data, tmp_path):
    store = tmp_path / "copy.zarr"

    def broken(block):
        if (block["track_id"] == 7).any():
            raise RuntimeError("on purpose")
        return block

    agents = ray.data.read_datasource(engine.BevscopeDatasource(str(data)))
    agents = agents.select_columns(["track_id"]).map_batches(broken)
    with pytest.raises(Exception, match="on purpose"):
        agents.write_datasink(engine.BevscopeDatasink(str(store)))
    assert not store.exists()
