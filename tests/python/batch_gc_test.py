"""gc and commit at the same time, in every order: a whole output, or none and an error."""

import os
import shutil
from pathlib import Path

import batch_data
import pytest

import bevscope
from bevscope import batch
from bevscope.batch import _folder, _work

#: A new output, and one that is added to a store.
JOBS = {
    "new": {"job": "metrics", "shares": 3},
    "added": {"job": "mask", "threshold": 0.5, "chunks": 1},
}


class Interposed:
    """A module whose functions call `before` first."""

    def __init__(self, module, before):
        self._module, self._before = module, before

    def __getattr__(self, name):
        found = getattr(self._module, name)
        if not callable(found) or isinstance(found, type):
            return found

        def call(*arguments, **options):
            self._before(name)
            return found(*arguments, **options)

        return call


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    sources = batch_data.Sources(tmp_path_factory.mktemp("sources"))
    kept = {}

    def make(name):
        """Returns work whose tasks have run, and its output: copies of one work."""
        if name not in kept:
            root = tmp_path_factory.mktemp(name)
            source = output = root / "out"
            if name == "added":
                shutil.copytree(sources.of(JOBS[name]), output)
            else:
                source = sources.of(JOBS[name])
            batch.local(batch.plan(JOBS[name], source, output), processes=1)
            kept[name] = output
        output = tmp_path_factory.mktemp(name) / "out"
        for end in ("", ".batch"):
            if os.path.exists(f"{kept[name]}{end}"):
                shutil.copytree(f"{kept[name]}{end}", f"{output}{end}")
        return _work.open(output)

    return make


def outcome(call):
    try:
        return call()
    except bevscope.Error as error:
        return error


def at_step(monkeypatch, step, act):
    """Calls `act` before the given call of a function of os, shutil or fcntl; returns a
    list whose length is the number of calls."""
    calls = []

    def before(name):
        calls.append(name)
        if len(calls) == step:
            with monkeypatch.context() as inner:
                for module in (_folder, _work):
                    inner.setattr(module, "os", os)
                inner.setattr(_folder, "shutil", shutil)
                act()

    for module in (_folder, _work):
        monkeypatch.setattr(module, "os", Interposed(os, before))
    monkeypatch.setattr(_folder, "shutil", Interposed(shutil, before))
    return calls


def calls_of(monkeypatch, call):
    with monkeypatch.context() as inner:
        calls = at_step(inner, 0, None)
        call()
    return len(calls)


def commit_at_once(work):
    """Commits in a thread that may hold the locks, where waiting would be for ever."""

    def flock(handle, kind, call=_folder.fcntl.flock):
        call(handle, kind | _folder.fcntl.LOCK_NB)

    with pytest.MonkeyPatch.context() as inner:
        inner.setattr(_folder.fcntl, "flock", flock)
        return outcome(lambda: batch.commit(work))


def manifest_of(work):
    return os.path.join(work.output, _work._manifest(work.plan))


@pytest.mark.parametrize("name", JOBS)
def test_gc_does_not_take_work_from_a_commit(planned, monkeypatch, name):
    first = planned(name)
    steps = calls_of(monkeypatch, lambda: batch.commit(first))
    expected = batch_data.contents(Path(first.output))
    counts = {"refused": 0, "removed": 0, "nothing": 0}
    for step in range(1, steps + 1):
        work, results = planned(name), []
        with monkeypatch.context() as inner:
            at_step(
                inner,
                step,
                lambda w=work, r=results: r.append(outcome(lambda: batch.gc(w.output))),
            )
            done = outcome(lambda: batch.commit(work))
        (removed,) = results
        if isinstance(removed, bevscope.Error):
            assert "being committed" in str(removed)
            counts["refused"] += 1
        else:
            counts["removed" if removed else "nothing"] += 1
        if isinstance(done, bevscope.Error):
            assert removed is True and isinstance(done, bevscope.NotFound), (step, done)
            assert not os.path.exists(manifest_of(work))
        else:
            found = batch_data.contents(Path(work.output))
            assert found.keys() == expected.keys(), step
        assert not os.path.exists(work.folder.path)
    print(f"{name}: {steps} steps, {counts}")
    assert counts["refused"] > steps // 2


@pytest.mark.parametrize("name", JOBS)
def test_commit_does_not_publish_what_gc_removes(planned, monkeypatch, name):
    first = planned(name)
    steps = calls_of(monkeypatch, lambda: batch.gc(first.output))
    for step in range(1, steps + 1):
        work, results = planned(name), []

        def commit(work=work, results=results):
            results.append(commit_at_once(work))

        with monkeypatch.context() as inner:
            at_step(inner, step, commit)
            removed = outcome(lambda: batch.gc(work.output))
        (done,) = results
        if isinstance(done, bevscope.Error):
            assert removed is True, step
            assert not os.path.exists(manifest_of(work))
        else:
            assert os.path.exists(manifest_of(work))
        assert not os.path.exists(work.folder.path)


def test_a_commit_that_ends_while_gc_begins_leaves_nothing(planned, monkeypatch):
    first = planned("new")
    steps = calls_of(monkeypatch, lambda: batch.gc(first.output))
    for step in range(1, steps + 1):
        work = planned("new")

        def commit(work=work):
            if os.path.exists(work.folder.path):
                commit_at_once(work)

        with monkeypatch.context() as inner:
            at_step(inner, step, commit)
            outcome(lambda: batch.gc(work.output))
        assert not os.path.exists(work.folder.path)


def test_a_missing_object_is_an_error_at_commit(planned, monkeypatch):
    work = planned("added")
    move = _work._move

    def lost(folder, unit):
        path = os.path.join(folder.objects, unit)
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        move(folder, unit)

    monkeypatch.setattr(_work, "_move", lost)
    with pytest.raises(bevscope.NotFound, match="not found"):
        batch.commit(work)
    assert not os.path.exists(manifest_of(work))


def test_a_killed_commit_continues_after_each_step(planned, monkeypatch):
    class Killed(BaseException):
        pass

    def kill():
        raise Killed

    for name in JOBS:
        first = planned(name)
        steps = calls_of(monkeypatch, lambda first=first: batch.commit(first))
        expected = batch_data.contents(Path(first.output)).keys()
        for step in range(1, steps + 1):
            work = planned(name)
            with monkeypatch.context() as inner:
                at_step(inner, step, kill)
                with pytest.raises(Killed):
                    batch.commit(work)
            batch.commit(work)
            assert batch_data.contents(Path(work.output)).keys() == expected
