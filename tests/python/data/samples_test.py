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
        rules=AGENTS if kind == "agent" else None,
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


@pytest.mark.parametrize("kind", ["ego", "agent"])
def test_threads_do_not_change_a_batch(made, goldens, configs, kind):
    samples = bevscope.Samples(
        made.dataset,
        configs["B_sem"],
        kind=kind,
        root=goldens / "inputs",
        rules=AGENTS if kind == "agent" else None,
    )
    rows = np.random.default_rng(1).integers(0, len(samples), 40)
    expected = samples.batch(rows)
    for threads in (2, 5):
        for key, value in samples.batch(rows, threads=threads).items():
            assert np.array_equal(value, expected[key]), key


def test_data_sets_in_memory_build_on_threads(made, configs):
    names = ("scenes", "frames", "agents", "traffic_light_faces")
    source = bevscope.MemorySource({name: made.dataset[name][:] for name in names})
    samples = bevscope.Samples(source, configs["B_box"])
    rows = list(range(0, 300, 11))
    assert np.array_equal(
        samples.batch(rows, threads=2)["image"], samples.batch(rows)["image"]
    )


def test_batches_fill_arrays_of_the_caller(made):
    rows = [3, 250, -1]
    expected = made.batch(rows)
    out = {key: np.empty_like(expected[key]) for key in ("image", "timestamp")}
    batch = made.batch(rows, out=out, threads=2)
    assert list(batch) == list(expected)
    for key, value in expected.items():
        assert np.array_equal(batch[key], value), key
    assert batch["image"] is out["image"] and batch["timestamp"] is out["timestamp"]


def test_outputs_that_do_not_fit_are_refused(made):
    image = made.batch([1, 2])["image"]
    frozen = image.copy()
    frozen.flags.writeable = False
    wrong = [image[:1], image.astype(np.float64), image[..., ::2], frozen]
    for one in [*wrong, [1, 2]]:
        with pytest.raises(bevscope.InvalidArgument, match='output "image"'):
            made.batch([1, 2], out={"image": one})
    with pytest.raises(bevscope.InvalidArgument, match='output "picture"'):
        made.batch([1, 2], out={"picture": image})


def test_batches_for_pytorch_are_sequences_of_samples(made):
    batch = made.__getitems__([3, 250, -1])
    assert len(batch) == 3
    for one, index in zip(batch, [3, 250, -1]):
        expected = made[index]
        assert list(one) == list(expected)
        for key, value in expected.items():
            assert type(one[key]) is type(value), key
            assert np.array_equal(one[key], value), key
    assert np.shares_memory(batch[1]["image"], batch.arrays["image"])
    assert len(batch[1:]) == 2 and batch[-1]["frame_index"] == batch[2]["frame_index"]
    with pytest.raises(IndexError):
        batch[3]


def test_a_mask_selects_agents(made, goldens, configs):
    agents = made.dataset.agents
    mask = np.zeros(len(agents), bool)
    mask[[100, 500]] = agents["label_probabilities"][[100, 500], 3:].sum(1) > 0.5
    samples = bevscope.Samples(
        made.dataset, configs["B_stub"], kind="agent", root=goldens / "inputs", mask=mask
    )
    rows = np.nonzero(mask)[0]
    assert len(rows) > 0 and np.array_equal(samples.agent_rows, rows)
    for i, row in enumerate(rows):
        assert samples[i]["track_id"] == agents[int(row)]["track_id"]
    assert len(pickle.loads(pickle.dumps(samples))) == len(rows)
    with pytest.raises(bevscope.InvalidArgument, match="kind ego has no mask"):
        bevscope.Samples(made.dataset, configs["B_stub"], mask=mask, image="none")


def test_offsets_move_the_ego_vehicle(goldens, configs):
    path = str(goldens / "inputs/single_scene.zarr")
    samples = bevscope.Samples(path, configs["B_stub"], image="none")
    offsets = np.array([[0.5, 1.0, 0.1], [np.nan] * 3])
    moved, plain = samples.batch([20, 20], offsets=offsets), samples[20]
    assert not np.allclose(moved["centroid"][0], plain["centroid"])
    assert np.array_equal(moved["centroid"][1], plain["centroid"])
    with pytest.raises(bevscope.InvalidArgument, match="offsets"):
        samples.batch([20], offsets=offsets)
    with pytest.raises(bevscope.InvalidArgument, match="whole future"):
        samples.batch([247], offsets=offsets[:1])


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


def test_a_config_with_a_number_that_is_not_finite_says_where(goldens, configs):
    data = str(goldens / "inputs/single_scene.zarr")
    config = {**configs["B_stub"], "own": {"scale": [1, float("nan")]}}
    found = r"config: own\.scale\[1\]: not a finite number \(found nan\)"
    with pytest.raises(bevscope.InvalidArgument, match=found):
        bevscope.Samples(data, config)
    config["own"] = config
    with pytest.raises(bevscope.InvalidArgument, match="config: contains itself"):
        bevscope.Samples(data, config)
