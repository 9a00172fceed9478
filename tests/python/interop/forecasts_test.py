"""Forecasts in the format of the Argoverse 2 challenge."""

import numpy as np
import pytest

import bevscope
from bevscope.forecasts import Forecasts, read_argoverse2, recorded, write_argoverse2

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
files = pytest.importorskip("argoverse2_files")


def random_forecasts(seed, tracks=7, steps=60):
    random = np.random.default_rng(seed)
    counts = random.integers(1, 9, tracks)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    probabilities = random.random(offsets[-1])
    for begin, end in zip(offsets[:-1], offsets[1:], strict=True):
        probabilities[begin:end] = -np.sort(-probabilities[begin:end])
        probabilities[begin:end] /= probabilities[begin:end].sum()
    paths = random.normal(0, 3, (offsets[-1], steps, 2))
    keys = [(f"scenario-{i // 2}", f"{i}") for i in range(tracks)]
    truths = {key: random.normal(0, 3, (steps, 2)) for key in keys}
    return Forecasts(keys, offsets, probabilities, paths), truths


def brute_force(forecasts, truths, k):
    """Scores by NumPy, a track at a time, as the challenge's script defines them."""
    out = []
    for i, key in enumerate(forecasts.keys):
        modes = slice(forecasts.offsets[i], forecasts.offsets[i + 1])
        p, paths = forecasts.probabilities[modes], forecasts.paths[modes]
        distances = np.linalg.norm(paths - truths[key], axis=2)
        ade, fde = distances.mean(axis=1)[:k], distances[:, -1][:k]
        brier = np.square(1 - p / p.sum())
        a, f = ade.argmin(), fde.argmin()
        out.append((ade[a], fde[f], ade[a] + brier[a], fde[f] + brier[f], fde[f] > 2))
    return np.array(out)


@pytest.mark.parametrize("k", [1, 3, 6])
def test_scores_are_those_of_numpy(k):
    for seed in range(20):
        forecasts, truths = random_forecasts(seed)
        scores = forecasts.scores(truths, k=k)
        found = np.stack(list(scores.values()), axis=1)
        np.testing.assert_allclose(found, brute_force(forecasts, truths, k), rtol=1e-13)
        assert list(scores) == [
            "minADE", "minFDE", "brier-minADE", "brier-minFDE", "missed"
        ]  # fmt: skip


def test_a_summary_has_the_means_of_the_challenge():
    forecasts, truths = random_forecasts(3)
    summary = forecasts.summary(truths)
    six, one = brute_force(forecasts, truths, 6), brute_force(forecasts, truths, 1)
    expected = {
        "minADE (K=6)": six[:, 0].mean(),
        "minFDE (K=6)": six[:, 1].mean(),
        "brier-minADE (K=6)": six[:, 2].mean(),
        "brier-minFDE (K=6)": six[:, 3].mean(),
        "MR (K=6)": six[:, 4].mean(),
        "minADE (K=1)": one[:, 0].mean(),
        "minFDE (K=1)": one[:, 1].mean(),
        "MR (K=1)": one[:, 4].mean(),
    }
    assert summary == pytest.approx(expected, rel=1e-13)


def test_a_submission_comes_back_by_track_and_probability(tmp_path):
    forecasts, _ = random_forecasts(5)
    write_argoverse2(tmp_path / "a.parquet", forecasts)
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.column_names[:3] == ["scenario_id", "track_id", "probability"]
    mixed = table.take(np.random.default_rng(1).permutation(table.num_rows))
    pq.write_table(mixed, tmp_path / "b.parquet", row_group_size=3)
    for name in ("a.parquet", "b.parquet"):
        back = read_argoverse2(tmp_path / name)
        assert back.keys == forecasts.keys
        assert np.array_equal(back.offsets, forecasts.offsets)
        assert np.array_equal(back.probabilities, forecasts.probabilities)
        assert np.array_equal(back.paths, forecasts.paths)


