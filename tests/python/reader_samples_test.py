"""Samples as items of a reader, compared with bevscope.Samples."""

import json
import pickle
import re

import numpy as np
import pytest

import bevscope

WHERE = "scene = 1 and frame in (3, 19, 35, 51, 67, 83, 99, 115)"


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


@pytest.fixture(scope="module")
def config(town):
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((town / "config.yaml").read_text())


def rows_of(dataset, table, where):
    reader = dataset.reader(table, where=where, fields=["row"], batch=1_000_000)
    return np.concatenate([batch["row"] for batch in reader])


def joined(reader):
    batches = list(reader)
    return {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}


def same(found, wanted):
    assert set(found) == set(wanted)
    for name, values in wanted.items():
        assert found[name].dtype == values.dtype
        assert np.array_equal(found[name], values), name


def test_frames_are_samples_of_the_ego_vehicle(dataset, config, town):
    rows = rows_of(dataset, "frames", WHERE)
    wanted = bevscope.Samples(dataset, config, root=town, image="u8").batch(rows)
    reader = dataset.reader(
        "frames", where=WHERE, sample={"config": config, "image": "u8"}, root=town
    )
    assert reader.count() == len(rows)
    assert {name: kind[1] for name, kind in reader.schema.items()} == {
        name: values.shape[1:] for name, values in wanted.items()
    }
    same(joined(reader), wanted)


def test_agents_are_those_that_l5kit_selects(dataset, config):
    where = "scene = 1 and frame = 60"
    samples = bevscope.Samples(dataset, config, kind="agent", image="none")
    items = np.flatnonzero(np.isin(samples.agent_rows, rows_of(dataset, "agents", where)))
    assert items.size > 3
    reader = dataset.reader(
        "agents", where=where, sample={"config": config, "image": "none"}
    )
    same(joined(reader), samples.batch(items))


def test_order_shards_and_state(dataset, config):
    def made(**more):
        return dataset.reader(
            "frames",
            where=WHERE,
            sample={"config": config},
            fields=["timestamp", "target_positions"],
            order="full",
            seed=3,
            **{"batch": 5, **more},
        )

    whole = joined(made())
    assert not np.array_equal(np.sort(whole["timestamp"]), whole["timestamp"])
    for index in range(3):
        part = joined(made(shard=(index, 3)))
        same(part, {name: values[index::3] for name, values in whole.items()})
    reader = made()
    reader.next_batch()
    state = reader.state()
    resumed = pickle.loads(pickle.dumps(made(batch=3)))
    resumed.load_state(state)
    same(joined(resumed), {name: values[5:] for name, values in whole.items()})
    other = json.loads(json.dumps(config))
    other["model_params"]["future_num_frames"] = 3
    changed = dataset.reader(
        "frames", where=WHERE, sample={"config": other}, fields=["yaw"]
    )
    with pytest.raises(bevscope.InvalidArgument, match="sample"):
        changed.load_state(state)


def test_fields_are_keys_of_samples(dataset, config):
    sample = {"config": config, "image": "none"}
    reader = dataset.reader("frames", sample=sample, fields=[re.compile("target_.*")])
    assert list(reader.schema) == [
        f"target_{name}" for name in ("positions", "yaws", "velocities", "availabilities")
    ]
    with pytest.raises(bevscope.NotFound, match=r"plan\.fields.*target_positions"):
        dataset.reader("frames", sample=sample, fields=["positions"])
    with pytest.raises(bevscope.InvalidArgument, match=r"plan\.sample"):
        dataset.reader("scenes", sample=sample)
    with pytest.raises(bevscope.InvalidArgument, match=r"cannot be combined"):
        dataset.reader("frames", sample=sample, window={"past": 1})
