"""Validators: which frames of a scene violate a limit, and totals over scenes."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

import torch

from ..simulation.unroll import SimulationOutputCLE, TrajectoryStateIndices
from .metrics import SupportsMetricCompute


class ValidatorOutput(NamedTuple):
    """Whether a scene is valid, and the indices of the frames that are not."""

    is_valid_scene: bool
    failed_frames: list[int]


SceneResults = Mapping[int, Mapping[str, ValidatorOutput]]


class SupportsMetricValidate(Protocol):
    """A validator, known by its name, of metrics, known by theirs."""

    validator_name: str
    requires_metric: list[str]

    @abstractmethod
    def validate(
        self,
        metric_results: dict[str, torch.Tensor],
        simulation_output: SimulationOutputCLE,
    ) -> ValidatorOutput:
        """Returns the frames that fail, from the results of the required metrics."""
        raise NotImplementedError


class DurationMode(IntEnum):
    """Which violations a duration counts: all of a scene, or those in a row."""

    TOTAL = 0
    CONTINUOUS = 1


class RangeValidator(SupportsMetricValidate):
    """Frames fail in which a metric is below a minimum or above a maximum.

    Args:
        validator_name: the name.
        metric: the class of the metric.
        min_value: the lowest value allowed; None for no limit.
        max_value: the highest value allowed; None for no limit.
        violation_duration_s: seconds of violation that are allowed: only the frames
            after them fail. With 0 all do.
        duration_mode: whether violations before a gap count towards the duration.
    """

    def __init__(
        self,
        validator_name: str,
        metric: type[SupportsMetricCompute],
        min_value: float | None = None,
        max_value: float | None = None,
        violation_duration_s: float = 0.0,
        duration_mode: DurationMode = DurationMode.TOTAL,
    ) -> None:
        if min_value is None and max_value is None:
            raise ValueError(f"{validator_name}: needs min_value or max_value")
        if min_value is not None and max_value is not None and min_value >= max_value:
            raise ValueError(
                f"{validator_name}: min_value must be less than max_value "
                f"(found {min_value} and {max_value})"
            )
        self.validator_name = validator_name
        self.metric_name = metric.metric_name
        self.requires_metric = [self.metric_name]
        self.min_value, self.max_value = min_value, max_value
        self.validation_duration_s = violation_duration_s
        self.duration_mode = duration_mode

    @staticmethod
    def cumsum_with_reset(
        timestamp_diff: torch.Tensor, validation_mask: torch.Tensor
    ) -> torch.Tensor:
        """Returns the running sum of durations where a mask is set, which starts anew
        after a gap."""
        total, sums = 0.0, []
        for step, violated in zip(timestamp_diff.tolist(), validation_mask.tolist()):
            total = total + step if violated else 0.0
            sums.append(total)
        return torch.as_tensor(
            sums, dtype=timestamp_diff.dtype, device=timestamp_diff.device
        )

    def _violations(self, result: Any) -> torch.Tensor:
        """Returns a mask (frames,). A result with more axes fails where any value does."""
        mask: Any = torch.zeros_like(result, dtype=torch.bool)
        if self.min_value is not None:
            mask |= result < self.min_value
        if self.max_value is not None:
            mask |= result > self.max_value
        return mask if mask.dim() == 1 else mask.flatten(1).any(dim=1)

    def _lasting(self, mask: torch.Tensor, times: torch.Tensor) -> Any:
        """Returns a mask of the violations after the duration that is allowed."""
        times = times[: len(mask)]  # metrics may omit the last frames
        steps = torch.cat((times[:1], times[1:] - times[:-1]))
        if self.duration_mode == DurationMode.CONTINUOUS:
            durations = self.cumsum_with_reset(steps, mask)
        else:
            durations = (steps * mask).cumsum(dim=0) * mask
        return durations > self.validation_duration_s

    def validate(
        self,
        metric_results: dict[str, torch.Tensor],
        simulation_output: SimulationOutputCLE,
    ) -> ValidatorOutput:
        """Returns the frames that fail."""
        mask = self._violations(metric_results[self.metric_name])
        if self.validation_duration_s > 0:
            states = simulation_output.simulated_ego_states
            mask = self._lasting(mask, states[:, TrajectoryStateIndices.TIME])
        failed = torch.nonzero(mask)[:, 0].tolist()
        return ValidatorOutput(not failed, failed)


class SupportsValidationAggregation(Protocol):
    """A total of validators' results over scenes."""

    def aggregate(self, scene_validation_results: SceneResults) -> dict[str, Any]:
        """Returns a total for each validator."""
        raise NotImplementedError


class ValidationCountingAggregator(SupportsValidationAggregation):
    """Numbers of failed scenes.

    Args:
        failed_frames: counts frames instead.
    """

    def __init__(self, failed_frames: bool = False) -> None:
        self.failed_frames = failed_frames

    def aggregate_scenes(self, scene_validation_results: SceneResults) -> dict[str, Any]:
        """Returns the number of failures of each validator, as a tensor."""
        counts: dict[str, int] = defaultdict(int)
        for _, name, output in _each(scene_validation_results):
            counts[name] += (
                len(output.failed_frames)
                if self.failed_frames
                else int(not output.is_valid_scene)
            )
        return {name: torch.as_tensor(count) for name, count in counts.items()}

    def aggregate(self, scene_validation_results: SceneResults) -> dict[str, Any]:
        """Returns the number of failures of each validator, as a tensor."""
        return self.aggregate_scenes(scene_validation_results)


class FailedFrame(NamedTuple):
    """A frame that failed: the scene's index and the frame's in it."""

    scene_id: int
    frame_index: int


class ValidationFailedFramesAggregator(SupportsValidationAggregation):
    """Lists of failed frames."""

    def aggregate_scenes(self, scene_validation_results: SceneResults) -> dict[str, Any]:
        """Returns the scenes and frames (n, 2) that fail, for each validator with any."""
        found: dict[str, list[FailedFrame]] = defaultdict(list)
        for scene_id, name, output in _each(scene_validation_results):
            for frame_index in output.failed_frames:
                found[name].append(FailedFrame(scene_id, frame_index))
        return {name: torch.as_tensor(frames) for name, frames in found.items()}

    def aggregate(self, scene_validation_results: SceneResults) -> dict[str, Any]:
        """Returns the scenes and frames (n, 2) that fail, for each validator with any."""
        return self.aggregate_scenes(scene_validation_results)


def _each(results: SceneResults) -> Iterator[tuple[int, str, ValidatorOutput]]:
    """Yields each scene's index, validator and result."""
    for scene_id, of_scene in results.items():
        for name, output in of_scene.items():
            yield scene_id, name, output
