"""Ranks of bevscope.torch.loader, and what an iteration is."""

import itertools

import numpy as np
import pytest

torch = pytest.importorskip("torch")
sampling = pytest.importorskip("torch.utils.data.distributed")

import bevscope  # noqa: E402
from bevscope.torch import loader, order_of  # noqa: E402


class Numbers:
    """Stands for samples: item i is i."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def batch(self, items, threads=1):
        return {"item": np.asarray(items)}


def items(batches):
    return [batch["item"].tolist() for batch in batches]


SHAPES = [*itertools.product((0, 1, 5, 16, 300), (1, 4, 37), (1, 3, 8))]


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize(("count", "size", "world"), SHAPES)
def test_ranks_have_equal_numbers_of_batches(count, size, world, shuffle):
    options = {"shuffle": shuffle, "seed": 3, "world": world}
    for drop_last in (False, True):
        ranks = [
            loader(Numbers(count), size, rank=rank, drop_last=drop_last, **options)
            for rank in range(world)
        ]
        found = [items(one) for one in ranks]
        assert [len(one) for one in ranks] == [len(one) for one in found]
        assert len({tuple(map(len, one)) for one in found}) == 1
        seen = [item for one in found for batch in one for item in batch]
        if drop_last:
            assert len(seen) == len(set(seen)) == count // (size * world) * size * world
        else:
            assert set(seen) == set(range(count))
            assert len(seen) == -(-count // world) * world


def test_padding_is_that_of_pytorchs_sampler():
    for count, world in itertools.product((1, 2, 7, 8, 30), (1, 3, 8)):
        order = torch.arange(count).numpy()
        for rank in range(world):
            sampler = sampling.DistributedSampler(order, world, rank, shuffle=False)
            made = loader(Numbers(count), 1, rank=rank, world=world)
            assert [item for (item,) in items(made)] == list(sampler)


@pytest.mark.parametrize(("count", "size", "world"), SHAPES)
def test_uneven_ranks_have_every_sample_once(count, size, world):
    ranks = [
        loader(Numbers(count), size, rank=rank, world=world, uneven=True)
        for rank in range(world)
    ]
    found = [items(one) for one in ranks]
    assert [len(one) for one in ranks] == [len(one) for one in found]
    assert sorted(i for one in found for batch in one for i in batch) == [*range(count)]


def test_a_look_at_the_first_batch_costs_no_batch_of_an_epoch():
    made = loader(Numbers(100), 10, shuffle=True, seed=1)
    assert len(next(iter(made))["item"]) == 10
    for epoch in (1, 2):
        assert made.epoch == (0 if epoch == 1 else 2)
        found = items(made)
        assert len(found) == len(made) == 10
        assert np.array_equal(np.concatenate(found), order_of(100, True, 1, epoch))


def test_an_iteration_that_was_left_is_not_continued():
    made = loader(Numbers(100), 10, shuffle=True, seed=1)
    firsts = []
    for _ in range(5):
        for batch in made:
            firsts.append(batch["item"].tolist())
            break
    expected = [order_of(100, True, 1, epoch)[:10].tolist() for epoch in range(5)]
    assert firsts == expected


def test_only_a_loaded_state_continues_an_epoch():
    made = loader(Numbers(100), 10, shuffle=True, seed=1)
    whole = items(loader(Numbers(100), 10, shuffle=True, seed=1))
    first = [*itertools.islice(made, 4)]
    state = made.state_dict()
    assert items(first) == whole[:4]
    again = loader(Numbers(100), 10)
    again.load_state_dict(state)
    assert again.state_dict() == state
    assert items(again) == whole[4:]
    assert len(items(again)) == 10
    made.load_state_dict(state)
    assert items(made) == whole[4:]


@pytest.mark.parametrize("parted", [1, 3])
def test_a_state_continues_on_other_ranks(parted):
    ranks = [loader(Numbers(100), 4, rank=r, world=parted) for r in range(parted)]
    for one in ranks:
        next(iter(one))
    state = ranks[0].state_dict()
    rest = []
    for rank in range(2):
        one = loader(Numbers(100), 4, rank=rank, world=2, uneven=True)
        one.load_state_dict(state)
        rest += [i for batch in items(one) for i in batch]
    assert sorted(rest) == [*range(4 * parted, 100)]


WRONG = [{"batch_size": 0}, {"batch_size": 1.5}, {"batch_size": True}, {"threads": 0}]
WRONG += [{"rank": 2, "world": 2}, {"rank": -1}, {"world": 0}, {"seed": -1}, {"seed": None}]


@pytest.mark.parametrize("options", WRONG, ids=str)
def test_wrong_options_are_named(options):
    name = next(iter(options))
    with pytest.raises(bevscope.Error, match=f"loader: {name}"):
        loader(Numbers(10), **options)
