"""petastorm 0.13.1 reads the same rows from a Parquet file of the agents.

Runs in an environment of its own: scripts/test --only petastorm.
"""

import inspect
import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope

reason = "petastorm's environment is absent: run scripts/build wheel petastorm"
petastorm = pytest.importorskip("petastorm", reason=reason)
sys.path.insert(0, str(Path(__file__).parents[2] / "bench/reader"))

import pyarrow.parquet as parquet  # noqa: E402
from export import FILE, export  # noqa: E402
from petastorm.etl import dataset_metadata  # noqa: E402
from petastorm.fs_utils import get_filesystem_and_path_or_paths  # noqa: E402
from petastorm.ngram import NGram  # noqa: E402
from petastorm.predicates import in_lambda  # noqa: E402
from petastorm.unischema import Unischema, UnischemaField  # noqa: E402
from petastorm.utils import add_to_dataset_metadata  # noqa: E402

ROW_GROUP = 5_000
PAGE = Path(__file__).parents[2] / "docs/python-reader.md"
pytestmark = pytest.mark.filterwarnings("ignore")

# bevscope's filter, and fields and condition of petastorm's predicate.
FILTERS = {
    "extent[0] > 4.5 and velocity[0] > 0.5": (
        ["extent_x", "velocity_x"],
        lambda extent, velocity: (extent > 4.5) & (velocity > 0.5),
    ),
    'label = "CAR"': (["label"], lambda label: label == 3),
    "time between 3s and 5s": (["time"], lambda time: (time >= 3) & (time <= 5)),
    "yaw > 100": (["yaw"], lambda yaw: yaw > 100),
    "not yaw > 100": (["yaw"], lambda yaw: ~(yaw > 100)),
}


@pytest.fixture(scope="module")
def exported(town, tmp_path_factory):
    """The folder of the Parquet file, and its columns."""
    folder = tmp_path_factory.mktemp("agents")
    return folder, export(town / "scenes/town.zarr", folder, ROW_GROUP)


@pytest.fixture(scope="module")
def materialised(exported):
    """The same with petastorm's metadata, which make_reader needs."""
    folder, columns = exported
    fields = [
        UnischemaField(name, values.dtype.type, (), None, False)
        for name, values in columns.items()
    ]
    groups = {FILE: parquet.ParquetFile(folder / FILE).num_row_groups}
    for key, value in (
        (dataset_metadata.UNISCHEMA_KEY, pickle.dumps(Unischema("agents", fields))),
        (dataset_metadata.ROW_GROUPS_PER_FILE_KEY, json.dumps(groups).encode()),
    ):
        files, path = get_filesystem_and_path_or_paths(folder.as_uri())
        opened = parquet.ParquetDataset(path, filesystem=files, validate_schema=False)
        add_to_dataset_metadata(opened, key, value)
    yield folder, columns
    (folder / "_common_metadata").unlink()


def read_rows(folder, fields, condition):
    """Returns the sorted rows that make_batch_reader finds."""
    with petastorm.make_batch_reader(
        folder.as_uri(),
        schema_fields=[f"^{name}$" for name in {*fields, "row"}],
        predicate=in_lambda(fields, condition),
        workers_count=2,
    ) as reader:
        found = [batch.row for batch in reader]
    return np.sort(np.concatenate(found)) if found else np.empty(0, np.int64)


def test_the_export_has_the_rows_of_the_data_set(town, exported):
    _, columns = exported
    agents = bevscope.open(town / "scenes/town.zarr").columns("agents")
    assert len(columns["row"]) == len(agents["yaw"])
    for name in ("centroid", "velocity", "extent"):
        for axis, values in zip("xyz", agents[name].T, strict=False):
            assert np.array_equal(columns[f"{name}_{axis}"], values)
    for name in ("yaw", "track_id"):
        assert columns[name].dtype == agents[name].dtype
        assert np.array_equal(columns[name], agents[name])


@pytest.mark.parametrize("where", FILTERS)
def test_a_filter_finds_the_same_rows(town, exported, where):
    folder, columns = exported
    fields, condition = FILTERS[where]
    expected = np.flatnonzero(condition(*(columns[field] for field in fields)))
    assert np.array_equal(read_rows(folder, fields, condition), expected)
    dataset = bevscope.open(town / "scenes/town.zarr")
    reader = dataset.reader("agents", where=where, fields=["row"])
    found = [batch["row"] for batch in reader]
    assert np.array_equal(np.concatenate(found or [expected[:0]]), expected)
    assert reader.count() == len(expected)


def test_make_reader_finds_the_same_rows(materialised):
    folder, columns = materialised
    with petastorm.make_reader(
        folder.as_uri(),
        schema_fields=["row", "extent_x", "track_id"],
        predicate=in_lambda(["extent_x"], lambda extent: extent > 5),
        reader_pool_type="dummy",
        shuffle_row_groups=False,
    ) as reader:
        found = [(row.row, row.track_id) for row in reader]
    expected = np.flatnonzero(columns["extent_x"] > 5)
    assert [row for row, _ in found] == expected.tolist()
    assert [track for _, track in found] == columns["track_id"][expected].tolist()


def test_the_data_loader_reads_every_row_once(exported):
    pytest.importorskip("torch")
    from petastorm.pytorch import DataLoader

    folder, columns = exported
    reader = petastorm.make_batch_reader(
        folder.as_uri(), schema_fields=["^row$", "^centroid_x$", "^yaw$"], seed=1
    )
    with DataLoader(reader, batch_size=256, shuffling_queue_capacity=2_000) as loader:
        batches = [{name: of.numpy() for name, of in one.items()} for one in loader]
    rows = np.concatenate([batch["row"] for batch in batches])
    assert np.array_equal(np.sort(rows), columns["row"])
    assert not np.array_equal(rows, columns["row"])
    yaws = np.concatenate([batch["yaw"] for batch in batches])
    assert np.array_equal(yaws, columns["yaw"][rows])


def test_n_grams_lack_windows_across_row_groups(materialised):
    folder, columns = materialised
    window = NGram({-1: ["row"], 0: ["row"]}, delta_threshold=1, timestamp_field="row")
    with petastorm.make_reader(
        folder.as_uri(), schema_fields=window, reader_pool_type="dummy"
    ) as reader:
        found = {item[0].row for item in reader}
    missing = set(range(1, len(columns["row"]))) - found
    assert missing == set(range(ROW_GROUP, len(columns["row"]), ROW_GROUP))


@pytest.mark.parametrize("name", ["make_reader", "make_batch_reader"])
def test_the_page_maps_every_parameter(name):
    page = PAGE.read_text()
    parameters = inspect.signature(getattr(petastorm, name)).parameters
    assert [one for one in parameters if f"`{one}`" not in page] == []
