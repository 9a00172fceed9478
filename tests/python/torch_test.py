"""bevscope.torch, and PyTorch's own loader."""

import hashlib
import pickle

import numpy as np
import pytest

import bevscope

torch = pytest.importorskip("torch")
from bevscope.torch import collate, loader, order_of, tensors_of  # noqa: E402


@pytest.fixture(scope="module")
def samples(goldens, configs):
    return bevscope.Samples(
        str(goldens / "inputs/multi_scene.zarr"),
        configs["B_box"],
        root=goldens / "inputs",
        image="u8",
    )


def ids(batches):
    return [int(t) for batch in batches for t in batch["timestamp"]]


def digest(batches):
    made = hashlib.sha256()
    for batch in batches:
        for key in sorted(batch):
            made.update(np.ascontiguousarray(batch[key]).tobytes())
    return made.hexdigest()


def test_an_epoch_has_every_sample_once(samples):
    batches = list(loader(samples, 32, shuffle=True, seed=3))
    assert [len(batch["image"]) for batch in batches] == [32] * 9 + [12]
    assert sorted(ids(batches)) == sorted(samples.dataset.frames["timestamp"])
    assert len(loader(samples, 32)) == 10
    assert len(list(loader(samples, 32, drop_last=True))) == 9


def test_batches_are_tensors_of_the_samples(samples):
    batch = next(iter(loader(samples, 4)))
    for i in range(4):
        for key, value in samples[i].items():
            assert np.array_equal(batch[key][i], value), key
    assert batch["image"].dtype == torch.uint8


def test_integers_that_do_not_fit_are_refused():
    largest = np.array([2**63 - 1], np.uint64)
    assert int(tensors_of({"track_id": largest})["track_id"]) == 2**63 - 1
    with pytest.raises(bevscope.Unsupported, match="track_id: too large for int64"):
        tensors_of({"track_id": largest + np.uint64(1)})


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_do_not_change_the_stream(samples, threads):
    made = loader(samples, 16, shuffle=True, seed=5, threads=threads)
    assert digest(made) == digest(loader(samples, 16, shuffle=True, seed=5))


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
@pytest.mark.parametrize("workers", [0, 2])
def test_pytorchs_loader_gives_the_same_stream(samples, method, workers):
    order = order_of(len(samples), True, 5, 0)[:64]
    theirs = torch.utils.data.DataLoader(
        samples,
        batch_size=16,
        sampler=order.tolist(),
        num_workers=workers,
        multiprocessing_context=method if workers else None,
    )
    ours = loader(samples, 16, shuffle=True, seed=5)
    expected = [batch for _, batch in zip(range(4), ours)]
    assert digest(theirs) == digest(expected)


def test_collate_takes_batches_and_lists(samples):
    rows = [3, 40, 7]
    one = collate(samples.__getitems__(rows))
    other = collate([samples[i] for i in rows])
    assert set(one) == set(other)
    for key, value in one.items():
        assert torch.equal(value, other[key]) and value.dtype == other[key].dtype, key


def test_batches_fill_tensors(samples):
    shape = samples.batch([0])["image"].shape[1:]
    image = torch.zeros((2, *shape), dtype=torch.uint8)
    assert samples.batch([5, 9], out={"image": image})["image"] is image
    assert np.array_equal(image.numpy(), samples.batch([5, 9])["image"])


def test_epochs_differ_and_repeat(samples):
    made = loader(samples, 100, shuffle=True, seed=1)
    first, second = ids(made), ids(made)
    assert first != second and made.epoch == 2
    assert ids(loader(samples, 100, shuffle=True, seed=1)) == first


def test_stops_resume_exactly(samples):
    whole = ids(loader(samples, 16, shuffle=True, seed=9))
    random = np.random.default_rng(0)
    for stop in random.integers(1, 18, 20):
        made = loader(samples, 16, shuffle=True, seed=9)
        before = [batch for _, batch in zip(range(stop), made)]
        state = made.state_dict()
        assert len(pickle.dumps(state)) < 1024
        again = loader(samples, 16)
        again.load_state_dict(state)
        assert ids(before) + ids(again) == whole


def test_ranks_are_disjoint_and_complete_and_resume_as_more(samples):
    def ranks(world):
        return [
            loader(samples, 8, shuffle=True, seed=2, rank=rank, world=world, uneven=True)
            for rank in range(world)
        ]

    whole = ids(loader(samples, 8, shuffle=True, seed=2))
    assert sorted(sum((ids(one) for one in ranks(2)), [])) == sorted(whole)
    taken, states = [], []
    for one in ranks(2):
        taken += ids(batch for _, batch in zip(range(5), one))
        states.append(one.state_dict())
    assert states[0] == states[1]
    for one in ranks(3):
        one.load_state_dict(states[0])
        taken += ids(one)
    assert sorted(taken) == sorted(whole)
