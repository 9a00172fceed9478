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
    """The data sets of L5Kit over the golden inputs, or of `package`, which has its
    API."""

    def __init__(self, inputs, package="l5kit"):
        self.inputs = inputs
        self.package = package
        self.manager = self.module("data").LocalDataManager(str(inputs))

    def module(self, name):
        return importlib.import_module(f"{self.package}.{name}")

    def open(self, name):
        return self.module("data").ChunkedDataset(str(self.inputs / name)).open()

    def mask(self, name, threshold):
        """Returns frames before and after each agent, as stored by select_agents."""
        import numpy as np

        select_agents = self.module("dataset.select_agents")
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
        datasets = self.module("dataset")
        opened = self.open(name)
        if kind == "vector":
            builder = self.module("vectorization.vectorizer_builder")
            vectorizer = builder.build_vectorizer(config, self.manager)
            return datasets.EgoDatasetVectorized(config, opened, vectorizer)
        rasterizer = self.module("rasterization").build_rasterizer(config, self.manager)
        if kind == "ego":
            return datasets.EgoDataset(config, opened, rasterizer)
        return datasets.AgentDataset(config, opened, rasterizer, agents_mask=agents)
