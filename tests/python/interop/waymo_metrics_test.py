"""Waymo's own op computes equal motion metrics, of random submissions.

Runs in an environment of its own: scripts/test --only waymo.
"""

import numpy as np
import pytest

from bevscope.results import open_submission, score

reason = "Waymo's environment is absent: run scripts/build wheel waymo"
tf = pytest.importorskip("tensorflow", reason=reason)
py_metrics_ops = pytest.importorskip(
    "waymo_open_dataset.metrics.ops.py_metrics_ops", reason=reason
)

from google.protobuf import text_format  # noqa: E402
from waymo_open_dataset.protos import (  # noqa: E402
    motion_metrics_pb2,
    motion_submission_pb2,
    scenario_pb2,
)

STEPS, NOW = 91, 10
PREDICTED = np.arange(15, STEPS, 5)
SUBMISSIONS = 500
TYPES = ("vehicle", "pedestrian", "cyclist")
SECONDS = (3, 5, 8)
SIZES = {1: (4.5, 2.0), 2: (0.8, 0.8), 3: (1.8, 0.8), 4: (1.0, 1.0)}
CONFIG = text_format.Parse(
    """
    track_steps_per_second: 10
    prediction_steps_per_second: 2
    track_history_samples: 10
    track_future_samples: 80
    speed_lower_bound: 1.4
    speed_upper_bound: 11.0
    speed_scale_lower: 0.5
    speed_scale_upper: 1.0
    step_configurations {
      measurement_step: 5 lateral_miss_threshold: 1.0 longitudinal_miss_threshold: 2.0
    }
    step_configurations {
      measurement_step: 9 lateral_miss_threshold: 1.8 longitudinal_miss_threshold: 3.6
    }
    step_configurations {
      measurement_step: 15 lateral_miss_threshold: 3.0 longitudinal_miss_threshold: 6.0
    }
    max_predictions: 6
    """,
    motion_metrics_pb2.MotionMetricsConfig(),
)


def made_track(random, kind):
    """Returns states (x, y, length, width, heading, vx, vy) of a smooth path, and which
    of them are valid."""
    time = np.arange(STEPS) / 10
    speed = random.choice([0, 0.5, 2, 6, 12]) + random.choice([0, 0, 0.5, -0.3]) * time
    speed = np.maximum(speed, 0)
    turn = random.choice([0, 0, 0.03, -0.03, 0.15, -0.15, 0.45, -0.45])
    heading = random.uniform(-3, 3) + turn * time
    velocity = np.stack([np.cos(heading), np.sin(heading)], axis=1) * speed[:, None]
    place = random.uniform(-15, 15, 2) + np.cumsum(velocity, axis=0) / 10
    size = np.array(SIZES[kind]) * random.uniform(0.8, 1.2)
    states = np.concatenate(
        [place, np.tile(size, (STEPS, 1)), heading[:, None], velocity], axis=1
    )
    valid = np.ones(STEPS, bool)
    if random.random() < 0.3:
        valid[random.integers(NOW + 1, STEPS) :] = False
    if random.random() < 0.2:
        begin = random.integers(NOW + 1, STEPS)
        valid[begin : begin + random.integers(1, 20)] = False
    return states, valid


def made_modes(random, states, count):
    """Returns places (count, 16, 2) that are more or less those of the track."""
    error = random.choice([0, 0.2, 1, 3, 9], count)[:, None, None]
    direction = random.normal(0, 1, (count, 1, 2))
    drift = np.linspace(1 / 16, 1, 16)[None, :, None]
    noise = random.normal(0, 0.02, (count, 16, 2))
    return states[PREDICTED, :2] + error * direction * drift + noise


