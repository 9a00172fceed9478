"""Processes that are forked or spawned while something is open: the child may use it or
leave it in any way, and the parent's is as before."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bevscope

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

ROWS = 5000

PROGRAM = '''
import multiprocessing, os, sys
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
        self.saver = DataSaver(config, folder / "new.zarr")
        self.saver.save(rows())
        return self

    def __exit__(self, *raised):
        self.saver.__exit__(*raised)

    def check(self):
        self.saver.save(rows())
        self.saver.commit()
        assert len(DataLoader(folder / "new.zarr")) == 2 * ROWS

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


def spawned(mode, handle):
    leave(mode, handle)


def main(kind, mode, method):
    with KINDS[kind]() as handle:
        if method == "spawn":
            context = multiprocessing.get_context("spawn")
            child = context.Process(target=spawned, args=(mode, handle))
            child.start()
            child.join()
            print("child", child.exitcode)
            handle.check()
            print("parent")
            return
        pid = os.fork()
        if pid == 0:
            leave(mode, handle)
            return
        status = os.waitpid(pid, 0)[1]
        print("child", os.waitstatus_to_exitcode(status))
        handle.check()
        print("parent")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[3], sys.argv[4])
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


def run(folder, kind, mode, method):
    own = folder / f"{kind} {mode} {method}"
    own.mkdir()
    (own / "numbers.zarr").symlink_to(folder / "numbers.zarr")
    package = str(Path(bevscope.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, str(folder / "program.py"), kind, str(own), mode, method],
        env={**os.environ, "PYTHONPATH": package},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done


def expected_status(kind, mode):
    if mode.endswith("exception"):
        return 1
    if mode.endswith("exit"):
        return 3
    # The end of a saver's block commits, which a child must not do.
    return 1 if kind in ("Saver", "FlushedSaver") and mode != "del" else 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", [*SAVERS, *HANDLES])
def test_a_forked_child_leaves_as_it_likes(folder, kind, mode):
    done = run(folder, kind, mode, "fork")
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert "parent" in lines, done.stderr
    (child,) = [int(one.split()[1]) for one in lines if one.startswith("child")]
    assert child >= 0, f"signal {signal.Signals(-child).name}: {done.stderr}"
    if not (kind in SAVERS and mode == "del"):
        assert child == expected_status(kind, mode), done.stderr


@pytest.mark.parametrize("mode", ["return", "exception", "exit", "use"])
@pytest.mark.parametrize("kind", ["Loader", "Dataset", "Array", "Reader", "Mix", "Memory"])
def test_a_spawned_child_has_its_own(folder, kind, mode):
    done = run(folder, kind, mode, "spawn")
    assert done.returncode == 0, done.stderr
    expected = {"exception": "child 1", "exit": "child 3"}.get(mode, "child 0")
    assert done.stdout.splitlines() == [expected, "parent"], done.stderr


@pytest.mark.parametrize("kind", SAVERS)
def test_a_saver_is_not_passed_to_a_spawned_child(folder, kind):
    done = run(folder, kind, "return", "spawn")
    assert done.returncode == 1
    assert "a saver cannot be pickled" in done.stderr
