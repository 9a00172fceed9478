"""Arrow's readers take arrays and columns; values are NumPy's."""

import gc

import numpy as np
import pytest

import bevscope
from bevscope.arrow import Table

pa = pytest.importorskip("pyarrow")

NAMES = ["scenes", "frames", "agents", "traffic_light_faces"]


@pytest.fixture(scope="module", params=["multi_scene", "town"])
def dataset(request):
    if request.param == "town":
        return bevscope.open(request.getfixturevalue("town") / "scenes/town.zarr")
    return bevscope.open(request.getfixturevalue("goldens") / "inputs/multi_scene.zarr")


def numpy_of(column):
    """Returns a column of pyarrow as NumPy's array of shape (n, ...)."""
    column = column.combine_chunks()
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks else pa.array([], column.type)
    shape = [len(column)]
    while pa.types.is_fixed_size_list(column.type):
        shape.append(column.type.list_size)
        column = column.flatten()
    return np.asarray(column.to_numpy(zero_copy_only=False)).reshape(shape)


@pytest.mark.parametrize("name", NAMES)
def test_pyarrow_reads_arrays(dataset, name):
    array = dataset[name]
    table = pa.table(array)
    table.validate(full=True)
    rows = array[:]
    assert table.column_names == list(rows.dtype.names)
    for field in rows.dtype.names:
        found = numpy_of(table[field])
        assert found.shape == rows[field].shape
        if rows[field].dtype.kind == "U":
            assert found.tolist() == rows[field].tolist()
        else:
            assert found.dtype == rows[field].dtype
            assert found.tobytes() == rows[field].tobytes(), field


def test_a_record_batch_is_a_chunk(dataset):
    agents = dataset.agents
    lengths = [len(batch) for batch in pa.RecordBatchReader.from_stream(agents)]
    assert sum(lengths) == len(agents)
    assert set(lengths[:-1]) <= {agents.chunks[0]}


def test_numbers_share_memory(dataset):
    columns = dataset.columns("agents", ["centroid", "track_id", "label_probabilities"])
    table = pa.table(Table(columns))
    for name, column in columns.items():
        assert table[name].num_chunks == 1
        values = table[name].chunk(0)
        while pa.types.is_fixed_size_list(values.type):
            values = values.values
        assert values.buffers()[1].address == column.ctypes.data, name


def test_tables_outlive_their_source(goldens):
    dataset = bevscope.open(goldens / "inputs/multi_scene.zarr")
    expected = dataset.agents["centroid"].copy()
    table = pa.table(Table(dataset.columns("agents")))
    del dataset
    gc.collect()
    assert np.array_equal(numpy_of(table["centroid"]), expected)


def test_strings_and_booleans_are_converted():
    words = np.array(["", "a", "Zürich", "東京", "four", "\U0001f697x"])
    flags = np.array([True, False, True, True, False, False])
    pairs = np.stack([words, words[::-1]], axis=1)
    table = pa.table(Table({"words": words, "flags": flags, "pairs": pairs}))
    table.validate(full=True)
    assert table["words"].to_pylist() == words.tolist()
    assert table["flags"].to_pylist() == flags.tolist()
    assert table["pairs"].to_pylist() == pairs.tolist()


@pytest.mark.parametrize("code", ["i1", "u1", "i2", "u2", "i4", "u4", "f2", "f4", ">f8"])
def test_numbers_of_all_sizes(code):
    values = np.arange(7).astype(code)
    found = pa.table(Table({"x": values}))["x"]
    assert numpy_of(found).tolist() == values.tolist()


def test_tables_without_rows():
    empty = np.zeros(0, [("a", "f8", (2,)), ("b", "<U4"), ("c", "?"), ("d", "i8")])
    table = pa.table(Table({name: empty[name] for name in empty.dtype.names}))
    table.validate(full=True)
    assert len(table) == 0
    dataset = bevscope.open(bevscope.MemorySource({"records": empty}))
    assert len(pa.table(dataset["records"])) == 0


