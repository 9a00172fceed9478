"""Processes that are forked or spawned while something is open: the child may use it or
leave it in any way, and the parent's is as before."""

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

ROWS = 5000

PROGRAM = '''
import gc, multiprocessing, os, sys
from pathlib import Path
import numpy as np
import bevscope
from bevscope import DataConfig, DataLoader, DataSaver

ROWS = 5000
folder = Path(sys.argv[2])
config = DataConfig("numbers", {"x": "i8"}, max_object_size=4096)


def rows(begin=0, end=ROWS):
    return {"x": np.arange(begin, end)}


class Saver:
    """A saver with rows in its queue; a child must not use it."""

    def __enter__(self):
        self.saver = DataSaver(config, self.store)
        self.saver.save(rows())
        return self

    def __exit__(self, *raised):
        self.saver.__exit__(*raised)

    def check(self):
        self.saver.save(rows())
        self.saver.commit()
        assert len(DataLoader(self.store)) == 2 * ROWS

    def use(self):
        for call in (lambda: self.saver.save(rows()), self.saver.commit, self.saver.flush,
                     self.saver.finish, self.saver.abort, lambda: self.saver.rows):
            try:
                call()
            except bevscope.InvalidArgument as error:
                assert "another process" in str(error)
            else:
                raise AssertionError("the saver was used")


class FlushedSaver(Saver):
    def __enter__(self):
        super().__enter__()
        self.saver.flush()
        return self


class BareSaver(Saver):
    """A saver without a block: only its destruction ends it."""

    def __exit__(self, *raised):
        pass


class Handle:
    def __enter__(self):
        self.open()
        return self

    def __exit__(self, *_):
        pass

    check = use = lambda self: self.read()


class Loader(Handle):
    def open(self):
        self.loader = DataLoader(folder / "numbers.zarr")
        self.read()

    def read(self):
        assert self.loader[ROWS - 1]["x"] == ROWS - 1
        assert [len(b["x"]) for b in self.loader.batches(ROWS)] == [ROWS]


class Dataset(Handle):
    def open(self):
        self.dataset = bevscope.open(folder / "numbers.zarr")
        self.read()

    def read(self):
        assert (self.dataset["x"][:] == np.arange(ROWS)).all()


class Array(Dataset):
    def open(self):
        super().open()
        self.array = self.dataset["x"]

    def read(self):
        assert self.dataset["x"][-1] == ROWS - 1
        assert getattr(self, "array", self.dataset["x"])[7] == 7


class Reader(Handle):
    def open(self):
        self.reader = bevscope.open(folder / "numbers.zarr").reader("x", batch=100)
        assert len(self.reader.next_batch()) == 1

    def read(self):
        (batch,) = self.reader.next_batch().values()
        assert batch[0] == 100


class Mix(Handle):
    def open(self):
        made = [bevscope.open(folder / "numbers.zarr").reader("x") for _ in range(2)]
        self.mix = bevscope.mix([(one, 1) for one in made])
        self.mix.next_batch()

    def read(self):
        assert self.mix.next_batch() is not None


class Memory(Dataset):
    def open(self):
        rows = {"x": np.arange(ROWS)}
        self.dataset = bevscope.open(bevscope.MemorySource(rows))
        self.read()


class Credentials(Handle):
    def open(self):
        bevscope.set_s3_credentials(self.give)
        self.read()

    def give(self, bucket):
        raise bevscope.Unsupported("as planned")

    def read(self):
        try:
            bevscope.open("s3://bucket/x.zarr")
        except bevscope.Unsupported:
            return
        raise AssertionError("no error")


class Views(Handle):
    """Arrays that share the memory of the core."""

    def open(self):
        self.rows = DataLoader(folder / "numbers.zarr").rows(0, 10)["x"]
        self.batch = bevscope.open(folder / "numbers.zarr").reader("x").next_batch()

    def read(self):
        assert (self.rows == np.arange(10)).all()
        assert len(next(iter(self.batch.values()))) == 256


KINDS = {one.__name__: one for one in (
    Saver, FlushedSaver, BareSaver, Loader, Dataset, Array, Reader, Mix, Memory,
    Credentials, Views,
)}


def leave(mode, handle):
    if mode.startswith("use"):
        handle.use()
    if mode.endswith("exception"):
        raise RuntimeError("left by an exception")
    if mode.endswith("exit"):
        sys.exit(3)
    if mode.endswith("del"):
        for name in list(vars(handle)):
            delattr(handle, name)
        gc.collect()
        if not isinstance(handle, Saver):
            return
        os._exit(1 if type(handle) is not BareSaver else 0)  # its block has no saver now


def spawned(mode, handle):
    leave(mode, handle)


def main(kind, method, modes):
    for number, mode in enumerate(modes):
        Saver.store = folder / f"{number}.zarr"
        with KINDS[kind]() as handle:
            if method == "spawn":
                context = multiprocessing.get_context("spawn")
                child = context.Process(target=spawned, args=(mode, handle))
                child.start()
                child.join()
                print(mode, child.exitcode, sep=": ", flush=True)
            else:
                pid = os.fork()
                if pid == 0:
                    leave(mode, handle)
                    return
                status = os.waitpid(pid, 0)[1]
                print(mode, os.waitstatus_to_exitcode(status), sep=": ", flush=True)
            handle.check()
    print("parent: 0")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[3], sys.argv[4:])
'''

