"""Parquet data sets are read by the reader as zarr's are."""

import os
import pickle
import sys

import numpy as np
import pytest
from parquet_files import Server, columns_of, rows_of

import bevscope

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ROWS, GROUP = 5_000, 700


@pytest.fixture(scope="module")
def table():
    return columns_of(ROWS)


@pytest.fixture(scope="module")
def file(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("one") / "data.parquet"
    pq.write_table(table[0], path, row_group_size=GROUP)
    return path


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    """A folder with partitions, whose files have several lengths."""
    root = tmp_path_factory.mktemp("many") / "data"
    for number, begin in enumerate(range(0, ROWS, 1_500)):
        part = root / f"city=town%20{number % 2}" / f"year={2020 + number}"
        part.mkdir(parents=True)
        pq.write_table(
            table[0].slice(begin, 1_500), part / f"{number}.parquet", row_group_size=400
        )
    (root / "_SUCCESS").touch()
    (root / ".hidden.parquet").write_bytes(b"no")
    return root


def expected_order(root):
    """Returns the rows in the order of the files' names."""
    numbers = [int(path.stem) for path in sorted(root.rglob("[0-9].parquet"))]
    return np.concatenate(
        [np.arange(one * 1_500, min(ROWS, one * 1_500 + 1_500)) for one in numbers]
    )


def test_every_fixed_type_is_read(file, table):
    dataset = bevscope.open(file)
    assert isinstance(dataset, bevscope.ParquetDataset)
    found = rows_of(dataset.reader("rows", batch=333))
    assert found.keys() == table[1].keys()
    for name, values in table[1].items():
        # Readers have half-precision numbers as single-precision ones.
        dtype = np.dtype("f4") if name == "f2" else values.dtype
        assert found[name].dtype == dtype, name
        assert np.array_equal(found[name], values, equal_nan=values.dtype.kind == "f"), name


def test_rows_are_also_an_array(file, table):
    rows = bevscope.open(file)["rows"]
    assert rows.shape == (ROWS,)
    assert np.array_equal(rows[690:710]["i4"], table[1]["i4"][690:710])
    assert np.array_equal(rows.columns(["pair"])["pair"], table[1]["pair"])


@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "zstd", "lz4", "brotli"])
@pytest.mark.parametrize("version", ["1.0", "2.6"])
def test_codecs_and_pages(tmp_path, table, codec, version):
    names = ["row", "f8", "pair", "kind"]
    pq.write_table(
        table[0].select(names),
        tmp_path / "a.parquet",
        row_group_size=1_000,
        compression=codec,
        version=version,
        data_page_version="2.0" if version == "2.6" else "1.0",
        use_dictionary=["kind"],
        column_encoding={"row": "DELTA_BINARY_PACKED", "f8": "BYTE_STREAM_SPLIT"},
    )
    found = rows_of(bevscope.open(tmp_path / "a.parquet").reader())
    for name in names:
        assert np.array_equal(found[name], table[1][name], equal_nan=name == "f8")


