"""Batch work: plan, run, commit; jobs; the local runner; the command line."""

import io
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import tarfile

import batch_data
import numpy as np
import pytest
import zarr

import bevscope
from bevscope import Error, InvalidArgument, NotFound, ReadError, batch

JOBS = batch_data.JOBS


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    return batch_data.Sources(tmp_path_factory.mktemp("batch"))


@pytest.fixture(scope="module")
def data(sources):
    return sources.of(JOBS["mask"])


@pytest.fixture(scope="module")
def expected(sources, tmp_path_factory):
    """Returns the output of a job, run task by task in this process, as hashes."""
    known = {}

    def output_of(name):
        if name not in known:
            output = tmp_path_factory.mktemp(name) / "out"
            work = batch.plan(JOBS[name], sources.of(JOBS[name]), output)
            assert len(work) > 2
            known[name] = batch.commit(work, [batch.run(work, i) for i in range(len(work))])
            known[name] = batch_data.contents(output)
        return known[name]

    return output_of


def command(*words, **options):
    return subprocess.run(
        [sys.executable, "-m", "bevscope", "batch", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        **options,
    )


@pytest.mark.parametrize("name", JOBS)
def test_every_way_of_running_a_job_has_the_same_bytes(name, sources, expected, tmp_path):
    source = sources.of(JOBS[name])
    for processes in (1, 4):
        output = tmp_path / f"{processes}"
        work = batch.plan(JOBS[name], source, output)
        batch.local(work, processes=processes)
        batch.commit(work)
        assert batch_data.contents(output) == expected(name)
        assert not os.path.exists(f"{output}.batch")
    backwards = batch.plan(JOBS[name], source, tmp_path / "backwards")
    results = [batch.run(backwards, i) for i in reversed(range(len(backwards)))]
    again = [batch.run(backwards, i) for i in range(len(backwards))]
    assert sorted(again) == sorted(results)
    batch.commit(backwards, results + again)
    assert batch_data.contents(tmp_path / "backwards") == expected(name)


def test_the_command_line_has_the_same_bytes(data, expected, tmp_path):
    output = tmp_path / "mask.zarr"
    options = [f"{k}={v}" for k, v in JOBS["mask"].items() if k != "job"]
    words = [word for one in options for word in ("--option", one)]
    planned = command("plan", "mask", data, "-o", output, *words)
    assert (planned.returncode, planned.stdout) == (0, "5\n"), planned.stderr
    assert command("run", output, "--task", 3).returncode == 0
    assert "1 of 5 tasks are done" in command("status", output).stdout
    early = command("commit", output)
    assert early.returncode == 1
    assert "tasks without a result (found 4 of 5)" in early.stderr
    assert not output.exists()
    assert command("run", output, "--share", "0/2").returncode == 0
    ended = command("run", output, "--processes", 2, "--commit", "--quiet")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["total_agent_frames"] == 6 * 31 * 240
    assert batch_data.contents(output) == expected("mask")


def test_the_mask_is_the_one_of_one_run(data, expected, tmp_path):
    work = batch.plan(JOBS["mask"], data, tmp_path / "mask.zarr")
    batch.local(work, processes=1)
    report = batch.commit(work)
    dataset, whole = bevscope.open(data), []
    for scene in range(len(dataset.scenes)):
        rules = bevscope._core.AgentRules()
        found = dataset._handle.call(lambda core, s=scene: core.select_agents(s, rules))
        whole.append(found["counts"])
    mask = zarr.open(str(tmp_path / "mask.zarr"), "r")["agents_mask/0.5"]
    np.testing.assert_array_equal(mask[:], np.concatenate(whole))
    assert 0 < report["reject_th_AV_distance"] < report["total_agent_frames"]
    assert mask.chunks == (10_000, 2)


@pytest.mark.parametrize("scenes", ["single", "multi"])
@pytest.mark.parametrize("threshold", [0.0, 0.5, 0.8])
def test_the_mask_equals_l5kits(goldens, tmp_path, scenes, threshold):
    work = batch.plan(
        {"job": "mask", "threshold": threshold},
        goldens / f"inputs/{scenes}_scene.zarr",
        tmp_path / "mask.zarr",
    )
    batch.local(work, processes=1)
    batch.commit(work)
    mask = zarr.open(str(tmp_path / "mask.zarr"), "r")[f"agents_mask/{threshold}"][:]
    with np.load(goldens / f"outputs/select/{scenes}_th{threshold}.npz") as file:
        np.testing.assert_array_equal(mask, file["mask"])


def test_a_mask_and_statistics_are_added_to_the_data_set(data, tmp_path):
    copy = shutil.copytree(data, tmp_path / "data.zarr")
    before = batch_data.contents(copy)
    for name in ("mask", "statistics"):
        work = batch.plan(JOBS[name], copy, copy)
        batch.local(work, processes=1)
        report = batch.commit(work)
        assert batch.commit(work) == report
    after = batch_data.contents(copy)
    assert {name: after[name] for name in before} == before
    assert zarr.open(str(copy), "r")["agents_mask/0.5"].shape == (6 * 31 * 240, 2)
    rows = bevscope.open(copy).reader("agents", where="track_id == 7").count()
    assert rows == 6 * 31
    with pytest.raises(InvalidArgument, match="agents_mask/0.5: exists already"):
        batch.plan({**JOBS["mask"], "chunks": 3}, copy, copy)


def test_facts_are_those_of_the_data_set(data, tmp_path):
    work = batch.plan(JOBS["facts"], data, tmp_path / "facts")
    batch.local(work, processes=1)
    report = batch.commit(work)
    assert report["scenes"] == 6
    assert report["tracks"] > 100
    for name, columns in bevscope.open(data).facts().items():
        files = sorted((tmp_path / "facts" / name).glob("part-*.npy"))
        rows = np.concatenate([np.load(one) for one in files])
        assert list(rows.dtype.names) == list(columns)
        for column, values in columns.items():
            np.testing.assert_array_equal(rows[column], values)


def test_facts_of_a_map_have_lights(town, tmp_path):
    store, path = town / "scenes/town.zarr", town / "semantic_map/semantic_map.pb"
    job = {**JOBS["facts"], "map": str(path)}
    work = batch.plan(job, store, tmp_path / "facts")
    batch.local(work, processes=1)
    batch.commit(work)
    rows = [np.load(one) for one in sorted((tmp_path / "facts/scenes").iterdir())]
    found = np.concatenate(rows)["light"]
    assert set(found) - {"unknown"}
    assert set(bevscope.open(store).facts()["scenes"]["light"]) == {"unknown"}
    with pytest.raises(NotFound, match="no meta.json in its folder"):
        batch.plan({**job, "map": "/nowhere/map.pb"}, store, tmp_path / "other")


def test_metrics_are_l5kits(goldens, tmp_path):
    folder = goldens / "outputs/eval"
    work = batch.plan(
        {"job": "metrics"}, [folder / "gt.csv", folder / "pred.csv"], tmp_path / "out"
    )
    batch.local(work, processes=1)
    report = batch.commit(work)
    assert json.loads((tmp_path / "out/metrics.json").read_text()) == report
    expected = json.loads((folder / "metrics.json").read_text())
    assert report["agents"] == 30
    assert report["metrics"].keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_allclose(report["metrics"][name], value, rtol=1e-12)


def test_metrics_of_files_with_other_agents_are_an_error(sources, tmp_path):
    truths, predictions = sources.of(JOBS["metrics"])
    lines = predictions.read_bytes().splitlines(keepends=True)
    short = tmp_path / "pred.csv"
    short.write_bytes(b"".join(lines[:-1]))
    work = batch.plan(JOBS["metrics"], [truths, short], tmp_path / "out")
    with pytest.raises(InvalidArgument, match="found 1 without prediction"):
        batch.local(work, processes=1)


def test_samples_are_those_of_one_process(data, tmp_path):
    work = batch.plan(JOBS["samples"], data, tmp_path / "samples.zarr")
    batch.local(work, processes=1)
    report = batch.commit(work)
    assert report["samples"] == 70
    stored = bevscope.open(tmp_path / "samples.zarr")
    samples = bevscope.Samples(data, batch_data.CONFIG)
    for key, values in samples.batch(range(70)).items():
        assert stored[key].shape == values.shape
        np.testing.assert_array_equal(stored[key][:], values)


def test_samples_with_a_map_find_it_from_other_folders(town, tmp_path, monkeypatch):
    raster = {
        **batch_data.CONFIG["raster_params"],
        "map_type": "py_semantic",
        "semantic_map_key": "semantic_map/semantic_map.pb",
        "dataset_meta_key": "meta.json",
    }
    config = {**batch_data.CONFIG, "raster_params": raster}
    job = {**JOBS["samples"], "config": config, "end": 20, "root": os.path.relpath(town)}
    store = (town / "scenes/town.zarr").resolve()
    work = batch.plan(job, store, tmp_path / "samples.zarr")
    assert work.plan.job["root"] == os.path.abspath(town)
    monkeypatch.chdir(tmp_path)
    batch.local(work, processes=2)
    batch.commit(work)
    image = bevscope.open(tmp_path / "samples.zarr")["image"][:]
    samples = bevscope.Samples(store, config, root=town.resolve())
    np.testing.assert_array_equal(image, samples.batch(range(20))["image"])


def test_webdataset_shards_have_the_same_samples(data, tmp_path):
    work = batch.plan(JOBS["webdataset"], data, tmp_path / "shards")
    batch.local(work, processes=1)
    batch.commit(work)
    samples = bevscope.Samples(data, batch_data.CONFIG)
    count = 0
    for shard in sorted((tmp_path / "shards").glob("*.tar")):
        with tarfile.open(shard) as tar:
            for member in tar:
                number, key, _ = re.fullmatch(r"(\d+)\.(\w+)\.(npy)", member.name).groups()
                value = np.load(io.BytesIO(tar.extractfile(member).read()))
                np.testing.assert_array_equal(value, samples[int(number)][key])
                count += key == "image"
    assert count == 40


def test_copies_are_data_sets_in_order(data, tmp_path):
    work = batch.plan(JOBS["copy"], data, tmp_path / "parts")
    batch.local(work, processes=2)
    assert batch.commit(work) == {"parts": 3, "scenes": 6}
    original, rows = bevscope.open(data), []
    for part in json.loads((tmp_path / "parts/parts.json").read_text())["parts"]:
        rows.append(bevscope.open(tmp_path / "parts" / part["path"]).agents["yaw"])
    np.testing.assert_array_equal(np.concatenate(rows), original.agents["yaw"])


def test_equal_jobs_have_equal_plans_and_others_do_not(data, tmp_path):
    ids = set()
    for number, job in enumerate(
        [
            {"job": "mask"},
            {"job": "mask", "threshold": 0.5},
            {"threshold": 0.5, "job": "mask", "yaw": 30},
        ]
    ):
        ids.add(batch.plan(job, data, tmp_path / str(number)).plan.id)
    assert len(ids) == 1
    assert batch.plan({"job": "mask", "yaw": 5}, data, tmp_path / "y").plan.id not in ids
    for task in batch.plan({"job": "mask"}, data, tmp_path / "y2").plan.tasks:
        assert len(task) <= 4096


def test_a_changed_data_set_is_an_error(data, tmp_path):
    copy = shutil.copytree(data, tmp_path / "data.zarr")
    work = batch.plan(JOBS["mask"], copy, tmp_path / "out")
    results = [batch.run(work, i) for i in range(len(work))]
    os.utime(copy / "agents/2", ns=(1, 1))
    with pytest.raises(ReadError, match="changed since the plan") as caught:
        batch.commit(batch.open(tmp_path / "out"), results)
    assert caught.value.code == "changed"
    assert not (tmp_path / "out").exists()
    with pytest.raises(InvalidArgument, match="has another plan"):
        batch.plan(JOBS["mask"], copy, tmp_path / "out")


def test_damaged_and_lost_objects_are_run_again_or_an_error(data, expected, tmp_path):
    work = batch.plan(JOBS["mask"], data, tmp_path / "out")
    results = [batch.run(work, i) for i in range(len(work))]
    chunk = tmp_path / "out.batch/objects/agents_mask/0.5/1.0"
    chunk.write_bytes(chunk.read_bytes()[:-1])
    with pytest.raises(Error, match="differs from its result.* task 1 has to") as caught:
        batch.commit(work, results)
    assert caught.value.code == "corrupt_chunk"
    assert work.missing() == [1]
    assert batch.local(work, processes=1) == [results[1]]
    (tmp_path / "out.batch/objects/agents_mask/0.5/2.0").unlink()
    with pytest.raises(NotFound, match="task 2 has to be run again"):
        batch.commit(work)
    assert work.missing() == [2]
    (tmp_path / "out.batch/results/0000003.json").unlink()  # a lost answer
    assert work.missing() == [2, 3]
    batch.local(work, processes=1)
    batch.commit(work)
    assert batch_data.contents(tmp_path / "out") == expected("mask")


def test_results_of_other_plans_are_refused(data, tmp_path):
    work = batch.plan(JOBS["mask"], data, tmp_path / "a")
    other = batch.plan({**JOBS["mask"], "yaw": 7}, data, tmp_path / "b")
    results = [batch.run(work, i) for i in range(len(work))]
    with pytest.raises(InvalidArgument, match="result of another plan"):
        batch.commit(work, [*results[:-1], batch.run(other, 4)])
    with pytest.raises(InvalidArgument, match=r"task 5: out of range \(count 5\)"):
        batch.run(work, 5)


def test_a_commit_can_be_repeated_and_removes_strays(data, expected, tmp_path):
    work = batch.plan(JOBS["mask"], data, tmp_path / "out")
    batch.local(work, processes=1)
    (tmp_path / "out.batch/objects/agents_mask/left").mkdir()
    (tmp_path / "out.batch/objects/agents_mask/left/over").write_bytes(b"x")
    report = batch.commit(work)
    assert batch.commit(work) == report
    assert batch.commit(batch.plan(JOBS["mask"], data, tmp_path / "out")) == report
    assert batch_data.contents(tmp_path / "out") == expected("mask")
    with pytest.raises(NotFound, match="plan the work first"):
        batch.run(work, 0)


def test_gc_removes_what_is_not_committed(data, tmp_path):
    work = batch.plan(JOBS["mask"], data, tmp_path / "out")
    batch.run(work, 0)
    with work.folder.lock("lock", 1), pytest.raises(InvalidArgument, match="running"):
        batch.gc(tmp_path / "out")
    assert batch.gc(tmp_path / "out")
    assert not batch.gc(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(NotFound):
        batch.commit(work)


def test_gc_removes_what_a_killed_removal_has_left(data, tmp_path):
    work = batch.plan(JOBS["mask"], data, tmp_path / "out")
    batch.local(work, processes=1)
    left, other = (tmp_path / f"out.batch-{name}" for name in ("0" * 32, "notes"))
    for folder in (left, other):
        folder.mkdir()
        (folder / "0.0").write_bytes(b"x")
    assert batch.commit(work) == batch.commit(work)
    assert not left.exists()
    left.mkdir()
    batch.commit(work)
    assert not left.exists()
    left.mkdir()
    assert batch.gc(tmp_path / "out")
    assert not batch.gc(tmp_path / "out")
    assert {one.name for one in tmp_path.iterdir()} == {"out", other.name}


def test_masks_are_part_of_what_agent_samples_are_made_of(data, tmp_path):
    copy = shutil.copytree(data, tmp_path / "data.zarr")
    samples = {**JOBS["samples"], "kind": "agent", "end": 10}

    def plan_ids(number):
        return [
            batch.plan(job, copy, tmp_path / f"{job['job']}{number}").plan.id
            for job in (JOBS["mask"], JOBS["copy"], samples)
        ]

    before = plan_ids(1)
    batch.local(batch.plan(JOBS["mask"], copy, copy), processes=1)
    batch.commit(batch.open(copy))
    after = plan_ids(2)
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, True, False]


def test_a_full_disk_is_a_typed_error_and_the_work_continues(data, expected, tmp_path):
    program = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "from bevscope import batch\n"
        "try: batch.run(batch.open(sys.argv[1]), 1)\n"
        "except Exception as error: print(type(error).__name__, error.code, error)\n"
    )
    work = batch.plan(JOBS["mask"], data, tmp_path / "out")
    ran = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "out"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ran.stdout.startswith("ReadError io "), ran.stderr
    assert "agents_mask/0.5/1.0: write failed: File too large" in ran.stdout
    assert len(work.missing()) == len(work)
    assert os.listdir(tmp_path / "out.batch/new") == []
    batch.local(work, processes=1)
    batch.commit(work)
    assert batch_data.contents(tmp_path / "out") == expected("mask")


