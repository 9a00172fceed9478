"""bevscope.l5kit.simulation on the synthetic town and on rows made by hand."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("yaml")
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

import copy  # noqa: E402
import os  # noqa: E402
import pickle  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

from bevscope.l5kit.configs import load_config_data  # noqa: E402
from bevscope.l5kit.data import (  # noqa: E402
    AGENT_DTYPE,
    FRAME_DTYPE,
    SCENE_DTYPE,
    TL_FACE_DTYPE,
    ChunkedDataset,
    LocalDataManager,
)
from bevscope.l5kit.dataset import EgoDataset, EgoDatasetVectorized  # noqa: E402
from bevscope.l5kit.geometry import rotation33_as_yaw, transform_points  # noqa: E402
from bevscope.l5kit.rasterization import build_rasterizer  # noqa: E402
from bevscope.l5kit.simulation.dataset import (  # noqa: E402
    SimulationConfig,
    SimulationDataset,
)
from bevscope.l5kit.simulation.unroll import (  # noqa: E402
    ClosedLoopSimulator,
    ClosedLoopSimulatorModes,
    SimulationOutput,
    TrajectoryStateIndices,
)
from bevscope.l5kit.simulation.utils import (  # noqa: E402
    disable_agents,
    get_frames_subset,
    insert_agent,
)
from bevscope.l5kit.vectorization.vectorizer_builder import build_vectorizer  # noqa: E402

CAR = 3


class Replay(torch.nn.Module):
    """Predicts what was recorded."""

    def forward(self, batch):
        return {"positions": batch["target_positions"], "yaws": batch["target_yaws"]}


class Forward(torch.nn.Module):
    """Drives a number of metres per frame, straight on."""

    def __init__(self, metres):
        super().__init__()
        self.metres = metres

    def forward(self, batch):
        count = len(batch["centroid"])
        positions = torch.zeros(count, 3, 2)
        positions[..., 0] = self.metres
        return {"positions": positions, "yaws": torch.zeros(count, 3, 1)}


@pytest.fixture(scope="module")
def config(town):
    made = load_config_data(str(town / "config.yaml"))
    made["raster_params"].update(map_type="box_debug", raster_size=[32, 32])
    made["model_params"].update(history_num_frames=2, future_num_frames=4)
    return made


@pytest.fixture(scope="module")
def rows(town):
    return ChunkedDataset(str(town / "scenes/town.zarr")).open()


@pytest.fixture
def ego(config, rows, town):
    return EgoDataset(config, rows, build_rasterizer(config, LocalDataManager(str(town))))


def unrolled(dataset, scenes=(0, 1), ego=None, agents=None, **options):
    options = {"start_frame_index": 20, "num_simulation_steps": 6, **options}
    chosen = SimulationConfig(
        use_ego_gt=ego is None, use_agents_gt=agents is None, **options
    )
    simulator = ClosedLoopSimulator(chosen, dataset, torch.device("cpu"), ego, agents)
    return simulator.unroll(list(scenes))


def recorded_of(rows, scene, begin=20, end=26):
    return rows.get_scene_dataset(scene).frames[begin:end]


def yaws_of(frames):
    return np.array([rotation33_as_yaw(one) for one in frames["ego_rotation"]])


def near_agents(frames, agents, i):
    begin, end = frames["agent_index_interval"][i]
    return {int(one["track_id"]): one for one in agents[begin:end]}


@pytest.mark.parametrize("vectorized", [False, True])
def test_a_model_that_replays_the_log_drives_as_recorded(
    ego, rows, config, town, vectorized
):
    dataset = ego
    if vectorized:
        vectorizer = build_vectorizer(config, LocalDataManager(str(town)))
        dataset = EgoDatasetVectorized(config, rows, vectorizer)
    for scene, made in enumerate(unrolled(dataset, ego=Replay())):
        expected = recorded_of(rows, scene)
        driven = np.linalg.norm(np.diff(expected["ego_translation"][:, :2], axis=0), axis=1)
        assert made.scene_id == scene and driven.sum() > 1
        found = made.simulated_ego
        assert found is not made.recorded_ego
        assert np.allclose(
            found["ego_translation"], expected["ego_translation"], atol=1e-5, rtol=0
        )
        assert np.allclose(yaws_of(found), yaws_of(expected), atol=1e-6, rtol=0)
        assert np.array_equal(made.recorded_ego["timestamp"], expected["timestamp"])


def test_agents_that_replay_the_log_drive_as_recorded(ego):
    moved = 0
    for made in unrolled(ego, agents=Replay(), distance_th_close=40, distance_th_far=60):
        for i, parts in enumerate(made.agents_ins_outs[:-1]):
            known = near_agents(made.recorded_ego, made.recorded_agents, i + 1)
            found = near_agents(made.simulated_ego, made.simulated_agents, i + 1)
            for part in parts:
                if part.track_id in known:
                    one, expected = found[part.track_id], known[part.track_id]
                    assert np.allclose(one["centroid"], expected["centroid"], atol=1e-4)
                    assert one["yaw"] == pytest.approx(expected["yaw"], abs=1e-5)
                    assert np.array_equal(one["extent"], expected["extent"])
                    assert one["label_probabilities"].tolist() == np.eye(17)[CAR].tolist()
                    moved += 1
    assert moved > 20


def test_the_first_predicted_step_is_the_next_pose(ego, rows):
    (made,) = unrolled(ego, scenes=[1], ego=Forward(1.5))
    expected = recorded_of(rows, 1)
    yaw = rotation33_as_yaw(expected["ego_rotation"][0])
    steps = np.outer(np.arange(6) * 1.5, [np.cos(yaw), np.sin(yaw)])
    start = expected["ego_translation"][0]
    found = made.simulated_ego["ego_translation"]
    assert np.allclose(found[:, :2], start[:2] + steps, atol=1e-6, rtol=0)
    assert np.array_equal(found[:, 2], expected["ego_translation"][:, 2])
    assert np.allclose(yaws_of(made.simulated_ego), yaw)
    assert np.array_equal(made.recorded_ego["ego_translation"], expected["ego_translation"])


def test_trajectories_have_position_yaw_and_time(ego):
    (made,) = unrolled(ego, scenes=[0], ego=Forward(1.0))
    states, at = made.simulated_ego_states, TrajectoryStateIndices
    assert states.shape == (6, 7) and states.dtype == torch.float32
    position = made.simulated_ego["ego_translation"][:, :2].astype(np.float32)
    assert np.array_equal(states[:, [at.X, at.Y]].numpy(), position)
    expected = yaws_of(made.simulated_ego).astype(np.float32)
    assert np.array_equal(states[:, at.THETA].numpy(), expected)
    assert states[:, at.TIME].tolist() == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert not states[:, [at.SPEED, at.ACCELERATION, at.CURVATURE]].any()


def test_inputs_and_outputs_are_kept_per_frame(ego):
    both = {"ego": Forward(1.0), "agents": Forward(0.5), "distance_th_close": 30}
    for scene, made in enumerate(unrolled(ego, **both)):
        assert len(made.ego_ins_outs) == 6
        for i, part in enumerate(made.ego_ins_outs):
            assert part.track_id == -1 and "image" not in part.inputs
            assert part.inputs["scene_index"] == scene
            assert part.inputs["frame_index"] == i
            ahead = transform_points(
                part.outputs["positions"], part.inputs["world_from_agent"]
            )
            if i < 5:
                found = made.simulated_ego["ego_translation"][i + 1, :2]
                assert np.allclose(ahead[0], found)
        tracks = [{int(one.track_id) for one in parts} for parts in made.agents_ins_outs]
        assert any(tracks) and all(-1 not in one for one in tracks)


def by_hand():
    """One scene of 3 frames. The ego vehicle stays at 0; of two cars and a pedestrian,
    track 1 drives from 10 to 20 and 40 metres, the others stay at 20 and 5 metres."""
    made = ChunkedDataset("")
    made.scenes = np.zeros(1, SCENE_DTYPE)
    made.scenes["frame_index_interval"] = (0, 3)
    made.frames = np.zeros(3, FRAME_DTYPE)
    made.frames["agent_index_interval"] = [(0, 3), (3, 6), (6, 9)]
    made.frames["timestamp"] = [100, 200, 300]
    made.frames["ego_rotation"] = np.eye(3)
    made.agents = np.zeros(9, AGENT_DTYPE)
    made.agents["track_id"] = [1, 2, 3] * 3
    made.agents["centroid"][:, 0] = [10, 20, 5, 20, 20, 5, 40, 20, 5]
    made.agents["extent"] = (4, 2, 1.5)
    made.agents["label_probabilities"][:, CAR] = 1
    made.agents["label_probabilities"][2::3] = np.eye(17)[14]
    made.tl_faces = np.zeros(0, TL_FACE_DTYPE)
    return made


def agent_of(track_id, x=7.0):
    made = np.zeros(1, AGENT_DTYPE)
    made["track_id"], made["centroid"] = track_id, (x, 0)
    made["label_probabilities"][:, CAR] = 1
    return made


def simulation_of(ego, **options):
    dataset = EgoDataset(ego.cfg, by_hand(), ego.rasterizer)
    return SimulationDataset.from_dataset_indices(dataset, [0], SimulationConfig(**options))


def test_cars_are_taken_when_close_and_released_when_far(ego):
    made = simulation_of(ego)  # 15 and 30 metres
    taken = [set(made.rasterise_agents_frame_batch(i)) for i in range(3)]
    assert taken == [{(0, 1)}, {(0, 1)}, set()]
    made = simulation_of(ego)
    assert set(made.rasterise_agents_frame_batch(1)) == set()  # both new at 20 metres


def test_controlled_agents_drive_on_where_the_log_ends(ego):
    source = by_hand()
    source.agents = np.delete(source.agents, 6)  # track 1 in the last frame
    source.frames["agent_index_interval"][2] = (6, 8)
    dataset = EgoDataset(ego.cfg, source, ego.rasterizer)
    options = {"start_frame_index": 0, "num_simulation_steps": None}
    (made,) = unrolled(dataset, scenes=[0], agents=Forward(1.0), **options)
    found = made.simulated_agents
    assert found["track_id"].tolist() == [1, 2, 3, 1, 2, 3, 2, 3, 1]
    assert found["centroid"][found["track_id"] == 1][:, 0].tolist() == [10, 11, 12]
    assert made.simulated_ego["agent_index_interval"].tolist() == [[0, 3], [3, 6], [6, 9]]
    assert len(made.recorded_agents) == len(source.agents) == 8


def test_new_agents_can_be_disabled(ego):
    made = simulation_of(ego, disable_new_agents=True)
    agents = made.scene_dataset_batch[0].dataset.agents
    hidden = agents[agents["track_id"] != 1]
    assert not hidden["centroid"].any() and not hidden["extent"].any()
    assert (hidden["label_probabilities"] == -1).all()
    assert agents[agents["track_id"] == 1]["centroid"][:, 0].tolist() == [10, 20, 40]
    recorded = made.recorded_scene_dataset_batch[0].dataset.agents
    assert np.array_equal(recorded, agents)


def test_copies_share_the_rasterizer_and_nothing_that_changes(ego):
    made = simulation_of(ego)
    one, recorded = made.scene_dataset_batch[0], made.recorded_scene_dataset_batch[0]
    assert recorded.rasterizer is one.rasterizer is ego.rasterizer
    made.set_ego(1, 0, np.full((1, 2, 2), 9.0), np.full((1, 2), 0.5))
    made.set_agents(1, {(0, 1): agent_of(1)})
    assert one.dataset.frames["ego_translation"][1].tolist() == [9, 9, 0]
    assert yaws_of(one.dataset.frames)[1] == pytest.approx(0.5)
    assert one.dataset.agents["centroid"][3].tolist() == [7, 0]
    assert recorded.dataset.frames["ego_translation"][1].tolist() == [0, 0, 0]
    assert recorded.dataset.agents["centroid"][3].tolist() == [20, 0]
    sample = made.rasterise_frame_batch(2)[0]
    assert sample["history_positions"][1].tolist() == [9, 9]


class OwnDataset(EgoDataset):
    """Its samples are built by the package's Python code, from arrays."""

    def get_frame(self, scene_index, state_index, track_id=None):
        return super().get_frame(scene_index, state_index, track_id=track_id)

    def get_scene_dataset(self, scene_index):
        scene = self.dataset.get_scene_dataset(scene_index)
        return OwnDataset(self.cfg, scene, self.rasterizer, self.perturbation)


