"""Forecasts of converted data sets in L5Kit's files."""

import csv

import numpy as np
import pytest

import bevscope
from bevscope import convert
from bevscope.forecasts import (
    Forecasts,
    read_argoverse2,
    read_l5kit,
    recorded,
    write_argoverse2,
    write_l5kit,
    write_l5kit_truths,
)
from bevscope.l5kit.data import ChunkedDataset
from bevscope.l5kit.evaluation import (
    compute_metrics_csv,
    export_zarr_to_csv,
    read_gt_csv,
    read_pred_csv,
)
from bevscope.l5kit.evaluation.metrics import (
    average_displacement_error_oracle,
    final_displacement_error_oracle,
    neg_multi_log_likelihood,
)

pytest.importorskip("pyarrow")
files = pytest.importorskip("argoverse2_files")

ANCHOR = 49
FUTURE = files.STEPS - 50
KEYS = [("s0", "7"), ("s0", "8"), ("s0", "rock"), ("s1", "7"), ("s2", "8")]


def scenario(root, i, start=0):
    """Writes a scenario that begins `start` seconds after the first."""
    columns = files.rows(seed=10 * i, id=f"s{i}")
    for name in ("start_timestamp", "end_timestamp"):
        columns[name] = columns[name] + start * 1e9
    files.write(root, f"s{i}", columns)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    root = tmp_path_factory.mktemp("source")
    for i in range(3):
        scenario(root, i, start=100 * i)
    return root


@pytest.fixture(scope="module")
def dataset(source, tmp_path_factory):
    out = tmp_path_factory.mktemp("target") / "out.zarr"
    convert.argoverse2(source, out, mask="scored")
    return bevscope.open(out)


def forecasts_of(keys, modes, seed=0):
    """Returns forecasts near the tracks with positions of five decimals."""
    random = np.random.default_rng(seed)
    counts = np.resize(modes, len(keys))
    offsets = np.concatenate([[0], np.cumsum(counts)])
    probabilities = np.concatenate(
        [-np.sort(-one) for one in (random.dirichlet(np.ones(n)) for n in counts)]
    )
    paths = np.round(random.normal(0, 3, (offsets[-1], FUTURE, 2)), 5)
    return Forecasts(keys, offsets, probabilities, paths)


def track(columns, name, field):
    return np.asarray(columns[field])[np.asarray(columns["track_id"]) == name]


def test_a_file_has_offsets_from_the_centroid_in_the_anchor_frame(tmp_path, dataset):
    forecasts = forecasts_of(KEYS, [3, 1, 2])
    write_l5kit(tmp_path / "a.csv", forecasts, dataset)
    rows = list(read_pred_csv(str(tmp_path / "a.csv")))
    assert len(rows) == len(KEYS)
    for i, (row, key) in enumerate(zip(rows, KEYS, strict=True)):
        scene = int(key[0][1])
        columns = files.rows(seed=10 * scene, id=key[0])
        stamp = dataset.frames["timestamp"][scene * files.STEPS + ANCHOR]
        assert int(row["timestamp"]) == stamp
        assert row["track_id"] == ("9223372036854775808" if key[1] == "rock" else key[1])
        at = track(columns, key[1], "timestep") == ANCHOR
        x, y = (track(columns, key[1], f"position_{axis}")[at][0] for axis in "xy")
        modes = slice(forecasts.offsets[i], forecasts.offsets[i + 1])
        count = modes.stop - modes.start
        expected = forecasts.paths[modes] - [x, y]
        assert np.abs(row["coords"][:count] - expected).max() <= 0.5e-5 + 1e-9
        assert np.array_equal(row["conf"][:count], forecasts.probabilities[modes])
        assert not row["coords"][count:].any()
        assert not row["conf"][count:].any()


