"""bevscope.results: files of scores, and nuPlan's tables of metrics."""

import json
import subprocess

import numpy as np
import pytest

from bevscope import Error, NotFound
from bevscope.results import read_scores

ROWS = "scenario_id,agents,ade,min_ade\na,2,2,1\nb,3,,0.5\n"
PLANNERS = "planner_name,scenario_id,score\nidm,s1,1\nidm,s2,0\nnet,s2,0.5\n"


def test_a_file_is_a_table_of_rows(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(ROWS)
    [table] = read_scores(path)
    assert (table.name, table.is_of_planner, table.is_of_futures) == (
        str(path),
        False,
        False,
    )
    assert table.columns == ["agents", "ade", "min_ade"]
    assert table.first_row.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(table.values, [[2, 2, 1], [3, np.nan, 0.5]])
    worst = max(table.rows(), key=lambda row: row["min_ade"])
    assert worst == {"scenario_id": "a", "agents": 2, "ade": 2, "min_ade": 1}


def test_rows_of_futures_have_the_ids_of_their_scenarios(tmp_path):
    path = tmp_path / "futures.csv"
    path.write_text("scenario_id,rollout,ade\na,0,2\na,1,3\nb,0,4\n")
    [table] = read_scores(path)
    assert table.is_of_futures
    assert [row["scenario_id"] for row in table.rows()] == ["a", "a", "b"]


def test_planners_are_compared_over_the_scenarios_that_all_have(tmp_path, program):
    path = tmp_path / "planners.csv"
    path.write_text(PLANNERS)
    idm, net = read_scores(path)
    assert (idm.name, net.name, idm.is_of_planner) == ("idm", "net", True)
    assert idm.scenarios == ["s1", "s2"]
    out = tmp_path / "joined.csv"
    ran = subprocess.run(
        [program, "score", path, "-o", out], capture_output=True, text=True, check=True
    )
    summary = json.loads(ran.stdout)
    assert summary["scenarios"] == 1
    assert summary["planners"]["idm"] == {"scenarios": 2, "means": {"score": 0}}
    assert summary["planners"]["net"]["means"] == {"score": 0.5}
    again = read_scores(out)
    assert [table.values.tolist() for table in again] == [[[1], [0]], [[0.5]]]


def test_metrics_of_nuplan_are_read_from_folders(tmp_path, program):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "metrics").mkdir()
    for metric, scores in (("ttc", [1.0, 0.5]), ("comfort", [0.0, 1.0])):
        rows = {
            "log_name": ["l", "l"],
            "scenario_name": ["s1", "s1"],
            "scenario_type": ["t", "t"],
            "planner_name": ["idm", "net"],
            "metric_statistics_name": [metric, metric],
            "metric_score": scores,
        }
        pq.write_table(pa.table(rows), tmp_path / f"metrics/{metric}.parquet")
    tables = read_scores(tmp_path / "metrics")
    assert [(one.name, one.columns) for one in tables] == [
        ("idm", ["comfort", "ttc"]),
        ("net", ["comfort", "ttc"]),
    ]
    assert tables[0].values.tolist() == [[0, 1]]
    command = [program, "score", tmp_path / "metrics", "--format", "json"]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert [row["ttc"] for row in found] == [1, 0.5]


def test_other_files_and_paths_are_refused_by_name(tmp_path):
    with pytest.raises(NotFound, match=r"none\.csv: not found"):
        read_scores(tmp_path / "none.csv")
    with pytest.raises(NotFound, match=r"no files \*\.parquet"):
        read_scores(tmp_path)
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(Error, match=r"x\.csv: not scores"):
        read_scores(path)
