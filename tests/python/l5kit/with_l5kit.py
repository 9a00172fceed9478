"""Runs a script with L5Kit's own sources instead of bevscope.l5kit.

Usage: L5KIT=DIR python tests/python/l5kit/with_l5kit.py SCRIPT [ARGUMENT]...

Gives NumPy and the modules that L5Kit 1.5.0 imports the names that it expects.
"""

import os
import runpy
import sys
import types
from pathlib import Path

os.environ.setdefault("PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION", "python")

import numpy as np

for _name, _type in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if _name not in np.__dict__:
        setattr(np, _name, _type)
for _name in ("bokeh", "gym", "stable_baselines3"):
    sys.modules.setdefault(_name, types.ModuleType(_name))

for _folder in ("l5kit", ".", ".."):
    _place = Path(os.environ["L5KIT"], _folder).resolve()
    if (_place / "l5kit/dataset/ego.py").exists():
        sys.path.insert(0, str(_place))
        break
else:
    sys.exit(f"{os.environ['L5KIT']}: no sources of L5Kit (expected l5kit/dataset/ego.py)")

if __name__ == "__main__":
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")
