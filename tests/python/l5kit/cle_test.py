"""bevscope.l5kit.cle: by hand, on the synthetic town and against L5Kit."""

import math
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

from bevscope.l5kit.cle import composite_metrics as composites  # noqa: E402
from bevscope.l5kit.cle import metrics, validators  # noqa: E402
from bevscope.l5kit.cle.closed_loop_evaluator import (  # noqa: E402
    ClosedLoopEvaluator,
    EvaluationPlan,
)
from bevscope.l5kit.cle.metric_set import L5MetricSet  # noqa: E402
from bevscope.l5kit.cle.scene_type_agg import (  # noqa: E402
    compute_cle_scene_type_aggregations,
)
from bevscope.l5kit.cle.validators import (  # noqa: E402
    DurationMode,
    RangeValidator,
    ValidatorOutput,
)
from bevscope.l5kit.data import AGENT_DTYPE, FRAME_DTYPE  # noqa: E402
from bevscope.l5kit.evaluation.error_functions import l2_error  # noqa: E402

HERE = Path(__file__).resolve().parent
CONTINUOUS = DurationMode.CONTINUOUS


def states_of(points):
    """Returns a trajectory through (x, y, yaw), a tenth of a second apart."""
    made = torch.zeros(len(points), 7)
    made[:, :3] = torch.tensor(points)
    made[:, 6] = 0.1 * torch.arange(len(points))
    return made


def output_of(simulated, recorded, scene=0):
    return SimpleNamespace(
        simulated_ego_states=states_of(simulated),
        recorded_ego_states=states_of(recorded),
        get_scene_id=lambda: scene,
    )


STRAIGHT = [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (6.0, 0.0, 0.0), (9.0, 0.0, 0.0)]
ASIDE = [(0.0, 0.0, 0.0), (3.0, 4.0, 0.5), (6.0, 8.0, 3.5), (6.0, 8.0, -3.5)]


def test_displacement_is_the_distance_in_each_frame():
    output = output_of(ASIDE, STRAIGHT)
    for metric in (
        metrics.DisplacementErrorMetric(l2_error),
        metrics.DisplacementErrorL2Metric(),
    ):
        expected = [0, 4, 8, math.hypot(3, 8)]
        assert metric.compute(output).tolist() == pytest.approx(expected)
    shorter = output_of(ASIDE[:2], STRAIGHT)
    assert metrics.DisplacementErrorL2Metric().compute(shorter).tolist() == [0, 4]


def test_distance_to_the_trajectory_is_that_to_its_nearest_point():
    output = output_of([(9.0, 2.0, 0.0), (4.0, 0.0, 0.0), *STRAIGHT[:2]], STRAIGHT)
    metric = metrics.DistanceToRefTrajectoryMetric
    assert metric(1.0).compute(output).tolist() == [2, 1, 0, 0]
    assert metric().compute(output).tolist() == [2, 1, 0]  # 80 % of 4
    assert metric(0.0).compute(output).tolist() == []
    for fraction in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="scene_fraction: must be 0 to 1"):
            metric(fraction)


def test_miles_are_driven_from_frame_to_frame():
    output = output_of(ASIDE, STRAIGHT)
    found = metrics.SimulatedDrivenMilesMetric().compute(output)
    mile = metrics.SimulatedDrivenMilesMetric.METER_TO_MILES
    assert mile == pytest.approx(1 / 1609.344, rel=1e-6)
    assert found.dtype == torch.float64
    assert found.tolist() == pytest.approx([0, 5 * mile, 5 * mile, 0])
    found = metrics.ReplayDrivenMilesMetric().compute(output)
    assert found.tolist() == pytest.approx([0, 3 * mile, 3 * mile, 3 * mile])


def test_yaw_errors_take_the_shorter_way_round():
    for metric in (metrics.YawErrorMetric(), metrics.YawErrorCAMetric()):
        found = metric.compute(output_of(ASIDE, STRAIGHT))
        turned = 2 * math.pi - 3.5
        assert found.shape == (4, 1)
        expected = [0, 0.5, turned, turned]
        assert found[:, 0].tolist() == pytest.approx(expected, abs=1e-6)


