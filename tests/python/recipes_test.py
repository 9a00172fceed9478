"""The recipes for package managers in deploy/: versions, dependencies, and what Conan and
rattler-build make of them. Neither builds here: their packages come from servers."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
VERSION = re.search(r"bevscope VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]

#: What CMake looks for, and its names for vcpkg and Conan.
LIBRARIES = {
    "blosc": ("blosc", "c-blosc"),
    "lz4": ("lz4", "lz4"),
    "zstd": ("zstd", "zstd"),
    "zlib": ("zlib", "zlib"),
    "nlohmann": ("nlohmann-json", "nlohmann_json"),
    "protozero": ("protozero", "protozero"),
}
NATIVE = {
    "CURL": ("curl", "libcurl"),
    "JPEG": ("libjpeg-turbo", "libjpeg"),
    "PNG": ("libpng", "libpng"),
    "yaml-cpp": ("yaml-cpp", "yaml-cpp"),
}
#: A header that native sources include, and a library of the program alone.
HEADERS = {"flatbuffers": ("flatbuffers", "flatbuffers"), "lzma": ("liblzma", "xz_utils")}


def looked_for(name, pattern):
    return set(re.findall(pattern, (ROOT / "cmake" / name).read_text(), re.MULTILINE))


def test_the_lists_have_what_cmake_looks_for():
    found = looked_for("codecs.cmake", r"(\w+)/\w+\.h/\w+")
    found |= looked_for("host_headers.cmake", r"^bev_host_header\(\w+ (\w+)\)")
    assert found == set(LIBRARIES)
    packages = looked_for("native_packages.cmake", r"find_package\((\S+) REQUIRED\)")
    assert packages - {"Threads"} == set(NATIVE)


def test_the_port_of_vcpkg_has_version_and_dependencies():
    port = json.loads((DEPLOY / "vcpkg/bevscope/vcpkg.json").read_text())
    names = [one if isinstance(one, str) else one["name"] for one in port["dependencies"]]
    assert port["version"] == VERSION
    helpers = {"vcpkg-cmake", "vcpkg-cmake-config"}
    assert names == sorted(names)
    assert set(names) == {one for one, _ in LIBRARIES.values()} | helpers
    native = port["features"]["native"]["dependencies"]
    assert native == sorted(one for one, _ in {**NATIVE, **HEADERS}.values())
    portfile = (DEPLOY / "vcpkg/bevscope/portfile.cmake").read_text()
    options = set(re.findall(r"-D(BEV_\w+)=", portfile))
    known = set(re.findall(r"option\((BEV_\w+)", (ROOT / "CMakeLists.txt").read_text()))
    assert options <= known
    place = (DEPLOY / "vcpkg/bevscope/../../..").resolve()
    assert (
        place / "CMakeLists.txt"
    ).exists() and '"${CURRENT_PORT_DIR}/../../.."' in portfile


@pytest.fixture
def conan(tmp_path):
    pytest.importorskip("conan")
    profile = tmp_path / "profile"
    # As if the system had all of them.
    names = [one for _, one in {**LIBRARIES, **NATIVE, **HEADERS}.values()]
    profile.write_text(
        "[settings]\nos=Linux\narch=x86_64\ncompiler=gcc\ncompiler.version=12\n"
        "compiler.libcxx=libstdc++11\ncompiler.cppstd=20\nbuild_type=Release\n"
        "[platform_requires]\n"
        + "".join(f"{name}/99\n" for name in names)
        + "[platform_tool_requires]\ncmake/4\n"
    )

    def run(*words):
        command = [sys.executable, "-m", "conans.conan", *map(str, words)]
        environment = {**os.environ, "CONAN_HOME": str(tmp_path / "home")}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    run.profile = profile
    return run


@pytest.mark.parametrize("native", [True, False])
def test_conan_resolves_the_recipe(conan, native):
    words = ["graph", "info", DEPLOY / "conan", "--no-remote", "--format=json"]
    words += ["-pr:a", conan.profile, "-o", f"&:native={native}"]
    (package, *_) = conan(*words)["graph"]["nodes"].values()
    assert package["version"] == VERSION
    required = {one["ref"].split("/")[0] for one in package["dependencies"].values()}
    expected = {**LIBRARIES, **(NATIVE if native else {}), **(HEADERS if native else {})}
    assert required - {"cmake"} == {one for _, one in expected.values()}


def test_conan_exports_the_sources(conan, tmp_path):
    conan("export", DEPLOY / "conan", "--format=json")
    (exported,) = (tmp_path / "home").glob("p/*/es")
    sources = {path.name for path in exported.iterdir()}
    assert sources >= {"CMakeLists.txt", "core", "include", "library", "LICENSE", "native"}
    for line in (ROOT / "CMakeLists.txt").read_text().splitlines():
        for name in re.findall(r"add_subdirectory\((\w+)\)", line):
            assert name in sources or name in {"tests", "bench", "wasm", "python"}, name


def test_rattler_build_renders_the_recipe():
    rattler_build = pytest.importorskip("rattler_build")
    recipe = rattler_build.Stage0Recipe.from_file(str(DEPLOY / "conda/recipe.yaml"))
    variants = {
        "python": ["3.10.*", "3.12.*"],
        **{"c_compiler": ["gcc"], "cxx_compiler": ["gxx"]},
        **{"c_stdlib": ["sysroot"], "c_stdlib_version": ["2.28"]},
    }
    made = recipe.render(rattler_build.VariantConfig(variants))
    assert [one.recipe.package.version for one in made] == [VERSION] * 2
    project = (ROOT / "pyproject.toml").read_text()
    required = re.search(r"^requires = (\[.*\])", project, re.MULTILINE)[1]
    host = [str(one).replace(" ", "") for one in made[0].recipe.requirements.host]
    assert set(json.loads(required)) <= set(host)
    needed = re.search(r"^dependencies = (\[.*\])", project, re.MULTILINE)[1]
    run = [str(one).replace(" ", "") for one in made[0].recipe.requirements.run]
    assert set(json.loads(needed)) <= set(run)


def test_the_repository_is_entered_once(tmp_path):
    url = "https://example.org/owner/bevscope"
    tomllib = pytest.importorskip("tomllib")
    for name in ("pyproject.toml", "web/package.json", "web/viewer/package.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")

    def enter(address):
        command = [tmp_path / "scripts/release", "--repository", address]
        return subprocess.run(command, capture_output=True, text=True)

    refused = enter("example.org/bevscope")
    assert (refused.returncode, "expected https://HOST" in refused.stderr) == (1, True)
    for address in ("https://example.org/another/name", f"{url}/"):  # the last one holds
        assert enter(address).returncode == 0
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]
    assert project["urls"]["Source"] == url and project["urls"]["Issues"] == f"{url}/issues"
    assert project["optional-dependencies"]["yaml"]
    for name in ("web/package.json", "web/viewer/package.json"):
        package = json.loads((tmp_path / name).read_text())
        assert package["repository"] == {"type": "git", "url": f"git+{url}.git"}
        assert package["bugs"] == {"url": f"{url}/issues"}
        assert package["homepage"] == f"{url}#readme"
    port = json.loads((tmp_path / "deploy/vcpkg/bevscope/vcpkg.json").read_text())
    assert port["homepage"] == url
    recipe = (tmp_path / "deploy/conda/recipe.yaml").read_text()
    assert f"\nabout:\n  homepage: {url}\n  summary:" in recipe
    conan = (tmp_path / "deploy/conan/conanfile.py").read_text()
    assert f'\n    url = homepage = "{url}"\n    topics' in conan
    assert "another" not in recipe + conan
