"""L5Kit's own networks as ONNX files: onnxruntime gives what PyTorch does, for batches of
any length. Needs L5KIT."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnxruntime")
pytestmark = pytest.mark.skipif("L5KIT" not in os.environ, reason="L5KIT is not set")

HERE = Path(__file__).resolve().parent


@pytest.mark.parametrize("name", ["planning", "multimodal", "vectorized", "unroll"])
def test_networks_of_l5kit_are_exported(town, tmp_path, name):
    script = [HERE / "with_l5kit.py", HERE / "exported.py", town, tmp_path, name]
    ran = subprocess.run(
        [sys.executable, *map(str, script)], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert ran.stdout.split("\n")[-2] == f"{name}: batches of 4, 1 and 3 are equal"