def test_forecasts_come_back(tmp_path, dataset):
    for modes, most in (([3, 1, 2], 3), ([6, 1, 4], 6)):
        forecasts = forecasts_of(KEYS, modes, seed=most)
        write_l5kit(tmp_path / "a.csv", forecasts, dataset, max_modes=most)
        back = read_l5kit(tmp_path / "a.csv", dataset)
        assert back.keys == forecasts.keys
        assert np.array_equal(back.offsets, forecasts.offsets)
        assert np.array_equal(back.probabilities, forecasts.probabilities)
        assert np.abs(back.paths - forecasts.paths).max() <= 0.5e-5 + 1e-9
        write_l5kit(tmp_path / "b.csv", back, dataset, max_modes=most)
        assert (tmp_path / "b.csv").read_bytes() == (tmp_path / "a.csv").read_bytes()
        write_argoverse2(tmp_path / "a.parquet", back)
        again = read_argoverse2(tmp_path / "a.parquet")
        assert again.keys == back.keys
        assert np.array_equal(again.paths, back.paths)


def test_modes_come_back_by_probability_and_tracks_by_name(tmp_path, dataset):
    keys = KEYS[::-1]
    forecasts = forecasts_of(keys, [3])
    order = np.arange(len(forecasts.paths)).reshape(-1, 3)[:, ::-1].ravel()
    mixed = Forecasts(
        keys, forecasts.offsets, forecasts.probabilities[order], forecasts.paths[order]
    )
    write_l5kit(tmp_path / "a.csv", mixed, dataset)
    back = read_l5kit(tmp_path / "a.csv", dataset)
    assert back.keys == KEYS
    for i, key in enumerate(back.keys):
        at = 3 * keys.index(key)
        found = back.probabilities[3 * i : 3 * i + 3]
        assert np.array_equal(found, forecasts.probabilities[at : at + 3])


def test_metrics_of_l5kit_are_the_scores_of_the_challenge(tmp_path, source, dataset):
    keys = [key for key in KEYS if key[1] != "rock"]
    truths = recorded(source, keys)
    truths = {key: np.round(path, 5) for key, path in truths.items()}
    forecasts = forecasts_of(keys, [6, 3, 1])
    pred, gt = str(tmp_path / "pred.csv"), str(tmp_path / "gt.csv")
    write_l5kit(pred, forecasts, dataset, max_modes=6)
    write_l5kit_truths(gt, truths, dataset)
    found = compute_metrics_csv(
        gt,
        pred,
        [
            average_displacement_error_oracle,
            final_displacement_error_oracle,
            neg_multi_log_likelihood,
        ],
        max_modes=6,
    )
    # Absent modes are paths of zeros in L5Kit's file, which its oracles count too.
    offsets = {key: one["coord"] for key, one in zip(truths, read_gt_csv(gt), strict=True)}
    still = [np.linalg.norm(offsets[key], axis=1) for key in keys]
    counts = np.diff(forecasts.offsets)
    scores = forecasts.scores(truths)
    ade = [
        min(score, one.mean()) if count < 6 else score
        for score, one, count in zip(scores["minADE"], still, counts, strict=True)
    ]
    fde = [
        min(score, one[-1]) if count < 6 else score
        for score, one, count in zip(scores["minFDE"], still, counts, strict=True)
    ]
    # The files have five decimals.
    assert found["average_displacement_error_oracle"] == pytest.approx(
        np.mean(ade), abs=2e-5
    )
    assert found["final_displacement_error_oracle"] == pytest.approx(np.mean(fde), abs=2e-5)
    assert np.isfinite(found["neg_multi_log_likelihood"])


def test_ground_truth_is_that_of_l5kits_samples(tmp_path, source, dataset):
    keys = [("s0", "7"), ("s0", "8"), ("s1", "7"), ("s1", "8"), ("s2", "7"), ("s2", "8")]
    write_l5kit_truths(tmp_path / "ours.csv", recorded(source, keys), dataset)
    mask = np.zeros(len(dataset.agents), bool)
    for scene in range(3):
        begin, end = dataset.frames["agent_index_interval"][scene * files.STEPS + ANCHOR]
        mask[begin:end] = np.isin(dataset.agents["track_id"][begin:end], [7, 8])
    chunked = ChunkedDataset(str(dataset.address)).open()
    export_zarr_to_csv(chunked, str(tmp_path / "l5kit.csv"), FUTURE, 0.5, agents_mask=mask)
    ours = {
        (e["timestamp"], e["track_id"]): e for e in read_gt_csv(str(tmp_path / "ours.csv"))
    }
    theirs = list(read_gt_csv(str(tmp_path / "l5kit.csv")))
    assert len(theirs) == len(ours) == 6
    for one in theirs:
        other = ours[one["timestamp"], one["track_id"]]
        assert np.array_equal(one["avail"], other["avail"])
        # Samples have float32.
        assert np.abs(one["coord"] - other["coord"]).max() < 1e-4


