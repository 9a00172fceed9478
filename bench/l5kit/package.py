"""The Python package compared with L5Kit, in one interpreter and one run.

Requires BEV_GOLDENS (inputs and configs) and the package bevscope. L5KIT names the
folder that contains the package l5kit; without it, prints bevscope's rates alone.

Samples are compared before measuring. One thread each, unless a line states otherwise;
both take turns, and processor time is measured, for loaders elapsed time. Prints medians,
and the median of the turns' ratios. A "*" marks results below their floor.
"""

import json
import os
import pathlib
import statistics
import sys
import time

import reference

WITH_L5KIT = "L5KIT" in os.environ
if WITH_L5KIT:
    reference.prepare()

import numpy as np  # noqa: E402
import torch  # noqa: E402
from compare import check_value, seconds_of, spread_items  # noqa: E402

import bevscope  # noqa: E402
from bevscope.torch import loader  # noqa: E402

GOLDENS = pathlib.Path(os.environ["BEV_GOLDENS"])
INPUTS = GOLDENS / "inputs"
SCENE = "single_scene.zarr"
CONFIGS = json.loads((GOLDENS / "manifest.json").read_text())["configs"]
TURNS = int(os.environ.get("TURNS", "5"))
SAMPLES = 40
BATCH = 32
BELOW = []  # results below their floor

# Name, config, kind, floor and aim of ds[i] with float32 images, the same with bytes.
CASES = [
    ("stub, ego", "B_stub", "ego", (150, 500), None),
    ("stub, agent", "B_stub", "agent", (150, 500), None),
    ("boxes 112 px", "B_box", "ego", (30, 60), (60, 120)),
    ("semantic 224 px", "D_sem", "ego", (12, 20), (25, 35)),
    ("satellite", "A_sat", "ego", (8, 14), (12, 18)),
    ("vectorized", "V1", "vector", (100, 250), None),
]


def repeated(work, least=0.05):
    """Returns the seconds of processor time of a call, over as many as take `least`."""
    calls, total = 0, 0.0
    while total < least:
        total += seconds_of(work)
        calls += 1
    return total / calls


def report(name, unit, theirs, ours, goals=None):
    """Prints one line: rates, the ratio, and its floor and aim."""
    rate = unit / statistics.median(ours)
    if not theirs:
        print(f"{name:44s} {'':>10s} {rate:12,.0f}", flush=True)
        return
    ratio = statistics.median(a / b for a, b in zip(theirs, ours))
    line = f"{name:44s} {unit / statistics.median(theirs):10,.0f} {rate:12,.0f}"
    line += f" {ratio:8.1f}x"
    if goals:
        line += f"  floor {goals[0]}x, aim {goals[1]}x"
        if ratio < goals[0]:
            BELOW.append(name)
            line += " *"
    print(line, flush=True)


def compare(theirs, ours, items):
    for item in items:
        expected, found = theirs[item], ours[item]
        if list(expected) != list(found):
            sys.exit(f"sample {item}: keys {list(found)}, expected {list(expected)}")
        for key, value in expected.items():
            if isinstance(value, (str, bytes)):
                continue
            check_value(str(item), key, np.asarray(found[key]), np.asarray(value))


def in_bytes(config, kind, package):
    return bevscope.Samples(
        str(INPUTS / SCENE), config, kind=kind, image="u8", root=str(INPUTS)
    )


def run_case(l5kit, package, agents, case):
    name, config_name, kind, floats, small = case
    config = CONFIGS[config_name]
    ours = package.dataset(config, SCENE, kind, agents)
    theirs = l5kit.dataset(config, SCENE, kind, agents) if l5kit else None
    items = spread_items(theirs or ours, SAMPLES)
    if theirs:
        compare(theirs, ours, items[::3])
    bytes_of = in_bytes(config, kind, package) if small else None
    times = {"L5Kit": [], "f32": [], "u8": []}
    for turn in range(TURNS + 1):  # the first turn is not counted
        took = {"f32": repeated(lambda: [ours[item] for item in items])}
        if theirs:
            took["L5Kit"] = seconds_of(lambda: [theirs[item] for item in items])
        if bytes_of:
            took["u8"] = repeated(lambda: [bytes_of[item] for item in items])
        for form, seconds in took.items() if turn else ():
            times[form].append(seconds)
    report(f"ds[i], {name}", len(items), times["L5Kit"], times["f32"], floats)
    if small:
        report(f"ds[i], {name}, u8", len(items), times["L5Kit"], times["u8"], small)


