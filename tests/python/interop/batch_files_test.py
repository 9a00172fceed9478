"""Batch work that needs pyarrow: conversions and Parquet; DuckDB reads it; job files."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import InvalidArgument, Unsupported, batch, convert

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
import batch_data  # noqa: E402

argoverse2_files = pytest.importorskip("argoverse2_files")
ROOT = Path(__file__).resolve().parents[3]
SCENARIOS = 7


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return batch_data.make(tmp_path_factory.mktemp("batch") / "made.zarr")


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory):
    root = tmp_path_factory.mktemp("scenarios")
    for number in range(SCENARIOS):
        table = argoverse2_files.rows(number, id=f"s{number}")
        argoverse2_files.write(root, f"s{number}", table)
    return root


def outputs(job, data, tmp_path):
    """Returns the output of a job by one process and by two."""
    for processes in (1, 2):
        work = batch.plan(job, data, tmp_path / str(processes))
        assert len(work) > 2
        batch.local(work, processes=processes)
        report = batch.commit(work)
    assert batch_data.contents(tmp_path / "1") == batch_data.contents(tmp_path / "2")
    return tmp_path / "1", report


def test_converted_scenarios_are_those_of_one_conversion(scenarios, tmp_path):
    job = {"job": "argoverse2", "scenarios": 2}
    output, report = outputs(job, scenarios, tmp_path)
    assert report["scenes"] == SCENARIOS
    convert.argoverse2(scenarios, tmp_path / "whole.zarr")
    whole = bevscope.open(tmp_path / "whole.zarr")
    parts = json.loads((output / "parts.json").read_text())["parts"]
    assert len(parts) == 4
    opened = [bevscope.open(output / one["path"]) for one in parts]
    for field in ("centroid", "track_id", "yaw"):
        rows = np.concatenate([one.agents[field] for one in opened])
        np.testing.assert_array_equal(rows, whole.agents[field])


def test_parquet_files_have_the_rows_in_order(data, tmp_path):
    job = {"job": "parquet", "chunks": 1, "fields": ["track_id", "centroid"]}
    output, report = outputs(job, data, tmp_path)
    agents = bevscope.open(data).agents
    table = pa.concat_tables(pq.read_table(one) for one in sorted(output.glob("*.parquet")))
    assert report == {"rows": len(agents)}
    np.testing.assert_array_equal(table["track_id"].to_numpy(), agents["track_id"])
    flat = table["centroid"].combine_chunks().flatten().to_numpy()
    np.testing.assert_array_equal(flat.reshape(-1, 2), agents["centroid"])


def test_parquet_files_have_the_rows_that_pass_a_filter(data, tmp_path):
    job = {"job": "parquet", "chunks": 1, "where": "yaw > 0.1", "fields": ["yaw"]}
    output, _ = outputs(job, data, tmp_path)
    files = sorted(output.glob("*.parquet"))
    yaw = np.concatenate([pq.read_table(one)["yaw"].to_numpy() for one in files])
    expected = bevscope.open(data).agents["yaw"]
    np.testing.assert_array_equal(np.sort(yaw), np.sort(expected[expected > 0.1]))


def test_row_groups_join_chunks_until_they_are_large(data, tmp_path, monkeypatch):
    monkeypatch.setattr("bevscope.batch._jobs.parquet._GROUP_ROWS", 20_000)
    work = batch.plan({"job": "parquet"}, data, tmp_path / "out")
    batch.local(work, processes=1)
    batch.commit(work)
    groups = pq.ParquetFile(tmp_path / "out/part-000000.parquet").metadata
    rows = [groups.row_group(i).num_rows for i in range(groups.num_row_groups)]
    assert rows == [24_000, 20_640]


NO_PANDAS = """
import sys

from bevscope import batch

class Finder:
    def find_spec(self, name, path=None, target=None):
        assert name != "pandas", "imports pandas"

sys.meta_path.insert(0, Finder())
job, data, output = sys.argv[1:]
batch.local(batch.plan({"job": job}, data, output), processes=1)
assert "pyarrow" in sys.modules
"""


@pytest.mark.parametrize("job", ["parquet", "facts"])
def test_an_export_does_not_import_pandas(job, data, tmp_path):
    """It takes longer to import than half a million agents to export."""
    command = [sys.executable, "-c", NO_PANDAS, job, data, tmp_path / "out"]
    subprocess.run(command, check=True)


@pytest.mark.parametrize("job", ["parquet", "facts"])
def test_an_export_without_pyarrow_is_an_error_of_its_plan(
    job, data, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Unsupported, match="pip install"):
        batch.plan({"job": job}, data, tmp_path / "out")


def test_duckdb_counts_what_numpy_counts(data):
    duckdb = pytest.importorskip("duckdb")
    agents = bevscope.open(data).agents
    query = "select count(*) from agents where centroid[1] > 50"
    found = duckdb.sql(query).fetchall()[0][0]
    assert found == int((agents["centroid"][:, 0] > 50).sum())


def test_a_conversion_with_an_unknown_mask_is_an_error(scenarios, tmp_path):
    work = batch.plan({"job": "argoverse2", "mask": "no"}, scenarios, tmp_path / "out")
    with pytest.raises(InvalidArgument, match="mask: unknown name"):
        batch.run(work, 0)


def test_the_job_files_are_valid_and_name_the_command():
    yaml = pytest.importorskip("yaml")
    job = yaml.safe_load((ROOT / "examples/batch/kubernetes.yaml").read_text())
    spec = job["spec"]
    assert (job["apiVersion"], job["kind"]) == ("batch/v1", "Job")
    assert spec["completionMode"] == "Indexed"
    [container] = spec["template"]["spec"]["containers"]
    share = re.search(r'--share "\$JOB_COMPLETION_INDEX/(\d+)"', container["args"][0])
    assert int(share[1]) == spec["completions"]
    volumes = {one["name"] for one in spec["template"]["spec"]["volumes"]}
    assert {one["name"] for one in container["volumeMounts"]} == volumes
    slurm = ROOT / "examples/batch/slurm.sh"
    assert os.system(f"bash -n {slurm}") == 0
    assert "#SBATCH --array=0-63" in slurm.read_text()