def stepped(dataset, *, touches=False):
    """Drives two scenes by hand; returns rows and all samples of the last frame."""
    config = SimulationConfig(start_frame_index=15, num_simulation_steps=12)
    made = SimulationDataset.from_dataset_indices(dataset, [1, 0], config)
    for frame in range(11):
        if touches:
            assert len(made.scene_dataset_batch[1].dataset.agents) > 0
        agents = made.rasterise_agents_frame_batch(frame)
        rows = {}
        for (scene, track), sample in agents.items():
            one = agent_of(track)
            one["centroid"] = sample["centroid"] + [0.5, 0.25]
            one["yaw"], one["extent"] = sample["yaw"] + 0.1, sample["extent"]
            rows[scene, track] = one
        made.set_agents(frame + 1, rows)
        ego = made.rasterise_frame_batch(frame)
        places = np.array([[one["centroid"] + [1, 0]] for one in ego])
        made.set_ego(frame + 1, 0, places, np.array([[one["yaw"] + 0.02] for one in ego]))
    samples = made.rasterise_frame_batch(11) + list(
        made.rasterise_agents_frame_batch(11).values()
    )
    scenes = [one.dataset for one in made.scene_dataset_batch.values()]
    return [getattr(one, name) for one in scenes for name in ("frames", "agents")], samples


