"""pytest plugin: L5Kit's tests import bevscope.l5kit, and NumPy has its old names."""

import os

os.environ.setdefault("PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION", "python")

import numpy as np

import bevscope.l5kit
import bevscope.l5kit.install

bevscope.l5kit.__path__.append(os.path.abspath("l5kit"))  # tests import l5kit.tests

for _name, _type in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if _name not in np.__dict__:
        setattr(np, _name, _type)
if "alltrue" not in np.__dict__:
    np.alltrue = np.all
