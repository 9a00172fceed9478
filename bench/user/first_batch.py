"""Prints the seconds to the first shuffled batch of 32 samples, as a JSON array: from the
start of the process, and from the data set's opening, elapsed and of the processor."""

import json
import os
import sys
import time
from pathlib import Path

import yaml

import bevscope
from bevscope.torch import loader

root = Path(sys.argv[1])
config = yaml.safe_load((root / "config.yaml").read_text())
began = time.monotonic()
processor = time.process_time()
samples = bevscope.Samples(str(root / "scenes/town.zarr"), config, root=str(root))
batch = next(iter(loader(samples, batch_size=32, shuffle=True, seed=1, threads=2)))
assert tuple(batch["image"].shape[:1]) == (32,)
ended = time.monotonic()
processor = time.process_time() - processor
ticks = int(Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19])
started = ticks / os.sysconf("SC_CLK_TCK")  # on the clock of boot time
now = time.clock_gettime(time.CLOCK_BOOTTIME)
print(json.dumps([now - started - (time.monotonic() - ended), ended - began, processor]))
