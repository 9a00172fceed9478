"""An sdist contains everything that a wheel is built from."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

backend = pytest.importorskip("scikit_build_core.build")

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = {
    "BEV_PYTHON": "ON",
    "BEV_NATIVE": "OFF",
    "BEV_TESTS": "OFF",
    "BEV_EXAMPLES": "OFF",
    "BEV_INSTALL": "OFF",
    # As if the system had none of the header-only libraries.
    "CMAKE_IGNORE_PATH": "/usr/include",
    "CMAKE_BUILD_TYPE": "Release",
    "Python_EXECUTABLE": sys.executable,
}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    if not (ROOT / "build/deps/headers").exists():
        pytest.skip("scripts/sources was not run")
    folder = tmp_path_factory.mktemp("sdist")
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        name = backend.build_sdist(str(folder))
    finally:
        os.chdir(before)
    with tarfile.open(folder / name) as archive:
        archive.extractall(folder)
    return folder / name.removesuffix(".tar.gz")


def test_every_source_is_in_it(unpacked):
    if not (shutil.which("cmake") and shutil.which("ninja")):
        pytest.skip("cmake or ninja is missing")
    import nanobind

    options = {**OPTIONS, "nanobind_DIR": nanobind.cmake_dir()}
    build = unpacked / "build/check"
    configure = ["cmake", "-G", "Ninja", "-S", str(unpacked), "-B", str(build)]
    configure += [f"-D{name}={value}" for name, value in options.items()]
    ran = subprocess.run(configure, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    commands = (build / "compile_commands.json").read_text()
    assert "build/deps/headers" in commands
    for part in ("build/deps", "core", "include", "library", "native", "python"):
        assert f"{ROOT}/{part}/" not in commands
    # A dry run fails if a source does not exist.
    dry = ["ninja", "-C", str(build), "-n", "bev_python_core"]
    ran = subprocess.run(dry, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_it_has_licences_and_no_foreign_files(unpacked):
    names = {str(f.relative_to(unpacked)) for f in unpacked.rglob("*") if f.is_file()}
    assert {"LICENSE", "NOTICE", "pyproject.toml", "python/README.md"} <= names
    assert "build/deps/headers/licenses/libprotozero-dev" in names
    assert "build/deps/libzstd/LICENSE" in names
    assert not [
        n for n in names if n.endswith((".so", ".o", ".pyc")) or "node_modules" in n
    ]
