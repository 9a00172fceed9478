"""Readers, compared with NumPy on whole columns."""

import hashlib
import json
import pickle
import re
import threading

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import bevscope

FIELDS = [
    "row", "scene", "frame", "frame_index", "time", "timestamp", "agent_count", "track_id",
    "yaw", "centroid", "velocity", "extent", "speed", "distance_to_ego", "label", "kept",
]  # fmt: skip
ORDERS = ["none", "tracks", "blocks", "full"]


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


@pytest.fixture(scope="module")
def columns(dataset):
    """All rows of the agents, read without filter and order."""
    return joined(dataset.reader("agents", fields=FIELDS, batch=10_000))


def joined(batches):
    parts = list(batches)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def rows_of(batches):
    rows = [batch["row"] for batch in batches]
    return np.concatenate(rows) if rows else np.empty(0, np.int64)


def digest(batches):
    made = hashlib.sha256()
    for batch in batches:
        for name in sorted(batch):
            made.update(f"{name}{batch[name].shape}".encode())
            made.update(np.ascontiguousarray(batch[name]).tobytes())
    return made.hexdigest()


def owners(intervals, rows):
    return np.repeat(np.arange(len(intervals)), intervals[:, 1] - intervals[:, 0])[:rows]


def test_columns_are_those_of_numpy(dataset, columns):
    agents, frames, scenes = (dataset[p][:] for p in ("agents", "frames", "scenes"))
    count = len(agents)
    assert np.array_equal(columns["row"], np.arange(count))
    for name in ("yaw", "centroid", "velocity", "extent", "track_id"):
        assert columns[name].dtype == agents[name].dtype
        assert np.array_equal(columns[name], agents[name])
    frame = owners(frames["agent_index_interval"], count)
    scene = owners(scenes["frame_index_interval"], len(frames))
    first = scenes["frame_index_interval"][scene, 0]
    stamps = frames["timestamp"]
    assert np.array_equal(columns["frame_index"], frame)
    assert np.array_equal(columns["scene"], scene[frame])
    assert np.array_equal(columns["frame"], (np.arange(len(frames)) - first)[frame])
    assert np.array_equal(columns["timestamp"], stamps[frame])
    assert np.allclose(columns["time"], ((stamps - stamps[first]) / 1e9)[frame], rtol=1e-15)
    assert np.array_equal(columns["label"], agents["label_probabilities"].argmax(1))
    assert np.allclose(columns["speed"], np.hypot(*agents["velocity"].T), rtol=1e-6)
    ego = frames["ego_translation"][frame, :2]
    distance = np.hypot(*(agents["centroid"] - ego).T)
    assert np.allclose(columns["distance_to_ego"], distance, rtol=1e-6)


