"""Compares bevscope with L5Kit, one thread each, in one run.

Requires BEV_GOLDENS (inputs and configs), L5KIT (the folder with the package),
BEVSCOPE and L5KIT_BENCH (the programs), and Debian's python3-torch, -opencv,
-protobuf, -shapely, -prettytable, -yaml, -scipy, -pymap3d, -transforms3d and -zarr.

Both make the same samples of the same data set, which are compared before measuring.
Then they alternate; processor time is measured, so that other load affects both
equally. Prints medians, and the median of the turns' ratios. If L5KIT_RATES is set,
writes L5Kit's rates to that file as JSON.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import reference

reference.prepare()

import numpy as np  # noqa: E402
from compare import check_value, seconds_of, spread_items  # noqa: E402
from program import Program  # noqa: E402

GOLDENS = pathlib.Path(os.environ["BEV_GOLDENS"])
INPUTS = GOLDENS / "inputs"
SCENE = "single_scene.zarr"
TURNS = int(os.environ.get("TURNS", "9"))
SAMPLES = 40
RATES = {}  # L5Kit's samples per second, by config and kind

# Config, kind, minimum and goal (samples of u8 planes).
CASES = [
    ("B_stub", "ego", 20, None),
    ("B_stub", "agent", 20, None),
    ("D_sem", "ego", 8, 20),
    ("D_sem", "agent", 8, 20),
    ("B_box", "ego", 20, 30),
    ("B_box", "agent", 20, 30),
    ("A_sat", "ego", 5, 10),
    ("A_sat", "agent", 5, 10),
    ("V1", "vector", 20, 40),
]


def check_samples(dataset, items, words, folder):
    """Compares every value of every third sample with `bevscope sample`."""
    some = items[::3]
    index = "--index=" + ",".join(map(str, some))
    out = folder / "samples"
    command = [os.environ["BEVSCOPE"], "sample", *words, index, "--quiet", "-o", out]
    subprocess.run(list(map(str, command)), check=True)
    for item in some:
        for key, value in dataset[item].items():
            where = out / f"{item:05d}"
            check_value(where, key, np.load(where / f"{key}.npy"), np.asarray(value))


def report(name, unit, theirs, ours, floor=None, aim=None):
    """Prints one line: the rates, and the median of the turns' ratios."""
    ratio = statistics.median(a / b for a, b in zip(theirs, ours))
    rates = [unit / statistics.median(times) for times in (theirs, ours)]
    RATES[name.split(",")[0]] = rates[0]
    goal = "" if floor is None else f"floor {floor}x" + (f", aim {aim}x" if aim else "")
    print(f"{name:28s} {rates[0]:10,.0f} {rates[1]:12,.0f} {ratio:8.1f}x  {goal}")
    sys.stdout.flush()
    return floor is None or ratio >= floor


def run_case(l5kit, counts, case, folder):
    name, kind, floor, aim = case
    config = json.loads((GOLDENS / "manifest.json").read_text())["configs"][name]
    path = folder / "config.json"
    path.write_text(json.dumps(config))
    agents = (counts[:, 0] >= 10) & (counts[:, 1] >= 1)
    np.save(folder / "mask.npy", agents)
    dataset = l5kit.dataset(config, SCENE, kind, agents)
    items = spread_items(dataset, SAMPLES)
    words = [INPUTS / SCENE, "--config", path, "--root", INPUTS]
    if kind == "agent":
        words += ["--kind", "agent", "--mask", folder / "mask.npy"]
    if kind == "vector":
        words += ["--vectorized"]
    check_samples(dataset, items, words, folder)
    mask = folder / "mask.npy" if kind == "agent" else "-"
    indices = ",".join(map(str, items))
    bench = Program(
        os.environ["L5KIT_BENCH"],
        "sample",
        INPUTS / SCENE,
        path,
        INPUTS,
        kind,
        mask,
        indices,
    )
    forms = ("none",) if kind == "vector" else ("u8", "f32", "none")
    times = {form: [] for form in ("L5Kit", *forms)}
    for turn in range(TURNS + 1):  # the first turn is not counted
        took = {"L5Kit": seconds_of(lambda: [dataset[item] for item in items])}
        took |= {form: bench.seconds(form) for form in forms}
        for form, seconds in took.items() if turn > 0 else ():
            times[form].append(seconds)
    bench.close()
    met = True
    for form in forms:
        label = f"{name} {kind}" + ("" if kind == "vector" else f", image {form}")
        first = form == forms[0]
        goals = (floor, aim) if first else (floor / 2, None) if form == "f32" else ()
        met &= report(label, len(items), times["L5Kit"], times[form], *goals)
    return met


def run_mask(l5kit, folder):
    counts = l5kit.mask(SCENE, 0.5)
    out = folder / "counts.npy"
    command = [os.environ["BEVSCOPE"], "mask", INPUTS / SCENE, "--threshold=0.5"]
    subprocess.run(list(map(str, [*command, "--quiet", "-o", out])), check=True)
    if not np.array_equal(np.load(out), counts):
        sys.exit("mask: not L5Kit's")
    bench = Program(os.environ["L5KIT_BENCH"], "mask", INPUTS / SCENE, 0.5)
    theirs, ours = [], []
    for _ in range(TURNS):
        theirs.append(seconds_of(lambda: l5kit.mask(SCENE, 0.5)))
        ours.append(bench.seconds("mask"))
    bench.close()
    return counts, report("mask, agents", len(counts), theirs, ours, 20)


def main():
    l5kit = reference.Reference(INPUTS)
    print(f"{'':28s} {'L5Kit /s':>10s} {'bevscope /s':>12s} {'ratio':>9s}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        counts, met = run_mask(l5kit, folder)
        for case in CASES:
            met &= run_case(l5kit, counts, case, folder)
    if "L5KIT_RATES" in os.environ:
        pathlib.Path(os.environ["L5KIT_RATES"]).write_text(json.dumps(RATES))
    sys.exit(0 if met else "below a floor")


if __name__ == "__main__":
    main()
