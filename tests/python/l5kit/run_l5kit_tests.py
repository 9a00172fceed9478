"""Runs L5Kit's own tests against bevscope.l5kit.

Usage: L5KIT=DIR python tests/python/l5kit/run_l5kit_tests.py [PYTEST ARGUMENT]...

DIR contains the sources of L5Kit 1.5.0: l5kit/tests. Prints the tests that are left out
and, per folder, the number of tests that passed.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

#: Tests of what bevscope leaves to an installed L5Kit, or does not have yet.
LEFT_OUT = [
    "environment",
    "planning",
    "prediction",
    "visualization/visualizer_test.py",
]
#: Tests that cannot pass, and why.
DESELECTED = {
    "data/filter_test.py::test_filter_agents_by_track_id_fail_zarr": (
        "expects arrays of a store to refuse masks"
    ),
    "evaluation/metrics_test.py::test_get_sides": (
        "depends on shapely's order of corners; fails with L5Kit too"
    ),
}
HERE = Path(__file__).resolve().parent


def tests_of(folder: Path) -> Path:
    for candidate in ("l5kit/l5kit/tests", "l5kit/tests", "tests"):
        if (folder / candidate / "conftest.py").exists():
            return folder / candidate
    sys.exit(f"{folder}: no tests of L5Kit (expected l5kit/tests)")


def main() -> int:
    if "L5KIT" not in os.environ:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name) / "l5kit/tests"
        shutil.copytree(tests_of(Path(os.environ["L5KIT"])), place)
        for one in LEFT_OUT:
            print(f"left out: {one}")
            if one.endswith(".py"):
                (place / one).unlink()
            else:
                shutil.rmtree(place / one, ignore_errors=True)
        (place.parent / "__init__.py").touch()
        for one, why in DESELECTED.items():
            print(f"deselected: {one}: {why}")
        command = [sys.executable, "-m", "pytest", "-p", "l5kit_plugin", "-rfE"]
        command += ["-p", "no:cacheprovider", "-v", "--tb=short"]
        command += ["--import-mode=importlib", "--continue-on-collection-errors"]
        command += [f"--deselect=l5kit/tests/{one}" for one in DESELECTED]
        command += ["l5kit/tests", *sys.argv[1:]]
        paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        ran = subprocess.run(
            command, cwd=name, env=environment, capture_output=True, text=True
        )
    (Path("build") / "l5kit-tests.log").write_text(ran.stdout + ran.stderr)
    counts = Counter()
    for line in ran.stdout.splitlines():
        found = re.match(
            r"(?:l5kit/)?tests/([^/:]+)/.*?(PASSED|FAILED|ERROR|XFAIL|SKIPPED)", line
        )
        if found:
            counts[found[1], found[2]] += 1
    for (folder, result), count in sorted(counts.items()):
        print(f"{folder:20} {result:8} {count}")
    print(ran.stdout.strip().splitlines()[-1] if ran.stdout.strip() else ran.stderr)
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main())
