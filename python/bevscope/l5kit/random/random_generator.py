"""Sources of random numbers for perturbations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[Any]


class RandomGenerator(ABC):
    """Calling it draws the next values."""

    @abstractmethod
    def _sample(self) -> Values: ...

    def __call__(self) -> Values:
        return self._sample()


class LambdaRandomGenerator(RandomGenerator):
    """Draws by a function."""

    def __init__(self, sampling_function: Callable[[], Values]) -> None:
        self.sampling_function = sampling_function

    def _sample(self) -> Values:
        return self.sampling_function()


class ReplayRandomGenerator(RandomGenerator):
    """Returns given values in order. Raises IndexError after the last."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._next = 0

    def _sample(self) -> Values:
        if self._next >= len(self._values):
            raise IndexError(f"random values: index {self._next} is out of range")
        self._next += 1
        return np.array(self._values[self._next - 1])


class GaussianRandomGenerator(RandomGenerator):
    """Normal distribution, of any shape, with a generator of its own."""

    def __init__(self, mean: Any, std: Any, random_seed: int | None = 0) -> None:
        self.mean, self.std = np.array(mean), np.array(std)
        self.random_seed = random_seed
        self.rng = np.random.default_rng(random_seed)

    def _sample(self) -> Values:
        return np.asarray(self.rng.normal(self.mean, self.std))


class UniformRandomGenerator(RandomGenerator):
    """Uniform distribution over [low, high), by np.random."""

    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high = low, high

    def _sample(self) -> Values:
        return np.asarray(np.random.uniform(self.low, self.high))
