"""Plans, orders and rows of the fixture are those that TypeScript finds."""

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
FOLDER = Path(__file__).parents[2] / "fixtures/parquet"
sys.path.insert(0, str(FOLDER))

import make  # noqa: E402


def test_the_fixture_has_what_is_expected():
    assert make.found() == json.loads((FOLDER / "expected.json").read_text())