def test_axes_without_elements():
    table = pa.table(Table({"none": np.zeros((3, 0)), "deep": np.zeros((3, 2, 0), "i4")}))
    table.validate(full=True)
    assert table["none"].to_pylist() == [[], [], []]
    assert table["deep"].to_pylist() == [[[], []]] * 3


def test_arrays_without_fields():
    grid = np.arange(12, dtype="i4").reshape(6, 2)
    dataset = bevscope.open(bevscope.MemorySource({"grid": grid}))
    assert pa.table(dataset["grid"])["grid"].to_pylist() == grid.tolist()


def test_columns_must_have_one_length():
    with pytest.raises(bevscope.InvalidArgument, match="lengths differ"):
        Table({"a": np.zeros(3), "b": np.zeros(4)})


def test_types_without_counterpart_are_refused():
    with pytest.raises(bevscope.Unsupported, match="complex128"):
        pa.table(Table({"a": np.zeros(3, complex)}))


def test_streams_may_be_abandoned(dataset):
    for _ in range(50):
        dataset.agents.__arrow_c_stream__()
        dataset.agents.__arrow_c_schema__()
        next(iter(pa.RecordBatchReader.from_stream(dataset.agents)))
    gc.collect()


def test_failed_reads_are_errors_of_the_stream(goldens):
    class Broken:
        def __init__(self, path):
            self.path = path

        def read(self, key, range):
            if key == "agents/2":
                raise OSError("on purpose")
            try:
                return (self.path / key).read_bytes()
            except (FileNotFoundError, IsADirectoryError):
                return None

    dataset = bevscope.open(Broken(goldens / "inputs/multi_scene.zarr"))
    with pytest.raises(OSError, match="on purpose"):
        pa.table(dataset.agents)


def test_polars_reads_arrays(dataset):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(dataset.agents)
    rows = dataset.agents[:]
    for field in rows.dtype.names:
        assert np.array_equal(frame[field].to_numpy(), rows[field]), field
    busy = frame.filter(pl.col("yaw") > 1)["track_id"].to_numpy()
    assert np.array_equal(busy, rows["track_id"][rows["yaw"] > 1])


def test_duckdb_queries_equal_numpy(dataset):
    duckdb = pytest.importorskip("duckdb")
    agents, rows = dataset.agents, dataset.agents[:]
    assert agents is not None  # which the queries name
    ((count, far),) = duckdb.sql(
        "SELECT count(*), max(centroid[1]) FROM agents WHERE yaw > 0"
    ).fetchall()
    ahead = rows[rows["yaw"] > 0]
    assert count == len(ahead)
    assert far == ahead["centroid"][:, 0].max()
    found = duckdb.sql(
        "SELECT track_id, count(*), max(extent[1]) FROM agents GROUP BY 1 ORDER BY 1"
    ).fetchall()
    tracks, counts = np.unique(rows["track_id"], return_counts=True)
    longest = [rows["extent"][rows["track_id"] == one, 0].max() for one in tracks]
    assert found == list(zip(tracks.tolist(), counts.tolist(), map(float, longest)))


def test_duckdb_joins_arrays(dataset):
    duckdb = pytest.importorskip("duckdb")
    rows = dataset.traffic_light_faces[:2000]
    faces = Table({"row": np.arange(len(rows)), "face_id": rows["face_id"]})
    all_frames = dataset.frames[:]
    ends = all_frames["traffic_light_faces_index_interval"][:, 1]
    frames = all_frames[ends <= len(rows)]
    names = ["timestamp", "traffic_light_faces_index_interval"]
    frames_table = Table({name: frames[name] for name in names})
    assert len(frames_table) > 0 and len(faces) > 0
    found = duckdb.sql(
        "SELECT f.timestamp, count(DISTINCT face_id) FROM frames_table f JOIN faces ON "
        "faces.row >= f.traffic_light_faces_index_interval[1] AND "
        "faces.row < f.traffic_light_faces_index_interval[2] GROUP BY 1 ORDER BY 1"
    ).fetchall()
    expected = [
        (int(frame["timestamp"]), len(np.unique(rows["face_id"][begin:end])))
        for frame in frames
        for begin, end in [frame["traffic_light_faces_index_interval"]]
        if end > begin
    ]
    assert found == sorted(expected)
