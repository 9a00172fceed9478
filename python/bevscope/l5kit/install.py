"""Importing this module makes `import l5kit` find `bevscope.l5kit`."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType

#: Packages that come from an installed L5Kit, if there is one.
KEPT = ("l5kit.tests", "l5kit.environment", "l5kit.prediction")


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads `l5kit.x` as the module `bevscope.l5kit.x`."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != "l5kit" and not fullname.startswith("l5kit."):
            return None
        if fullname.startswith(KEPT):
            return None
        real = importlib.util.find_spec("bevscope." + fullname)
        if real is None:
            return None
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
