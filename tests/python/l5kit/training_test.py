"""A training loop with `import l5kit` runs unchanged and gives the losses of L5Kit."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("yaml")

HERE = Path(__file__).resolve().parent


def losses_of(*command):
    ran = subprocess.run(
        [sys.executable, *map(str, command)], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def losses(town):
    return losses_of("-m", "bevscope.l5kit", HERE / "train.py", town)


def test_a_script_that_imports_l5kit_trains(losses):
    assert len(losses) == 50
    assert sum(losses[-10:]) < 0.7 * sum(losses[:10])


@pytest.mark.skipif("L5KIT" not in os.environ, reason="L5KIT is not set")
def test_losses_are_those_of_l5kit(town, losses):
    expected = losses_of(HERE / "with_l5kit.py", HERE / "train.py", town)
    assert losses == expected
