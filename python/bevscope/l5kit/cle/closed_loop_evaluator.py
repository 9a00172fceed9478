"""Evaluation of simulated scenes: metrics, then validators, then composite metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import torch

from ..simulation.unroll import SimulationOutputCLE
from .composite_metrics import SupportsCompositeMetricCompute
from .metrics import SupportsMetricCompute
from .validators import SupportsMetricValidate, ValidatorOutput


def _check_unique(kind: str, names: list[str]) -> None:
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise RuntimeError(f"You cannot have repeated {kind} names. (found {repeated})")


class EvaluationPlan:
    """What to compute for each scene. Raises RuntimeError if names repeat, or if a
    validator or composite metric requires what the plan does not have.

    Args:
        metrics: metrics.
        validators: validators of the metrics.
        composite_metrics: composite metrics of metrics and validators.
        intervention_validators: names of validators that end a scene: if one fails,
            only the failures of the one that fails first are kept.
    """

    def __init__(
        self,
        metrics: Iterable[SupportsMetricCompute],
        validators: Iterable[SupportsMetricValidate] | None = None,
        composite_metrics: Iterable[SupportsCompositeMetricCompute] | None = None,
        intervention_validators: list[str] | None = None,
    ) -> None:
        self.metrics = list(metrics)
        self.validators = list(validators or ())
        self.composite_metrics = list(composite_metrics or ())
        self.intervention_validators = list(intervention_validators or ())
        self._validate_plan()

    def metrics_dict(self) -> dict[str, SupportsMetricCompute]:
        """Returns the metrics by name."""
        return {one.metric_name: one for one in self.metrics}

    def validators_dict(self) -> dict[str, SupportsMetricValidate]:
        """Returns the validators by name."""
        return {one.validator_name: one for one in self.validators}

    def composite_metrics_dict(self) -> dict[str, SupportsCompositeMetricCompute]:
        """Returns the composite metrics by name."""
        return {one.composite_metric_name: one for one in self.composite_metrics}

    def _validate_plan(self) -> None:
        _check_unique("metric", [one.metric_name for one in self.metrics])
        _check_unique("validator", [one.validator_name for one in self.validators])
        composite_names = [one.composite_metric_name for one in self.composite_metrics]
        _check_unique("composite metric", composite_names)
        metrics, validators = self.metrics_dict(), self.validators_dict()
        for name in self.intervention_validators:
            if name not in validators:
                raise RuntimeError(f"Validator '{name}' not found in validators list.")
        for one in self.validators:
            owner = f"validator '{one.validator_name}'"
            self._check_has("Metric", one.requires_metric, metrics, owner)
        for composite in self.composite_metrics:
            owner = f"composite metric '{composite.composite_metric_name}'"
            self._check_has("Metric", composite.requires_metric, metrics, owner)
            self._check_has("Validator", composite.requires_validator, validators, owner)

    @staticmethod
    def _check_has(
        kind: str, required: Iterable[str], present: Iterable[str], owner: str
    ) -> None:
        for name in required:
            if name not in present:
                raise RuntimeError(f"{kind} '{name}' required by {owner}.")

    def evaluate(self, simulation_output: SimulationOutputCLE) -> dict[str, torch.Tensor]:
        """Returns the results of a scene's metrics, by name."""
        return {one.metric_name: one.compute(simulation_output) for one in self.metrics}

    def evaluate_composite(
        self,
        simulation_output: SimulationOutputCLE,
        scene_metrics: dict[str, torch.Tensor],
        scene_validation: dict[str, ValidatorOutput],
    ) -> dict[str, float]:
        """Returns the results of a scene's composite metrics, by name. Each gets what it
        requires."""
        return {
            one.composite_metric_name: one.compute(
                {name: scene_metrics[name] for name in one.requires_metric},
                {name: scene_validation[name] for name in one.requires_validator},
                simulation_output,
            )
            for one in self.composite_metrics
        }

    def process_interventions(
        self, results: dict[str, ValidatorOutput]
    ) -> dict[str, ValidatorOutput]:
        """Returns the results with the failures of the intervention that fails first
        only, or unchanged if none fails. Of two in the same frame, the one that is
        listed first counts."""
        first_failures = {
            name: min(results[name].failed_frames)
            for name in self.intervention_validators
            if results[name].failed_frames
        }
        if not first_failures:
            return results
        first = min(first_failures, key=lambda name: first_failures[name])
        return {
            name: output if name == first else ValidatorOutput(True, [])
            for name, output in results.items()
        }

    def validate(
        self,
        scene_metrics: dict[str, torch.Tensor],
        simulation_output: SimulationOutputCLE,
    ) -> dict[str, ValidatorOutput]:
        """Returns the results of a scene's validators, by name. Each gets the metrics
        that it requires."""
        results = {
            one.validator_name: one.validate(
                {name: scene_metrics[name] for name in one.requires_metric},
                simulation_output,
            )
            for one in self.validators
        }
        if self.intervention_validators:
            results = self.process_interventions(results)
        return results


class ClosedLoopEvaluator:
    """Carries out a plan and keeps the results of scenes, by the scenes' indices.

    Args:
        evaluation_plan: the plan.
    """

    scene_metric_results: dict[int, dict[str, torch.Tensor]]
    scene_validation_results: dict[int, dict[str, ValidatorOutput]]
    scene_composite_metric_results: dict[int, dict[str, float]]

    def __init__(self, evaluation_plan: EvaluationPlan) -> None:
        self.evaluation_plan = evaluation_plan
        self.reset()

    def reset(self) -> None:
        """Forgets all results."""
        self.scene_metric_results = {}
        self.scene_validation_results = {}
        self.scene_composite_metric_results = {}

    def metric_results(self) -> dict[int, dict[str, torch.Tensor]]:
        """Returns the metrics of each scene."""
        return self.scene_metric_results

    def validation_results(self) -> dict[int, dict[str, ValidatorOutput]]:
        """Returns the validators' results of each scene."""
        return self.scene_validation_results

    def composite_metric_results(self) -> dict[int, dict[str, float]]:
        """Returns the composite metrics of each scene."""
        return self.scene_composite_metric_results

    def evaluate(self, simulation_outputs: Sequence[SimulationOutputCLE]) -> None:
        """Computes the results of simulated scenes. A scene's new results replace its
        old ones."""
        plan = self.evaluation_plan
        for one in simulation_outputs:
            scene_id = one.get_scene_id()
            metrics = plan.evaluate(one)
            self.scene_metric_results[scene_id] = metrics
            validation = plan.validate(metrics, one)
            self.scene_validation_results[scene_id] = validation
            composite = plan.evaluate_composite(one, metrics, validation)
            self.scene_composite_metric_results[scene_id] = composite
