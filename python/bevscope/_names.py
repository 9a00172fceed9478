"""Names of modules in pickles."""

import re
import sys
from types import FunctionType


def keep_names(package: str) -> None:
    """Gives what is defined in private folders, such as _data/dataset.py, the module that
    pickles of all versions name: `bevscope._dataset`."""
    in_folder = re.compile(rf"{package}\._\w+\.(\w+)").fullmatch
    for path, module in list(sys.modules.items()):
        if found := in_folder(path):
            known = f"{package}._{found[1]}"
            sys.modules[known] = module
            for one in vars(module).values():
                if isinstance(one, (type, FunctionType)) and one.__module__ == path:
                    one.__module__ = known
    opened = sys.modules[f"{package}._opening"].open
    opened.__module__ = f"{package}._dataset"  # which had it
    vars(sys.modules[opened.__module__])["open"] = opened
    sys.modules[f"{package}._map"] = sys.modules[f"{package}._stream"]  # of Mapped