def test_speeds_are_compared_between_frames():
    found = metrics.SimulatedVsRecordedEgoSpeedMetric().compute(output_of(ASIDE, STRAIGHT))
    assert found.tolist() == pytest.approx([20, 20, -30])


@pytest.mark.parametrize(
    "metric",
    [
        metrics.DisplacementErrorL2Metric(),
        metrics.DistanceToRefTrajectoryMetric(),
        metrics.YawErrorCAMetric(),
    ],
)
def test_more_simulated_than_recorded_frames_are_an_error(metric):
    with pytest.raises(ValueError, match=r"More simulated timesteps .*found 4 and 3"):
        metric.compute(output_of(ASIDE, STRAIGHT[:3]))


def test_collisions_are_counted_by_side():
    pytest.importorskip("shapely")
    frames, agents = np.zeros(5, FRAME_DTYPE), np.zeros(5, AGENT_DTYPE)
    frames["agent_index_interval"] = [(i, i + 1) for i in range(5)]
    agents["extent"] = (4, 2, 1.5)
    agents["centroid"] = [(4.4, 0), (-4.4, 0), (0, 1.8), (0, -1.8), (0, 8)]
    output = output_of([(0.0, 0.0, 0.0)] * 5, [(0.0, 0.0, 0.0)] * 5)
    output.simulated_agents, output.simulated_ego = agents, frames
    assert metrics.CollisionFrontMetric().compute(output).tolist() == [1, 0, 0, 0, 0]
    assert metrics.CollisionRearMetric().compute(output).tolist() == [0, 1, 0, 0, 0]
    assert metrics.CollisionSideMetric().compute(output).tolist() == [0, 0, 1, 1, 0]
    output.simulated_ego_states[:, 2] = math.pi  # turned round
    assert metrics.CollisionFrontMetric().compute(output).tolist() == [0, 1, 0, 0, 0]


class Given:
    """A metric with values that a test gives."""

    metric_name = "given"

    def __init__(self, values=()):
        self.values = torch.tensor(values)

    def compute(self, simulation_output):
        return self.values


def failed(values, **limits):
    validator = RangeValidator("limit", Given, **limits)
    output = output_of(STRAIGHT * 3, STRAIGHT * 3)
    result = validator.validate({"given": torch.tensor(values)}, output)
    assert result.is_valid_scene == (not result.failed_frames)
    return result.failed_frames


def test_frames_outside_the_range_fail():
    values = [0.0, 1.0, 2.0, 3.0, -1.0]
    assert failed(values, max_value=1) == [2, 3]
    assert failed(values, min_value=0) == [4]
    assert failed(values, min_value=0.5, max_value=2.5) == [0, 3, 4]
    assert failed(values, max_value=3) == []
    assert failed([[0.0], [2.0], [3.0]], max_value=1) == [1, 2]  # as of YawErrorMetric


def test_violations_may_last_for_a_time():
    values = [9.0, 9.0, 9.0, 0.0, 9.0, 9.0, 9.0, 9.0, 0.0]
    limits = {"max_value": 1, "violation_duration_s": 0.25}
    # 0, 0.1 and 0.2 s, then 0.3 to 0.6 s, or 0.1 to 0.4 s in a row
    assert failed(values, **limits) == [4, 5, 6, 7]
    assert failed(values, **limits, duration_mode=CONTINUOUS) == [6, 7]
    assert failed(values[:4], **limits, duration_mode=CONTINUOUS) == []


def test_wrong_ranges_are_errors():
    with pytest.raises(ValueError, match="limit: needs min_value or max_value"):
        RangeValidator("limit", Given)
    with pytest.raises(ValueError, match="less than max_value .found 2 and 2."):
        RangeValidator("limit", Given, min_value=2, max_value=2)


def test_sums_start_anew_after_a_gap():
    steps, mask = torch.full((6,), 0.5), torch.tensor([1, 1, 0, 1, 1, 1]).bool()
    found = RangeValidator.cumsum_with_reset(steps, mask)
    assert found.tolist() == [0.5, 1, 0, 0.5, 1, 1.5] and found.dtype == steps.dtype


GOOD = ValidatorOutput(True, [])


