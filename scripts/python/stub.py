"""Writes python/bevscope/_core.pyi, the types of the binding, from the installed package.

Usage: python scripts/python/stub.py [--check]

--check: fails if the file differs.
"""

import subprocess
import sys
from pathlib import Path

from nanobind.stubgen import StubGen

from bevscope import _core

ROOT = Path(__file__).resolve().parents[2]
STUB = ROOT / "python/bevscope/_core.pyi"

generator = StubGen(_core)
generator.put(_core)
made = subprocess.run(
    [sys.executable, "-m", "ruff", "format", "--stdin-filename", STUB, "-"],
    input=f"# Written by scripts/python/stub.py.\n{generator.get()}",
    check=True,
    cwd=ROOT,
    stdout=subprocess.PIPE,
    text=True,
).stdout
if "--check" not in sys.argv:
    STUB.write_text(made)
elif STUB.read_text() != made:
    sys.exit(f"{STUB.name}: out of date; run python scripts/python/stub.py")