SAVERS = ["Saver", "FlushedSaver", "BareSaver"]
HANDLES = ["Loader", "Dataset", "Array", "Reader", "Mix", "Memory", "Credentials", "Views"]
MODES = ["return", "exception", "exit", "del", "use", "use exception", "use exit"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("forks")
    config = bevscope.DataConfig("numbers", {"x": "i8"}, max_object_size=4096)
    with bevscope.DataSaver(config, root / "numbers.zarr") as saver:
        saver.save({"x": np.arange(ROWS)})
    (root / "program.py").write_text(PROGRAM)
    return root


def run(folder, kind, method, modes):
    """Returns the children's exit statuses by mode, and what they wrote."""
    own = folder / f"{kind} {method}"
    own.mkdir()
    (own / "numbers.zarr").symlink_to(folder / "numbers.zarr")
    package = str(Path(bevscope.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, str(folder / "program.py"), kind, str(own), method, *modes],
        env={**os.environ, "PYTHONPATH": package},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = dict(line.split(": ") for line in done.stdout.splitlines())
    assert found.pop("parent") == "0", done.stderr
    return {mode: int(status) for mode, status in found.items()}, done.stderr


def expected_status(kind, mode):
    if mode.endswith("exception"):
        return 1
    if mode.endswith("exit"):
        return 3
    # The end of a saver's block commits, which a child must not do.
    return 1 if kind in ("Saver", "FlushedSaver") else 0


@pytest.mark.parametrize("kind", [*SAVERS, *HANDLES])
def test_a_forked_child_leaves_as_it_likes(folder, kind):
    found, written = run(folder, kind, "fork", MODES)
    print(f"{kind}: {found}")
    assert found.keys() == set(MODES)
    assert min(found.values()) >= 0, (found, written)  # none ended by a signal
    assert found == {mode: expected_status(kind, mode) for mode in MODES}, written


@pytest.mark.parametrize("kind", ["Loader", "Dataset", "Array", "Reader", "Mix", "Memory"])
def test_a_spawned_child_has_its_own(folder, kind):
    modes = ["return", "exception", "exit", "use"]
    found, written = run(folder, kind, "spawn", modes)
    assert found == {mode: expected_status(kind, mode) for mode in modes}, written


def test_a_saver_is_not_passed_to_a_spawned_child(folder):
    config = bevscope.DataConfig("numbers", {"x": "i8"})
    saver = bevscope.DataSaver(config, folder / "unused.zarr")
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be pickled"):
            copied(saver)
    saver.abort()
