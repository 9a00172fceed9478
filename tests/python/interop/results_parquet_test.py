"""Parquet of our own form: as PyArrow writes it, read as CSV of the same rows is."""

import json

import numpy as np
import pytest

from bevscope import Error
from bevscope.results import Futures, open_submission

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

STEPS, MODES = 8, 3


def rows(joint=True):
    """Columns of three scenarios of two agents each; the third is in single agents."""
    random = np.random.default_rng(3)
    keys = [
        (f"s{s}", 10 * s + a, m, 11 + t)
        for s in range(3)
        for m in range(MODES)
        for a in range(2)
        for t in range(STEPS)
    ]
    scenario, track, mode, step = zip(*keys, strict=True)
    count = len(keys)
    out = {
        "note": [f"{i} noted" for i in range(count)],
        "scenario_id": list(scenario),
        "track_id": np.array(track),
        "mode": np.array(mode, np.int32),
        "step": np.array(step),
        "x": random.normal(0, 100, count),
        "y": random.normal(0, 100, count).astype(np.float32),
        "z": np.zeros(count, np.float32),
        "yaw": random.normal(0, 1, count),
        "length": np.full(count, 4),
        "width": np.full(count, 2.0),
        "probability": 1 / (1 + np.array(mode)),
    }
    return out


def write(path, columns, metadata=None, **options):
    table = pa.table(columns)
    if metadata is not None:
        table = table.replace_schema_metadata({"bevscope": json.dumps(metadata)})
    pq.write_table(table, path, **options)
    return path


def written_csv(path, columns):
    names = list(columns)
    lines = [",".join(names)]
    for row in zip(*columns.values(), strict=True):
        lines.append(",".join(str(value) for value in row))
    path.write_text("\n".join(lines) + "\n")
    return path


def same(one: Futures, other: Futures):
    for name in ("ids", "poses", "sizes", "valid", "scores"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)
    assert (one.first_step, one.is_joint) == (other.first_step, other.is_joint)


OPTIONS = [
    {},
    {"compression": "none", "use_dictionary": False},
    {"compression": "gzip", "data_page_version": "2.0"},
    {"compression": "zstd", "row_group_size": 10},
    {"compression": "snappy", "data_page_size": 64, "row_group_size": 7},
    {"compression": "none", "data_page_version": "2.0", "row_group_size": 50},
    {"version": "1.0", "use_dictionary": ["scenario_id"], "data_page_size": 100},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda one: "-".join(map(str, one)))
def test_rows_are_those_of_csv_however_they_are_written(tmp_path, options):
    columns = rows()
    parquet = open_submission(write(tmp_path / "m.parquet", columns, **options))
    csv = open_submission(written_csv(tmp_path / "m.csv", columns))
    assert parquet.kind == csv.kind == "joint futures"
    assert list(parquet) == list(csv) == ["s0", "s1", "s2"]
    for scenario in reversed(list(csv)):
        [one], [other] = parquet[scenario], csv[scenario]
        same(one, other)


def test_required_columns_and_texts_as_tracks_suffice(tmp_path):
    columns = {name: rows()[name] for name in ("scenario_id", "mode", "step", "x", "y")}
    columns["track_id"] = ["AV" if t % 10 == 0 else str(t) for t in rows()["track_id"]]
    fields = [
        pa.field(name, pa.array(c).type, nullable=False) for name, c in columns.items()
    ]
    table = pa.table(columns, schema=pa.schema(fields))
    pq.write_table(table, tmp_path / "m.parquet")
    [found] = open_submission(tmp_path / "m.parquet")["s1"]
    assert found.ids.tolist() == [2**64 - 1, 11]
    assert found.poses.shape == (MODES, 2, 2, STEPS)
    assert found.sizes is found.scores is None


def test_metadata_name_the_model_and_single_agents(tmp_path):
    path = tmp_path / "m.parquet"
    write(path, rows(), {"name": "mine", "joint": False})
    submission = open_submission(path)
    assert (submission.kind, submission.card["method"]) == ("predictions", "mine")
    assert submission["s0"][0].scores.shape == (MODES, 2)
    for wrong in ([], {"name": 1}, {"joint": "no"}, {"name": "n" * 5000}):
        write(path, rows(), wrong)
        with pytest.raises(Error, match="metadata bevscope"):
            open_submission(path)


