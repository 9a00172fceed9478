"""The conversion of a thousand made-up scenarios."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import convert

pytest.importorskip("pyarrow")
sys.path.insert(0, str(Path(__file__).parent))
city = pytest.importorskip("argoverse2_city")

COUNT, DISTINCT = 1000, 100


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A folder of scenarios, and the bytes of its files."""
    root = tmp_path_factory.mktemp("many")
    return root, city.write(root, COUNT, DISTINCT)


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_a_thousand_scenarios_with_maps_are_not_larger_than_their_files(tmp_path, many):
    root, total = many
    report = convert.argoverse2(root, tmp_path / "out.zarr", map=True)
    assert size_of(tmp_path / "out.zarr") <= 1.3 * total
    (one,) = report["datasets"]
    assert one["scenes"] == COUNT
    # Lanes are written once, in how many maps they may be.
    assert one["map"]["lanes"] <= len(city.lanes())
    assert one["map"]["renamed"] == 0
    dataset = bevscope.open(tmp_path / "out.zarr")
    assert len(dataset.frames) == COUNT * city.STEPS
    for scene in (0, DISTINCT - 1, COUNT - 1):
        columns, _ = city.rows(scene % DISTINCT)
        begin = scene * city.STEPS
        intervals = dataset.frames["agent_index_interval"][begin : begin + city.STEPS]
        agents = dataset.agents[int(intervals[0, 0]) : int(intervals[-1, 1])]
        order = np.argsort(columns["timestep"], kind="stable")
        order = order[columns["track_id"][order] != "AV"]
        assert np.array_equal(agents["centroid"][:, 0], columns["position_x"][order])
        assert np.array_equal(agents["centroid"][:, 1], columns["position_y"][order])


def test_a_thousand_scenarios_without_maps_are_not_larger_than_their_files(tmp_path, many):
    root, _ = many
    convert.argoverse2(root, tmp_path / "out.zarr")
    total = sum(path.stat().st_size for path in root.rglob("*.parquet"))
    assert size_of(tmp_path / "out.zarr") <= 1.3 * total


def test_a_thousand_scenarios_are_searched_by_facts_beside_them(tmp_path, many, program):
    root, _ = many
    out = tmp_path / "out.zarr"
    convert.argoverse2(root, out, map=True)
    lanes = ["--map", out / "semantic_map/semantic_map.pb"]
    subprocess.run([program, "index", out, *lanes, "--thumbnails", "--quiet"], check=True)
    assert (out / ".bevscope/thumbnails-0.zip").stat().st_size < 4e6

    def facts(*words):
        done = subprocess.run(
            [program, "facts", out, "--tracks", "--quiet", *lanes, *words],
            check=True,
            capture_output=True,
        )
        assert done.stderr == b""
        return done.stdout

    assert facts() == facts("--compute")
    for where in ("closest_ego < 3", "label == 'CAR' and max_speed > 9", "min_ttc < 2"):
        assert facts("--where", where) == facts("--where", where, "--compute")


PEAK = """
import resource, sys
from pathlib import Path
from bevscope import convert
sources = sorted(Path(sys.argv[1]).iterdir())[: int(sys.argv[3])]
convert.argoverse2(sources, sys.argv[2], map=True, jobs=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def test_memory_does_not_grow_with_the_number_of_scenarios(tmp_path, many):
    root, total = many

    def peak(count):
        words = [sys.executable, "-c", PEAK, root, tmp_path / f"{count}.zarr", str(count)]
        return int(subprocess.check_output([str(word) for word in words]))

    few = 200
    grown = peak(COUNT) - peak(few)
    # Attributes take some kB per scenario, whose files have 200.
    assert grown < total * (COUNT - few) / COUNT / 16
