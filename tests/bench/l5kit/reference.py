"""Makes L5Kit 1.5 importable with current libraries, and creates its data sets.

L5KIT names the folder that contains the package `l5kit`, which is not modified. Names
that NumPy has removed are restored, and the viewers and simulators that it imports,
but does not use for sampling, are stubbed.
"""

import importlib
import importlib.abc
import importlib.machinery
import os
import sys
import types
import warnings

ENVIRONMENT = {
    "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
ABSENT = ("bokeh", "gym", "stable_baselines3")


class Anything(type):
    """A stub class with every attribute, which other classes may inherit from."""

    def __getattr__(cls, name):
        return Anything(name, (), {})


class Air(types.ModuleType):
    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name, (), {})


class AirFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last finder: installed packages are still imported."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in ABSENT:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Air(spec.name)

    def exec_module(self, module):
        pass


def prepare():
    """Call before any other import; may restart the program."""
    if any(os.environ.get(name) != value for name, value in ENVIRONMENT.items()):
        os.environ.update(ENVIRONMENT)
        os.execv(sys.executable, [sys.executable, "-B", *sys.argv])
    warnings.simplefilter("ignore")
    import cv2
    import numpy

    cv2.setNumThreads(1)
    for name, builtin in {"bool": bool, "int": int, "float": float}.items():
        if name not in vars(numpy):
            setattr(numpy, name, builtin)
    sys.meta_path.append(AirFinder())
    sys.path.insert(0, os.environ["L5KIT"])


class Reference:
    """L5Kit over the golden inputs."""

    def __init__(self, inputs):
        from l5kit.data import LocalDataManager

        self.inputs = inputs
        self.manager = LocalDataManager(str(inputs))

    def open(self, name):
        from l5kit.data import ChunkedDataset

        return ChunkedDataset(str(self.inputs / name)).open()

    def mask(self, name, threshold):
        """Returns frames before and after each agent, as stored by select_agents."""
        import numpy as np
        select_agents = importlib.import_module("l5kit.dataset.select_agents")
        dataset = self.open(name)
        mask = np.zeros((len(dataset.agents), 2), np.uint32)
        for interval in dataset.scenes["frame_index_interval"]:
            part, _, (begin, end) = select_agents.get_valid_agents(
                interval,
                dataset=dataset,
                th_agent_filter_probability_threshold=threshold,
                th_yaw_degree=select_agents.TH_YAW_DEGREE,
                th_extent_ratio=select_agents.TH_EXTENT_RATIO,
                th_distance_av=select_agents.TH_DISTANCE_AV,
            )
            mask[begin:end] = part
        return mask

    def dataset(self, config, name, kind, agents):
        """`agents` is the boolean mask of an agent data set."""
        from l5kit.dataset import AgentDataset, EgoDataset, EgoDatasetVectorized
        from l5kit.rasterization import build_rasterizer
        from l5kit.vectorization.vectorizer_builder import build_vectorizer

        opened = self.open(name)
        if kind == "vector":
            vectorizer = build_vectorizer(config, self.manager)
            return EgoDatasetVectorized(config, opened, vectorizer)
        rasterizer = build_rasterizer(config, self.manager)
        if kind == "ego":
            return EgoDataset(config, opened, rasterizer)
        return AgentDataset(config, opened, rasterizer, agents_mask=agents)
