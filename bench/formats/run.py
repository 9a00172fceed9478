"""Scenarios of other data sets that one core reads per second: tracks and lights, without
maps, from files that are in the system's cache.

Usage: python run.py FOLDER, with the interpreter that has bevscope and pyarrow. FOLDER
keeps the made-up files. Of ScenarioNet, BEV_SCENARIONET names a folder of published
pickles instead. peers.py has the other readers. Readers take turns, after their results
are compared; times are processor time.
"""

import functools
import os
import sqlite3
import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "tests/python/interop"))

import argoverse2_city
import commonroad_files
import interaction_files
import nuplan_files
import nuscenes_files
import peers
import scenarionet_files
import waymo_files

import bevscope
from bevscope import _core
from bevscope._convert import argoverse2, nuplan, waymo, whole_file

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
#: Scenarios of each format, of nuPlan, and tracks of each.
COUNT, SCENES, TRACKS = 20, 5, 60


def make(folder):
    """Writes the files once; returns the folder of ScenarioNet's pickles."""
    published = os.environ.get("BEV_SCENARIONET")
    if not (folder / "made").exists():
        folder.mkdir(parents=True, exist_ok=True)
        log = nuplan_files.Log(SCENES, 400, TRACKS, indexed=True)
        (folder / "log.db").unlink(missing_ok=True)
        nuplan_files.make_log(folder / "log.db", log)
        version = nuscenes_files.Version(scenes=COUNT, samples=40, boxes=TRACKS)
        nuscenes_files.write(folder / "nuscenes", version)
        make_waymo(folder / "waymo.tfrecord")
        if not (folder / "argoverse2").exists():
            (folder / "argoverse2").mkdir()
            argoverse2_city.write(folder / "argoverse2", COUNT, COUNT)
        make_scenarionet(folder / "scenarionet")
        make_commonroad(folder / "commonroad")
        make_interaction(folder / "interaction")
        (folder / "made").touch()
    return Path(published) if published else folder / "scenarionet"


def make_waymo(path):
    waymo_files.STEPS = 91
    scenarios = []
    for k in range(COUNT):
        one = waymo_files.scenario(f"s{k}", 100.0 * k)
        one["tracks"] += [
            waymo_files.track(100 + i, 1 + i % 3, 100.0 * k + i, i, range(91))
            for i in range(TRACKS)
        ]
        one["dynamic_map_states"] = [one["dynamic_map_states"][0]] * 91
        scenarios.append(one)
    waymo_files.write(path, *scenarios)


def make_scenarionet(folder):
    scenarionet_files.STEPS, scenarionet_files.TIMES = 200, np.arange(200) / 10
    for k in range(COUNT):
        one = scenarionet_files.nuscenes(f"scene-{k:04d}")
        for i in range(TRACKS):
            about = {"dtype": np.float64, "column": True, "begin": 0, "end": 200}
            place = {"x": 400.0 + i, "y": 300.0 + i}
            name = f"{i + 100:032x}"
            one["tracks"][name] = scenarionet_files.track(
                name, "VEHICLE", "vehicle.car", **about, **place
            )
        path = folder / f"sd_nuscenes_v1.0-mini_scene-{k:04d}.pkl"
        scenarionet_files.write(path, one)


def make_commonroad(folder):
    """Obstacles of 10 s each, in front of the planning problem."""
    folder.mkdir(exist_ok=True)
    for k in range(COUNT):
        more = [
            commonroad_files.obstacle(
                False,
                100 + i,
                ("car", "truck", "bicycle", "pedestrian")[i % 4],
                (4.5, 1.9),
                lambda step, i=i: (i + 0.7 * step, 3.0 * i, 0.25, 7.0),
                100,
            )
            for i in range(TRACKS)
        ]
        text = commonroad_files.scenario(f"ZAM_Made-{k + 1}_1_T-1")
        at = text.index("<planningProblem")
        path = folder / f"ZAM_Made-{k + 1}_1_T-1.xml"
        path.write_text(text[:at] + "".join(more) + text[at:])


def make_interaction(folder):
    """Cases of the challenge: 4 s each."""
    folder.mkdir(exist_ok=True)
    rows = [f"case_id,{interaction_files.HEADER}"]
    for case in range(1, COUNT + 1):
        for track in range(1, TRACKS + 1):
            for frame in range(1, 41):
                place = f"{950 + track + 0.8 * frame:.3f},{1000 + 3 * track:.3f}"
                begin = f"{case}.0,{track},{frame},{frame}00,car,{place}"
                rows.append(f"{begin},8.000,0.125,0.016,4.5,1.8")
    (folder / "DR_MADE_val.csv").write_text("\n".join(rows) + "\n")


