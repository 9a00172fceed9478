"""Sets of metrics, validators and composite metrics that belong together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ..simulation.unroll import SimulationOutputCLE
from .closed_loop_evaluator import ClosedLoopEvaluator, EvaluationPlan
from .composite_metrics import SupportsCompositeMetricCompute
from .metrics import SupportsMetricCompute
from .validators import SupportsMetricValidate, ValidationFailedFramesAggregator


class BaseMetricSet(ABC):
    """The interface of metric sets, known by a prefix."""

    metric_prefix: str
    evaluator: ClosedLoopEvaluator

    @abstractmethod
    def evaluate(self, sim_outputs: list[SimulationOutputCLE]) -> None:
        """Evaluates simulated scenes."""
        raise NotImplementedError

    @abstractmethod
    def get_results(self) -> dict[str, Any]:
        """Returns totals over the scenes."""
        raise NotImplementedError


class L5MetricSet(BaseMetricSet):
    """A metric set. Subclasses say what it contains and how to sum it up.

    Args:
        metric_prefix: the name of the set.
    """

    def __init__(self, metric_prefix: str = "L5") -> None:
        self.metric_prefix = metric_prefix
        self.evaluation_plan = EvaluationPlan(
            self.build_metrics(),
            self.build_validators(),
            self.build_composite_metrics(),
            self.get_validator_interventions(),
        )
        self.evaluator = ClosedLoopEvaluator(self.evaluation_plan)

    @abstractmethod
    def build_metrics(self) -> list[SupportsMetricCompute]:
        """Returns the metrics."""
        raise NotImplementedError

    def build_validators(self) -> list[SupportsMetricValidate]:
        """Returns the validators: none."""
        return []

    def get_validator_interventions(self) -> list[str]:
        """Returns the names of the validators that end a scene: none."""
        return []

    def build_composite_metrics(self) -> list[SupportsCompositeMetricCompute]:
        """Returns the composite metrics: none."""
        return []

    def evaluate(self, sim_outputs: list[SimulationOutputCLE]) -> None:
        """Evaluates simulated scenes."""
        self.evaluator.evaluate(sim_outputs)

    def reset(self) -> None:
        """Forgets all results."""
        self.evaluator.reset()

    def get_results(self) -> dict[str, Any]:
        """Returns totals over the scenes; to be written by subclasses."""
        raise NotImplementedError

    def aggregate_failed_frames(self) -> dict[str, Any]:
        """Returns the scenes and frames (n, 2) that fail, for each validator with any."""
        if not self.build_validators():
            return {}
        results = self.evaluator.validation_results()
        return ValidationFailedFramesAggregator().aggregate(results)
