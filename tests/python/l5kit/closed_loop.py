"""Simulates and evaluates two scenes as L5Kit's example does.

Usage: python closed_loop.py FOLDER FILE: writes the results as .npz. FOLDER has config.yaml
and data.
"""

import sys

import numpy as np
import torch
from l5kit.cle import composite_metrics as composites
from l5kit.cle import metrics
from l5kit.cle.closed_loop_evaluator import ClosedLoopEvaluator, EvaluationPlan
from l5kit.cle.validators import (
    DurationMode,
    RangeValidator,
    ValidationCountingAggregator,
    ValidationFailedFramesAggregator,
)
from l5kit.configs import load_config_data
from l5kit.data import ChunkedDataset, LocalDataManager
from l5kit.dataset import EgoDataset
from l5kit.rasterization import build_rasterizer
from l5kit.simulation.dataset import SimulationConfig
from l5kit.simulation.unroll import ClosedLoopSimulator

FRAMES = ("agent_index_interval", "ego_translation", "ego_rotation")
AGENTS = ("centroid", "yaw", "extent", "track_id", "label_probabilities")


class Drive(torch.nn.Module):
    """Turns left at a constant speed, in metres per frame."""

    def __init__(self, speed, turn):
        super().__init__()
        self.step, self.turn = torch.tensor([speed, 0.01]), turn

    def forward(self, batch):
        count = len(batch["centroid"])
        yaws = torch.full((count, 5, 1), self.turn)
        return {"positions": self.step.repeat(count, 5, 1), "yaws": yaws}


def evaluator_of():
    displacement = metrics.DisplacementErrorL2Metric
    limits = {"violation_duration_s": 0.3, "max_value": 2}
    validators = [
        RangeValidator("displacement", displacement, max_value=4),
        RangeValidator("total", displacement, **limits),
        RangeValidator(
            "in_a_row", displacement, duration_mode=DurationMode.CONTINUOUS, **limits
        ),
        RangeValidator("reference", metrics.DistanceToRefTrajectoryMetric, max_value=1),
        RangeValidator("front", metrics.CollisionFrontMetric, max_value=0),
    ]
    measured = [
        displacement(),
        metrics.DistanceToRefTrajectoryMetric(0.5),
        metrics.CollisionFrontMetric(),
        metrics.CollisionRearMetric(),
        metrics.CollisionSideMetric(),
        metrics.SimulatedDrivenMilesMetric(),
        metrics.ReplayDrivenMilesMetric(),
        metrics.YawErrorCAMetric(),
        metrics.SimulatedVsRecordedEgoSpeedMetric(),
    ]
    composite = [
        composites.PassedDrivenMilesCompositeMetric("passed", ["displacement", "total"]),
        composites.DrivenMilesCompositeMetric("all", metrics.ReplayDrivenMilesMetric),
    ]
    return ClosedLoopEvaluator(EvaluationPlan(measured, validators, composite))


def main(folder, file):
    config = load_config_data(f"{folder}/config.yaml")
    config["raster_params"].update(map_type="box_debug", raster_size=[16, 16])
    config["model_params"].update(history_num_frames=2, future_num_frames=5)
    manager = LocalDataManager(folder)
    rows = ChunkedDataset(manager.require(config["sample_data_loader"]["key"])).open()
    dataset = EgoDataset(config, rows, build_rasterizer(config, manager))
    chosen = SimulationConfig(
        distance_th_close=30, start_frame_index=15, num_simulation_steps=20
    )
    simulator = ClosedLoopSimulator(
        chosen, dataset, torch.device("cpu"), Drive(1.2, 0.02), Drive(0.4, -0.03)
    )
    evaluator = evaluator_of()
    results, outputs = {}, simulator.unroll([0, 1])
    evaluator.evaluate(outputs)
    for one in outputs:
        scene = one.get_scene_id()
        for field in FRAMES:
            results[f"{scene}.frames.{field}"] = one.simulated_ego[field]
        for field in AGENTS:
            results[f"{scene}.agents.{field}"] = one.simulated_agents[field]
        results[f"{scene}.states"] = one.simulated_ego_states.numpy()
        results[f"{scene}.recorded"] = one.recorded_ego_states.numpy()
        results[f"{scene}.tracks"] = np.array(
            [(i, b.track_id) for i, a in enumerate(one.agents_ins_outs) for b in a]
        )
        for name, value in evaluator.metric_results()[scene].items():
            results[f"{scene}.metric.{name}"] = value.numpy()
        for name, output in evaluator.validation_results()[scene].items():
            results[f"{scene}.valid.{name}"] = np.array(output.is_valid_scene)
            results[f"{scene}.failed.{name}"] = np.array(output.failed_frames)
        for name, value in evaluator.composite_metric_results()[scene].items():
            results[f"{scene}.composite.{name}"] = np.array(value)
    totals = {
        "scenes": ValidationCountingAggregator(),
        "frames": ValidationCountingAggregator(failed_frames=True),
        "failed": ValidationFailedFramesAggregator(),
    }
    for kind, total in totals.items():
        for name, value in total.aggregate(evaluator.validation_results()).items():
            results[f"total.{kind}.{name}"] = value.numpy()
    sums = composites.CompositeMetricAggregator()
    for name, value in sums.aggregate(evaluator.composite_metric_results()).items():
        results[f"total.composite.{name}"] = value.numpy()
    np.savez(file, **results)


if __name__ == "__main__":
    main(*sys.argv[1:])
