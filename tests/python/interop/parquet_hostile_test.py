"""Parquet files that lie, or were damaged, are refused with an error that names them."""

import random
import struct

import numpy as np
import pytest
from parquet_files import columns_of, rows_of

import bevscope

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "good.parquet"
    table = columns_of(300)[0].select(["row", "f8", "kind", "pair"])
    pq.write_table(table, path, row_group_size=100, write_page_checksum=True)
    return path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a Parquet file"),
        (b"PAR1", "not a Parquet file"),
        (b"PAR1" * 5, "metadata is longer than the file"),
        (b"hello world, this is text\n", "not a Parquet file"),
        (b"PAR1" + bytes(100) + struct.pack("<I", 2**31) + b"PAR1", "longer than the file"),
        (b"PAR1" + bytes(100) + struct.pack("<I", 50) + b"PAR1", "not a readable Parquet"),
        (b"PARE" + bytes(100) + struct.pack("<I", 50) + b"PARE", "encrypted"),
    ],
)
def test_other_files_are_refused(tmp_path, content, message):
    (tmp_path / "a.parquet").write_bytes(content)
    with pytest.raises(bevscope.Error, match=f"a.parquet: .*{message}") as error:
        bevscope.open(tmp_path / "a.parquet")
    assert error.value.code == "corrupt_chunk"
    assert error.value.key == "a.parquet"


def test_a_truncated_file_names_row_group_and_column(file, tmp_path):
    metadata = pq.read_metadata(file)
    content = file.read_bytes()
    column = metadata.row_group(1).column(1)
    begin = column.dictionary_page_offset or column.data_page_offset
    damaged = bytearray(content)
    middle = begin + column.total_compressed_size // 2
    damaged[middle : middle + 8] = bytes(8)
    (tmp_path / "a.parquet").write_bytes(damaged)
    dataset = bevscope.open(tmp_path / "a.parquet")
    assert len(rows_of(dataset.reader(fields=["row"]))["row"]) == 300
    with pytest.raises(bevscope.Error, match="a.parquet: row group 1, column f8") as error:
        rows_of(dataset.reader(fields=["f8"]))
    assert error.value.code == "corrupt_chunk"


def test_a_file_that_became_shorter_is_an_error(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"x": np.random.default_rng(0).random(50_000)}), path)
    dataset = bevscope.open(path)
    path.write_bytes(path.read_bytes()[:1_000])
    with pytest.raises(bevscope.ReadError, match="a.parquet: changed while") as error:
        rows_of(dataset.reader())
    assert error.value.code == "changed"


def test_files_must_have_the_same_columns(tmp_path):
    pq.write_table(pa.table({"x": [1, 2]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": [1.0, 2.0]}), tmp_path / "b.parquet")
    message = r"b.parquet: column x: type differs .*found double, expected int64"
    with pytest.raises(bevscope.Error, match=message):
        bevscope.open(tmp_path)
    pq.write_table(pa.table({"x": [1], "y": [1]}), tmp_path / "b.parquet")
    with pytest.raises(bevscope.Error, match="column y: .*found int64, expected none"):
        bevscope.open(tmp_path)


def test_partition_keys_must_be_the_same(tmp_path):
    for folder in ("k=1", "j=1"):
        (tmp_path / folder).mkdir()
        pq.write_table(pa.table({"x": [1]}), tmp_path / folder / "a.parquet")
    with pytest.raises(bevscope.Error, match="partition keys k .expected j"):
        bevscope.open(tmp_path)
    (tmp_path / "j=1/a.parquet").unlink()
    (tmp_path / "k=1/x=2").mkdir()
    pq.write_table(pa.table({"x": [1]}), tmp_path / "k=1/x=2/a.parquet")
    (tmp_path / "k=1/a.parquet").unlink()
    with pytest.raises(bevscope.Error, match="no columns of these names"):
        bevscope.open(tmp_path)


@pytest.mark.parametrize("part", ["footer", "pages"])
def test_damage_is_a_bevscope_error_or_nothing(file, tmp_path, part):
    """Never another exception, and never more or fewer rows than the footer tells."""
    content = file.read_bytes()
    (length,) = struct.unpack("<I", content[-8:-4])
    footer = len(content) - 8 - length
    rng = random.Random(part)
    begin, end = (footer, len(content) - 8) if part == "footer" else (4, footer)
    refused = 0
    for attempt in range(150):
        damaged = bytearray(content)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(begin, end)] = rng.randrange(256)
        path = tmp_path / f"{attempt}.parquet"
        path.write_bytes(damaged)
        try:
            dataset = bevscope.open(path)
            rows = len(dataset["rows"])
            for name, column in rows_of(dataset.reader()).items():
                assert len(column) == rows, name
            dataset.reader(where="row > 1500", fields=["row"]).count()
        except bevscope.Error:
            refused += 1
        path.unlink()
    assert refused > 20


def test_repeated_text_is_bounded(tmp_path):
    """A dictionary makes a small file of much text."""
    text = pa.array(["x" * 3_000_000] * 1_000).dictionary_encode()
    pq.write_table(pa.table({"text": text}), tmp_path / "a.parquet")
    assert (tmp_path / "a.parquet").stat().st_size < 10_000_000
    dataset = bevscope.open(tmp_path / "a.parquet")
    with pytest.raises(bevscope.OutOfMemory, match="column text: too large") as error:
        dataset.reader(fields=["text"])._native().next()
    assert error.value.code == "limit_exceeded"