class Made:
    """Scenarios and predictions of one submission, as arrays of Waymo's op."""

    def __init__(self, seed):
        random = np.random.default_rng(seed)
        self.joint = bool(random.integers(2))
        agents = 2 if self.joint else 1
        scenarios, tracks = random.integers(1, 4), random.integers(agents, 8)
        count = 1 if self.joint else random.integers(1, min(tracks, 3) + 1)
        modes = int(random.choice([1, 2, 3, 6, 6, 8]))
        self.types = random.choice([1, 1, 2, 3, 4], (scenarios, tracks))
        self.states = np.zeros((scenarios, tracks, STEPS, 7), np.float32)
        self.valid = np.zeros((scenarios, tracks, STEPS), bool)
        self.paths = np.zeros((scenarios, count, modes, agents, 16, 2), np.float32)
        self.rows = np.zeros((scenarios, count, agents), np.int64)
        self.scores = np.float32(random.integers(1, 9, (scenarios, count, modes)) / 8)
        for s in range(scenarios):
            predicted = random.permutation(tracks)[: count * agents]
            self.rows[s] = predicted.reshape(count, agents)
            for t in range(tracks):
                if t in predicted and self.types[s, t] == 4:
                    self.types[s, t] = 1
                states, valid = made_track(random, self.types[s, t])
                self.states[s, t], self.valid[s, t] = states, valid
                if t not in predicted and random.random() < 0.2:
                    self.valid[s, t, NOW] = False
                for m, a in np.argwhere(self.rows[s] == t):
                    self.paths[s, m, :, a] = made_modes(random, states, modes)

    def expected(self):
        """Returns minADE, minFDE, miss, overlap and mAP by type and seconds."""
        found = py_metrics_ops.motion_metrics(
            prediction_trajectory=tf.constant(self.paths),
            prediction_score=tf.constant(self.scores),
            ground_truth_trajectory=tf.constant(self.states),
            ground_truth_is_valid=tf.constant(self.valid),
            prediction_ground_truth_indices=tf.constant(self.rows),
            prediction_ground_truth_indices_mask=tf.ones(self.rows.shape, tf.bool),
            object_type=tf.constant(self.types, tf.int64),
            config=CONFIG.SerializeToString(),
        )
        values = np.stack([one.numpy() for one in found[:5]], axis=1)
        keys = [(kind, seconds) for kind in TYPES for seconds in SECONDS]
        return dict(zip(keys, values, strict=True))

    def write(self, folder):
        """Writes the scenarios and the submission, with Waymo's messages."""
        submission = motion_submission_pb2.MotionChallengeSubmission()
        with tf.io.TFRecordWriter(str(folder / "made.tfrecord")) as records:
            for s in range(len(self.states)):
                records.write(self.scenario(s).SerializeToString())
                self.predict(s, submission.scenario_predictions.add())
        (folder / "made.binproto").write_bytes(submission.SerializeToString())

    def scenario(self, s):
        out = scenario_pb2.Scenario(scenario_id=f"s{s}", current_time_index=NOW)
        out.timestamps_seconds.extend(np.arange(STEPS) / 10)
        for t in range(len(self.states[s])):
            track = out.tracks.add(id=100 + t, object_type=int(self.types[s, t]))
            for values, valid in zip(self.states[s, t], self.valid[s, t], strict=True):
                x, y, length, width, heading, vx, vy = map(float, values)
                track.states.add(
                    center_x=x,
                    center_y=y,
                    length=length,
                    width=width,
                    height=1.5,
                    heading=heading,
                    velocity_x=vx,
                    velocity_y=vy,
                    valid=bool(valid),
                )
        for t in self.rows[s].ravel():
            out.tracks_to_predict.add(track_index=int(t))
        return out

    def predict(self, s, out):
        out.scenario_id = f"s{s}"
        for m, rows in enumerate(self.rows[s]):
            if not self.joint:
                one = out.single_predictions.predictions.add(object_id=100 + int(rows[0]))
            for k, confidence in enumerate(self.scores[s, m]):
                mode = (
                    out.joint_prediction.joint_trajectories.add()
                    if self.joint
                    else one.trajectories.add()
                )
                mode.confidence = float(confidence)
                for a, row in enumerate(rows):
                    holder = mode
                    if self.joint:
                        holder = mode.trajectories.add(object_id=100 + int(row))
                    to = holder.trajectory
                    to.center_x.extend(map(float, self.paths[s, m, k, a, :, 0]))
                    to.center_y.extend(map(float, self.paths[s, m, k, a, :, 1]))


NAMES = ("minADE", "minFDE", "missRate", "overlapRate", "mAP")


def test_random_submissions_have_the_values_of_waymos_op(tmp_path):
    compared = measured = 0
    for seed in range(SUBMISSIONS):
        made = Made(seed)
        made.write(tmp_path)
        with open_submission(tmp_path / "made.binproto") as submission:
            summary = score(submission, [tmp_path / "made.tfrecord"]).summary
        # More than six modes are named, and the first six measured.
        named = {"wrong number of rollouts or modes"} if made.paths.shape[2] > 6 else set()
        assert summary["mismatches"].keys() == named, seed
        ours = {(one["type"], one["seconds"]): one for one in summary["motion"]}
        for key, values in made.expected().items():
            if key not in ours:
                assert (values <= 0).all(), (seed, key, values)
                continue
            for name, value in zip(NAMES, values, strict=True):
                found = ours[key][name]
                compared += 1
                measured += found is not None
                assert (found or 0) == pytest.approx(value, rel=1e-5, abs=1e-5), (
                    seed,
                    key,
                    name,
                )
    print(f"{SUBMISSIONS} submissions, {compared} values, {measured} of them measured")
    assert measured > 10 * SUBMISSIONS
