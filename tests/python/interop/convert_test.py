"""Conversion of Argoverse 2 scenarios."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import convert
from bevscope.l5kit.data import MapAPI

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
sys.path.insert(0, str(Path(__file__).parent))
files = pytest.importorskip("argoverse2_files")


def contents(folder):
    """Returns the files below a folder by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def converted(source, target, **options):
    convert.argoverse2(source, target, **options)
    return bevscope.open(target)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The made-up scenario's data set, as files."""
    root = tmp_path_factory.mktemp("plain")
    source = files.write(root / "in", compression="none", use_dictionary=False)
    convert.argoverse2(source, root / "out.zarr", map=True)
    return contents(root / "out.zarr")


def without_digest(content):
    """Returns the files without the Parquet file's digest."""
    out = dict(content)
    for name in (".zattrs", ".zmetadata"):
        tree = json.loads(out[name])
        own = tree.get("metadata", {}).get(".zattrs", tree)
        for scene in own["bevscope"]["scenes"]:
            del scene["sha256"]
        out[name] = json.dumps(tree)
    return out


def test_a_scenario_becomes_a_scene(tmp_path):
    source = files.write(tmp_path)
    dataset = converted(source, tmp_path / "out.zarr")
    rows = files.rows()
    assert len(dataset.scenes) == 1
    assert dataset.scenes["host"][0] == "austin"
    assert len(dataset.frames) == files.STEPS
    agents = dataset.agents[:]
    assert len(agents) == (rows["track_id"] != "AV").sum()
    focal = agents[agents["track_id"] == 7]
    expected = rows["track_id"] == "7"
    assert np.array_equal(focal["centroid"][:, 0], rows["position_x"][expected])
    assert np.array_equal(focal["centroid"][:, 1], rows["position_y"][expected])
    ego = rows["track_id"] == "AV"
    translation = dataset.frames["ego_translation"]
    assert np.array_equal(translation[:, 0], rows["position_x"][ego])
    stamps = dataset.frames["timestamp"]
    assert np.array_equal(np.diff(stamps), np.full(files.STEPS - 1, 100_000_000))


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd", "brotli"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("dictionary", [True, False])
def test_all_encodings_give_equal_files(tmp_path, plain, compression, version, dictionary):
    source = files.write(
        tmp_path,
        compression=compression,
        data_page_version=version,
        use_dictionary=dictionary,
        row_group_size=50,
    )
    convert.argoverse2(source, tmp_path / "out.zarr", map=True)
    assert without_digest(contents(tmp_path / "out.zarr")) == without_digest(plain)


@pytest.mark.parametrize("kind", ["required", "categories", "small", "large", "order"])
def test_all_schemas_give_equal_files(tmp_path, plain, kind):
    table = pa.table(files.rows())
    fields = {field.name: field for field in table.schema}
    if kind == "required":
        fields = {name: field.with_nullable(False) for name, field in fields.items()}
    for name, field in fields.items():
        if kind == "categories" and pa.types.is_string(field.type):
            fields[name] = field.with_type(pa.dictionary(pa.int16(), pa.string()))
        if kind == "large" and pa.types.is_string(field.type):
            fields[name] = field.with_type(pa.large_string())
        if kind == "small" and field.type == pa.int64():
            fields[name] = field.with_type(pa.int16())
    table = table.cast(pa.schema(list(fields.values())))
    if kind == "order":
        table = table.select(sorted(table.column_names))
    source = files.write(tmp_path, columns={n: table.column(n) for n in table.column_names})
    if kind == "required":
        pq.write_table(table, source / "scenario_s0.parquet")
    convert.argoverse2(source, tmp_path / "out.zarr", map=True)
    assert without_digest(contents(tmp_path / "out.zarr")) == without_digest(plain)