def test_what_the_file_cannot_hold_is_an_error(tmp_path, source, dataset):
    path = tmp_path / "a.csv"
    with pytest.raises(bevscope.InvalidArgument, match=r"too many modes of track \('s0'"):
        write_l5kit(path, forecasts_of(KEYS, [4]), dataset)
    for key, message in (
        (("s9", "7"), "scenario s9: no anchor frame"),
        (("s0", "9"), "scenario s0: track 9: not an agent of the anchor frame"),
        (("s0", "AV"), "track AV: not an agent"),
        (("s0", "-1"), "track -1: not an agent"),
    ):
        with pytest.raises(bevscope.NotFound, match=message):
            write_l5kit(path, forecasts_of([key], [1]), dataset)
    good = forecasts_of(KEYS, [2])
    with pytest.raises(bevscope.InvalidArgument, match="do not sum to 1"):
        write_l5kit(
            path, Forecasts(KEYS, good.offsets, good.probabilities / 2, good.paths), dataset
        )
    with pytest.raises(bevscope.InvalidArgument, match="not finite"):
        write_l5kit(
            path,
            Forecasts(KEYS, good.offsets, good.probabilities, good.paths * np.nan),
            dataset,
        )
    assert list(tmp_path.iterdir()) == []


def test_tracks_that_l5kit_cannot_tell_apart_are_an_error(tmp_path):
    for i in range(2):
        scenario(tmp_path / "in", i)
    convert.argoverse2(tmp_path / "in", tmp_path / "out.zarr")
    dataset = bevscope.open(tmp_path / "out.zarr")
    both = forecasts_of([("s0", "7"), ("s1", "7")], [1])
    with pytest.raises(bevscope.InvalidArgument, match="equal timestamps and track ids"):
        write_l5kit(tmp_path / "a.csv", both, dataset)
    write_l5kit(tmp_path / "a.csv", forecasts_of([("s1", "7")], [1]), dataset)
    with pytest.raises(bevscope.InvalidArgument, match="track 7: in 2 anchor frames"):
        read_l5kit(tmp_path / "a.csv", dataset)


def test_other_files_are_errors(tmp_path, dataset, town):
    path = tmp_path / "a.csv"
    write_l5kit(path, forecasts_of(KEYS, [3]), dataset)
    rows = list(csv.reader(path.open(newline="")))

    def problem(change):
        copy = [list(row) for row in rows]
        change(copy)
        with path.open("w", newline="") as file:
            csv.writer(file).writerows(copy)
        with pytest.raises(bevscope.Error) as caught:
            read_l5kit(path, dataset)
        return str(caught.value)

    assert "not L5Kit's header" in problem(lambda r: r[0].pop())
    assert "not L5Kit's header" in problem(lambda r: r.clear())
    assert "line 3: not a prediction" in problem(lambda r: r[2].pop())
    assert "line 2: not a prediction" in problem(lambda r: r[1].__setitem__(4, "x"))
    assert "line 4: not a prediction" in problem(lambda r: r[3].__setitem__(9, "nan"))
    assert "two rows" in problem(lambda r: r.append(r[1]))
    assert "not an agent of an anchor frame" in problem(lambda r: r[1].__setitem__(0, "5"))
    with pytest.raises(bevscope.NotFound, match="not found"):
        read_l5kit(tmp_path / "absent.csv", dataset)
    with pytest.raises(bevscope.InvalidArgument, match="that bevscope converted"):
        read_l5kit(path, bevscope.open(town / "scenes/town.zarr"))


def test_an_empty_file_has_no_tracks(tmp_path, dataset):
    none = Forecasts([], np.zeros(1, np.int64), np.zeros(0), np.zeros((0, FUTURE, 2)))
    write_l5kit(tmp_path / "none.csv", none, dataset)
    back = read_l5kit(tmp_path / "none.csv", dataset)
    assert (back.keys, back.offsets.tolist()) == ([], [0])
