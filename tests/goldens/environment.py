"""Makes L5Kit importable with current libraries, without a change of its sources: restores
names that NumPy dropped, and replaces packages that no step uses. Import it first."""

import os
import sys
import types
import warnings

import numpy as np


def shim():
    """Returns the directory of the package l5kit."""
    warnings.simplefilter("ignore")
    for name, typ in (("bool", bool), ("int", int), ("float", float), ("object", object)):
        if name not in np.__dict__:
            setattr(np, name, typ)

    class _Any:
        def __init__(self, *a, **k):
            pass

        def __call__(self, *a, **k):
            return _Any()

        def __getattr__(self, n):
            return _Any()

    def stub(name, **attrs):
        try:
            __import__(name)
            return
        except ImportError:
            pass
        mod = types.ModuleType(name)
        mod.__dict__.update(attrs)
        mod.__getattr__ = lambda n: type(n, (_Any,), {})
        mod.__path__ = []
        sys.modules[name] = mod
        if "." in name:
            parent, child = name.rsplit(".", 1)
            setattr(sys.modules[parent], child, mod)

    class Env:
        pass

    for n in ("bokeh", "bokeh.io", "bokeh.plotting", "bokeh.layouts", "bokeh.models"):
        stub(n)
    stub("gym", Env=Env)
    for n in (
        "gym.spaces",
        "gym.utils",
        "gym.utils.seeding",
        "gym.envs",
        "gym.envs.registration",
    ):
        stub(n)
    for n in (
        "stable_baselines3",
        "stable_baselines3.common",
        "stable_baselines3.common.callbacks",
        "stable_baselines3.common.vec_env",
        "stable_baselines3.common.torch_layers",
        "stable_baselines3.common.logger",
        "stable_baselines3.common.evaluation",
    ):
        stub(n)
    root = os.environ.get("L5KIT")
    if not root:
        sys.exit("set L5KIT to the directory that holds the l5kit package")
    for cand in (root, os.path.join(root, "l5kit"), os.path.join(root, "l5kit", "l5kit")):
        if os.path.exists(os.path.join(cand, "l5kit", "data", "zarr_dataset.py")):
            sys.path.insert(0, cand)
            return os.path.join(cand, "l5kit")
    sys.exit("no l5kit package found under $L5KIT")


ARTEFACTS = os.path.join(shim(), "tests", "artefacts")