def test_a_folder_has_the_rows_of_its_files(folder, table):
    found = rows_of(bevscope.open(folder).reader())
    order = expected_order(folder)
    assert np.array_equal(found["row"], table[1]["row"][order])
    assert np.array_equal(found["i8"], table[1]["i8"][order])
    assert np.array_equal(found["year"], 2020 + order // 1_500)
    assert found["city"].dtype.kind == "U"
    assert np.array_equal(found["city"], np.array(["town 0", "town 1"])[order // 1_500 % 2])


def test_a_list_of_files_has_their_order(folder, table):
    files = sorted(folder.rglob("[0-9].parquet"), key=lambda path: -int(path.stem))
    found = rows_of(bevscope.open(files).reader(fields=["row", "year"]))
    assert found["row"][0] == 45_000
    assert np.array_equal(np.sort(found["row"]), table[1]["row"])
    assert found["year"][0] == 2023


FILTERS = {
    "row >= 20000 and row < 21000": lambda c: (c["row"] >= 20_000) & (c["row"] < 21_000),
    "f4 < 0.01 or u8 > 9223372036854780000": lambda c: (
        (c["f4"] < 0.01) | (c["u8"] > 9_223_372_036_854_780_000)
    ),
    "isnan(f8)": lambda c: np.isnan(c["f8"]),
    "not f8 < 2": lambda c: np.isnan(c["f8"]),
    "flag and i1 == -7": lambda c: c["flag"] & (c["i1"] == -7),
    "kind in (2, 5)": lambda c: np.isin(c["kind"], (2, 5)),
    "pair[1] > 0.99": lambda c: c["pair"][:, 1] > 0.99,
    "price between 0 and 1000000": lambda c: (c["price"] >= 0) & (c["price"] <= 1e6),
    "day < 100": lambda c: c["day"] < 100,
    "at > 4990": lambda c: c["at"] > 4_990,
    "row < 0": lambda c: c["row"] < 0,
    "row >= 0": lambda c: c["row"] >= 0,
}


@pytest.mark.parametrize("where", FILTERS)
def test_filters_find_the_rows(file, folder, table, where):
    expected = np.flatnonzero(FILTERS[where](table[1]))
    reader = bevscope.open(file).reader(where=where, fields=["row"])
    assert reader.count() == len(expected)
    batches = [batch["row"] for batch in reader]
    assert np.array_equal(np.concatenate(batches or [expected]), expected * 10)
    found = bevscope.open(folder).reader(where=where, fields=["row"])
    assert sorted(np.concatenate([b["row"] for b in found] or [[]])) == list(expected * 10)


def served(folder, where, fields):
    """Returns the rows that a filter finds by HTTP, and the bytes sent of each file, of
    data and footers."""
    files = sorted(folder.rglob("[0-9].parquet"))
    with Server(folder) as server:
        addresses = [f"{server.url}/{path.relative_to(folder)}" for path in files]
        dataset = bevscope.open([one.replace("%", "%25") for one in addresses])
        footers = dict(server.sent)
        server.sent.clear()
        reader = dataset.reader(where=where, fields=fields)
        found = np.concatenate([batch["row"] for batch in reader])
        return found, server.sent, footers


def test_statistics_exclude_row_groups_without_reading_them(tmp_path, table):
    # Large enough that footers do not contain the data.
    for number in range(4):
        values = np.random.default_rng(number).integers(0, 2**62, 40_000)
        key = np.arange(40_000) + 100_000 * number
        pq.write_table(
            pa.table({"row": key, "value": values}),
            tmp_path / f"{number}.parquet",
            row_group_size=10_000,
            use_dictionary=False,
        )
    found, sent, _ = served(tmp_path, "row >= 210000 and row < 210005", ["row", "value"])
    assert found.tolist() == [210_000, 210_001, 210_002, 210_003, 210_004]
    assert sent.keys() == {"2.parquet"}
    # Two columns of 10,000 rows, of which the keys compress.
    assert sum(sent.values()) < 2 * 8 * 10_000 + 10_000


def test_partition_keys_exclude_files(folder, table):
    found, sent, footers = served(folder, 'city == "town 1" and year > 2021', ["row"])
    assert np.array_equal(found, table[1]["row"][4_500:])
    assert footers.keys() == {f"{number}.parquet" for number in range(4)}
    assert sent.keys() == {"3.parquet"}


def test_orders_shards_and_positions_are_those_of_zarr(file, table):
    """The plan does not know where rows come from: a store of the same chunks has the
    same order."""
    chunk = bevscope.open(file)["rows"].chunks[0]
    assert chunk == GROUP

    class Memory(bevscope.MemorySource):
        CHUNK = chunk

    record = np.zeros(ROWS, [("row", "<i8"), ("i4", "<i4")])
    record["row"], record["i4"] = table[1]["row"], table[1]["i4"]
    stored = bevscope.open(Memory({"rows": record}))
    for options in (
        {"order": "full", "seed": 5},
        {"order": "blocks", "seed": 5, "epoch": 3},
        {"order": "blocks", "shard": (1, 3), "where": "i4 > 0"},
        {"batch": 64, "last": "drop"},
    ):
        ours = bevscope.open(file).reader("rows", fields=["row", "i4"], **options)
        theirs = stored.reader("rows", fields=["row", "i4"], **options)
        for one, other in zip(ours, theirs, strict=True):
            assert np.array_equal(one["row"], other["row"])
            assert np.array_equal(one["i4"], other["i4"])


def test_windows_cross_row_groups_and_files(folder, table):
    rows = table[1]["row"][expected_order(folder)]
    dataset = bevscope.open(folder)
    for where, chosen in ((None, rows), ("row < 20000 or row > 40000", None)):
        if chosen is None:
            chosen = rows[(rows < 20_000) | (rows > 40_000)]
        window = {"past": 2, "future": 1, "step": 3, "time": "row", "max_gap": 30}
        reader = dataset.reader(window=window, where=where, fields=["row"], order="blocks")
        found = np.concatenate([batch["row"] for batch in reader])
        expected = [
            [at - 60, at - 30, at, at + 30]
            for place, at in enumerate(rows)
            if at in chosen
            and 6 <= place < len(rows) - 3
            and rows[place - 6] == at - 60
            and rows[place + 3] == at + 30
        ]
        assert sorted(map(tuple, found)) == sorted(map(tuple, expected))


def test_readers_resume_and_pickle(file):
    reader = bevscope.open(file).reader(fields=["row"], order="blocks", batch=100)
    for _ in range(7):
        reader.next_batch()
    state = reader.state()
    copy = pickle.loads(pickle.dumps(reader))
    rest = [batch["row"] for batch in reader]
    assert all(np.array_equal(a, b["row"]) for a, b in zip(rest, copy, strict=True))
    other = bevscope.open(file).reader(fields=["row"], order="blocks", batch=100)
    other.load_state(state)
    assert np.array_equal(other.next_batch()["row"], rest[0])


def test_arrow_takes_a_reader(file, table):
    found = pa.RecordBatchReader.from_stream(
        bevscope.open(file).reader(fields=["row", "pair", "flag"])
    ).read_all()
    assert found["row"].to_pylist() == table[1]["row"].tolist()
    assert found["flag"].to_pylist() == table[1]["flag"].tolist()


def test_a_forked_child_reads(file):
    dataset = bevscope.open(file)
    assert dataset.reader(fields=["row"]).next_batch()["row"][1] == 10
    child = os.fork()
    if child == 0:
        found = dataset.reader(fields=["row"], order="full").next_batch()
        os._exit(int(len(found["row"]) != 256))
    assert os.waitpid(child, 0)[1] == 0


def test_other_sources(folder, table):
    order = expected_order(folder)
    objects = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for key, content in objects.items():
        memory.pipe_file(f"/parquet/data/{key}", content)
    obstore = pytest.importorskip("obstore")
    store = obstore.store.MemoryStore()
    for key, content in objects.items():
        obstore.put(store, key.replace("%20", " "), content)
    for source in (objects, memory.get_mapper("/parquet/data"), store):
        found = rows_of(bevscope.parquet(source).reader(fields=["row", "city"]))
        assert np.array_equal(found["row"], table[1]["row"][order]), type(source)
        assert found["city"][0] == "town 0"


def test_a_folder_by_http_needs_a_summary(folder, tmp_path, table):
    with Server(folder.parent) as server, pytest.raises(bevscope.NotFound, match="listed"):
        bevscope.parquet(f"{server.url}/data")
    rows, collected = table[0].select(["row"]), []
    for name in ("b", "a"):
        pq.write_table(
            rows,
            tmp_path / f"{name}.parquet",
            metadata_collector=collected,
            row_group_size=3_000,
        )
        collected[-1].set_file_path(f"{name}.parquet")
    pq.write_metadata(
        table[0].select(["row"]).schema,
        tmp_path / "_metadata",
        metadata_collector=collected,
    )
    with Server(tmp_path) as server:
        dataset = bevscope.parquet(server.url)
        assert dataset.attrs["parquet"]["files"] == 2
        assert server.sent.keys() == {"_metadata"}
        found = rows_of(dataset.reader())
    assert np.array_equal(found["row"], np.tile(table[1]["row"], 2))


def test_the_second_reading_by_http_comes_from_the_cache(file, tmp_path, table):
    with Server(file.parent) as server:
        for _ in range(2):
            server.sent.clear()
            dataset = bevscope.open(f"{server.url}/data.parquet?key=1", cache=tmp_path)
            found = rows_of(dataset.reader(fields=["i4"]))
            assert np.array_equal(found["i4"], table[1]["i4"])
    assert sum(server.sent.values()) == 0


def test_columns_that_are_no_fields_are_described(tmp_path):
    table = pa.table(
        {
            "x": [1, 2],
            "nested": [{"a": 1}, {"a": 2}],
            "texts": [["a"], ["b", "c"]],
            "a/b": [1, 2],
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    dataset = bevscope.open(tmp_path / "a.parquet")
    assert rows_of(dataset.reader()).keys() == {"x"}
    with pytest.raises(bevscope.Unsupported, match=r"nested \(struct<a: int64>\)"):
        dataset.reader(fields=["x", "nested"])
    with pytest.raises(bevscope.Unsupported, match="string is not supported"):
        dataset.reader(fields="texts")
    with pytest.raises(bevscope.NotFound, match="unknown field"):
        dataset.reader(fields=["y"])
    assert "nested: struct<a: int64> (no field" in str(dataset)


def test_an_empty_file_has_no_rows(tmp_path, table):
    pq.write_table(table[0].slice(0, 0), tmp_path / "a.parquet")
    dataset = bevscope.open(tmp_path / "a.parquet")
    assert len(dataset["rows"]) == 0
    assert list(dataset.reader(fields=["row"])) == []


def test_zarr_folders_stay_zarr(town, tmp_path):
    assert "agents" in bevscope.open(town / "scenes/town.zarr")
    with pytest.raises(bevscope.NotFound):
        bevscope.open(tmp_path / "nothing.parquet")


def test_pyarrow_is_imported_on_request():
    code = "import bevscope, sys; sys.exit('pyarrow' in sys.modules)"
    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", code]) == 0
