"""`python -m bevscope.l5kit script.py ARGS..` runs a script of L5Kit unchanged."""

import os
import runpy
import sys

from . import install as install


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit("usage: python -m bevscope.l5kit SCRIPT [ARGUMENT]...")
    script = sys.argv[1]
    sys.argv = sys.argv[1:]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    runpy.run_path(script, run_name="__main__")


main()