@pytest.mark.parametrize(
    "job, problem",
    [
        ({"job": "maks"}, "job: unknown name"),
        ({"job": "mask", "treshold": 1}, 'unknown option "treshold"'),
        ({"job": "mask", "threshold": "high"}, "threshold: not a number"),
        ({"job": "mask", "chunks": 0}, "chunks: must be at least 1"),
        ({"job": "samples"}, "config must be"),
        ({"job": "samples", "config": {}, "format": "tar"}, "format: unknown"),
        ({"job": "facts", "format": "csv"}, "format: unknown"),
        ({"job": "metrics"}, "expected two files"),
    ],
)
def test_jobs_that_cannot_be_are_errors(job, problem, data, tmp_path):
    with pytest.raises(InvalidArgument, match=problem):
        batch.plan(job, data, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_exists_is_an_error(data, tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(InvalidArgument, match="exists already"):
        batch.plan(JOBS["samples"], data, tmp_path / "out")
    with pytest.raises(InvalidArgument, match="expected a path or URL"):
        batch.plan(JOBS["mask"], 7, tmp_path / "new")


def test_an_output_that_appears_meanwhile_is_an_error(data, tmp_path):
    work = batch.plan(JOBS["samples"], data, tmp_path / "out")
    batch.local(work, processes=1)
    (tmp_path / "out").mkdir()
    with pytest.raises(InvalidArgument, match="out: exists already"):
        batch.commit(work)
    assert os.listdir(tmp_path / "out") == []
    (tmp_path / "out").rmdir()
    assert batch.commit(work)["samples"] == 70


def test_work_pickles_small(data, tmp_path):
    work = batch.plan(JOBS["samples"], data, tmp_path / "out")
    text = pickle.dumps(work)
    assert len(text) < 500
    assert pickle.loads(text).plan.text == work.plan.text


def test_errors_of_tasks_end_the_local_run(data, tmp_path):
    copy = shutil.copytree(data, tmp_path / "data.zarr")
    os.truncate(copy / "agents/2", 1000)
    work = batch.plan(JOBS["mask"], copy, tmp_path / "out")
    for processes in (1, 2):
        with pytest.raises(Error) as caught:
            batch.local(work, processes=processes)
        assert caught.value.code == "corrupt_chunk"
        assert "agents/2" in str(caught.value)
