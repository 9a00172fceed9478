"""Data for the tests: BEV_GOLDENS, the reference's inputs and outputs, and BEV_TOWN, a
synthetic town (`bevscope town build/town`)."""

import importlib
import json
import os
import sys
import types
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
ROOT = Path(__file__).resolve().parents[2]


def pytest_addoption(parser):
    parser.addoption(
        "--whole", action="store_true", help="try all combinations (stream_test.py)"
    )


@pytest.fixture(scope="session")
def goldens() -> Path:
    folder = os.environ.get("BEV_GOLDENS")
    if not folder:
        pytest.skip("BEV_GOLDENS is not set")
    return Path(folder)


@pytest.fixture(scope="session")
def town() -> Path:
    folder = Path(os.environ.get("BEV_TOWN", ROOT / "build/town"))
    if not (folder / "scenes/town.zarr").exists():
        pytest.skip("build/town is missing")
    return folder


@pytest.fixture(scope="session")
def lightning_runs() -> None:
    """Lightning imports a part of PyTorch that version 1.13 cannot import in Python 3.11:
    hooks for tensors in shards, which are not used."""
    package = "torch.distributed._shard"
    try:
        importlib.import_module(package)
    except ValueError:
        module = types.ModuleType(f"{package}.sharded_tensor")
        module.state_dict_hook = module.pre_load_state_dict_hook = lambda *_: None
        sys.modules[package] = types.ModuleType(package)
        sys.modules[module.__name__] = module


@pytest.fixture(scope="session")
def program() -> Path:
    path = Path(os.environ.get("BEVSCOPE", ROOT / "build/release/bevscope"))
    if not path.exists():
        pytest.skip("the program bevscope is missing")
    return path


@pytest.fixture(scope="session")
def configs(goldens):
    return json.loads((goldens / "manifest.json").read_text())["configs"]