def test_the_first_intervention_ends_a_scene():
    plan = EvaluationPlan(
        [Given()],
        [RangeValidator(name, Given, max_value=0) for name in "abc"],
        intervention_validators=["b", "a"],
    )
    late, early = ValidatorOutput(False, [7, 5]), ValidatorOutput(False, [4])
    found = plan.process_interventions({"a": early, "b": late, "c": early})
    assert found == {"a": early, "b": GOOD, "c": GOOD}
    found = plan.process_interventions({"a": late, "b": late, "c": early})
    assert found == {"a": GOOD, "b": late, "c": GOOD}  # listed first
    kept = {"a": GOOD, "b": GOOD, "c": early}
    assert plan.process_interventions(kept) == kept


def test_plans_must_be_complete():
    def plan(*args, **options):
        with pytest.raises(RuntimeError) as caught:
            EvaluationPlan(*args, **options)
        return str(caught.value)

    limit = RangeValidator("limit", Given, max_value=0)
    miles = composites.DrivenMilesCompositeMetric("miles", Given)
    passed = composites.PassedDrivenMilesCompositeMetric("miles", ["limit"], Given)
    assert "repeated metric names" in plan([Given(), Given()])
    assert "repeated validator names" in plan([Given()], [limit, limit])
    assert "repeated composite metric names" in plan([Given()], None, [miles, miles])
    found = plan([Given()], [limit], intervention_validators=["other"])
    assert found == "Validator 'other' not found in validators list."
    assert plan([], [limit]) == "Metric 'given' required by validator 'limit'."
    found = plan([], None, [miles])
    assert found == "Metric 'given' required by composite metric 'miles'."
    found = plan([Given()], None, [passed])
    assert found == "Validator 'limit' required by composite metric 'miles'."


def test_plans_take_any_iterable():
    limit = RangeValidator("limit", Given, max_value=0)
    plan = EvaluationPlan((one for one in [Given([1])]), iter([limit]))
    assert list(plan.metrics_dict()) == ["given"]
    assert list(plan.validators_dict()) == ["limit"]
    assert plan.composite_metrics_dict() == {}
    found = plan.validate(plan.evaluate(None), None)
    assert found == {"limit": ValidatorOutput(False, [0])}


def test_passed_miles_end_at_the_first_failure():
    miles, name = {"given": torch.arange(1.0, 6.0)}, "passed"
    results = {"a": ValidatorOutput(False, [4, 3]), "b": ValidatorOutput(False, [2])}
    metric = composites.PassedDrivenMilesCompositeMetric

    def passed(names, **options):
        return metric(name, names, Given, **options).compute(miles, results, None)

    results["good"] = GOOD
    assert passed(["good"]) == 15
    assert passed(["a", "good"]) == 1 + 2 + 3
    assert passed(["a", "b"]) == 1 + 2
    assert passed(["a"], ignore_entire_scene=True) == 0
    assert passed(["good"], ignore_entire_scene=True) == 15
    assert metric(name, ["b", "a", "b"]).requires_validator == ["b", "a"]
    total = composites.DrivenMilesCompositeMetric("all", Given)
    assert total.compute(miles, results, None) == 15


class Set(L5MetricSet):
    """Frames fail above 1."""

    def build_metrics(self):
        return [metrics.DisplacementErrorL2Metric()]

    def build_validators(self):
        one = metrics.DisplacementErrorL2Metric
        return [RangeValidator(f"above {i}", one, max_value=i) for i in (1, 5, 99)]

    def build_composite_metrics(self):
        one = metrics.DisplacementErrorL2Metric
        return [composites.DrivenMilesCompositeMetric("sum", one)]

    def get_results(self):
        return self.aggregate_failed_frames()


def evaluated():
    made = Set("mine")
    made.evaluate([output_of(ASIDE, STRAIGHT, scene) for scene in (0, 2)])
    made.evaluate([output_of(STRAIGHT, STRAIGHT, scene) for scene in (1, 2)])
    return made


