"""Makes the golden files: inputs, and what L5Kit 1.5.0 computes from them.

Usage: L5KIT=DIR make.py --out DIR [--only STEP,..]

DIR of L5Kit holds the package l5kit of the last commit of its repository. Equal versions of
the packages give equal bytes: seeds are fixed, and hashes, threads and the processor's
vector instructions do not matter. scripts/goldens --make runs this in its environment.
"""

import argparse
import json
import os
import shutil
import sys

# NumPy takes sin and cos of float64 from SVML with AVX-512 (up to 3 ulp off), from libm
# without; OpenCV resizes with other roundings with IPP.
ENV = {
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python",
    "OPENBLAS_CORETYPE": "Haswell",
    "OPENCV_IPP": "disabled",
    "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL "
    "AVX512_ICL",
}

if any(os.environ.get(key) != value for key, value in ENV.items()):
    os.environ.update(ENV)
    os.execv(sys.executable, [sys.executable, *sys.argv])

import environment  # noqa: E402, F401, I001
import cv2  # noqa: E402
import google.protobuf  # noqa: E402
import numcodecs  # noqa: E402
import numpy as np  # noqa: E402
import pymap3d  # noqa: E402
import scipy  # noqa: E402
import torch  # noqa: E402
import zarr  # noqa: E402
from context import CONFIGS, VEC, Context  # noqa: E402
from data import run_data  # noqa: E402
from drawing import run_cv2, run_geometry  # noqa: E402
from inputs import make_inputs  # noqa: E402
from maps import run_map, run_visualizer  # noqa: E402
from samples import run_perturb, run_raster, run_vector  # noqa: E402
from selection import run_errors, run_eval, run_select  # noqa: E402
from written import Store  # noqa: E402

cv2.setNumThreads(1)

STEPS = {
    "data": run_data,
    "geometry": run_geometry,
    "cv2": run_cv2,
    "map": run_map,
    "select": run_select,
    "raster": run_raster,
    "vector": run_vector,
    "perturb": run_perturb,
    "eval": run_eval,
    "visualizer": run_visualizer,
    "errors": run_errors,
}


def versions():
    modules = {"opencv": cv2, "protobuf": google.protobuf, "pymap3d": pymap3d}
    for module in (np, zarr, numcodecs, scipy, torch):
        modules[module.__name__] = module
    found = {name: module.__version__ for name, module in modules.items()}
    return {"python": sys.version.split()[0], **found}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    store = Store(args.out)
    manifest = os.path.join(args.out, "manifest.json")
    only = [step for step in args.only.split(",") if step]
    if only and os.path.exists(manifest):
        with open(manifest) as file:
            store.files = json.load(file)["files"]
    if not only or "inputs" in only:
        make_inputs(store)
    context = Context(store)
    try:
        for name, step in STEPS.items():
            if not only or name in only:
                print("==", name, flush=True)
                step(context)
    finally:
        shutil.rmtree(context.tmp, ignore_errors=True)
    about = {"configs": {**CONFIGS, **VEC}, "files": store.files, "versions": versions()}
    with open(manifest, "w") as file:
        json.dump(about, file, indent=1, sort_keys=True)


if __name__ == "__main__":
    main()
