"""Data sets that Petastorm wrote, with every codec, nulls and partitions, have the rows
that Petastorm reads.

Runs in an environment of its own: scripts/test --only petastorm. PETASTORM names a checkout
of Petastorm, whose data sets of earlier versions are read, too.
"""

import collections
import io
import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

import bevscope

reason = "petastorm's environment is absent: run scripts/build wheel petastorm"
petastorm = pytest.importorskip("petastorm", reason=reason)
cv2 = pytest.importorskip("cv2", reason=reason)
pytest.importorskip("pyspark", reason=reason)

from petastorm.ngram import NGram  # noqa: E402
from petastorm.predicates import (  # noqa: E402
    in_lambda,
    in_negate,
    in_reduce,
    in_set,
)

HERE = Path(__file__).parent
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("petastorm") / "data"
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    environment["SPARK_LOCAL_IP"] = "127.0.0.1"
    command = [sys.executable, str(HERE / "petastorm_writer.py"), str(made)]
    subprocess.run(command, env=environment, check=True)
    return made


@pytest.fixture(scope="module")
def dataset(folder):
    return bevscope.open(folder)


def theirs(folder, **options):
    """Returns the rows that Petastorm reads, as dicts by id."""
    with petastorm.make_reader(
        folder.as_uri(), reader_pool_type="dummy", shuffle_row_groups=False, **options
    ) as reader:
        return {row.id: row._asdict() for row in reader}


def cell(arrays, kinds, name, item):
    """Returns one value of a batch, decoded."""
    valid = arrays.get(f"{name}.valid")
    if valid is not None and not valid[item]:
        return None
    offsets = arrays.get(f"{name}.offsets")
    if offsets is None:
        return arrays[name][item]
    found = arrays[name][offsets[item] : offsets[item + 1]]
    kind = kinds.get(name)
    if kind == "npy":
        return np.load(io.BytesIO(found.tobytes()))
    if kind == "image":
        image = cv2.imdecode(found, cv2.IMREAD_UNCHANGED)
        return image if image.ndim == 2 else image[:, :, ::-1]
    return found.tobytes().decode() if kind in (None, "text") else found.tobytes()


def ours(dataset, **options):
    """Returns the rows that bevscope reads, as dicts by id."""
    reader = dataset.reader("rows", batch=7, **options)
    fields = reader.explain()["fields"]
    kinds = {one["name"]: one["kind"] for one in fields if "kind" in one}
    names = [one["name"] for one in fields if not one["name"].endswith(".valid")]
    native, rows = reader._native(), {}
    while (arrays := native.next()) is not None:
        for item, number in enumerate(arrays["id"].tolist()):
            assert number not in rows
            rows[number] = {name: cell(arrays, kinds, name, item) for name in names}
    return rows


def assert_equal(found, expected):
    assert found.keys() == expected.keys()
    for number, row in expected.items():
        assert found[number].keys() == row.keys()
        for name, value in row.items():
            mine = found[number][name]
            if isinstance(value, Decimal) and not isinstance(mine, str):
                value = float(value)
            elif isinstance(value, Decimal):
                mine = Decimal(mine)
            elif isinstance(value, np.ndarray):
                assert mine.dtype == value.dtype, name
            if value is None:
                assert mine is None, name
            else:
                assert np.array_equal(mine, value), name


def test_every_field_of_every_row_is_equal(folder, dataset):
    assert_equal(ours(dataset), theirs(folder))


def test_rows_are_those_that_were_written(dataset):
    from petastorm_writer import ROWS, row_of

    found = ours(dataset, order="full", seed=3)
    assert sorted(found) == list(range(ROWS))
    for number, row in found.items():
        expected = row_of(number)
        del expected["jpeg"], row["jpeg"]  # is not the image that was written
        expected["price"] = float(expected["price"])
        for name, value in expected.items():
            same = row[name] is None if value is None else np.array_equal(row[name], value)
            assert same, (number, name)


