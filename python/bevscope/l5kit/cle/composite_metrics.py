"""Composite metrics: one value per scene, from metrics and validators."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any, Protocol

import torch

from ..simulation.unroll import SimulationOutputCLE
from .metrics import SimulatedDrivenMilesMetric, SupportsMetricCompute
from .validators import ValidatorOutput

SceneResults = Mapping[int, Mapping[str, float]]


class SupportsCompositeMetricCompute(Protocol):
    """A composite metric, known by its name, of metrics and validators, known by
    theirs."""

    composite_metric_name: str
    requires_metric: list[str]
    requires_validator: list[str]

    @abstractmethod
    def compute(
        self,
        metric_results: dict[str, torch.Tensor],
        validation_results: dict[str, ValidatorOutput],
        simulation_output: SimulationOutputCLE,
    ) -> float:
        """Returns the scene's value, from the results of what is required."""
        raise NotImplementedError


class PassedDrivenMilesCompositeMetric(SupportsCompositeMetricCompute):
    """Miles that are driven before the first frame that fails.

    Args:
        composite_metric_name: the name.
        intervention_validators: names of the validators that can fail.
        driven_miles_metric: the class of the metric that is summed.
        ignore_entire_scene: scenes with a failed frame count 0.
    """

    def __init__(
        self,
        composite_metric_name: str,
        intervention_validators: Iterable[str],
        driven_miles_metric: type[SupportsMetricCompute] = SimulatedDrivenMilesMetric,
        ignore_entire_scene: bool = False,
    ) -> None:
        self.composite_metric_name = composite_metric_name
        self.requires_metric = [driven_miles_metric.metric_name]
        self.requires_validator = list(dict.fromkeys(intervention_validators))
        self.ignore_entire_scene = ignore_entire_scene

    def compute(
        self,
        metric_results: dict[str, torch.Tensor],
        validation_results: dict[str, ValidatorOutput],
        simulation_output: SimulationOutputCLE,
    ) -> float:
        """Returns miles."""
        miles = metric_results[self.requires_metric[0]]
        failed = [
            frame
            for name in self.requires_validator
            for frame in validation_results[name].failed_frames
        ]
        if failed and self.ignore_entire_scene:
            return 0.0
        return float(miles[: min(failed, default=len(miles))].sum().item())


class DrivenMilesCompositeMetric(SupportsCompositeMetricCompute):
    """Miles that are driven.

    Args:
        composite_metric_name: the name.
        driven_miles_metric: the class of the metric that is summed.
    """

    def __init__(
        self,
        composite_metric_name: str,
        driven_miles_metric: type[SupportsMetricCompute] = SimulatedDrivenMilesMetric,
    ) -> None:
        self.composite_metric_name = composite_metric_name
        self.driven_miles_metric_name = driven_miles_metric.metric_name
        self.requires_metric = [self.driven_miles_metric_name]
        self.requires_validator = []

    def compute(
        self,
        metric_results: dict[str, torch.Tensor],
        validation_results: dict[str, ValidatorOutput],
        simulation_output: SimulationOutputCLE,
    ) -> float:
        """Returns miles."""
        return float(metric_results[self.driven_miles_metric_name].sum().item())


class SupportsCompositeMetricAggregation(Protocol):
    """A total of composite metrics over scenes."""

    def aggregate(self, scene_composite_metric_results: SceneResults) -> dict[str, Any]:
        """Returns a total for each composite metric."""
        raise NotImplementedError


class ReduceMode(IntEnum):
    """How scenes are combined."""

    SUM = 0


class CompositeMetricAggregator(SupportsCompositeMetricAggregation):
    """Sums over scenes.

    Args:
        reduce_mode: SUM.
    """

    def __init__(self, reduce_mode: ReduceMode = ReduceMode.SUM) -> None:
        if reduce_mode not in set(ReduceMode):
            raise ValueError(f"reduce_mode: unknown (found {reduce_mode})")
        self.reduce_mode = reduce_mode

    def aggregate_scenes(
        self, scene_composite_metric_results: SceneResults
    ) -> dict[str, Any]:
        """Returns the sum of each composite metric, as a tensor."""
        sums: dict[str, float] = defaultdict(float)
        for of_scene in scene_composite_metric_results.values():
            for name, value in of_scene.items():
                sums[name] += value
        return {name: torch.as_tensor(value) for name, value in sums.items()}

    def aggregate(self, scene_composite_metric_results: SceneResults) -> dict[str, Any]:
        """Returns the sum of each composite metric, as a tensor."""
        return self.aggregate_scenes(scene_composite_metric_results)
