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
PROVIDED = dict.fromkeys(
    ("goldens", "judge", "l5kit", "l5kit_notebooks", "test"), {"numpy"}
)
#: Packages without their requirements, which NAME.in lists instead. petastorm requires
#: any pyspark; matorage requires old versions without wheels; av2 requires PyTorch for
#: other data; L5Kit requires NumPy 1.19. Lightning and torchdata require PyTorch, which
#: Debian brings: Lightning 2.2 is the last version for PyTorch 1. Waymo's package requires
#: jax and others, which its op for metrics does not import.
ALONE = {
    "av2": ["av2==0.3.6"],
    "judge": ["onnxruntime==1.32.0"],
    "l5kit_notebooks": ["l5kit==1.5.0"],
    "matorage": ["matorage==0.3.0"],
    "petastorm": ["petastorm==0.13.1"],
    "test": ["pytorch-lightning==2.2.5", "torchdata==0.8.0", "torchmetrics==1.4.3"],
    "waymo": ["waymo-open-dataset-tf-2-12-0==1.6.7"],
}
#: Locks that are installed into one environment with another one, which has to be written
#: before: packages of both have one version.
WITH = {"test": "build"}
#: Packages that exist as source archives only.
SOURCES = {"clusters": "pyspark", "petastorm": "pyspark", "science": "jsonpath-rw"}


def resolve(name, *wanted):
    """Returns what pip would install, as (package, version, SHA-256)."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run"]
        command += ["--ignore-installed", "--only-binary", ":all:"]
        command += ["--no-binary", SOURCES[name]] if name in SOURCES else []
        if name in WITH:
            limits = Path(folder) / "limits.txt"
            lines = (HERE / f"{WITH[name]}.txt").read_text().splitlines()
            limits.write_text("\n".join(line.split()[0] for line in lines))
            command += ["--constraint", str(limits)]
        command += ["--report", str(report), *wanted]
        subprocess.run(command, check=True)
        for one in json.loads(report.read_text())["install"]:
            package, version = one["metadata"]["name"], one["metadata"]["version"]
            if package not in PROVIDED.get(name, ()):
                yield package, version, one["download_info"]["archive_info"]["hash"]


def write(name):
    found = [*resolve(name, "-r", str(HERE / f"{name}.in"))]
    if name in ALONE:
        found += resolve(name, "--no-deps", *ALONE[name])
    lines = [
        f"{package.lower()}=={version} --hash={digest.replace('=', ':')}"
        for package, version, digest in found
    ]
    (HERE / f"{name}.txt").write_text("\n".join(sorted(lines)) + "\n")


NAMES = (
    *("av2", "build", "clusters", "dashboards", "goldens", "interop", "judge"),
    *(
        "l5kit",
        "l5kit_notebooks",
        "matorage",
        "notebooks",
        "petastorm",
        "portability",
        "release",
    ),
    *("science", "test", "waymo"),
)
for wanted in sys.argv[1:] or NAMES:
    write(wanted)
