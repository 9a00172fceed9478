"""Static sites of data sets, as the command writes them, and of converted scenarios."""

import base64
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bevscope
from bevscope import _publish

MARKS = ("head", "title", "description", "counts", "about", "picture")


@pytest.fixture
def app(tmp_path):
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "site.html").write_text("".join(f"<!--site:{mark}-->" for mark in MARKS))
    return folder


def files_of(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }


def test_the_site_is_that_of_the_command(town, program, app, tmp_path):
    data = town / "scenes/town.zarr"
    steps = set()
    report = bevscope.publish(
        data,
        tmp_path / "site",
        title="A town",
        licence="cc-by-4.0",
        app=app,
        progress=lambda step, done, of: steps.add(step),
    )
    other = tmp_path / "other"
    words = ["publish", data, "-o", other, "--app", app, "--title", "A town"]
    subprocess.run(
        [program, *words, "--licence", "cc-by-4.0", "--quiet"], check=True, timeout=120
    )
    assert files_of(tmp_path / "site") == files_of(other)
    assert report["scenes"] == 4
    assert report["objects"] == len(files_of(other))
    assert steps == {"town: read", "town: copy", "town: facts"}
    again = bevscope.publish(data, tmp_path / "site", title="A town", app=app)
    assert again["unchanged"] == 1


def test_modules_of_the_own_viewer_are_in_the_widget(town, app, tmp_path, monkeypatch):
    module = bytes(range(256)) * 9
    text = base64.b64encode(gzip.compress(module)).decode()
    script = tmp_path / "widget.js"
    script.write_text(f'provide({{wasm:"{text}",worker:"a"}});')
    shared = tmp_path / "modules.json"
    shared.write_text(json.dumps({"core.wasm": hashlib.sha256(module).hexdigest()}))
    places = {"SCRIPT": script, "_APP": app, "_SHARED": shared}
    for name, place in places.items():
        monkeypatch.setattr(_publish, name, place)
    data = town / "scenes/town.zarr"
    bevscope.publish(data, tmp_path / "site")
    whole = tmp_path / "whole"
    shutil.copytree(app, whole)
    (whole / "core.wasm").write_bytes(module)
    bevscope.publish(data, tmp_path / "other", app=whole)
    assert files_of(tmp_path / "site") == files_of(tmp_path / "other")
    script.write_text("")
    with pytest.raises(bevscope.ReadError, match=r"missing modules .*core\.wasm"):
        bevscope.publish(data, tmp_path / "site")


def test_scenarios_are_converted(app, tmp_path):
    pytest.importorskip("pyarrow")
    sys.path.insert(0, str(Path(__file__).parent / "interop"))
    import argoverse2_files

    for number in range(2):
        argoverse2_files.write(tmp_path / "train", f"s{number}")
    site = tmp_path / "site"
    report = bevscope.publish(tmp_path / "train", site, app=app)
    assert report["scenes"] == 2
    described = json.loads((site / "site.json").read_text())
    assert [one["map"] for one in described["data"]] == [True]
    dataset = bevscope.open(str(site / described["data"][0]["path"]))
    assert len(dataset.scenes) == 2
    assert not (tmp_path / "site.converted").exists()
    before = files_of(site)
    assert bevscope.publish(tmp_path / "train", site, app=app)["unchanged"] == 1
    assert files_of(site) == before
    estimate = bevscope.publish(tmp_path / "train", site, app=app, dry_run=True)
    assert estimate["scenes"] == 2
    assert estimate["bytes"] < 4 * report["bytes"]
    assert files_of(site) == before
    bevscope.publish(tmp_path / "train", site, app=app, map=False)
    described = json.loads((site / "site.json").read_text())
    assert [one["map"] for one in described["data"]] == [False]


def test_map_and_aerial_image_may_be_given(town, program, app, tmp_path):
    data = tmp_path / "data/alone.zarr"
    shutil.copytree(town / "scenes/town.zarr", data)
    given = {
        "map": town / "semantic_map/semantic_map.pb",
        "aerial": town / "aerial_map/aerial_map.png",
    }
    bevscope.publish(data, tmp_path / "site", app=app, **given)
    (described,) = json.loads((tmp_path / "site/site.json").read_text())["data"]
    assert (described["map"], described["aerial"]) == (True, True)
    words = ["publish", data, "-o", tmp_path / "other", "--app", app, "--quiet"]
    options = [f"--{name}={path}" for name, path in given.items()]
    subprocess.run([program, *words, *options], check=True, timeout=120)
    assert files_of(tmp_path / "site") == files_of(tmp_path / "other")
    with pytest.raises(bevscope.InvalidArgument, match="one data set"):
        bevscope.publish([data, data], tmp_path / "site", app=app, **given)


def test_a_dry_run_is_that_of_the_command(town, program, app, tmp_path):
    data = town / "scenes/town.zarr"
    estimate = bevscope.publish(data, tmp_path / "site", app=app, dry_run=True)
    words = ["publish", data, "-o", tmp_path / "site", "--app", app, "--dry-run"]
    shown = subprocess.run([program, *words], check=True, capture_output=True, text=True)
    assert f"scenes                 {estimate['scenes']}\n" in shown.stdout
    assert f"objects          about {estimate['objects']}\n" in shown.stdout
    assert not (tmp_path / "site").exists()


def test_an_exception_of_progress_leaves_the_old_site(town, app, tmp_path):
    data = town / "scenes/town.zarr"

    def stop(step, done, of):
        raise KeyError(step)

    with pytest.raises(KeyError):
        bevscope.publish(data, tmp_path / "site", app=app, progress=stop)
    assert not (tmp_path / "site/index.html").exists()


def test_what_is_not_understood_is_refused(app, tmp_path):
    with pytest.raises(bevscope.NotFound, match="no such file"):
        bevscope.publish(tmp_path / "none", tmp_path / "site", app=app)
    (tmp_path / "empty").mkdir()
    with pytest.raises(bevscope.Unsupported, match="not a data set"):
        bevscope.publish(tmp_path / "empty", tmp_path / "site", app=app)
    with pytest.raises(bevscope.InvalidArgument, match="no data set"):
        bevscope.publish([], tmp_path / "site", app=app)


def test_the_command_prints_a_report(town, app, tmp_path):
    words = ["publish", str(town / "scenes/town.zarr"), "-o", str(tmp_path / "site")]
    done = subprocess.run(
        [sys.executable, "-m", "bevscope", *words, "--app", str(app)],
        capture_output=True,
        check=True,
        text=True,
        timeout=120,
    )
    assert json.loads(done.stdout)["scenes"] == 4
    folder = tmp_path / "site"
    assert f"look at it: python3 -m http.server --directory {folder}\n" in done.stderr


def test_the_metadata_is_valid_croissant(town, app, tmp_path):
    mlcroissant = pytest.importorskip("mlcroissant")
    site = tmp_path / "site"
    bevscope.publish(
        town / "scenes/town.zarr",
        site,
        title="A town",
        description="Made-up drives.",
        licence="https://creativecommons.org/licenses/by/4.0/",
        url="https://example.org/town/",
        author="The authors",
        citation="Cite it.",
        app=app,
    )
    metadata = mlcroissant.Dataset(jsonld=site / "croissant.json").metadata
    assert not metadata.issues.errors
    assert metadata.name == "A town"
    sets = {one.name: {field.name for field in one.fields} for one in metadata.record_sets}
    assert {"town_scenes", "town_frames", "town_agents"} <= set(sets)
    assert {"centroid", "extent", "yaw", "velocity", "track_id"} <= sets["town_agents"]
