"""pyarrow reads what `bevscope scan --format arrow` writes; values are NumPy's."""

import json
import os
import pathlib
import signal
import subprocess
import time

import numpy as np
import pytest

import bevscope

pa = pytest.importorskip("pyarrow")
feather = pytest.importorskip("pyarrow.feather")

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("BEVSCOPE", ROOT / "build/release/bevscope")

TYPES = [
    ("i1", "<i1"), ("i2", "<i2"), ("i4", "<i4"), ("i8", "<i8"),
    ("u1", "<u1"), ("u2", "<u2"), ("u4", "<u4"), ("u8", "<u8"),
    ("f2", "<f2"), ("f4", "<f4"), ("f8", "<f8"), ("flag", "|b1"), ("name", "<U5"),
    ("pair", "<i2", (2,)), ("matrix", "<f4", (3, 2)), ("flags", "|b1", (3,)),
]  # fmt: skip


def scan(dataset, out, *words):
    command = [PROGRAM, "scan", dataset, "--quiet", "--format", "arrow", "-o", out, *words]
    subprocess.run(command, check=True)
    return pa.ipc.open_file(out)


def values_of(column):
    """Returns a column as NumPy's array of shape (n, ...)."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_fixed_size_list(column.type):
        inner = values_of(column.flatten())
        return inner.reshape(len(column), column.type.list_size, *inner.shape[1:])
    return np.asarray(column.to_pylist() if column.type == pa.string() else column)


@pytest.fixture(scope="module")
def town_zarr(town):
    return town / "scenes/town.zarr"


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """A store with one array of records with a field of each type."""
    random = np.random.default_rng(5)
    rows = np.empty(23_456, TYPES)
    rows["name"] = random.choice(
        ["", "a", "\u00e4\u20ac", "\U0001f600!", "abcde"], len(rows)
    )
    for name in rows.dtype.names:
        kind, field = rows.dtype[name].base.kind, rows[name]
        if kind == "b":
            rows[name] = random.integers(0, 2, field.shape) > 0
        elif kind in "iu":
            limits = np.iinfo(field.dtype)
            rows[name] = random.integers(
                limits.min, limits.max, field.shape, field.dtype, endpoint=True
            )
        elif kind == "f":
            rows[name] = random.normal(size=field.shape)
    rows["f8"][:3] = np.nan, np.inf, -0.0
    store = tmp_path_factory.mktemp("records") / "records.zarr"
    (store / "rows").mkdir(parents=True)
    (store / ".zgroup").write_text('{"zarr_format": 2}')
    dtype = [[name, kind, *map(list, shape)] for name, kind, *shape in TYPES]
    document = {
        "zarr_format": 2, "shape": [len(rows)], "chunks": [10_000], "dtype": dtype,
        "compressor": None, "fill_value": None, "order": "C", "filters": None,
    }  # fmt: skip
    (store / "rows/.zarray").write_text(json.dumps(document))
    for i in range(3):
        chunk = np.zeros(10_000, rows.dtype)
        part = rows[i * 10_000 : (i + 1) * 10_000]
        chunk[: len(part)] = part
        (store / f"rows/{i}").write_bytes(chunk.tobytes())
    return store, rows


def test_columns_of_all_types_are_those_of_numpy(records, tmp_path):
    store, rows = records
    table = scan(store, tmp_path / "out.arrow", "--from", "rows").read_all()
    table.validate(full=True)
    assert table.schema.names == list(rows.dtype.names)
    assert table.num_rows == len(rows)
    for name in rows.dtype.names:
        found = values_of(table[name])
        assert table[name].null_count == 0
        if name == "name":
            assert found.tolist() == rows[name].tolist()
            continue
        expected = rows[name].astype("<f4") if name == "f2" else rows[name]
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        assert np.array_equal(found, expected, equal_nan=name == "f8")


def test_a_single_field_is_a_column(records, tmp_path):
    store, rows = records
    out = tmp_path / "out.arrow"
    for name in ("name", "matrix", "flag"):
        table = scan(store, out, "--from", "rows", "--fields", name).read_all()
        assert table.schema.names == [name]
        assert values_of(table[name]).tolist() == rows[name].tolist()


def test_windows_are_nested_lists(town_zarr, tmp_path):
    words = ("--where", "scene == 0", "--window", "1,2", "--edges", "pad")
    fields = ["centroid", "host", "kept"]
    table = scan(
        town_zarr, tmp_path / "out", *words, "--fields", ",".join(fields)
    ).read_all()
    table.validate(full=True)
    reader = bevscope.open(town_zarr).reader(
        "agents", where="scene == 0", window={"past": 1, "future": 2, "edges": "pad"},
        fields=fields, batch=10_000,
    )  # fmt: skip
    batches = list(reader)
    assert table.schema.names == [*fields, "window.mask"]
    for name in table.schema.names:
        expected = np.concatenate([batch[name] for batch in batches])
        assert values_of(table[name]).tolist() == expected.tolist()


def test_no_rows_have_the_schema(town_zarr, tmp_path):
    out = tmp_path / "out"
    table = scan(town_zarr, out, "--where", "yaw > 100", "--fields", "yaw,host").read_all()
    assert (table.num_rows, table.schema.names) == (0, ["yaw", "host"])
    assert feather.read_table(out).num_rows == 0


def test_a_part_of_a_file_cannot_be_read(records, tmp_path):
    store, _ = records
    scan(store, tmp_path / "out", "--from", "rows", "--fields", "i1,name")
    whole = (tmp_path / "out").read_bytes()
    for cut in np.linspace(0, len(whole) - 1, 50).astype(int):
        with pytest.raises(pa.ArrowInvalid):
            pa.ipc.open_file(whole[:cut])


def test_a_killed_scan_leaves_no_file(town_zarr, tmp_path):
    out = tmp_path / "out"
    out.write_text("before")
    command = [PROGRAM, "scan", town_zarr, "--quiet", "--format", "arrow", "-o", out]
    running = subprocess.Popen([*command, "--window", "50,50", "--edges", "pad"])
    begun = []
    while not begun and running.poll() is None:
        begun = [one for one in tmp_path.glob("out.partial*") if one.stat().st_size > 0]
        time.sleep(0.001)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    assert begun
    assert out.read_text() == "before"