def counted(scenarios):
    """Returns frames and agents."""
    found = [(one.frame_count, one.agent_count) for one in scenarios]
    return tuple(map(sum, zip(*found, strict=True)))


def check_centroids(path):
    """Compares the first frame's centroids of a log with SQL."""
    dataset = bevscope.open(path)
    move = dataset.attrs["bevscope"]["scenes"][0]["moved_by"]
    begin, end = dataset.frames[0:1]["agent_index_interval"][0]
    found = np.sort(dataset.agents[int(begin) : int(end)]["centroid"] - move, axis=0)
    database = sqlite3.connect(path)
    first = "SELECT token FROM lidar_pc ORDER BY timestamp LIMIT 1"
    (token,) = database.execute(first).fetchone()
    rows = database.execute(peers.BOXES, (token,)).fetchall()
    expected = np.sort(np.array([row[1:3] for row in rows]), axis=0)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)


def readers(folder, pickles):
    """Returns by format the number of scenarios, bevscope's reader and the others, by
    name. Readers return frames and agents."""
    log, records = str(folder / "log.db"), str(folder / "waymo.tfrecord")
    version, tracks = str(folder / "nuscenes/v1.0-mini"), str(folder / "interaction")
    xml = sorted(str(path) for path in (folder / "commonroad").glob("*.xml"))
    of_scenarionet = _core.ScenarionetImporter("")
    of_commonroad = functools.partial(_core.CommonroadImporter("").read, ego="")
    of_waymo, of_argoverse2 = _core.WaymoImporter(""), _core.Argoverse2Importer("")

    def read_log():
        logs = nuplan.Logs("", None, False)
        return counted(logs.read(one, False, None) for one in logs.scenes(log))

    def read_version():
        versions = _core.NuscenesVersions([version], "", "")
        return counted(versions.read(0, i, False) for i in range(versions.scene_count(0)))

    def read_whole(convert, paths):
        return counted(whole_file.read(convert, one, False, None) for one in paths)

    def read_waymo():
        found = waymo.find_records(records)
        return counted(waymo.read(of_waymo, one, False, None) for one in found)

    def read_argoverse2():
        found = argoverse2.find([folder / "argoverse2"])
        return counted(argoverse2.read(of_argoverse2, one, False) for one in found)

    def read_tracks():
        files = _core.InteractionFiles(
            _core.find_scenarios("interaction", [tracks]), "", "", ""
        )
        return counted(files.read(0, i, False) for i in range(files.scene_count(0)))

    return {
        "ScenarioNet": (
            len(pickles),
            lambda: read_whole(of_scenarionet.read, pickles),
            peers.of_scenarionet(pickles),
        ),
        "nuPlan": (SCENES, read_log, peers.of_nuplan(log)),
        "nuScenes": (COUNT, read_version, {}),
        "Waymo": (COUNT, read_waymo, {}),
        "Argoverse 2": (COUNT, read_argoverse2, {}),
        "CommonRoad": (
            COUNT,
            lambda: read_whole(of_commonroad, xml),
            peers.of_commonroad(xml),
        ),
        "INTERACTION": (COUNT, read_tracks, {}),
    }


def timed(read):
    begin = time.process_time()
    read()
    return time.process_time() - begin


def main():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    folder = Path(sys.argv[1])
    os.environ["XDG_CACHE_HOME"] = str(folder / "caches")
    source = make(folder)
    found = sorted(str(path) for path in source.glob("**/*.pkl"))
    pickles = [path for path in found if not Path(path).name.startswith("dataset_")]
    check_centroids(folder / "log.db")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(
        f"{'':<12} {'agents':>8} {'bevscope':>9}  scenarios/s a core; agents of a scenario"
    )
    for name, (count, ours, others) in readers(folder, pickles).items():
        frames, agents = ours()
        assert frames > 0 and agents > frames
        for peer, read in others.items():
            found = read()
            assert (frames, agents) == found, f"{name}, {peer}: {found}"
        turns = [
            (timed(ours), [timed(read) for read in others.values()]) for _ in range(ROUNDS)
        ]
        rate = count / statistics.median(a for a, _ in turns)
        print(f"{name:<12} {agents / count:8.0f} {rate:9.1f}")
        for i, peer in enumerate(others):
            rate = count / statistics.median(b[i] for _, b in turns)
            ratio = statistics.median(b[i] / a for a, b in turns)
            print(f"{'':<12} {'':8} {rate:9.1f}  {peer}: {ratio:.2f}x")


main()