def test_a_failed_write_leaves_the_previous_file(tmp_path):
    forecasts, _ = random_forecasts(5)
    path = tmp_path / "a.parquet"
    write_argoverse2(path, forecasts)
    before = path.read_bytes()
    broken = Forecasts(
        forecasts.keys, forecasts.offsets, forecasts.probabilities[1:], forecasts.paths
    )
    with pytest.raises(pa.ArrowException):
        write_argoverse2(path, broken)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["a.parquet"]
    with pytest.raises(bevscope.InvalidArgument, match="as many tracks as keys"):
        write_argoverse2(path, Forecasts([], forecasts.offsets, broken.probabilities,
                                         forecasts.paths))  # fmt: skip


def test_an_empty_submission_has_no_tracks(tmp_path):
    none = Forecasts([], np.zeros(1, np.int64), np.zeros(0), np.zeros((0, 60, 2)))
    write_argoverse2(tmp_path / "none.parquet", none)
    back = read_argoverse2(tmp_path / "none.parquet")
    assert (back.keys, back.offsets.tolist()) == ([], [0])
    with pytest.raises(bevscope.InvalidArgument, match="no tracks"):
        back.summary({})


def submission(**changes):
    columns = {
        "scenario_id": ["s", "s"],
        "track_id": ["1", "1"],
        "probability": [0.5, 0.5],
        "predicted_trajectory_x": [[1.0, 2.0], [3.0, 4.0]],
        "predicted_trajectory_y": [[1.0, 2.0], [3.0, 4.0]],
    }
    return {name: values for name, values in (columns | changes).items() if values}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"probability": None}, "columns not found: probability"),
        ({"probability": [0.5, None]}, "column probability: null values"),
        ({"predicted_trajectory_x": [[1.0], [1.0, 2.0]]}, "lists differ in length"),
        ({"predicted_trajectory_x": [[1.0, None], [1.0, 2.0]]}, "null values"),
        ({"predicted_trajectory_y": ["1", "2"]}, "column predicted_trajectory_y"),
    ],
)
def test_other_files_are_errors_that_name_the_column(tmp_path, changes, message):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table(submission(**changes)), path)
    with pytest.raises(bevscope.Error, match=message):
        read_argoverse2(path)


def test_truths_must_be_there_in_the_same_shape():
    forecasts, truths = random_forecasts(1)
    (gone, _), *_ = truths.items()
    with pytest.raises(bevscope.NotFound, match="1 of 7 tracks, such as"):
        forecasts.scores({key: path for key, path in truths.items() if key != gone})
    with pytest.raises(bevscope.InvalidArgument, match="wrong shape"):
        forecasts.scores(truths | {gone: truths[gone][:-1]})
    doubled = Forecasts(
        forecasts.keys, forecasts.offsets, forecasts.probabilities * 2, forecasts.paths
    )
    with pytest.raises(bevscope.InvalidArgument, match="track 0"):
        doubled.scores(truths)


def test_recorded_positions_are_those_after_the_observed_steps(tmp_path):
    for seed, name in enumerate(("s0", "s1")):
        folder = tmp_path / name
        folder.mkdir()
        table = pa.table(files.rows(seed=seed, id=name))
        pq.write_table(table, folder / f"scenario_{name}.parquet")
    focal = recorded(tmp_path)
    assert list(focal) == [("s0", "7"), ("s1", "7")]
    steps = np.arange(50, 60)
    expected = np.stack([101 + 0.1 * steps, np.full(10, 5.0)], axis=1)
    assert np.array_equal(focal["s1", "7"], expected)
    chosen = recorded([tmp_path / "s0"], [("s0", "8"), ("s0", "AV")])
    assert list(chosen) == [("s0", "8"), ("s0", "AV")]
    with pytest.raises(bevscope.NotFound, match="track 9: not recorded at steps 50 to 59"):
        recorded(tmp_path, [("s0", "9")])


def test_the_published_scenario_has_60_positions_to_predict(goldens):
    folder = goldens / "argoverse2"
    if not folder.exists():
        pytest.skip("the scenario is missing")
    ((key, path),) = recorded(folder).items()
    assert key[1] == "138951"
    assert path.shape == (60, 2)
    still = np.repeat(path[:1], 60, axis=0)[None]
    forecast = Forecasts([key], np.array([0, 1]), np.ones(1), still)
    summary = forecast.summary({key: path})
    moved = np.hypot(*(path[-1] - path[0]))
    assert summary["minFDE (K=1)"] == pytest.approx(moved)
    assert summary["MR (K=6)"] == (moved > 2)
