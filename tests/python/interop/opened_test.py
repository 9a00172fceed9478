"""Scenarios that are opened without conversion, compared with the converted data set."""

import hashlib
import json
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import convert
from bevscope.l5kit.data import LocalDataManager, MapAPI
from bevscope.l5kit.rasterization import build_rasterizer

sys.path.insert(0, str(Path(__file__).parent))
import commonroad_files
import nuplan_files
import nuscenes_files
import scenarionet_files
import waymo_files

ARRAYS = ("scenes", "frames", "agents", "traffic_light_faces")
CONFIG = {
    "format_version": 4,
    "model_params": {
        "history_num_frames": 2,
        "future_num_frames": 4,
        "step_time": 0.1,
        "render_ego_history": True,
    },
    "raster_params": {
        "raster_size": [60, 40],
        "pixel_size": [0.5, 0.5],
        "ego_center": [0.25, 0.5],
        "map_type": "py_semantic",
        "semantic_map_key": "semantic_map/semantic_map.pb",
        "dataset_meta_key": "meta.json",
        "filter_agents_threshold": 0.5,
        "disable_traffic_light_faces": False,
        "set_origin_to_bottom": True,
    },
}


@pytest.fixture(autouse=True)
def caches(tmp_path, monkeypatch):
    """The folder of indices, which are not kept after a test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return tmp_path / "caches/bevscope/scenarios"


def indices(caches):
    return list(caches.rglob("scenarios.json"))


def stream_hash(dataset):
    """Returns a hash of all rows."""
    made = hashlib.sha256()
    for name in ARRAYS:
        rows = dataset[name][:]
        made.update(f"{name} {rows.dtype} {rows.shape}".encode())
        made.update(rows.tobytes())
    return made.hexdigest()


def check_equal(source, converted, with_map):
    """Compares rows, attributes, samples and rasters."""
    opened = bevscope.open(source, map=with_map)
    expected = bevscope.open(converted)
    assert stream_hash(opened) == stream_hash(expected)
    assert opened.attrs == expected.attrs
    assert opened.summary() == expected.summary()
    if with_map:
        maps = opened.semantic_map(), expected.semantic_map()
        assert Path(maps[0].map_path).read_bytes() == Path(maps[1].map_path).read_bytes()
        made, wanted = (
            bevscope.Samples(one, CONFIG, map=semantic)
            for one, semantic in zip((opened, expected), maps, strict=True)
        )
        for i in range(0, len(wanted), max(1, len(wanted) // 5)):
            a, b = made[i], wanted[i]
            assert set(a) == set(b)
            for name, value in b.items():
                assert np.array_equal(a[name], value, equal_nan=True), name
        assert made[0]["image"].any()
    return opened


def waymo(folder, count=3):
    path = folder / "in/x.tfrecord"
    path.parent.mkdir(parents=True, exist_ok=True)
    scenarios = [waymo_files.scenario(f"s{i}", 100.0 * i) for i in range(count)]
    waymo_files.write(path, *scenarios)
    return path


def scenarionet(folder):
    path = folder / "in"
    path.mkdir(exist_ok=True)
    scenarionet_files.write(path / "a.pkl", scenarionet_files.nuscenes())
    scenarionet_files.write(path / "b.pkl", scenarionet_files.waymo())
    return path


def nuscenes(folder):
    places = ("boston-seaport", "singapore-onenorth")
    nuscenes_files.write(folder / "in", nuscenes_files.Version(locations=places))
    return folder / "in"


def commonroad(folder):
    commonroad_files.write(folder / "in/a.xml")
    commonroad_files.write(folder / "in/deep/b.xml", "ZAM_B-1_1_T-1", "2018b", 50.0)
    return folder / "in"


KINDS = {
    "commonroad": commonroad,
    "nuscenes": nuscenes,
    "scenarionet": scenarionet,
    "waymo": waymo,
}


@pytest.mark.parametrize("with_map", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_scenarios_are_opened_as_they_are_converted(tmp_path, caches, kind, with_map):
    source = KINDS[kind](tmp_path)
    getattr(convert, kind)(source, tmp_path / "out.zarr", map=with_map)
    check_equal(source, tmp_path / "out.zarr", with_map)
    check_equal(source, tmp_path / "out.zarr", with_map)
    assert len(indices(caches)) == 1


@pytest.mark.parametrize("with_map", [False, True])
def test_argoverse_is_opened_as_it_is_converted(tmp_path, caches, with_map):
    pytest.importorskip("pyarrow")
    files = pytest.importorskip("argoverse2_files")
    for i in range(3):
        files.write(tmp_path / "in" / f"s{i}", f"s{i}", files.rows(i, id=f"s{i}"))
    convert.argoverse2(tmp_path / "in", tmp_path / "out.zarr", map=with_map)
    opened = check_equal(tmp_path / "in", tmp_path / "out.zarr", with_map)
    assert len(indices(caches)) == 1
    again = pickle.loads(pickle.dumps(opened))
    assert stream_hash(again) == stream_hash(opened)
    one = next((tmp_path / "in").rglob("scenario_s1.parquet"))
    assert len(bevscope.open(one).scenes) == 1
    os.utime(one, (1, 1))
    with pytest.raises(bevscope.Error) as raised:
        check = bevscope.open(tmp_path / "in")
        os.utime(one, (2, 2))
        check.agents[:]
    assert raised.value.code == "changed"


@pytest.mark.parametrize("with_map", [False, True])
def test_nuplan_is_opened_as_it_is_converted(tmp_path, caches, with_map):
    (tmp_path / "in").mkdir()
    nuplan_files.make_log(tmp_path / "in/a.db", nuplan_files.Log(scenes=2))
    nuplan_files.make_log(tmp_path / "in/b.db", nuplan_files.Log(ordered=False), seed=2)
    city = tmp_path / "maps/us-nv-las-vegas-strip/9.15/map.gpkg"
    nuplan_files.make_map(city)
    for maps in (tmp_path / "maps", city) if with_map else (None,):
        out = tmp_path / f"{getattr(maps, 'name', 'none')}.zarr"
        convert.nuplan(tmp_path / "in", out, maps=maps)
        opened = check_equal(tmp_path / "in", out, maps or False)
        assert len(opened.scenes) == 5
        again = pickle.loads(pickle.dumps(opened))
        assert stream_hash(again) == stream_hash(opened)
        if maps:
            one = opened.semantic_map(3).core.arrays()
            assert len(one["lanes.id.offsets"]) == 5
            facts = opened.facts(map=opened.semantic_map())
            assert len(facts["scenes"]["light"]) == 5
    assert len(indices(caches)) == (2 if with_map else 1)


def test_maps_of_nuplan_are_named(tmp_path):
    log = nuplan_files.make_log(tmp_path / "a.db")
    with pytest.raises(bevscope.InvalidArgument, match="CITY/\\*/map.gpkg"):
        bevscope.open(log, map=True)
    with pytest.raises(bevscope.NotFound, match="no maps"):
        bevscope.open(log, map=tmp_path / "maps")
    with pytest.raises(
        bevscope.InvalidArgument, match="only INTERACTION, nuPlan and nuScenes"
    ):
        bevscope.open(waymo(tmp_path), map=tmp_path / "maps")


def test_a_scene_has_its_part_of_the_map(tmp_path):
    source = waymo(tmp_path, 5)
    convert.waymo(source, tmp_path / "out.zarr", map=True)
    whole = bevscope.open(tmp_path / "out.zarr").semantic_map().core
    assert whole.part_count() == 5
    lanes = whole.arrays()["lanes.id.offsets"]
    for dataset in (bevscope.open(source, map=True), bevscope.open(tmp_path / "out.zarr")):
        found = []
        for scene in range(5):
            part = dataset.semantic_map(scene)
            api = MapAPI.of(part)
            ids = api.bounds_info["lanes"]["ids"]
            assert all(one.startswith(f"{scene}:") for one in ids)
            assert {one for one in map(MapAPI.id_as_str, api) if api.is_lane(one)} == set(
                ids
            )
            again = MapAPI.of(pickle.loads(pickle.dumps(part)))
            assert np.array_equal(
                api.get_lane_coords(ids[0])["xyz_left"],
                again.get_lane_coords(ids[0])["xyz_left"],
            )
            found += ids
        assert len(found) == len(lanes) - 1
        with pytest.raises(bevscope.OutOfRange):
            dataset.semantic_map(-1)
        with pytest.raises((bevscope.OutOfRange, IndexError)):
            dataset.semantic_map(5)
        assert dataset.semantic_map().part_at(1e7, 0) is None
    one = waymo(tmp_path / "one", 1)
    convert.waymo(one, tmp_path / "one.zarr", map=True)
    alone = bevscope.open(tmp_path / "one.zarr")
    assert alone.semantic_map(0).core.part_count() == 0


def test_l5kits_rasterizer_reads_parts(tmp_path):
    source = waymo(tmp_path, 4)
    convert.waymo(source, tmp_path / "out.zarr", map=True)
    opened = bevscope.open(source, map=True)
    found = opened.semantic_map()
    folder = Path(found.map_path).parents[1]
    config = {
        **CONFIG,
        "raster_params": {
            **CONFIG["raster_params"],
            "semantic_map_key": str(found.map_path),
            "dataset_meta_key": str(folder / "meta.json"),
        },
    }
    rasterizer = build_rasterizer(config, LocalDataManager("/"))
    assert rasterizer.semantic_map.core.part_count() == 4
    made = bevscope.Samples(opened, CONFIG, map=rasterizer.semantic_map)
    content = Path(found.map_path).read_bytes()
    plain = tmp_path / "whole/semantic_map.pb"
    plain.parent.mkdir()
    plain.write_bytes(content)
    matrix = {"world_to_ecef": found.meta()["world_to_ecef"]}
    whole = bevscope.SemanticMap(str(plain), json.dumps(matrix).encode())
    assert whole.core.part_count() == 0
    expected = bevscope.Samples(opened, CONFIG, map=whole)
    for i in range(0, len(made), 7):
        assert np.array_equal(made[i]["image"], expected[i]["image"])


def test_the_published_argoverse_scenario(tmp_path, goldens):
    pytest.importorskip("pyarrow")
    source = goldens / "argoverse2"
    convert.argoverse2(source, tmp_path / "out.zarr", map=True)
    opened = check_equal(source, tmp_path / "out.zarr", True)
    assert (len(opened.frames), len(opened.agents)) == (110, 2324)


@pytest.mark.skipif("BEV_WAYMO" not in os.environ, reason="BEV_WAYMO is not set")
def test_waymos_own_scenario(tmp_path):
    source = Path(os.environ["BEV_WAYMO"], "testdata/motion_data_one_scenario.tfrecord")
    convert.waymo(source, tmp_path / "out.zarr", map=True)
    check_equal(source, tmp_path / "out.zarr", True)


@pytest.mark.skipif(
    "BEV_SCENARIONET" not in os.environ, reason="BEV_SCENARIONET is not set"
)
def test_scenes_of_scenarionet(tmp_path):
    checked = 0
    for folder in sorted(Path(os.environ["BEV_SCENARIONET"]).iterdir()):
        if not folder.is_dir():
            continue
        out = tmp_path / f"{folder.name}.zarr"
        convert.scenarionet(folder, out, map=True)
        checked += len(check_equal(folder, out, True).scenes)
    assert checked >= 9


def test_filters_and_facts_are_those_of_the_converted(tmp_path):
    source = waymo(tmp_path, 5)
    convert.waymo(source, tmp_path / "out.zarr", map=True)
    opened, expected = bevscope.open(source, map=True), bevscope.open(tmp_path / "out.zarr")
    for one, other in zip(
        opened.reader("agents", where="speed > 1", threads=2),
        expected.reader("agents", where="speed > 1"),
        strict=True,
    ):
        assert all(np.array_equal(one[name], other[name]) for name in other)
    facts = [one.facts(map=one.semantic_map()) for one in (opened, expected)]
    for table in ("scenes", "tracks"):
        for name, values in facts[1][table].items():
            found = facts[0][table][name]
            is_text = values.dtype.kind == "U"
            assert np.array_equal(found, values, equal_nan=not is_text), name


def test_threads_and_processes_read_at_once(tmp_path):
    source = waymo(tmp_path, 9)
    convert.waymo(source, tmp_path / "out.zarr")
    expected = stream_hash(bevscope.open(tmp_path / "out.zarr"))
    shared = bevscope.open(source)
    found = []

    def read(dataset):
        found.append(stream_hash(dataset))

    threads = [
        threading.Thread(target=read, args=(one,))
        for one in (shared, shared, bevscope.open(source))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 3
    assert stream_hash(pickle.loads(pickle.dumps(shared))) == expected
    work = "import bevscope, sys; print(len(bevscope.open(sys.argv[1], map=True).agents))"
    jobs = [
        subprocess.Popen([sys.executable, "-c", work, source], stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    counts = {int(job.communicate()[0]) for job in jobs}
    assert counts == {len(shared.agents)}


def test_changed_and_damaged_files_are_errors(tmp_path):
    source = waymo(tmp_path)
    dataset = bevscope.open(source)
    content = source.read_bytes()
    source.write_bytes(content + content)
    with pytest.raises(bevscope.Error) as raised:
        dataset.agents[:]
    assert raised.value.code == "changed"
    assert len(bevscope.open(source).scenes) == 6
    for at in range(0, len(content), max(1, len(content) // 40)):
        damaged = bytearray(content)
        damaged[at] ^= 0x10
        source.write_bytes(damaged)
        with pytest.raises(bevscope.Error) as raised:
            bevscope.open(source)
        assert raised.value.code in ("corrupt_chunk", "limit_exceeded")
        assert str(source) in str(raised.value)
        source.write_bytes(content[:at])
        if at > 0 and at < len(content) // 3 - 100:
            with pytest.raises(bevscope.Error):
                bevscope.open(source)


def test_options_are_of_scenarios(tmp_path):
    source = waymo(tmp_path)
    with pytest.raises(bevscope.InvalidArgument, match="True or False"):
        bevscope.open(source, map=1)
    with pytest.raises(bevscope.InvalidArgument, match="only scenarios"):
        bevscope.open({}, map=True)
    with pytest.raises(bevscope.InvalidArgument, match="only scenarios"):
        bevscope.open(tmp_path / "absent", map=True)
    with pytest.raises(bevscope.NotFound, match="map"):
        bevscope.open(source).semantic_map()
    (source.parent / "y.pkl").write_bytes(b"")
    with pytest.raises(bevscope.InvalidArgument, match="waymo and of scenarionet"):
        bevscope.open(source.parent)


@pytest.mark.parametrize("kind", ["nuscenes", "waymo"])
def test_commands_read_scenarios(tmp_path, program, caches, kind):
    source = KINDS[kind](tmp_path)
    getattr(convert, kind)(source, tmp_path / "out.zarr")
    before = sorted(source.parent.rglob("in/*"))

    def run(*words):
        done = subprocess.run([program, *words], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    info = [
        json.loads(run("info", one, "--json")) for one in (source, tmp_path / "out.zarr")
    ]
    assert info[0]["table"] == info[1]["table"]
    assert info[0]["attrs"] == info[1]["attrs"]
    for words in (
        ("cat", "/agents", "--format", "csv"),
        ("cat", "/traffic_light_faces", "--format", "csv"),
        ("scan", "", "--where", "speed > 1", "--format", "csv"),
        ("facts", "", "--tracks"),
    ):
        command, path, *options = words
        made = [
            run(command, f"{one}{path}", *options)
            for one in (source, tmp_path / "out.zarr")
        ]
        assert made[0] == made[1]
    run("index", source, "--quiet")
    assert len(list(caches.rglob("facts.zip"))) == 1
    assert run("facts", source) == run("facts", source, "--compute")
    assert sorted(source.parent.rglob("in/*")) == before
