"""Batches for PyTorch, without worker processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from . import _checks
from ._data import batch as _batch
from ._errors import InvalidArgument, Unsupported

Batch = dict[str, Any]

_INT64_MAX = 2**63 - 1


class Sampled(Protocol):
    """Samples that are built in batches: `bevscope.Samples`."""

    def __len__(self) -> int: ...
    def batch(self, indices: npt.NDArray[Any], *, threads: int) -> dict[str, Any]: ...


def order_of(count: int, shuffle: bool, seed: int, epoch: int) -> npt.NDArray[np.int64]:
    """Returns the order of an epoch's samples: a function of seed and epoch alone."""
    if not shuffle:
        return np.arange(count)
    return np.random.Generator(np.random.PCG64([seed, epoch])).permutation(count)


def tensors_of(batch: Mapping[str, Any], device: Any = None) -> Batch:
    """Returns the arrays of a batch as tensors that share their memory; wide unsigned
    integers are copied as int64, which all versions of PyTorch have.

    Raises Unsupported if a value does not fit.
    """
    import torch

    made: Batch = {}
    for key, value in batch.items():
        array = np.asarray(value)
        if array.dtype.kind == "u" and array.dtype.itemsize > 1:
            # As Python's integers: NumPy 1 compares these as floating-point numbers.
            most = int(array.max()) if array.size else 0
            if most > _INT64_MAX:
                raise Unsupported(
                    f"{key}: too large for int64 (found {most}, limit {_INT64_MAX})"
                )
            array = array.astype(np.int64)
        tensor = torch.from_numpy(array)
        made[key] = tensor if device is None else tensor.to(device, non_blocking=True)
    return made


def collate(samples: Any, device: Any = None) -> Batch:
    """Returns samples as a batch of tensors, for torch's DataLoader: without a copy if
    the data set built them together, otherwise as torch's default does."""
    from torch.utils.data import default_collate

    if isinstance(samples, _batch.Batch):
        return tensors_of(samples.arrays, device)
    made: Batch = default_collate(list(samples))
    return made


def _distributed() -> tuple[int, int]:
    """Returns rank and number of ranks of torch.distributed, if it is in use."""
    try:
        import torch.distributed as distributed
    except ImportError:
        return 0, 1
    if not (distributed.is_available() and distributed.is_initialized()):
        return 0, 1
    return distributed.get_rank(), distributed.get_world_size()


class Loader:
    """Iterates over an epoch's batches; see loader()."""

    def __init__(
        self,
        samples: Sampled,
        batch_size: int,
        *,
        shuffle: bool,
        seed: int,
        threads: int,
        drop_last: bool,
        uneven: bool,
        device: Any,
        rank: int | None,
        world: int | None,
    ) -> None:
        found = _distributed()
        self.samples, self.device = samples, device
        self.batch_size = _checks.integer("loader: batch_size", batch_size, 1)
        self.threads = _checks.integer("loader: threads", threads, 1)
        self.seed = _checks.integer("loader: seed", seed)
        self.shuffle, self.drop_last, self.uneven = shuffle, drop_last, uneven
        self.world = _checks.integer(
            "loader: world", found[1] if world is None else world, 1
        )
        chosen = found[0] if rank is None else rank
        self.rank = _checks.integer("loader: rank", chosen, 0, self.world - 1)
        #: The epoch of the next batch.
        self.epoch = 0
        self._position = 0  # samples of the epoch that all ranks have taken
        self._is_resumed = False

    def __len__(self) -> int:
        """The number of batches of a whole epoch, on this rank."""
        step = self.batch_size * self.world
        whole, rest = divmod(len(self.samples), step)
        return whole + (not self.drop_last and rest > (self.rank if self.uneven else 0))

    def _rounds(self) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
        """Yields the position after each batch, and the batch's items on this rank."""
        order = order_of(len(self.samples), self.shuffle, self.seed, self.epoch)
        step = self.batch_size * self.world
        for begin in range(self._position, len(order), step):
            part = order[begin : begin + step]
            if self.drop_last and len(part) < step:
                return
            if not self.uneven:  # as torch's DistributedSampler does
                part = np.append(part, np.resize(order, -len(part) % self.world))
            yield min(begin + step, len(order)), part[self.rank :: self.world]

    def __iter__(self) -> Iterator[Batch]:
        if self._position and not self._is_resumed:  # the last iteration was left
            self.epoch, self._position = self.epoch + 1, 0
        self._is_resumed = False
        epoch = self.epoch
        # The next batch is built while the caller uses the last one.
        pool = ThreadPoolExecutor(1)

        def build(items: npt.NDArray[np.int64]) -> Batch:
            return self.samples.batch(items, threads=self.threads)

        try:
            building: tuple[int, Future[Batch]] | None = None
            for position, items in self._rounds():
                built = building
                building = (position, pool.submit(build, items)) if len(items) else None
                if built is not None:
                    yield self._taken(epoch, *built)
            if building is not None:
                yield self._taken(epoch, *building)
            self.epoch, self._position = epoch + 1, 0
        finally:
            pool.shutdown(cancel_futures=True)

    def _taken(self, epoch: int, position: int, future: Future[Batch]) -> Batch:
        """Waits for a batch, after which the state continues."""
        batch = tensors_of(future.result(), self.device)
        self.epoch, self._position = epoch, position
        return batch

    def state_dict(self) -> dict[str, int]:
        """Returns what load_state_dict() continues from: after the last batch taken."""
        return {
            "seed": self.seed,
            "epoch": self.epoch,
            "position": self._position,
            "count": len(self.samples),
            "shuffle": int(self.shuffle),
        }

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """The next iteration continues an epoch, also on another number of ranks."""
        if state["count"] != len(self.samples):
            raise InvalidArgument(
                f"loader: the state belongs to other samples (found {state['count']}, "
                f"expected {len(self.samples)})"
            )
        self.seed, self.shuffle = state["seed"], bool(state["shuffle"])
        self.epoch, self._position = state["epoch"], state["position"]
        self._is_resumed = True


def loader(
    samples: Sampled,
    batch_size: int = 1,
    *,
    shuffle: bool = False,
    seed: int = 0,
    threads: int = 1,
    drop_last: bool = False,
    uneven: bool = False,
    device: Any = None,
    rank: int | None = None,
    world: int | None = None,
) -> Loader:
    """Returns batches as dicts of tensors, built by threads instead of processes.

    The order depends on seed and epoch only. Every iteration is an epoch: one that is left
    before its end is not continued, unless `load_state_dict()` resumes at a
    `state_dict()`. Ranks take parts of the epoch: those of torch.distributed, if `rank`
    and `world` are not given.

    All ranks have equal numbers of batches of equal sizes: at the end of an epoch, up to
    `world` - 1 samples of its beginning are repeated, as torch's DistributedSampler does.

    Args:
        drop_last: leaves out the samples that do not fill a batch on every rank. None is
            then repeated.
        uneven: repeats no sample. Ranks may then have one batch less than others, or a
            smaller one: for evaluation without synchronization of gradients.
        threads: that build a batch; the next one is built ahead.
        device: where tensors are copied to; None leaves them in the batch's memory.
    """
    return Loader(
        samples,
        batch_size,
        shuffle=shuffle,
        seed=seed,
        threads=threads,
        drop_last=drop_last,
        uneven=uneven,
        device=device,
        rank=rank,
        world=world,
    )