def test_results_are_kept_by_scene():
    """The second evaluation of scene 2 replaces the first."""
    made = evaluated()
    found = made.evaluator.validation_results()
    assert {scene: each["above 5"] for scene, each in found.items()} == {
        0: ValidatorOutput(False, [2, 3]),
        1: GOOD,
        2: GOOD,
    }
    measured = made.evaluator.metric_results()
    assert measured[0]["displacement_error_l2"][2] == 8
    assert made.evaluator.composite_metric_results()[1] == {"sum": 0.0}
    made.reset()
    assert made.evaluator.validation_results() == {}
    assert made.evaluator.metric_results() == {}
    assert made.evaluator.composite_metric_results() == {}


def test_failures_are_totalled():
    results = evaluated().evaluator.validation_results()
    count = validators.ValidationCountingAggregator
    found = count().aggregate(results)
    assert found == {"above 1": 1, "above 5": 1, "above 99": 0}
    found = count(failed_frames=True).aggregate(results)
    assert found == {"above 1": 3, "above 5": 2, "above 99": 0}
    frames = evaluated().get_results()
    assert {name: one.tolist() for name, one in frames.items()} == {
        "above 1": [[0, 1], [0, 2], [0, 3]],
        "above 5": [[0, 2], [0, 3]],
    }
    composite = composites.CompositeMetricAggregator()
    sums = composite.aggregate({0: {"a": 1.5}, 3: {"a": 2.0, "b": 1.0}})
    assert {name: one.item() for name, one in sums.items()} == {"a": 3.5, "b": 1.0}
    with pytest.raises(ValueError, match="reduce_mode: unknown"):
        composites.CompositeMetricAggregator(7)


def test_failed_scenes_are_counted_by_type():
    types = [["left", "night"], ["left"], ["left", "day"]]
    found = compute_cle_scene_type_aggregations(evaluated(), types, [])
    assert found == {
        **{f"{one}/above {i}": 1 for one in ("left", "night") for i in (1, 5)},
        **{f"{one}/above 99": 0 for one in ("left", "night")},
        **{f"day/above {i}": 0 for i in (1, 5, 99)},
    }


def test_metric_sets_may_have_no_validators():
    class Plain(Set):
        def build_validators(self):
            return []

    assert Plain().aggregate_failed_frames() == {}
    with pytest.raises(NotImplementedError):
        L5MetricSet.get_results(Plain())
    with pytest.raises(TypeError):
        L5MetricSet()


def test_evaluators_need_a_plan_only():
    made = ClosedLoopEvaluator(EvaluationPlan([Given([2.0])]))
    made.evaluate([output_of(STRAIGHT, STRAIGHT, scene=5)])
    assert made.metric_results()[5]["given"].tolist() == [2]
    assert made.validation_results() == {5: {}}


def results_of(town, path, *command):
    """Runs closed_loop.py, which drives in the synthetic town."""
    command = [sys.executable, *map(str, command), str(town), str(path)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return dict(np.load(path))


@pytest.fixture(scope="module")
def results(town, tmp_path_factory):
    pytest.importorskip("shapely")
    pytest.importorskip("yaml")
    path = tmp_path_factory.mktemp("ours") / "results.npz"
    return results_of(town, path, "-m", "bevscope.l5kit", HERE / "closed_loop.py")


def test_a_script_that_imports_l5kit_simulates_and_evaluates(results):
    assert len(results["0.tracks"]) > 20
    for scene in (0, 1):
        displacement = results[f"{scene}.metric.displacement_error_l2"]
        assert displacement[0] == 0 and displacement[-1] > 4
        beyond = np.flatnonzero(displacement > 4)
        assert results[f"{scene}.failed.displacement"].tolist() == beyond.tolist()
    assert results["total.scenes.displacement"] == 2


@pytest.mark.skipif("L5KIT" not in os.environ, reason="L5KIT is not set")
def test_results_are_those_of_l5kit(town, tmp_path, results):
    command = (HERE / "with_l5kit.py", HERE / "closed_loop.py")
    expected = results_of(town, tmp_path / "results.npz", *command)
    assert list(results) == list(expected)
    for name, value in expected.items():
        found = results[name]
        assert (found.shape, found.dtype) == (value.shape, value.dtype), name
        if value.dtype.kind == "f":  # the last digit of a pose may differ
            assert np.allclose(found, value, atol=1e-9, rtol=0), name
        else:
            assert np.array_equal(found, value), name
