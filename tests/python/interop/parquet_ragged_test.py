"""Columns of Parquet files whose rows differ in length, or are null."""

from decimal import Decimal

import numpy as np
import pytest
from parquet_files import cells_of

import bevscope

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ROWS = 500


def every(step, values):
    """Returns values, of which every step-th one is null."""
    return [None if i % step == 0 else value for i, value in enumerate(values)]


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(2)
    texts = ["\u00e9" * (i % 5) + str(i) for i in range(ROWS)]
    lists = [rng.random(i % 4).astype("f4") for i in range(ROWS)]
    pairs = [rng.integers(0, 9, (i % 3, 2)) for i in range(ROWS)]
    amounts = [Decimal(int(one)) / 1000 for one in rng.integers(-(2**62), 2**62, ROWS)]
    bits = [bytes(rng.integers(0, 256, i % 6).astype("u1")) for i in range(ROWS)]
    numbers = list(range(ROWS))
    return {
        "row": (numbers, pa.int64()),
        "text": (texts, pa.string()),
        "large": (texts, pa.large_string()),
        "code": (
            ["ab"[: i % 3] for i in range(ROWS)],
            pa.dictionary(pa.int8(), pa.string()),
        ),
        "maybe_text": (every(3, texts), pa.string()),
        "bits": (bits, pa.binary()),
        "list": (lists, pa.list_(pa.float32())),
        "maybe_list": (every(4, lists), pa.list_(pa.float32())),
        "flags": ([one > 0.5 for one in lists], pa.list_(pa.bool_())),
        "pairs": ([one.tolist() for one in pairs], pa.list_(pa.list_(pa.int64(), 2))),
        "maybe": (every(3, numbers), pa.int32()),
        "maybe_real": (every(5, [i / 7 for i in numbers]), pa.float64()),
        "maybe_flag": (every(2, [i % 3 == 0 for i in numbers]), pa.bool_()),
        "maybe_day": (every(7, numbers), pa.date32()),
        "maybe_at": (every(7, numbers), pa.timestamp("ms")),
        "maybe_price": (every(6, [Decimal(i) / 4 for i in numbers]), pa.decimal128(9, 2)),
        "maybe_code": (every(3, [b"%04d" % i for i in numbers]), pa.binary(4)),
        "maybe_pair": (every(3, [[i, -i] for i in numbers]), pa.list_(pa.int16(), 2)),
        "amount": (amounts, pa.decimal128(22, 3)),
        "nothing": ([None] * ROWS, pa.int16()),
    }


@pytest.fixture(scope="module")
def file(columns, tmp_path_factory):
    path = tmp_path_factory.mktemp("ragged") / "a.parquet"
    arrays = {name: pa.array(values, type) for name, (values, type) in columns.items()}
    pq.write_table(pa.table(arrays), path, row_group_size=120, use_dictionary=["code"])
    return path


def expected_of(name, value):
    if value is None:
        return None
    if name == "maybe_price":
        return float(value)
    if name == "amount":
        return f"{value:.3f}"
    if name == "maybe_code":
        return np.frombuffer(value, "u1")
    if name == "pairs":
        return np.array(value).reshape(-1, 2)
    return value


@pytest.mark.parametrize("order", ["none", "full"])
def test_every_type_of_variable_length_and_null(file, columns, order):
    dataset = bevscope.open(file)
    found = cells_of(dataset.reader(order=order, seed=1, batch=33))
    assert found.keys() == columns.keys()
    for name, (values, _) in columns.items():
        for row, cell in zip(found["row"], found[name], strict=True):
            value = expected_of(name, values[row])
            assert (cell is None) == (value is None), (name, row)
            assert cell is None or np.array_equal(cell, value), (name, row)


FILTERS = {
    "maybe < 20": lambda i: i % 3 and i < 20,
    "not maybe < 480": lambda i: i % 3 == 0 or i >= 480,
    "isnan(maybe)": lambda i: i % 3 == 0,
    "maybe.valid and row < 9": lambda i: i % 3 and i < 9,
    "maybe_flag": lambda i: i % 2 and i % 3 == 0,
    "nothing > -1": lambda i: False,
    "isnan(nothing) and row > 490": lambda i: i > 490,
    "maybe_day = 33 or maybe_at = 34": lambda i: i in (33, 34),
}


@pytest.mark.parametrize("where", FILTERS)
def test_filters_of_columns_with_nulls(file, where):
    reader = bevscope.open(file).reader(where=where, fields=["row"])
    expected = [i for i in range(ROWS) if FILTERS[where](i)]
    assert reader.count() == len(expected)
    assert [int(row) for batch in reader for row in batch["row"]] == expected


def test_statistics_exclude_groups_without_values(file):
    reader = bevscope.open(file).reader(where="maybe > 400", fields=["row"])
    assert len(list(reader)) == 1
    # 500 rows are one block of five chunks of 120 rows, of which three have no such value.
    assert reader.diagnostics["pieces_excluded"] == 3


def test_text_of_a_given_length_is_compared(file, columns):
    dataset = bevscope.parquet(file, text={"text": 7, "maybe_text": 7})
    where = 'text in ("0", "\u00e9\u00e92", "\u00e948")'
    found = cells_of(dataset.reader(where=where))
    assert found["row"] == [0, 2]
    assert found["maybe_text"] == [None, columns["maybe_text"][0][2]]
    with pytest.raises(bevscope.Error, match="column text: a text is too long"):
        cells_of(bevscope.parquet(file, text={"text": 3}).reader())
    with pytest.raises(bevscope.InvalidArgument, match="column row is no text"):
        bevscope.parquet(file, text={"row": 3})
    with pytest.raises(bevscope.NotFound, match="no column other"):
        bevscope.parquet(file, text={"other": 3})


def test_partition_keys_may_be_null(tmp_path):
    for key in ("4", "__HIVE_DEFAULT_PARTITION__"):
        (tmp_path / f"k={key}").mkdir()
        pq.write_table(pa.table({"x": [key[:1]]}), tmp_path / f"k={key}" / "a.parquet")
    found = cells_of(bevscope.open(tmp_path).reader())
    assert found == {"x": ["4", "_"], "k": [4, None]}
    assert bevscope.open(tmp_path).reader(where="isnan(k)").count() == 1
    assert bevscope.open(tmp_path).reader(where="k = 4").count() == 1


def test_null_elements_of_lists_are_an_error(tmp_path):
    lists = pa.array([[1, None], [2]], pa.list_(pa.int64()))
    pq.write_table(pa.table({"list": lists}), tmp_path / "a.parquet")
    with pytest.raises(bevscope.Error, match="row group 0, column list: null values in"):
        cells_of(bevscope.open(tmp_path / "a.parquet").reader())


def test_values_of_large_columns_are_read_in_parts(tmp_path):
    blobs = [bytes([i]) * 300_000 for i in range(40)]
    table = pa.table({"row": np.arange(40), "blob": pa.array(blobs, pa.binary())})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=10, use_dictionary=False)
    dataset = bevscope.parquet(tmp_path / "a.parquet", byte_budget=4 << 20)
    for order in ("none", "blocks"):
        found = cells_of(dataset.reader(order=order, batch=8))
        assert [blobs[row] for row in found["row"]] == found["blob"]
