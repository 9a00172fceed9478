"""bevscope.Samples against the reference's samples."""

import pickle
from multiprocessing import get_context

import numpy as np
import pytest

import bevscope
from goldens import close, read

CONFIGS = [
    "A_box A_box_th0 A_box_th08 A_sat A_sat_stock A_sat_top A_satdbg A_sem A_sem_notl",
    "A_sem_stock A_sem_top A_semdbg A_stub B_box B_box_noegohist B_box_top B_sat B_sem",
    "B_stub B_stub_dt02 C_box C_sat C_sem C_stub D_sem",
]
NAMES = " ".join(CONFIGS).split()
AGENTS = {"min_history": 0, "min_future": 1, "use_stored": False}


def golden_cases():
    for config in NAMES:
        for scene in ("single", "multi"):
            for kind in ("ego", "agent"):
                yield config, scene, kind


@pytest.mark.parametrize(("config", "scene", "kind"), golden_cases())
def test_rasterized_samples_are_the_reference(goldens, configs, config, scene, kind):
    path = goldens / f"outputs/samples/{config}_{scene}_{kind}.npz"
    if not path.exists():
        pytest.skip("not among the goldens")
    made = bevscope.Samples(
        str(goldens / f"inputs/{scene}_scene.zarr"),
        configs[config],
        kind=kind,
        root=goldens / "inputs",
        rules=AGENTS,
    )
    pixels = 0
    for index, expected in read(path).items():
        sample = made[index]
        assert set(sample) == set(expected)
        for key, value in expected.items():
            if key == "image":
                image = np.round(sample[key] * 255).astype(np.uint8)
                pixels += np.count_nonzero(image != value)
            else:
                close(sample[key], value, key)
    assert pixels == 0


@pytest.fixture(scope="session")
def made(goldens, configs):
    return bevscope.Samples(
        str(goldens / "inputs/multi_scene.zarr"), configs["B_sem"], root=goldens / "inputs"
    )


def test_batches_stack_samples(made):
    batch = made.batch([3, 250, -1, 3])
    for i, index in enumerate([3, 250, -1, 3]):
        for key, value in made[index].items():
            assert np.array_equal(batch[key][i], value), key
    owners = {batch[key].base is not None for key in batch}
    assert owners == {True}


def test_bytes_are_255_times_the_image(made, goldens, configs):
    small = bevscope.Samples(
        made.dataset, configs["B_sem"], root=goldens / "inputs", image="u8"
    )
    image = small[7]["image"]
    assert image.dtype == np.uint8
    assert np.array_equal(np.float32(image) / np.float32(255), made[7]["image"])


def test_samples_outlive_the_next(made):
    first = made[0]["image"]
    copy = first.copy()
    made[200]
    assert np.array_equal(first, copy)


def test_scalars_have_the_types_of_l5kit(made):
    sample = made[5]
    assert type(sample["scene_index"]) is int
    assert type(sample["yaw"]) is float
    assert type(sample["track_id"]) is np.int64
    assert type(sample["timestamp"]) is np.int64


def test_indices_out_of_range_raise(made):
    with pytest.raises(IndexError):
        made[len(made)]
    with pytest.raises(IndexError):
        made.track(0, 3, 10**6)


def image_sum(samples_and_index):
    samples, index = samples_and_index
    return float(samples[index]["image"].sum())


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_processes_build_the_same_samples(made, method):
    assert len(pickle.dumps(made)) < 4000
    with get_context(method).Pool(2) as pool:
        found = pool.map(image_sum, [(made, i) for i in (0, 100, 200)])
    assert found == [image_sum((made, i)) for i in (0, 100, 200)]