def test_the_core_and_arrays_of_users_are_simulated_alike(ego):
    rows, samples = stepped(ego)
    own = OwnDataset(ego.cfg, ego.dataset, ego.rasterizer)
    for other in (stepped(ego, touches=True), stepped(own)):
        for found, expected in zip(other[0], rows, strict=True):
            assert found.dtype == expected.dtype and found.tobytes() == expected.tobytes()
        for found, expected in zip(other[1], samples, strict=True):
            assert found.keys() == expected.keys()
            for key, value in expected.items():
                assert np.array_equal(found[key], value), key


def test_changes_of_arrays_are_sampled(ego):
    made = simulation_of(ego)
    rows = made.scene_dataset_batch[0].dataset
    rows.frames["ego_translation"][1, 0] = 3
    assert made.rasterise_frame_batch(1)[0]["centroid"].tolist() == [3, 0]
    rows.agents["centroid"][0] = (14, 3)
    rows.agents["centroid"][1] = (4, 3)
    assert set(made.rasterise_agents_frame_batch(0)) == {(0, 1), (0, 2)}
    rows.agents = np.delete(rows.agents, 0)
    rows.frames["agent_index_interval"] -= 1
    rows.frames["agent_index_interval"][0, 0] = 0
    assert set(made.rasterise_agents_frame_batch(0)) == {(0, 2)}
    made.scene_dataset_batch[0].dataset = by_hand()
    assert set(made.rasterise_agents_frame_batch(0)) == {(0, 1), (0, 2)}  # 2 is held