class RandomFilters:
    """Filters as text, each with the mask that NumPy computes."""

    NUMBERS = [
        "yaw", "time", "speed", "distance_to_ego", "row", "frame", "track_id", "timestamp",
        "centroid[0]", "centroid[1]", "extent[2]", "velocity[0]",
    ]  # fmt: skip

    def __init__(self, columns, names, seed):
        self.columns, self.names = columns, names
        self.random = np.random.default_rng(seed)

    def column(self):
        name = str(self.random.choice(self.NUMBERS))
        field, _, index = name.rstrip("]").partition("[")
        values = self.columns[field]
        return name, values[:, int(index)] if index else values

    def literal(self, values):
        """Returns a value of the column, so that equality occurs."""
        value = self.random.choice(values)
        return repr(float(value)) if values.dtype.kind == "f" else str(value)

    def number(self, text, values):
        return float(text) if values.dtype.kind == "f" else int(text)

    def compared(self, values, sign, limit):
        wide = values.astype(np.float64) if values.dtype.kind == "f" else values
        operators = {
            "<": np.less, "<=": np.less_equal, ">": np.greater,
            ">=": np.greater_equal, "=": np.equal, "!=": np.not_equal,
        }  # fmt: skip
        return operators[sign](wide, np.asarray(limit).astype(wide.dtype))

    def comparison(self):
        name, values = self.column()
        sign = str(self.random.choice(["<", "<=", ">", ">=", "=", "!="]))
        text = self.literal(values)
        return f"{name} {sign} {text}", self.compared(
            values, sign, self.number(text, values)
        )

    def between(self):
        name, values = self.column()
        low, high = sorted(
            (self.literal(values), self.literal(values)),
            key=lambda text: self.number(text, values),
        )
        mask = self.compared(values, ">=", self.number(low, values))
        mask &= self.compared(values, "<=", self.number(high, values))
        return f"{name} between {low} and {high}", mask

    def members(self):
        some = self.random.choice(["CAR", "CYCLIST", "PEDESTRIAN", "UNKNOWN"], 2, False)
        listed = ", ".join(f'"{name}"' for name in some)
        mask = np.isin(self.columns["label"], [self.names.index(one) for one in some])
        return f"label in ({listed})", mask

    def arithmetic(self):
        (one, left), (other, right) = self.column(), self.column()
        limit = float(self.random.normal() * 50)
        total = left.astype(np.float64) + 2.5 * np.abs(right.astype(np.float64))
        return f"{one} + 2.5 * abs({other}) > {limit!r}", total > limit

    def make(self, depth=0):
        kind = self.random.integers(8 if depth < 3 else 4)
        if kind < 4:
            makers = [self.comparison, self.between, self.members, self.arithmetic]
            return makers[kind]()
        left, right = self.make(depth + 1), self.make(depth + 1)
        if kind < 6:
            return f"({left[0]}) and ({right[0]})", left[1] & right[1]
        if kind == 6:
            return f"({left[0]}) or ({right[0]})", left[1] | right[1]
        return f"not ({left[0]})", ~left[1]


def test_200_random_filters_find_the_rows_of_numpy(dataset, columns):
    names = dataset.reader("agents").names["label"]
    filters = RandomFilters(columns, names, seed=19)
    sizes = []
    for _ in range(200):
        text, mask = filters.make()
        reader = dataset.reader("agents", where=text, fields=["row"], batch=5_000)
        found = rows_of(reader)
        assert np.array_equal(found, np.flatnonzero(mask)), text
        assert reader.count() == len(found), text
        sizes.append(len(found))
    assert 0 < np.median(sizes) < len(columns["row"])


def test_a_filter_as_a_tree_finds_the_same_rows(dataset):
    text = dataset.reader("agents", where='speed > 5 and label = "CAR"', fields=["row"])
    tree = text.plan["where"]
    assert isinstance(tree, dict)
    again = dataset.reader("agents", where=tree, fields=["row"])
    assert digest(text) == digest(again)


def test_fields_of_an_item_belong_together(dataset, columns):
    for order in ORDERS:
        for where in (None, "yaw > 0 and distance_to_ego < 40"):
            reader = dataset.reader(
                "agents", where=where, fields=FIELDS, order=order, seed=3, batch=1000
            )
            items = joined(reader)
            for name in FIELDS:
                assert np.array_equal(items[name], columns[name][items["row"]]), name