def test_null_and_nan_places_are_absent(tmp_path):
    columns = rows()
    columns["x"] = [None if i == 3 else x for i, x in enumerate(columns["x"])]
    columns["y"][5] = np.nan
    [found] = open_submission(write(tmp_path / "m.parquet", columns))["s0"]
    assert np.argwhere(~found.valid).tolist() == [[0, 0, 3], [0, 0, 5]]
    columns["yaw"] = [None if i == 4 else x for i, x in enumerate(columns["yaw"])]
    with pytest.raises(Error, match="scenario s0: mode 0, agent 0, step 15: a value is"):
        open_submission(write(tmp_path / "m.parquet", columns))["s0"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": None}, "column x is missing"),
        ({"step": [1.5]}, "column step: of another type .expected integers"),
        ({"x": ["a"]}, "column x: of another type .expected numbers"),
        ({"scenario_id": [1]}, "column scenario_id: of another type .expected text"),
        ({"scenario_id": [""]}, "scenario_id is empty"),
        ({"scenario_id": [None]}, "scenario_id"),
        ({"track_id": ["a"]}, "column track_id: neither a whole number"),
        ({"track_id": [-1]}, "column track_id: neither a whole number"),
        ({"mode": [-1]}, "mode: negative"),
        ({"mode": [5000]}, "too many rollouts"),
        ({"step": [2**40]}, "step: too large"),
        ({"x": [1e10]}, "x: not finite, or too large"),
        ({"x": [[1.0]]}, "column x is missing"),
        ({"length": [1.0], "width": None}, "go together"),
        ({"probability": [None, 1.0]}, "no probability"),
    ],
)
def test_what_is_not_understood_is_refused_by_name(tmp_path, change, message):
    columns = {name: list(column[:1]) for name, column in rows().items()} | change
    columns = {name: column for name, column in columns.items() if column is not None}
    longest = max(map(len, columns.values()))
    columns = {name: (column * longest)[:longest] for name, column in columns.items()}
    path = write(tmp_path / "m.parquet", columns)
    with pytest.raises(Error, match=message):
        open_submission(path)["s0"]


def test_scenarios_whose_rows_are_apart_are_refused(tmp_path):
    columns = rows()
    columns["scenario_id"] = columns["scenario_id"][::-1]
    columns["scenario_id"][0] = "s0"
    with pytest.raises(Error, match="s0: occurs twice"):
        open_submission(write(tmp_path / "m.parquet", columns))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"compression": "brotli"}, "compressed by codec 4"),
        (
            {"use_dictionary": False, "column_encoding": {"x": "BYTE_STREAM_SPLIT"}},
            "encoding",
        ),
        (
            {"use_dictionary": False, "column_encoding": {"step": "DELTA_BINARY_PACKED"}},
            "enc",
        ),
    ],
)
def test_codecs_and_encodings_that_are_not_read_are_named(tmp_path, options, message):
    with pytest.raises(Error, match=message) as caught:
        open_submission(write(tmp_path / "m.parquet", rows(), **options))["s0"]
    assert caught.value.code == "unsupported"


def test_only_row_groups_of_a_scenario_are_read(tmp_path):
    path = tmp_path / "m.parquet"
    write(path, rows(), row_group_size=MODES * 2 * STEPS)
    groups = pq.ParquetFile(path).metadata
    assert groups.num_row_groups == 3
    content = bytearray(path.read_bytes())
    column = groups.schema.names.index("x")
    at = groups.row_group(1).column(column).data_page_offset
    content[at : at + 40] = bytes(40)
    path.write_bytes(content)
    submission = open_submission(path)
    assert len(submission["s0"]) == len(submission["s2"]) == 1
    with pytest.raises(Error, match=r"m\.parquet: scenario s1: column x"):
        submission["s1"]


def test_every_truncation_and_many_wrong_bytes_are_typed_errors(tmp_path):
    path = tmp_path / "m.parquet"
    content = write(path, rows(), row_group_size=60, compression="snappy").read_bytes()
    random = np.random.default_rng(5)

    def opened(changed):
        path.write_bytes(changed)
        try:
            submission = open_submission(path)
            for scenario in submission:
                submission[scenario]
        except Error as error:
            codes = {"corrupt_chunk", "invalid_metadata", "limit_exceeded", "unsupported"}
            assert error.code in codes, error
            return False
        return True

    assert opened(content)
    for size in random.integers(0, len(content), 100):
        assert not opened(content[:size]), size
    for _ in range(1000):
        changed = bytearray(content)
        for at in random.integers(0, len(content), random.integers(1, 4)):
            changed[at] = random.integers(256)
        opened(bytes(changed))