def test_simulated_scenes_can_be_copied_and_pickled(ego):
    made = simulation_of(ego)
    made.set_agents(1, {(0, 9): agent_of(9)})
    rows = made.scene_dataset_batch[0].dataset
    for other in (copy.deepcopy(rows), pickle.loads(pickle.dumps(rows))):
        assert other.agents.tobytes() == rows.agents.tobytes()
        assert other.frames["agent_index_interval"].tolist() == [[0, 3], [3, 7], [7, 10]]
        other.agents["centroid"] = 5
        assert not (rows.agents["centroid"] == 5).all()


def test_simulations_are_pickled_at_any_frame(ego):
    options = {"distance_th_close": 40, "distance_th_far": 60}
    config = SimulationConfig(start_frame_index=20, num_simulation_steps=6, **options)
    made = SimulationDataset.from_dataset_indices(ego, [1, 0], config)

    def drive(one, frame):
        driven = one.rasterise_agents_frame_batch(frame)
        rows = {}
        for (scene, track), sample in driven.items():
            row = agent_of(track)
            row["centroid"], row["yaw"] = sample["centroid"] + [0.5, 0.25], sample["yaw"]
            row["extent"] = sample["extent"]
            rows[scene, track] = row
        one.set_agents(frame + 1, rows)
        places = np.array(
            [[s["centroid"] + [1, 0]] for s in one.rasterise_frame_batch(frame)]
        )
        one.set_ego(frame + 1, 0, places, np.zeros((2, 1)))
        return set(driven)

    drive(made, 0)
    other = pickle.loads(pickle.dumps(made))
    assert len(other) == len(made) == 6
    for frame in range(1, 5):
        assert drive(made, frame) == drive(other, frame)
    for scene, one in made.scene_dataset_batch.items():
        for batch in ("scene_dataset_batch", "recorded_scene_dataset_batch"):
            expected = getattr(made, batch)[scene].dataset
            found = getattr(other, batch)[scene].dataset
            for name in ("scenes", "frames", "agents", "tl_faces"):
                assert getattr(found, name).tobytes() == getattr(expected, name).tobytes()
        assert other.scene_dataset_batch[scene].rasterizer is not one.rasterizer


