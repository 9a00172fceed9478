"""The programs of examples/python run, and print what the data set has."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bevscope

FOLDER = Path(__file__).parents[2] / "examples/python"


@pytest.fixture
def run(tmp_path):
    def run(name, *words, needs=()):
        for module in needs:
            pytest.importorskip(module)
        command = [sys.executable, str(FOLDER / name), *map(str, words)]
        environment = {**os.environ, "MPLBACKEND": "agg"}
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env=environment
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


def test_train_steps_and_learns(run, town):
    lines = run("train.py", town, 12, needs=["torch", "yaml"])
    losses = [float(line.split(": ")[1].removesuffix(" m")) for line in lines]
    assert len(losses) == 12
    assert min(losses[-4:]) < losses[0]


def test_the_town_model_is_trained_and_exported(run, town, tmp_path):
    lines = run("town_model.py", town, tmp_path / "a.onnx", 2, needs=["torch", "yaml"])
    losses = [float(line.split(": ")[1].split()[0]) for line in lines]
    assert len(losses) == 2 and losses[1] < losses[0]
    content = (tmp_path / "a.onnx").read_bytes()
    assert len(content) < 300_000 and b"Town planner" in content


def test_agents_counts_tracks_of_each_class(run, town):
    path = town / "scenes/town.zarr"
    printed = "\n".join(run("agents.py", path, needs=["polars"]))
    tracks = bevscope.open(path).facts()["tracks"]
    for name in set(tracks["class"]):
        assert name in printed
        assert str((tracks["class"] == name).sum()) in printed


def test_hard_cases_are_those_of_least_time(run, town):
    path = town / "scenes/town.zarr"
    lines = run("hard_cases.py", path)
    seconds = [float(line.split()[5]) for line in lines]
    assert len(lines) == 10 and seconds == sorted(seconds)
    least = bevscope.open(path).facts()["scenes"]["min_ttc"].min()
    assert seconds[0] == round(float(least), 1)


def test_figure_is_a_page_of_vectors(run, town, tmp_path):
    run("figure.py", town, "figure.pdf", needs=["matplotlib", "yaml"])
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")


def test_export_writes_one_scene(run, town, tmp_path):
    path = town / "scenes/town.zarr"
    (line,) = run("export.py", path, "hard.zarr.zip")
    copied = bevscope.open(tmp_path / "hard.zarr.zip")
    assert len(copied.scenes) == 1
    scene = int(line.split()[1].rstrip(":"))
    assert copied.scenes["host"][0] == bevscope.open(path).scenes["host"][scene]
