"""Values in the frame of an agent, compared with NumPy."""

import numpy as np
import pytest

import bevscope

FIELDS = ["row", "centroid", "velocity", "yaw", "extent"]
WINDOW = {"past": 2, "future": 3, "edges": "pad"}


@pytest.fixture(scope="module")
def dataset(town):
    return bevscope.open(town / "scenes/town.zarr")


def batches_of(dataset, **options):
    where = "scene = 1 and frame < 40"
    reader = dataset.reader(
        "agents", where=where, fields=FIELDS, window=WINDOW, batch=5_000, **options
    )
    return reader, list(reader)


def test_windows_are_in_the_frame_of_the_chosen_row(dataset):
    _, world = batches_of(dataset, order="full")
    reader, found = batches_of(dataset, order="full", transform="agent_frame")
    assert reader.plan["transform"] == "agent_frame"
    past = WINDOW["past"]
    for batch, plain in zip(found, world, strict=True):
        assert batch.keys() == plain.keys()
        for name in ("row", "extent", "window.mask"):
            assert np.array_equal(batch[name], plain[name])
        assert not batch["centroid"][:, past].any()
        assert not batch["yaw"][:, past].any()
        there = plain["window.mask"]
        yaw = plain["yaw"][:, past].astype(np.float64)[:, None]
        cos, sin = np.cos(yaw), np.sin(yaw)

        def rotated(points, cos=cos, sin=sin):
            x, y = np.moveaxis(points.astype(np.float64), 2, 0)
            return np.stack([cos * x + sin * y, cos * y - sin * x], axis=2)

        moved = rotated(plain["centroid"] - plain["centroid"][:, past, None])
        assert np.allclose(batch["centroid"][there], moved[there], rtol=0, atol=1e-9)
        speed = rotated(plain["velocity"])
        assert np.allclose(batch["velocity"][there], speed[there], rtol=1e-6, atol=1e-5)
        turned = np.exp(1j * (plain["yaw"] - yaw))
        assert np.allclose(np.exp(1j * batch["yaw"])[there], turned[there], atol=1e-6)
        for name in ("centroid", "velocity", "yaw"):
            assert not batch[name][~there].any()


def test_other_tables_and_names_are_refused(dataset):
    for table, name in (("frames", "agent_frame"), ("agents", "ego_frame")):
        with pytest.raises(bevscope.InvalidArgument, match="plan.transform"):
            dataset.reader(table, transform=name)