def test_wrong_columns_are_named(tmp_path):
    def problem(change, id):
        columns = files.rows(id=id)
        change(columns)
        source = files.write(tmp_path, id, columns)
        with pytest.raises(bevscope.Error) as caught:
            convert.argoverse2(source, tmp_path / f"{id}.zarr")
        assert f"scenario_{id}.parquet: " in str(caught.value)
        return caught.value

    error = problem(lambda c: (c.pop("heading"), c.pop("city")), "absent")
    assert isinstance(error, bevscope.NotFound)
    assert "columns not found: heading, city (found track_id" in str(error)
    error = problem(lambda c: c.update(timestep=c["track_id"]), "text")
    assert "column timestep: wrong type (found text, expected int64)" in str(error)
    error = problem(lambda c: c.update(position_x=c["observed"]), "bool")
    assert "column position_x: unsupported type bool" in str(error)

    def with_null(columns):
        values = list(columns["heading"])
        values[3] = None
        columns["heading"] = pa.array(values, pa.float64())

    assert "column heading: null values" in str(problem(with_null, "null"))
    error = problem(lambda c: c.update(object_type=np.full(len(c["city"]), "ufo")), "type")
    assert 'unknown type in row 0 (found "ufo")' in str(error)


def test_optional_columns_may_be_null_or_absent(tmp_path):
    columns = files.rows()
    columns["map_id"] = pa.nulls(len(columns["city"]), pa.uint64())
    source = files.write(tmp_path, columns=columns)
    convert.argoverse2(source, tmp_path / "out.zarr")
    attributes = json.loads((tmp_path / "out.zarr/.zattrs").read_text())["bevscope"]
    assert "map_id" not in attributes["scenes"][0]