def test_thresholds_must_be_equal(ego):
    other = copy.deepcopy(ego.cfg)
    other["raster_params"]["filter_agents_threshold"] = 0.25
    scenes = {
        0: EgoDataset(ego.cfg, by_hand(), ego.rasterizer),
        1: EgoDataset(other, by_hand(), ego.rasterizer),
    }
    with pytest.raises(ValueError, match="filter_agents_threshold: must be that of all"):
        SimulationDataset(scenes, SimulationConfig())


HERE = Path(__file__).resolve().parent


@pytest.mark.skipif("L5KIT" not in os.environ, reason="L5KIT is not set")
def test_unrolls_of_50_frames_are_those_of_l5kit(town, tmp_path):
    def unrolls(name, *command):
        path = tmp_path / name
        script = [*command, HERE / "unrolls.py", town, path]
        ran = subprocess.run(
            [sys.executable, *map(str, script)], capture_output=True, text=True
        )
        assert ran.returncode == 0, ran.stderr
        return dict(np.load(path))

    expected = unrolls("expected.npz", HERE / "with_l5kit.py")
    found = unrolls("found.npz", "-m", "bevscope.l5kit")
    assert list(found) == list(expected)
    for name, value in expected.items():
        assert (found[name].shape, found[name].dtype) == (value.shape, value.dtype), name
        # The last digit of the ego vehicle's rotation may differ.
        limit = 1e-9 if value.dtype == np.float64 else 0
        assert np.allclose(found[name], value, atol=limit, rtol=0), name


def test_agents_are_inserted_behind_the_others_of_the_frame():
    made = by_hand()
    insert_agent(agent_of(9), 1, made)
    assert made.agents["track_id"].tolist() == [1, 2, 3, 1, 2, 3, 9, 1, 2, 3]
    assert made.frames["agent_index_interval"].tolist() == [[0, 3], [3, 7], [7, 10]]
    insert_agent(agent_of(9, 8.0), 1, made)
    assert made.agents["centroid"][6].tolist() == [8, 0] and len(made.agents) == 10
    insert_agent(agent_of(9), -1, made)
    assert made.frames["agent_index_interval"].tolist() == [[0, 3], [3, 7], [7, 11]]


def test_a_disabled_agent_keeps_its_rows():
    made = by_hand()
    disable_agents(made, np.array([1, 3]))
    assert made.agents["track_id"].tolist() == [1, 2, 3] * 3
    assert made.agents["centroid"][:, 0].tolist() == [10, 0, 5, 20, 0, 5, 40, 0, 5]


def test_a_part_of_a_scene_counts_from_0():
    source = by_hand()
    made = get_frames_subset(source, 1, 3)
    assert made.frames["agent_index_interval"].tolist() == [[0, 3], [3, 6]]
    assert made.scenes["frame_index_interval"].tolist() == [[0, 2]]
    assert (made.scenes["start_time"][0], made.scenes["end_time"][0]) == (200, 300)
    assert made.agents["centroid"][:, 0].tolist() == [20, 20, 5, 40, 20, 5]
    made.agents["centroid"] = 0
    made.frames["timestamp"] = 0
    assert np.array_equal(source.agents, by_hand().agents)
    assert np.array_equal(source.frames, by_hand().frames)


@pytest.mark.parametrize("begin, end", [(-1, 2), (3, 4), (2, 2), (2, 1), (0, 4)])
def test_ranges_beyond_a_scene_are_errors(begin, end):
    with pytest.raises(ValueError, match="not a range of the scene's 3 frames"):
        get_frames_subset(by_hand(), begin, end)


