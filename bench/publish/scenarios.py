"""Writes a folder of made-up Argoverse 2 scenarios, of the size of those published.

Usage: scenarios.py FOLDER COUNT, with an interpreter that has pyarrow.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests/python/interop"))

import argoverse2_city as city

folder, count = Path(sys.argv[1]), int(sys.argv[2])
folder.mkdir()
city.write(folder, count, count)