def test_damaged_files_are_errors(tmp_path):
    source = files.write(tmp_path)
    parquet = source / "scenario_s0.parquet"
    content = parquet.read_bytes()
    for size in (0, 10, len(content) // 2, len(content) - 1):
        parquet.write_bytes(content[:size])
        with pytest.raises(bevscope.Error, match=r"scenario_s0\.parquet: "):
            convert.argoverse2(source, tmp_path / "out.zarr")
    parquet.write_bytes(content)
    (source / "log_map_archive_s0.json").unlink()
    with pytest.raises(bevscope.NotFound, match="log_map_archive_s0.json: not found"):
        convert.argoverse2(source, tmp_path / "out.zarr", map=True)
    assert not (tmp_path / "out.zarr").exists()


def test_attributes_have_source_and_roles(tmp_path):
    source = files.write(tmp_path)
    report = convert.argoverse2(source, tmp_path / "out.zarr", mask="all")
    own = json.loads((tmp_path / "out.zarr/.zattrs").read_text())["bevscope"]
    parquet = source / "scenario_s0.parquet"
    assert own["source"] == "argoverse2"
    assert own["mask"] == "all"
    (scene,) = own["scenes"]
    assert scene["sha256"] == hashlib.sha256(parquet.read_bytes()).hexdigest()
    assert scene["file"] == "scenario_s0.parquet"
    assert scene["focal"] == 7
    assert scene["scored"] == [8]
    assert scene["anchor_frame"] == 49
    assert scene["track_names"] == {str(1 << 63): "rock"}
    assert report["datasets"][0]["tracks"] == {
        "cyclist": 1,
        "pedestrian": 1,
        "static": 1,
        "vehicle": 1,
    }


def many(root, count):
    for i in range(count):
        columns = files.rows(seed=i, id=f"s{i}")
        files.write(root, f"s{i}", columns, [files.lane(i % 3, 0, i % 3)])
    return root


@pytest.mark.parametrize("jobs", [1, 4])
def test_an_interrupted_conversion_continues_to_equal_files(tmp_path, monkeypatch, jobs):
    monkeypatch.setattr(convert, "CHECKPOINT", 3)
    source = many(tmp_path / "in", 8)
    convert.argoverse2(source, tmp_path / "whole.zarr", map=True, jobs=jobs)
    for stop in (1, 4, 7):
        target = tmp_path / f"{stop}.zarr"

        def interrupt(done, total, stop=stop):
            if done == stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            convert.argoverse2(source, target, map=True, jobs=jobs, progress=interrupt)
        assert not target.exists()
        steps = []
        convert.argoverse2(
            source, target, map=True, jobs=jobs, progress=lambda done, _: steps.append(done)
        )
        assert steps[0] == stop // 3 * 3 + 1
        assert contents(target) == contents(tmp_path / "whole.zarr")


def test_a_conversion_with_other_options_does_not_continue(tmp_path, monkeypatch):
    monkeypatch.setattr(convert, "CHECKPOINT", 1)
    source = many(tmp_path / "in", 3)
    target = tmp_path / "out.zarr"

    def interrupt(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert.argoverse2(source, target, progress=interrupt)
    for options in ({"mask": "focal"}, {"map": True}, {"tables": "{}"}):
        with pytest.raises(bevscope.InvalidArgument, match="other sources or options"):
            convert.argoverse2(source, target, **options)
    with pytest.raises(bevscope.InvalidArgument, match="other sources or options"):
        convert.argoverse2(source / "s1", target)
    convert.argoverse2(source, target)


def test_two_conversions_to_one_folder_at_once_are_rejected(tmp_path):
    source = many(tmp_path / "in", 2)
    target = tmp_path / "out.zarr"
    problems = []

    def second(done, total):
        with pytest.raises(bevscope.InvalidArgument, match="another process") as caught:
            convert.argoverse2(source, target)
        problems.append(caught.value)

    convert.argoverse2(source, target, progress=second)
    assert len(problems) == 2
    assert len(bevscope.open(target).scenes) == 2
    with pytest.raises(bevscope.InvalidArgument, match="exists already"):
        convert.argoverse2(source, target)


def test_scenarios_of_two_cities_give_a_map_and_data_set_each(tmp_path):
    for id, city in (("a", "austin"), ("b", "miami"), ("c", "austin")):
        files.write(tmp_path / "in", id, files.rows(city=city, id=id))
    report = convert.argoverse2(tmp_path / "in", tmp_path / "out.zarr", map=True)
    paths = [Path(one["path"]).name for one in report["datasets"]]
    assert paths == ["out-austin.zarr", "out-miami.zarr"]
    assert len(bevscope.open(tmp_path / "out-austin.zarr").scenes) == 2
    assert (tmp_path / "out-miami.zarr/meta.json").exists()
    convert.argoverse2(tmp_path / "in", tmp_path / "all.zarr")
    assert len(bevscope.open(tmp_path / "all.zarr").scenes) == 3


def test_lanes_of_one_city_are_joined(tmp_path):
    report = convert.argoverse2(many(tmp_path / "in", 6), tmp_path / "out.zarr", map=True)
    assert report["datasets"][0]["map"]["lanes"] == 3
    assert report["datasets"][0]["map"]["duplicates"] == 3 + 5
    meta = json.loads((tmp_path / "out.zarr/meta.json").read_text())
    path = str(tmp_path / "out.zarr/semantic_map/semantic_map.pb")
    api = MapAPI(path, np.array(meta["world_to_ecef"]))
    found = api.get_lane_coords("2")["xyz_left"]
    assert np.abs(found - [[0, 3.5, 0], [20, 3.5, 0.25]]).max() < 1e-6


def test_the_command_prints_a_report_and_names_errors(tmp_path):
    source = many(tmp_path / "in", 2)
    command = [sys.executable, "-m", "bevscope", "convert", "argoverse2"]
    words = [
        str(source),
        "-o",
        str(tmp_path / "out.zarr"),
        "--mask",
        "focal",
        "--jobs",
        "1",
    ]
    done = subprocess.run(command + words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["datasets"][0]["scenes"] == 2
    assert done.stderr == "2 of 2 scenarios\n"
    again = subprocess.run(command + words, capture_output=True, text=True)
    assert again.returncode == 1
    assert "exists already" in again.stderr
    absent = subprocess.run(
        [*command, str(tmp_path / "absent"), "-o", str(tmp_path / "b")],
        capture_output=True,
        text=True,
    )
    assert absent.returncode == 1
    assert absent.stderr.startswith("bevscope: convert: ")


def test_tables_of_a_user_are_applied(tmp_path):
    tables = json.dumps({"types": {"vehicle": {"extent": [5, 2.5, 2]}}})
    dataset = converted(files.write(tmp_path), tmp_path / "out.zarr", tables=tables)
    focal = dataset.agents["track_id"] == 7
    assert dataset.agents["extent"][focal][0].tolist() == [5, 2.5, 2]
    with pytest.raises(bevscope.InvalidArgument, match="jobs: must be at least 1"):
        convert.argoverse2(tmp_path / "s0", tmp_path / "b.zarr", jobs=0)
    with pytest.raises(bevscope.InvalidArgument, match="tables: not a JSON object"):
        convert.argoverse2(tmp_path / "s0", tmp_path / "b.zarr", tables="3")