def run_mask(l5kit, package):
    counts = package.mask(SCENE, 0.5)
    theirs, ours = [], []
    if l5kit and not np.array_equal(l5kit.mask(SCENE, 0.5), counts):
        sys.exit("mask: not L5Kit's")
    for _ in range(TURNS):
        if l5kit:
            theirs.append(seconds_of(lambda: l5kit.mask(SCENE, 0.5)))
        ours.append(repeated(lambda: package.mask(SCENE, 0.5)))
    report("agents mask, agents", len(counts), theirs, ours, (25, 50))
    return (counts[:, 0] >= 10) & (counts[:, 1] >= 1)


def epoch_seconds(batches):
    start = time.perf_counter()
    count = sum(len(batch["timestamp"]) for batch in batches)
    return (time.perf_counter() - start) / count


def run_loader(l5kit, package):
    config = CONFIGS["D_sem"]
    samples = bevscope.Samples(str(INPUTS / SCENE), config, root=str(INPUTS))
    ours_made = loader(samples, BATCH, threads=2, drop_last=True)
    theirs, ours = [], []
    if l5kit:
        theirs_made = torch.utils.data.DataLoader(
            l5kit.dataset(config, SCENE, "ego", None),
            batch_size=BATCH,
            num_workers=2,
            drop_last=True,
        )
        one, other = next(iter(theirs_made)), next(iter(ours_made))
        check_value("batch", "image", other["image"].numpy(), one["image"].numpy())
    for turn in range(TURNS):
        if l5kit and turn < 3:
            theirs.append(epoch_seconds(theirs_made))
        ours.append(epoch_seconds(ours_made))
    name = "batches of 32, semantic, 2 threads / workers"
    report(name, 1, theirs, ours[: len(theirs)] if theirs else ours, (12, 20))


def run_overhead():
    """A batch costs a fixed part, which Python adds, and a part per sample: two sizes
    tell them apart."""
    for name, image in (("B_stub", "f32"), ("B_box", "u8"), ("D_sem", "f32")):
        samples = bevscope.Samples(
            str(INPUTS / SCENE), CONFIGS[name], root=str(INPUTS), image=image
        )
        rows = np.arange(BATCH)
        samples.batch(rows)
        times = {
            count: min(repeated(lambda: samples.batch(rows[:count])) for _ in range(9))
            for count in (BATCH // 2, BATCH)
        }
        fixed = max(2 * times[BATCH // 2] - times[BATCH], 0)
        share = 100 * fixed / (times[BATCH] - fixed)
        print(
            f"batch of 32, {name}, {image}: {times[BATCH] * 1e6:,.0f} us, fixed cost "
            f"{fixed * 1e6:,.1f} us = {share:.1f} % of the rest (floor 10 %, aim 3 %)",
            flush=True,
        )


def main():
    torch.set_num_threads(1)
    package = reference.Reference(INPUTS, "bevscope.l5kit")
    l5kit = reference.Reference(INPUTS) if WITH_L5KIT else None
    if not l5kit:
        print("L5KIT is not set: bevscope's rates alone")
    print(f"{'':44s} {'L5Kit /s':>10s} {'bevscope /s':>12s} {'ratio':>9s}")
    agents = run_mask(l5kit, package)
    for case in CASES:
        run_case(l5kit, package, agents, case)
    run_loader(l5kit, package)
    run_overhead()
    sys.exit(f"below the floor: {', '.join(BELOW)}" if BELOW else 0)


if __name__ == "__main__":
    main()
