"""The core's data set of this process."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from .. import _core
from .._errors import Closed, Error
from .._sources.source import shown, source_of

_Core = TypeVar("_Core")
_Result = TypeVar("_Result")

#: Guards the creation of the handles' locks; held for an instant.
_guard = threading.Lock()
#: Objects whose core has threads, which a forked child does not have.
_threaded: weakref.WeakSet[Any] = weakref.WeakSet()


def keep_in_forks(owner: Any) -> None:
    """Prevents that `owner._core` is destroyed in forked children: it would wait there for
    its threads. The memory is the parent's, as long as neither changes it."""
    _threaded.add(owner)


def _after_fork() -> None:
    # A thread of the parent may hold the lock at the time of the fork.
    global _guard
    _guard = threading.Lock()
    for owner in list(_threaded):
        core = getattr(owner, "_core", None)
        if core is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(core))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Opened(Generic[_Core]):
    """Opens something when it is first used in a process, and serializes its calls.

    Pickles as address and options. After a fork the child opens the data set anew, so
    that it shares neither locks nor file positions with its parent.
    """

    def __init__(
        self, address: Any, options: dict[str, Any], opens: Callable[..., _Core]
    ) -> None:
        self.address = source_of(address)
        self.options = options
        self._opens = opens
        self._pid = self._lock_pid = 0
        self.closed = False

    def __getstate__(self) -> dict[str, Any]:
        self._check_open()
        return {"address": self.address, "options": self.options, "opens": self._opens}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Opened.__init__(self, state["address"], state["options"], state["opens"])

    def _lock_of_process(self) -> threading.RLock:
        """Returns the lock of this process. A fork's child has its own."""
        with _guard:
            if self._lock_pid != os.getpid():
                self._lock, self._lock_pid = threading.RLock(), os.getpid()
            return self._lock

    def _open(self) -> None:
        """Opens the data set, unless another thread has done it meanwhile."""
        with self._lock_of_process():
            self._check_open()
            if self._pid != os.getpid():
                self._core = self._opens(self.address, **self.options)
                self._pid = os.getpid()

    def close(self) -> None:
        """Frees what was opened, after the calls of other threads. Later ones raise
        Closed."""
        with self._lock_of_process():
            self.closed = True
            self.__dict__.pop("_core", None)

    def _check_open(self) -> None:
        if self.closed:
            url = shown(self.address) if isinstance(self.address, str) else None
            raise Closed("data set: closed", url=url)

    @property
    def generation(self) -> int:
        """The process in which the data set is open; other handles compare it."""
        self._check_open()
        if self._pid != os.getpid():
            self.call(lambda core: None)
        return self._pid

    def call(self, ask: Callable[[_Core], _Result]) -> _Result:
        """Calls `ask` with the core's data set, one call at a time."""
        try:
            if self._pid != os.getpid():
                self._open()
            with self._lock:
                self._check_open()
                return ask(self._core)
        except Error as error:
            if error.url is None and isinstance(self.address, str):
                error.url = shown(self.address)
            raise


class Handle(Opened[_core.Dataset]):
    """The data set of an address."""

    def __init__(self, address: Any, options: dict[str, Any]) -> None:
        super().__init__(address, options, _core.Dataset)


def _open_patched(address: Any, *, patch: str, **options: Any) -> _core.Dataset:
    return _core.Dataset(address, **options).patched(patch)


class Patched(Handle):
    """A data set with edited scenes, which it opens itself."""

    def __init__(self, base: Handle, patch: str) -> None:
        options = {**base.options, "patch": patch}
        Opened.__init__(self, base.address, options, _open_patched)


class View(Handle):
    """A data set that the core made of another one, with whose calls its own take turns.
    It cannot be pickled."""

    def __init__(self, base: Handle, core: _core.Dataset) -> None:
        self.address, self.options = base.address, base.options
        self._base, self._made = base, core
        self.closed = False

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("a data set in memory cannot be pickled")

    def close(self) -> None:
        self.closed = True

    @property
    def generation(self) -> int:
        self._check_open()
        return self._base.generation

    def call(self, ask: Callable[[_core.Dataset], _Result]) -> _Result:
        self._check_open()
        return self._base.call(lambda _: ask(self._made))
