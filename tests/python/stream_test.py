"""The stream of samples is the same however it is built, stopped and split.

`pytest --whole` tries every combination of workers, start methods and threads; otherwise
each value of each is tried.
"""

import hashlib
from multiprocessing import get_context

import numpy as np
import pytest

import bevscope

torch = pytest.importorskip("torch")
import torch.distributed as distributed  # noqa: E402

from bevscope.torch import loader  # noqa: E402

SIZE, SEED = 16, 7
COVERING = [
    (0, None, 1), (0, None, 2), (0, None, 4), (2, "fork", 2), (4, "fork", 4),
    (2, "forkserver", 4), (4, "forkserver", 1), (2, "spawn", 1), (4, "spawn", 2),
]  # fmt: skip
ALL = [(0, None, threads) for threads in (1, 2, 4)] + [
    (workers, method, threads)
    for workers in (2, 4)
    for method in ("fork", "forkserver", "spawn")
    for threads in (1, 2, 4)
]


def pytest_generate_tests(metafunc):
    if "combination" in metafunc.fixturenames:
        whole = metafunc.config.getoption("--whole")
        metafunc.parametrize("combination", ALL if whole else COVERING, ids=str)


@pytest.fixture(scope="module")
def samples(goldens, configs):
    return samples_of(goldens, configs)


def samples_of(goldens, configs):
    return bevscope.Samples(
        str(goldens / "inputs/multi_scene.zarr"),
        configs["B_box"],
        root=goldens / "inputs",
        image="u8",
    )


class Batches:
    """A data set of PyTorch whose items are the batches of an epoch."""

    def __init__(self, samples, threads):
        self.samples, self.threads = samples, threads

    def __len__(self):
        return 8

    def __getitem__(self, index):
        made = loader(self.samples, SIZE, shuffle=True, seed=SEED, threads=self.threads)
        made.load_state_dict({**made.state_dict(), "position": index * SIZE})
        return next(iter(made))


def digest(batches):
    made = hashlib.sha256()
    for batch in batches:
        for key in sorted(batch):
            made.update(np.ascontiguousarray(batch[key]).tobytes())
    return made.hexdigest()


@pytest.fixture(scope="module")
def expected(samples):
    made = hashlib.sha256()
    order = [
        int(i)
        for i in np.random.Generator(np.random.PCG64([SEED, 0])).permutation(len(samples))
    ]
    for begin in range(0, 8 * SIZE, SIZE):
        batch = [samples[i] for i in order[begin : begin + SIZE]]
        for key in sorted(batch[0]):
            for one in batch:
                made.update(np.asarray(one[key]).tobytes())
    return made.hexdigest()


def test_streams_are_equal(samples, expected, combination):
    workers, method, threads = combination
    stream = torch.utils.data.DataLoader(
        Batches(samples, threads),
        batch_size=None,
        num_workers=workers,
        multiprocessing_context=method,
    )
    assert digest(stream) == expected


def take(rank, world, folder, build, job):
    """Takes samples as a rank of gloo: job is (stop, state). Puts (timestamps, state)."""
    stop, state, results = job
    distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/group{world}", rank=rank, world_size=world
    )
    made = loader(samples_of(*build), 8, shuffle=True, seed=2)
    assert (made.rank, made.world) == (rank, world)
    if state:
        made.load_state_dict(state)
    taken = []
    for number, batch in enumerate(made, 1):
        taken += [int(t) for t in batch["timestamp"]]
        if number == stop:
            break
    distributed.barrier()
    results.put((rank, taken, made.state_dict()))
    distributed.destroy_process_group()


def run_ranks(world, folder, build, stop=None, state=None):
    """Returns the timestamps that each rank took, and the states."""
    context = get_context("spawn")
    results = context.SimpleQueue()
    processes = [
        context.Process(
            target=take, args=(rank, world, folder, build, (stop, state, results))
        )
        for rank in range(world)
    ]
    for one in processes:
        one.start()
    for one in processes:
        one.join()
        assert one.exitcode == 0
    found = sorted(results.get() for _ in range(world))
    return [taken for _, taken, _ in found], [state for _, _, state in found]


@pytest.mark.skipif(not distributed.is_available(), reason="torch.distributed is missing")
def test_ranks_of_gloo_are_disjoint_and_complete(samples, goldens, configs, tmp_path):
    taken, _ = run_ranks(2, tmp_path, (goldens, configs))
    assert not set(taken[0]) & set(taken[1])
    assert sorted(taken[0] + taken[1]) == sorted(samples.dataset.frames["timestamp"])


@pytest.mark.skipif(not distributed.is_available(), reason="torch.distributed is missing")
def test_two_ranks_resume_as_three(samples, goldens, configs, tmp_path):
    before, states = run_ranks(2, tmp_path, (goldens, configs), stop=5)
    assert states[0] == states[1]
    assert [len(one) for one in before] == [40, 40]
    after, _ = run_ranks(3, tmp_path, (goldens, configs), state=states[0])
    # 220 items are left: two ranks repeat one each, so that all have 74.
    assert [len(one) for one in after] == [74, 74, 74]
    everything = sum(before + after, [])
    assert len(everything) == len(set(everything)) + 2
    assert set(everything) == set(samples.dataset.frames["timestamp"])


def test_twenty_stops_resume_exactly(samples):
    def ids(batches):
        return [int(t) for batch in batches for t in batch["timestamp"]]

    whole = ids(loader(samples, SIZE, shuffle=True, seed=3))
    for stop in np.random.default_rng(1).integers(1, 18, 20):
        made = loader(samples, SIZE, shuffle=True, seed=3, threads=2)
        before = ids(batch for _, batch in zip(range(stop), made))
        again = loader(samples, SIZE, threads=2)
        again.load_state_dict(made.state_dict())
        assert before + ids(again) == whole
