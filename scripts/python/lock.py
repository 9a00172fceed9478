"""Writes NAME.txt from NAME.in: the exact versions and hashes of packages, for Debian 12
on x86-64.

Usage: python3 scripts/python/lock.py [NAME]...
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: Packages that Debian's Python brings.
PROVIDED = {"l5kit": {"numpy"}, "test": {"numpy"}}


def resolve(name):
    """Returns what pip would install, as (package, version, SHA-256)."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run"]
        command += ["--ignore-installed", "--only-binary", ":all:"]
        command += ["--report", str(report), "-r", str(HERE / f"{name}.in")]
        subprocess.run(command, check=True)
        for one in json.loads(report.read_text())["install"]:
            package, version = one["metadata"]["name"], one["metadata"]["version"]
            if package not in PROVIDED.get(name, ()):
                yield package, version, one["download_info"]["archive_info"]["hash"]


def write(name):
    lines = [
        f"{package.lower()}=={version} --hash={digest.replace('=', ':')}"
        for package, version, digest in resolve(name)
    ]
    (HERE / f"{name}.txt").write_text("\n".join(sorted(lines)) + "\n")


for wanted in sys.argv[1:] or ("build", "test", "interop", "l5kit", "notebooks"):
    write(wanted)
