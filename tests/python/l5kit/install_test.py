"""Importing l5kit after bevscope.l5kit.install: what comes from which package."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import bevscope

PACKAGE = str(Path(bevscope.__file__).parents[1])

#: Modules of an installed L5Kit.
INSTALLED = {
    "__init__": "",
    "environment/__init__": "name = 'installed environment'",
    "environment/envs/__init__": "",
    "environment/envs/l5_env": "from l5kit.dataset import EgoDataset\nname = 'env'",
    "prediction/__init__": "name = 'installed prediction'",
    "planning/__init__": "name = 'installed planning'",
    "planning/rasterized/__init__": "",
    "planning/rasterized/model": "class RasterizedPlanningModel: pass",
    "dataset/__init__": "name = 'installed dataset'",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    root = tmp_path_factory.mktemp("site")
    for name, text in INSTALLED.items():
        file = root / "l5kit" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def run(code, *places):
    """Runs code after the import of the drop-in, and returns its output."""
    program = "import bevscope.l5kit.install\n" + textwrap.dedent(code)
    paths = os.pathsep.join([*map(str, places), PACKAGE])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_modules_that_bevscope_lacks_are_the_installed_ones(site):
    code = """
        import l5kit.environment, l5kit.prediction, l5kit.planning, l5kit.dataset
        from l5kit.environment.envs.l5_env import EgoDataset, name
        from l5kit.planning.rasterized.model import RasterizedPlanningModel
        import bevscope.l5kit.dataset
        print(l5kit.environment.name)
        print(l5kit.prediction.name)
        print(name, EgoDataset is bevscope.l5kit.dataset.EgoDataset)
        print(hasattr(l5kit.planning, "name"), hasattr(l5kit.dataset, "name"))
        print(RasterizedPlanningModel.__module__)
    """
    assert run(code, site) == [
        "installed environment",
        "installed prediction",
        "env True",
        "False False",
        "l5kit.planning.rasterized.model",
    ]


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("l5kit.environment", "l5kit.environment.envs.l5_env"),
        ("l5kit.prediction", "l5kit.prediction.vectorized"),
        ("l5kit.planning.rasterized", "l5kit.planning.rasterized.model"),
        ("l5kit.planning.vectorized", "l5kit.planning.vectorized.common"),
    ],
)
def test_without_l5kit_an_import_says_what_is_missing(name, module):
    code = f"""
        import importlib
        try:
            importlib.import_module("{module}")
        except ModuleNotFoundError as error:
            print(error.name, error)
    """
    (line,) = run(code)
    assert line == (
        f"{name} {name}: not in bevscope, and L5Kit is not installed beside it "
        "(pip install --no-deps l5kit==1.5.0)"
    )


def test_unknown_modules_are_not_found():
    code = """
        for name in ("l5kit.nothing", "l5kit.dataset.nothing", "l5kit.planning.nothing"):
            try:
                __import__(name)
            except ModuleNotFoundError as error:
                print(error.name)
    """
    names = ["l5kit.nothing", "l5kit.dataset.nothing", "l5kit.planning.nothing"]
    assert run(code) == names
