"""Argoverse 2 scenarios in Parquet files of several writers, converted alike."""

import json
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import bevscope
from bevscope import convert

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
sys.path.insert(0, str(Path(__file__).parent))
files = pytest.importorskip("argoverse2_files")


class Kind(NamedTuple):
    """Features of a Parquet file."""

    codec: str = "snappy"
    version: int = 1  # of the data pages
    nullable: bool = True
    dictionary: bool = True


CODECS = ("snappy", "gzip", "zstd", "none")


def texts(table):
    return [field.name for field in table.schema if pa.types.is_string(field.type)]


def by_duckdb(path, table, kind):
    duckdb = pytest.importorskip("duckdb")
    options = f"CODEC '{'uncompressed' if kind.codec == 'none' else kind.codec}'"
    options += f", PARQUET_VERSION 'V{kind.version}'"
    if not kind.dictionary:
        options += ", DICTIONARY_SIZE_LIMIT 1"
    with duckdb.connect() as connection:
        connection.register("scenario", table)
        connection.execute(f"COPY scenario TO '{path}' (FORMAT parquet, {options})")


def by_polars(path, table, kind):
    polars = pytest.importorskip("polars")
    frame = polars.from_arrow(table)
    if kind.dictionary:
        frame = frame.with_columns(polars.col(texts(table)).cast(polars.Categorical))
    compression = "uncompressed" if kind.codec == "none" else kind.codec
    frame.write_parquet(path, compression=compression, row_group_size=50)


def by_fastparquet(path, table, kind):
    fastparquet = pytest.importorskip("fastparquet")
    frame = table.to_pandas()
    for name in texts(table):
        frame[name] = frame[name].astype("category" if kind.dictionary else object)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fastparquet.writer, "DATAPAGE_VERSION", kind.version)
        fastparquet.write(
            str(path),
            frame,
            compression=None if kind.codec == "none" else kind.codec.upper(),
            has_nulls=kind.nullable,
            object_encoding="infer" if kind.dictionary else "utf8",
            row_group_offsets=50,
        )


def by_pyarrow(path, table, kind):
    schema = pa.schema([field.with_nullable(kind.nullable) for field in table.schema])
    pq.write_table(
        table.cast(schema),
        path,
        compression=kind.codec,
        data_page_version=f"{kind.version}.0",
        use_dictionary=kind.dictionary,
        row_group_size=50,
    )


def converted(folder, target):
    """Returns the files of the converted data set, without the Parquet file's digest."""
    convert.argoverse2(folder, target, map=True)
    out = {
        str(path.relative_to(target)): path.read_bytes()
        for path in target.rglob("*")
        if path.is_file()
    }
    for name in (".zattrs", ".zmetadata"):
        tree = json.loads(out[name])
        own = tree.get("metadata", {}).get(".zattrs", tree)
        for scene in own["bevscope"]["scenes"]:
            del scene["sha256"]
        out[name] = json.dumps(tree)
    return out


@pytest.fixture(scope="module", params=["made up", "published"])
def scenario(request):
    """A scenario's table and map."""
    if request.param == "made up":
        return pa.table(files.rows()), json.dumps(files.map_of([files.lane(1, 0, 0)]))
    folder = request.getfixturevalue("goldens") / "argoverse2"
    if not folder.exists():
        pytest.skip("the scenario is missing")
    (parquet,) = folder.glob("scenario_*.parquet")
    (log_map,) = folder.glob("log_map_archive_*.json")
    return pq.read_table(parquet).replace_schema_metadata(), log_map.read_text()


@pytest.fixture(scope="module")
def plain(scenario, tmp_path_factory):
    """The data set of the plainest file."""
    root = tmp_path_factory.mktemp("plain")
    folder = written(root, scenario)
    by_pyarrow(folder / "scenario_s0.parquet", scenario[0], Kind("none", dictionary=False))
    return converted(folder, root / "out.zarr")


def written(root, scenario):
    """Returns a scenario's folder that lacks the Parquet file."""
    folder = root / "s0"
    folder.mkdir()
    (folder / "log_map_archive_s0.json").write_text(scenario[1])
    return folder


WRITERS = {
    "pyarrow": (by_pyarrow, "parquet-cpp-arrow"),
    "duckdb": (by_duckdb, "DuckDB"),
    "polars": (by_polars, "Polars"),
    "fastparquet": (by_fastparquet, "fastparquet"),
}
# Writer, version of the data pages, whether columns are optional.
KINDS = [
    ("pyarrow", 1, True),
    ("pyarrow", 1, False),
    ("pyarrow", 2, True),
    ("pyarrow", 2, False),
    ("duckdb", 1, True),
    ("duckdb", 2, True),
    ("polars", 1, True),
    ("fastparquet", 1, True),
    ("fastparquet", 1, False),
    ("fastparquet", 2, True),
    ("fastparquet", 2, False),
]


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("dictionary", [True, False], ids=["dictionary", "values"])
@pytest.mark.parametrize(("writer", "version", "nullable"), KINDS)
def test_all_writers_give_equal_data_sets(
    tmp_path, scenario, plain, writer, version, nullable, dictionary, codec
):
    write, author = WRITERS[writer]
    folder = written(tmp_path, scenario)
    path = folder / "scenario_s0.parquet"
    write(path, scenario[0], Kind(codec, version, nullable, dictionary))

    file = pq.ParquetFile(path)
    assert author in file.metadata.created_by
    at = file.schema_arrow.names.index("track_id")
    column = file.metadata.row_group(0).column(at)
    assert column.compression == ("UNCOMPRESSED" if codec == "none" else codec.upper())
    assert file.schema.column(at).max_definition_level == nullable
    has_dictionary = {"PLAIN_DICTIONARY", "RLE_DICTIONARY"} & {*column.encodings}
    if writer in ("pyarrow", "fastparquet"):
        # The page header's first field in Thrift's compact protocol: DATA_PAGE, or _V2.
        header = path.read_bytes()[column.data_page_offset :][:2]
        assert header == (b"\x15\x06" if version == 2 else b"\x15\x00")
    if writer != "polars":  # which also chooses it by itself
        assert bool(has_dictionary) == dictionary

    assert converted(folder, tmp_path / "out.zarr") == plain


@pytest.mark.parametrize("writer", WRITERS)
def test_wrong_columns_of_all_writers_are_named(tmp_path, writer):
    write, _ = WRITERS[writer]
    table = pa.table(files.rows())
    number = table.column_names.index("timestep")
    wrong = {
        r"columns not found: heading, city \(found track_id": table.drop_columns(
            ["city", "heading"]
        ),
        r"column timestep: wrong type \(found text, expected int64\)": table.set_column(
            number, "timestep", table.column("track_id")
        ),
        r"column timestep: wrong type \(found float64, expected int64\)": table.set_column(
            number, "timestep", table.column("heading")
        ),
        "column timestep: unsupported type bool": table.set_column(
            number, "timestep", table.column("observed")
        ),
    }
    for i, (message, columns) in enumerate(wrong.items()):
        folder = tmp_path / f"{i}"
        folder.mkdir()
        path = folder / "scenario_s0.parquet"
        write(path, columns, Kind())
        with pytest.raises(bevscope.Error, match=rf"scenario_s0\.parquet: {message}"):
            convert.argoverse2(folder, folder / "out.zarr")
        assert not (folder / "out.zarr").exists()