def test_the_schema_is_petastorms(dataset):
    columns = {one["name"]: one for one in dataset.attrs["parquet"]["columns"]}
    assert columns["png"]["kind"] == "image"
    assert columns["jpeg"]["content_type"] == "image/jpeg"
    assert columns["matrix"]["shape"] == [4, 3]  # of one shape: numbers, not files
    assert columns["points"]["kind"] == "npy"
    assert columns["small"]["dtype"] == "|u1"
    assert columns["city"]["type"] == "partition"
    nullable = {name for name, one in columns.items() if one.get("nullable")}
    assert nullable == {"maybe", "maybe_name", "maybe_png", "maybe_points"}


FIELDS = ["id", "city", "year", "id2", "maybe", "name"]
PREDICATES = {
    "id in (3, 5, 77)": in_set({3, 5, 77}, "id"),
    'city = "town 1"': in_set({"town 1"}, "city"),
    "year != 2021": in_negate(in_set({2021}, "year")),
    "id2 > 2 and year = 2020": in_reduce(
        [in_lambda(["id2"], lambda id2: id2 > 2), in_set({2020}, "year")], all
    ),
    'id < 4 or city = "town 0"': in_reduce(
        [in_lambda(["id"], lambda id: id < 4), in_set({"town 0"}, "city")], any
    ),
    "isnan(maybe)": in_lambda(["maybe"], lambda maybe: maybe is None),
    "maybe < -50": in_lambda(["maybe"], lambda maybe: maybe is not None and maybe < -50),
}


@pytest.mark.parametrize("where", PREDICATES)
def test_predicates_find_the_same_rows(folder, dataset, where):
    names = [re.compile(f"^{name}$").pattern for name in FIELDS]
    expected = theirs(folder, schema_fields=names, predicate=PREDICATES[where])
    assert 0 < len(expected)
    assert_equal(ours(dataset, where=where, fields=FIELDS), expected)


@pytest.mark.parametrize("gap", [5, 6])
def test_n_grams_are_windows(folder, dataset, gap):
    """Petastorm cuts them in each row group, of which a file has one; ids are 6 apart."""
    fields = {-1: ["id", "small"], 0: ["id"], 1: ["id", "real"]}
    ngram = NGram(fields, delta_threshold=gap, timestamp_field="id")
    with petastorm.make_reader(
        folder.as_uri(), schema_fields=ngram, reader_pool_type="dummy"
    ) as reader:
        expected = {
            one[0].id: (one[-1].id, one[-1].small, one[1].id, one[1].real) for one in reader
        }
    window = {"past": 1, "future": 1, "time": "id", "max_gap": gap, "fields_at": fields}
    names = ("id@0", "id@-1", "small@-1", "id@1", "real@1")
    found = {}
    for batch in dataset.reader("rows", window=window):
        columns = [batch[name].tolist() for name in names]
        found |= {row[0]: row[1:] for row in zip(*columns, strict=True)}
    assert found == expected
    assert len(found) == (0 if gap == 5 else 120 - 2 * 6)


def test_text_of_a_given_length_can_be_compared(folder):
    dataset = bevscope.parquet(folder, text={"name": 9, "maybe_name": 6})
    found = ours(dataset, where='name in ("name \u00e97", "name \u00e919")', fields=FIELDS)
    assert sorted(found) == [7, 19]
    assert found[7]["name"] == "name \u00e97"
    nulls = ours(dataset, where="not maybe_name.valid", fields=["id"])
    assert sorted(nulls) == list(range(0, 120, 4))
    short = bevscope.parquet(folder, text={"name": 5})
    with pytest.raises(bevscope.Error, match="column name: a text is too long"):
        ours(short, fields=["id", "name"])


def test_partitions_exclude_files(dataset):
    reader = dataset.reader("rows", where='city = "town 1" and year = 2022', fields=["id"])
    assert all(number % 2 == 1 and number % 3 == 2 for number in next(iter(reader))["id"])


def test_data_sets_of_earlier_versions(monkeypatch):
    checkout = os.environ.get("PETASTORM")
    if not checkout:
        pytest.skip("PETASTORM is not set")
    versions = sorted(Path(checkout, "petastorm/tests/data/legacy").iterdir())
    assert len(versions) > 3

    def restore(name, fields, values):
        return collections.namedtuple(name, fields)(*values)

    # What pyspark 3.5 lacks, so that Petastorm cannot read them without it.
    monkeypatch.setattr("pyspark.serializers._restore", restore, raising=False)
    for version in versions:
        assert_equal(ours(bevscope.open(version)), theirs(version))