def test_batches_have_the_exact_size(dataset, columns):
    count = len(columns["row"])
    keep = dataset.reader("agents", fields=["row"], batch=1000)
    sizes = [len(batch["row"]) for batch in keep]
    assert sizes == [1000] * (count // 1000) + [count % 1000]
    drop = dataset.reader("agents", fields=["row"], batch=1000, last="drop")
    assert [len(batch["row"]) for batch in drop] == [1000] * (count // 1000)
    assert (len(keep), len(drop)) == (len(sizes), count // 1000)
    assert (keep.count(), drop.count()) == (count, count)


def test_every_epoch_has_its_own_order(dataset, columns):
    for order in ("blocks", "full"):
        reader = dataset.reader("agents", fields=["row"], order=order, batch=5_000)
        epochs = [rows_of(reader) for _ in range(10)]
        assert reader.epoch == 10
        assert len({rows.tobytes() for rows in epochs}) == 10
        for rows in epochs:
            assert np.array_equal(np.sort(rows), columns["row"])
        later = dataset.reader("agents", fields=["row"], order=order, epoch=7, batch=5_000)
        assert np.array_equal(rows_of(later), epochs[7])
        reader.reset(4)
        assert np.array_equal(rows_of(reader), epochs[4])


@pytest.mark.parametrize("order", ORDERS)
def test_50_random_stops_continue_with_the_rest(dataset, order):
    random = np.random.default_rng(5)
    options = {"where": "speed > 1", "fields": ["row", "yaw"], "order": order, "batch": 64}
    whole = list(dataset.reader("agents", **options))
    for stop in random.integers(0, len(whole), 50):
        reader = dataset.reader("agents", **options)
        for _ in range(stop):
            reader.next_batch()
        state = reader.state()
        assert len(state) <= 1024
        again = dataset.reader("agents", **options)
        again.load_state(state)
        assert digest(again) == digest(whole[stop:])
        sought = dataset.reader("agents", **options)
        sought.seek(64 * int(stop))
        assert digest([sought.next_batch()]) == digest([whole[stop]])


def test_a_state_is_that_of_the_position(dataset):
    options = {"where": "speed > 1", "fields": ["row"], "order": "blocks", "batch": 50}
    reader = dataset.reader("agents", epoch=3, **options)
    states = [reader.state()]
    for item in (100, 50, 0):
        reader.seek(item)
        states.append(reader.state())
    assert states[0] == states[3] != states[2] != states[1]
    again = dataset.reader("agents", **options)
    again.load_state(states[1])
    assert again.state() == states[1]
    assert again.epoch == 3
    reader.seek(100)
    assert digest(again) == digest(reader)


def test_a_state_resumes_on_other_numbers_of_shards(dataset):
    options = {"where": "speed > 1", "fields": ["row"], "order": "blocks", "batch": 50}
    whole = rows_of(dataset.reader("agents", **options))
    readers = [dataset.reader("agents", shard=(i, 4), **options) for i in range(4)]
    taken = np.concatenate([reader.next_batch()["row"] for reader in readers])
    assert np.array_equal(np.sort(taken), np.sort(whole[:200]))
    rest = []
    for i in range(3):
        reader = dataset.reader("agents", shard=(i, 3), **options)
        reader.load_state(readers[0].state())
        rest.append(rows_of(reader))
    assert np.array_equal(np.sort(np.concatenate(rest)), np.sort(whole[200:]))


@pytest.mark.parametrize("count", [1, 2, 3, 7, 16])
def test_shards_are_disjoint_and_complete(dataset, count):
    options = {"where": "label = 3", "fields": ["row"], "order": "blocks", "batch": 500}
    whole = rows_of(dataset.reader("agents", **options))
    shards = [dataset.reader("agents", shard=(i, count), **options) for i in range(count)]
    found = [rows_of(reader) for reader in shards]
    assert [len(rows) for rows in found] == [reader.count() for reader in shards]
    assert max(map(len, found)) - min(map(len, found)) <= 1
    for i, rows in enumerate(found):
        assert np.array_equal(rows, whole[i::count])


def test_windows_are_those_of_tracks_within_scenes(dataset, columns):
    past, future = 2, 3
    window = {"past": past, "future": future}
    reader = dataset.reader("agents", window=window, fields=["row", "yaw"], batch=4_000)
    found = joined(reader)
    keys = zip(
        *(columns[name].tolist() for name in ("frame_index", "track_id")), strict=True
    )
    row_of = {key: row for row, key in enumerate(keys)}
    expected = []
    for row, (frame, track) in enumerate(
        zip(columns["frame_index"].tolist(), columns["track_id"].tolist(), strict=True)
    ):
        rows = [row_of.get((frame + i, track)) for i in range(-past, future + 1)]
        if None not in rows and len({int(columns["scene"][r]) for r in rows}) == 1:
            assert rows[past] == row
            expected.append(rows)
    assert reader.schema["yaw"] == (np.dtype("<f4"), (6,))
    assert np.array_equal(found["row"], expected)
    assert np.array_equal(found["yaw"], columns["yaw"][found["row"]])


def test_rows_of_tracks_have_windows_as_views(dataset, columns):
    fields = ["row", "track_id", "frame", "yaw"]
    by_scene = {"by_block": True}
    reader = dataset.reader("agents", fields=fields, order="tracks", batch=by_scene)
    batches = list(reader)
    assert len(batches) == len(reader) == len(dataset.scenes)
    expected = np.lexsort([columns[name] for name in ("frame", "track_id", "scene")])
    assert np.array_equal(rows_of(batches), expected)
    found = []
    for batch in batches:
        track, frame = batch["track_id"], batch["frame"]
        starts = (track[5:] == track[:-5]) & (frame[5:] - frame[:-5] == 5)
        views = sliding_window_view(batch["row"], 6)
        assert np.shares_memory(views, batch["row"])
        found.append(views[starts])
    window = {"past": 2, "future": 3}
    copies = dataset.reader("agents", fields=["row"], window=window, order="tracks")
    assert np.array_equal(np.concatenate(found), rows_of(copies))


def test_windows_name_fields_by_offset(dataset, columns):
    window = {"past": 1, "fields_at": {-1: ["row"], 0: ["row", "yaw"]}}
    reader = dataset.reader("agents", window=window, batch=4_000)
    found = joined(reader)
    assert list(found) == ["row@-1", "row@0", "yaw@0"] == list(reader.schema)
    assert np.array_equal(found["yaw@0"], columns["yaw"][found["row@0"]])
    tracks = columns["track_id"]
    assert np.array_equal(tracks[found["row@-1"]], tracks[found["row@0"]])


def test_patterns_stand_for_the_fields_they_match(dataset):
    reader = dataset.reader("agents", fields=["yaw", re.compile("(cent|ext).*|yaw"), "row"])
    assert list(reader.next_batch()) == ["yaw", "centroid", "extent", "row"]
    assert list(reader.schema) == ["yaw", "centroid", "extent", "row"]
    with pytest.raises(bevscope.NotFound, match='no field matches "cent"'):
        dataset.reader("agents", fields=[re.compile("cent")])


def test_the_schema_describes_the_batches(dataset):
    for table in ("scenes", "frames", "agents", "traffic_light_faces"):
        reader = dataset.reader(table, batch=10)
        batch = reader.next_batch()
        found = {name: (one.dtype, one.shape[1:]) for name, one in batch.items()}
        assert found == reader.schema
        assert reader.count() == len(dataset[table])


def test_strings_are_those_of_the_array(dataset):
    hosts = joined(dataset.reader("scenes", fields=["host"]))["host"]
    assert hosts.tolist() == dataset.scenes["host"].tolist()
    faces = joined(dataset.reader("traffic_light_faces", fields=["face_id"], batch=999))
    assert faces["face_id"].tolist() == dataset.tl_faces["face_id"].tolist()


def test_arrays_of_a_batch_share_one_owner(dataset):
    batch = dataset.reader("agents", fields=["row", "centroid", "yaw"]).next_batch()
    assert len({id(array.base) for array in batch.values()}) == 1
    assert all(array.base is not None for array in batch.values())


def test_batches_stay_valid(dataset, columns):
    batches = list(dataset.reader("agents", fields=["row", "yaw"], batch=777))
    assert np.array_equal(rows_of(batches), columns["row"])
    assert np.array_equal(joined(batches)["yaw"], columns["yaw"])


@pytest.mark.parametrize("order", ORDERS)
def test_pickles_continue_at_the_position(dataset, order):
    options = {"where": "yaw > 0", "fields": ["row", "host"], "order": order, "epoch": 2}
    reader = dataset.reader("agents", **options)
    for _ in range(3):
        reader.next_batch()
    copy = pickle.loads(pickle.dumps(reader))
    assert digest(copy) == digest(reader)
    assert copy.epoch == reader.epoch == 3


def test_threads_read_the_same_streams(dataset):
    """Readers of one data set wait for each other and do not mix."""
    options = {"where": "speed > 1", "fields": ["row", "yaw"], "batch": 100}
    expected = [digest(dataset.reader("agents", seed=i, order="full", **options))
                for i in range(4)]  # fmt: skip
    found = [""] * 4

    def read(i):
        found[i] = digest(dataset.reader("agents", seed=i, order="full", **options))

    threads = [threading.Thread(target=read, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_errors_name_what_was_found(dataset):
    for options, kind, message in (
        ({"where": "speed >"}, bevscope.InvalidArgument, "column 8"),
        ({"where": "spede > 1"}, bevscope.NotFound, "spede"),
        ({"fields": ["yaws"]}, bevscope.NotFound, "yaws"),
        ({"order": "random"}, bevscope.InvalidArgument, "random"),
        ({"last": "maybe"}, bevscope.InvalidArgument, "maybe"),
        ({"shard": (4, 4)}, bevscope.InvalidArgument, "shard"),
        ({"batch": 0}, bevscope.InvalidArgument, "batch"),
        ({"window": {"pasts": 3}}, bevscope.InvalidArgument, "pasts"),
    ):
        with pytest.raises(kind, match=message):
            dataset.reader("agents", **options)
    with pytest.raises(bevscope.NotFound):
        dataset.reader("agent")


def test_a_state_of_another_plan_is_refused(dataset):
    state = dataset.reader("agents", order="blocks", seed=1).state()
    other = dataset.reader("agents", order="blocks", seed=2)
    with pytest.raises(bevscope.InvalidArgument, match="order"):
        other.load_state(state)
    with pytest.raises(bevscope.InvalidArgument, match="state"):
        other.load_state("{}")
    assert len(rows_of(dataset.reader("agents", fields=["row"]))) == other.count()


def test_explain_counts_what_was_tested(dataset):
    reader = dataset.reader("agents", where="scene = 1 and yaw > 0", fields=["row"])
    assert reader.count() == len(rows_of(reader))
    described = reader.explain()
    assert described["plan"]["from"] == "agents"
    assert 0 < reader.diagnostics["rows_tested"] < len(dataset.agents)


def test_rows_of_a_chunk_that_was_overwritten_after_indexing_are_found(tmp_path):
    chunks = [np.array(values, "<f8") for values in ([1, 2], [3, 4])]
    meta = {"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "<f8", "order": "C"}
    meta |= {"compressor": None, "fill_value": 0, "filters": None}
    known = []
    (tmp_path / "x").mkdir()
    (tmp_path / ".zgroup").write_text('{"zarr_format": 2}')
    (tmp_path / "x/.zarray").write_text(json.dumps(meta))
    for number, values in enumerate(chunks):
        file = tmp_path / "x" / str(number)
        file.write_bytes(values.tobytes())
        validator = f"16 bytes, {file.stat().st_mtime_ns} ns"
        limits = [[[float(values.min()), float(values.max()), 0]]]
        found = {"chunk": number, "size": 16, "checksum": 0, "validator": validator}
        known.append(found | {"limits": limits})
    array = {"length": 4, "chunk_rows": 2, "dtype": "<f8", "fields": [["", 1]]}
    statistics = {"version": 1, "arrays": {"x": array | {"chunks": known}}}
    (tmp_path / ".bevscope").mkdir()
    (tmp_path / ".bevscope/statistics.json").write_text(json.dumps(statistics))

    def found():
        reader = bevscope.open(tmp_path).reader("x", where="value > 400")
        return [batch["value"].tolist() for batch in reader]

    assert found() == []
    (tmp_path / "x/1").write_bytes(np.array([3, 500], "<f8").tobytes())
    assert found() == [[500]]