def test_changes_need_one_scene_in_memory(rows):
    whole = ChunkedDataset("")
    whole.scenes = rows.scenes[:2]
    for change in (
        lambda one: insert_agent(agent_of(1), 0, one),
        lambda one: disable_agents(one, np.arange(2)),
        lambda one: get_frames_subset(one, 0, 1),
    ):
        with pytest.raises(ValueError, match="must have one scene .found 2."):
            change(whole)
    stored = by_hand()
    stored.agents = rows.agents
    with pytest.raises(ValueError, match="agents: must be a NumPy array"):
        disable_agents(stored, np.arange(2))
    with pytest.raises(ValueError, match="frame 3 is out of range .count 3."):
        insert_agent(agent_of(1), 3, by_hand())
    with pytest.raises(ValueError, match="one axis .found 2."):
        disable_agents(by_hand(), np.zeros((2, 2)))


def test_wrong_simulations_are_errors(ego):
    with pytest.raises(ValueError, match="at least one scene"):
        SimulationDataset({}, SimulationConfig())
    with pytest.raises(ValueError, match="must not repeat"):
        unrolled(ego, scenes=[0, 0], ego=Replay())
    for scene in (-1, len(ego.dataset.scenes)):
        with pytest.raises(ValueError, match="out of range"):
            unrolled(ego, scenes=[scene], ego=Replay())
    with pytest.raises(ValueError, match="ends at frame 4, but the shortest scene has 3"):
        simulation_of(ego, num_simulation_steps=4)
    made = simulation_of(ego)
    with pytest.raises(ValueError, match=r"\(found 2, 1 and 1\)"):
        made.set_ego(0, 0, np.zeros((2, 1, 2)), np.zeros((1, 1)))
    with pytest.raises(ValueError, match="frame 3 is out of range"):
        made.set_ego(3, 0, np.zeros((1, 1, 2)), np.zeros((1, 1)))
    with pytest.raises(ValueError, match="scene 1: not simulated"):
        SimulationOutput(1, made, {}, {})


def test_models_are_needed_for_what_is_simulated(ego):
    device = torch.device("cpu")
    with pytest.raises(ValueError, match="model_ego"):
        ClosedLoopSimulator(SimulationConfig(use_agents_gt=True), ego, device)
    with pytest.raises(ValueError, match="model_agents"):
        ClosedLoopSimulator(SimulationConfig(use_ego_gt=True), ego, device)
    gym = ClosedLoopSimulatorModes.GYM
    ClosedLoopSimulator(SimulationConfig(), ego, device, mode=gym)
    with pytest.raises(ValueError, match="gym"):
        ClosedLoopSimulator(SimulationConfig(use_ego_gt=True), ego, device, mode=gym)


def test_progress_is_shown_on_request(ego, capsys):
    pytest.importorskip("tqdm")
    unrolled(ego, scenes=[0], ego=Forward(1.0))
    assert capsys.readouterr().err == ""
    unrolled(ego, scenes=[0], ego=Forward(1.0), show_info=True)
    assert "6/6" in capsys.readouterr().err


def test_inputs_are_split_by_scene():
    inputs = {"scene_index": np.array([4, 4, 2]), "track_id": np.array([7, 8, 7])}
    outputs = {"value": np.array([1, 2, 3]), "blob": np.zeros((3, 99))}
    found = ClosedLoopSimulator.get_agents_in_out(inputs, outputs, {"blob"})
    assert {i: [one.track_id for one in parts] for i, parts in found.items()} == {
        4: [7, 8],
        2: [7],
    }
    assert found[4][1].outputs == {"value": 2}
    with pytest.raises(ValueError, match="scene_index: repeats"):
        ClosedLoopSimulator.get_ego_in_out(inputs, outputs)
    with pytest.raises(ValueError, match="track_id: missing"):
        ClosedLoopSimulator.get_ego_in_out({"scene_index": np.ones(1)}, outputs)
    with pytest.raises(ValueError, match="track_id: must not be excluded"):
        ClosedLoopSimulator.get_agents_in_out(inputs, outputs, {"track_id"})
