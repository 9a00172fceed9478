"""The folder in which batch work is collected until it is committed."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import uuid
from collections.abc import Iterator

from .._errors import Error, InvalidArgument, NotFound, ReadError
from .._sources.files import read_file, reading, writing

#: Key, size, SHA-256.
Object = tuple[str, int, str]
#: Where the manifests of an output are.
MANIFESTS = ".bevscope/batch"

_STEP = 1 << 20


def sync(path: str) -> None:
    """Makes a folder's entries durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_text(path: str) -> str:
    try:
        return read_file(path).decode()
    except UnicodeDecodeError:
        raise Error(f"{path}: not UTF-8", "invalid_metadata") from None


def hash_of(path: str) -> tuple[int, str]:
    """Returns a file's size and SHA-256."""
    digest, size = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while piece := file.read(_STEP):
            digest.update(piece)
            size += len(piece)
    return size, digest.hexdigest()


class Folder:
    """OUTPUT.batch: plan, objects and results. Files appear by a rename, when they are
    durable, so that a process can be killed at any time.

    Objects have their final names below "objects", with the same bytes from whichever
    process: two that run one task do not disturb each other.
    """

    def __init__(self, output: str) -> None:
        self.output = output
        self.path = output + ".batch"
        self.objects = os.path.join(self.path, "objects")

    def exists(self) -> bool:
        return os.path.isdir(self.path)

    def at(self, *names: str) -> str:
        return os.path.join(self.path, *names)

    def make(self) -> None:
        with writing(self.path):
            for name in ("", "objects", "results", "new"):
                os.makedirs(self.at(name), exist_ok=True)

    @contextlib.contextmanager
    def lock(self, name: str, kind: int, holder: str = "") -> Iterator[bool]:
        """Holds a lock of the folder, whose file remains. Yields whether the folder is
        still there: it may have been removed while the lock was awaited.

        Raises InvalidArgument if `kind` does not wait and another has the lock: `holder`.
        """
        path = self.at(name)
        with writing(self.path):
            try:
                handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            except FileNotFoundError:
                raise NotFound(f"{self.path}: not found; plan the work first") from None
        try:
            try:
                fcntl.flock(handle, kind)
            except BlockingIOError:
                raise InvalidArgument(f"{self.path}: {holder}") from None
            try:
                is_there = os.path.samestat(os.fstat(handle), os.stat(path))
            except FileNotFoundError:
                is_there = False
            yield is_there
        finally:
            os.close(handle)

    def write(self, path: str, content: bytes) -> None:
        """Replaces a file, durably."""
        # Without the folder "new", the work was committed or removed meanwhile.
        new = self.at("new", uuid.uuid4().hex)
        try:
            with writing(path):
                with open(new, "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                self._name(new, path)
        except ReadError:
            with contextlib.suppress(OSError):
                os.remove(new)
            raise

    def _name(self, new: str, path: str) -> None:
        """Renames a durable file, in a folder that may have to be created."""
        try:
            os.replace(new, path)
        except FileNotFoundError:
            self._make_parents(os.path.dirname(path))
            os.replace(new, path)

    def _make_parents(self, folder: str) -> None:
        """Creates folders, but not the one of the work."""
        missing = []
        while not os.path.isdir(folder) and len(folder) > len(self.path):
            missing.append(folder)
            folder = os.path.dirname(folder)
        for one in reversed(missing):
            with contextlib.suppress(FileExistsError):
                os.mkdir(one)

    def put(self, key: str, content: bytes) -> Object:
        """Stores an object of the output."""
        self.write(os.path.join(self.objects, *key.split("/")), content)
        return key, len(content), hashlib.sha256(content).hexdigest()

    def find(self, key: str) -> str:
        """Returns the path of an object: in the folder, or published already."""
        path = os.path.join(self.objects, *key.split("/"))
        if os.path.exists(path):
            return path
        return os.path.join(self.output, *key.split("/"))

    def check(self, one: Object) -> None:
        """Raises unless an object has its size and hash."""
        key, size, digest = one
        path = self.find(key)
        with reading(path):
            found = hash_of(path)
        if found != (size, digest):
            raise Error(
                f"{path}: differs from its result (found {found[0]} bytes, SHA-256 "
                f"{found[1]}, expected {size} bytes, {digest})",
                "corrupt_chunk",
            )

    def result_path(self, task: int) -> str:
        return self.at("results", f"{task:07}.json")

    def forget(self, task: int) -> None:
        """Removes the result of a task."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.result_path(task))

    def results(self) -> list[str]:
        """Returns the paths of the results, in order."""
        try:
            names = sorted(os.listdir(self.at("results")))
        except FileNotFoundError:
            return []
        return [self.at("results", one) for one in names if one.endswith(".json")]

    def remove_strays(self, keys: set[str]) -> None:
        """Removes objects that are not in `keys`."""
        for folder, folders, names in os.walk(self.objects, topdown=False):
            for name in names:
                path = os.path.join(folder, name)
                key = os.path.relpath(path, self.objects).replace(os.sep, "/")
                if key not in keys:
                    os.remove(path)
            for name in folders:
                with contextlib.suppress(OSError):  # not empty
                    os.rmdir(os.path.join(folder, name))

    def sync_objects(self) -> None:
        """Makes the names of all objects durable."""
        for folder, _, _ in os.walk(self.objects):
            sync(folder)

    def remove(self) -> bool:
        """Removes the folder, all at once for those who look for it, and what a killed
        removal has left. Returns whether there was anything."""
        was_there = False
        with contextlib.suppress(FileNotFoundError):
            os.rename(self.path, f"{self.path}-{uuid.uuid4().hex}")
            was_there = True
        return self.remove_rest() or was_there

    def remove_rest(self) -> bool:
        """Removes what a killed removal has left. Returns whether there was anything."""
        removed = self._removed()
        for path in removed:
            shutil.rmtree(path, ignore_errors=True)
        return bool(removed)

    def _removed(self) -> list[str]:
        """Returns the folders that remove() has renamed."""
        parent, name = os.path.split(self.path)
        found = re.compile(re.escape(name) + "-[0-9a-f]{32}").fullmatch
        try:
            return [os.path.join(parent, one) for one in os.listdir(parent) if found(one)]
        except OSError:
            return []
