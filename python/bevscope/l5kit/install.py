"""Importing this module makes `import l5kit` find `bevscope.l5kit`."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Sequence
from types import ModuleType

#: Modules that only an installed L5Kit has.
ABSENT = (
    "l5kit.environment",
    "l5kit.planning.rasterized",
    "l5kit.planning.vectorized",
    "l5kit.prediction",
)


def _spec_of(name: str) -> importlib.machinery.ModuleSpec | None:
    """Returns the spec of a module of bevscope; None if there is no such module."""
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None


def _installed(name: str) -> importlib.machinery.ModuleSpec | None:
    """Returns the spec of a module of an installed L5Kit."""
    find = importlib.machinery.PathFinder.find_spec
    root = find("l5kit")
    if root is None or root.submodule_search_locations is None:
        return None
    folders = name.split(".")[1:-1]
    return find(name, [os.path.join(a, *folders) for a in root.submodule_search_locations])


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads `l5kit.x` as the module `bevscope.l5kit.x`; modules that bevscope does not
    have are those of an installed L5Kit."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != "l5kit" and not fullname.startswith("l5kit."):
            return None
        real = _spec_of("bevscope." + fullname)
        if real is None:
            found = _installed(fullname)
            is_known = importlib.machinery.PathFinder.find_spec(fullname, path) is not None
            if found is None and fullname in ABSENT and not is_known:
                raise ModuleNotFoundError(
                    f"{fullname}: not in bevscope, and L5Kit is not installed beside it "
                    "(pip install --no-deps l5kit==1.5.0)",
                    name=fullname,
                )
            return found
        return importlib.machinery.ModuleSpec(
            fullname, self, is_package=real.submodule_search_locations is not None
        )

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return importlib.import_module("bevscope." + spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """The module is loaded already."""


def install() -> None:
    """Adds the finder, in front of an installed L5Kit."""
    if not any(isinstance(one, Finder) for one in sys.meta_path):
        sys.meta_path.insert(0, Finder())


install()
