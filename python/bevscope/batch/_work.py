"""Plan, run and commit."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from .. import _checks, _core
from .._errors import Error, InvalidArgument, NotFound, ReadError
from .._saved.download import upload as _upload
from .._sources.files import writing
from ._folder import MANIFESTS, Folder, Object, read_text, sync
from ._jobs import make
from ._jobs.job import Job, address_of

#: The id of the plan, the task, its objects, its report.
Found = tuple[str, int, list[Object], str]
#: A file of the folder, with the report: everything that is committed has been written.
_JOINED = "joined.json"


class Plan:
    """A job and its tasks. Equal jobs on equal data sets have equal plans.

    Attributes:
        id: SHA-256 of the job and the data set's fingerprint.
        job: the job's options, with "job", its name.
        fingerprint: of the data set.
        tasks: one JSON object per task, of at most 4096 bytes.
    """

    def __init__(self, text: str, where: str = "plan") -> None:
        self.text = text
        self.id, job, self.fingerprint, tasks = _core.read_work_plan(text, where)
        self.job: dict[str, Any] = json.loads(job)
        self.tasks: list[str] = tasks

    def __len__(self) -> int:
        return len(self.tasks)

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan, (self.text,)


class Work:
    """A plan, the data set it is for, and where the output goes. Pickles small: processes
    read the plan from the folder OUTPUT.batch.

    Attributes:
        output: path of the output.
        dataset: the address of the data set, or of a list of files.
    """

    def __init__(self, output: str, plan: Plan, dataset: Any) -> None:
        self.output, self.plan, self.dataset = output, plan, dataset
        self.folder = Folder(output)
        self._job: Job | None = None

    def __len__(self) -> int:
        return len(self.plan)

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.output,)

    @property
    def job(self) -> Job:
        """The job, with its data set opened in this process."""
        if self._job is None:
            job = make(self.plan.job, self.dataset)
            self._check_fingerprint(job)
            self._job = job
        return self._job

    def _check_fingerprint(self, job: Job) -> None:
        found = job.fingerprint()
        if found != self.plan.fingerprint:
            raise ReadError(
                f"{self.dataset}: changed since the plan was made (found fingerprint "
                f"{found}, expected {self.plan.fingerprint})",
                "changed",
            )

    @property
    def is_committed(self) -> bool:
        """Whether the output has been published."""
        return os.path.exists(os.path.join(self.output, _manifest(self.plan)))

    def missing(self) -> list[int]:
        """Returns the tasks without a result. Objects are compared when they are used."""
        if self.is_committed:
            return []
        done = {int(os.path.basename(one)[:-5]) for one in self.folder.results()}
        return [task for task in range(len(self)) if task not in done]


def plan(job: Mapping[str, Any], dataset: Any, output: str | os.PathLike[str]) -> Work:
    """Divides a job on a data set into tasks, and writes the plan to OUTPUT.batch. The
    same call continues work that is there already.

    Raises InvalidArgument if the output exists and the job does not add to it, or if
    OUTPUT.batch has another plan.

    Args:
        job: {"job": NAME, ..} with the job's options; see docs/batch.md.
        dataset: path or URL; for conversions a folder, a file, or a list of them.
        output: path of a folder of this machine, or of one that all machines see.
    """
    path = os.path.abspath(_checks.expanded(output))
    address = address_of(dataset)
    made = make(job, address)
    folder = Folder(path)
    tasks = [json.dumps(task) for task in made.tasks()]
    text = _core.make_work_plan(json.dumps(made.options), made.fingerprint(), tasks)
    new = Plan(text)
    with contextlib.suppress(NotFound):
        found = open(path)
        if found.plan.text != text:
            raise InvalidArgument(
                f"{folder.path}: has another plan (found {found.plan.id}, expected "
                f"{new.id}); commit or remove it"
            )
        return found
    work = Work(path, new, address)
    if work.is_committed:
        return work
    if os.path.lexists(path):
        _check_addition(path, made)
    folder.make()
    folder.write(folder.at("address.json"), json.dumps(address).encode())
    folder.write(folder.at("plan.json"), text.encode())
    return work


def _check_addition(path: str, job: Job) -> None:
    if not job.units:
        raise InvalidArgument(f"{path}: exists already")
    for unit in job.units:
        if os.path.lexists(os.path.join(path, unit)):
            raise InvalidArgument(f"{path}/{unit}: exists already")


def open(output: str | os.PathLike[str]) -> Work:  # noqa: A001
    """Returns work that was planned and is not committed."""
    folder = Folder(os.path.abspath(_checks.expanded(output)))
    path = folder.at("plan.json")
    new = Plan(read_text(path), path)
    return Work(folder.output, new, json.loads(read_text(folder.at("address.json"))))


def run(work: Work, task: int) -> str:
    """Runs a task and returns its result as JSON. A task that has a valid result is not
    run again.

    May be called anywhere, several times, and at the same time. Raises the errors of the
    data set, and ReadError if an object cannot be written.
    """
    if not 0 <= task < len(work):
        raise InvalidArgument(f"task {task}: out of range (count {len(work)})")
    folder = work.folder
    with folder.lock("lock", fcntl.LOCK_SH) as is_there:
        if not is_there:
            raise NotFound(f"{folder.path}: was removed")
        known = _valid_result(work, task)
        if known is not None:
            return known
        objects: list[Object] = []

        def put(key: str, content: bytes) -> None:
            objects.append(folder.put(key, content))

        report = work.job.run(json.loads(work.plan.tasks[task]), put)
        text = _core.make_work_result(work.plan.id, task, objects, json.dumps(report))
        folder.write(folder.result_path(task), text.encode())
        return text


def _valid_result(work: Work, task: int) -> str | None:
    """Returns the result of an earlier run, if its objects are as it says."""
    path = work.folder.result_path(task)
    if not os.path.exists(path):
        return None
    with contextlib.suppress(Error):
        text = read_text(path)
        plan_id, number, objects, _ = _core.read_work_result(text, path)
        if (plan_id, number) == (work.plan.id, task):
            for one in objects:
                work.folder.check(one)
            return text
    return None


def commit(
    work: Work, results: Iterable[str] | None = None, *, upload: str | None = None
) -> dict[str, Any]:
    """Publishes the output and returns what the job tells about it.

    The manifest, which names every object with its hash, is written last; a new output
    then appears by one rename. A killed commit, or one that is repeated, ends the same.

    Args:
        results: of run(); by default those in OUTPUT.batch.
        upload: address in S3 to which a new output is copied, then, as `bevscope.upload`
            does. If that fails, call that function.
    """
    is_new = work.is_committed or not os.path.lexists(work.output)
    if upload is not None and not is_new:
        raise InvalidArgument(
            f"{work.output}: {upload}: only new outputs are uploaded (found one that is "
            "added to a data set)"
        )
    report = _commit(work, results)
    if upload is not None:
        _upload(work.output, upload)
    return report


def _commit(work: Work, results: Iterable[str] | None) -> dict[str, Any]:
    folder = work.folder
    if not folder.exists():
        folder.remove_rest()
        return _committed(folder, work.plan)
    with folder.lock("commit.lock", fcntl.LOCK_EX) as is_there:
        if not is_there:
            return _committed(folder, work.plan)
        if work.is_committed:
            folder.remove()
            return _committed(folder, work.plan)
        texts = list(results) if results is not None else _results_in(folder)
        found = _checked(work, texts)
        if not os.path.exists(folder.at(_JOINED)):
            _join(work, texts, found)
        report: dict[str, Any] = json.loads(read_text(folder.at(_JOINED)))
        _publish(work)
        folder.remove()
        return report


def _results_in(folder: Folder) -> list[str]:
    return [read_text(path) for path in folder.results()]


def _manifest(plan: Plan) -> str:
    return f"{MANIFESTS}/{plan.id[:16]}.json"


def _report(plan: Plan) -> str:
    return f"{MANIFESTS}/{plan.id[:16]}.report.json"


def _committed(folder: Folder, plan: Plan) -> dict[str, Any]:
    """Returns the report of a commit that has ended."""
    if not os.path.exists(os.path.join(folder.output, _manifest(plan))):
        raise NotFound(f"{folder.path}: not found; plan the work first")
    path = os.path.join(folder.output, _report(plan))
    report: dict[str, Any] = json.loads(read_text(path))
    return report


def _checked(work: Work, texts: list[str]) -> list[Found]:
    """Returns the results of all tasks in order, whose objects are as they say."""
    # Also checks that they are complete.
    _core.make_work_manifest(work.plan.text, texts, [])
    found = sorted(
        (_core.read_work_result(one, "result") for one in set(texts)), key=lambda r: r[1]
    )
    for _, task, objects, _ in found:
        for one in objects:
            _check(work.folder, task, one)
    work._check_fingerprint(work.job)
    return found


def _join(work: Work, texts: list[str], found: list[Found]) -> None:
    """Writes the documents and the manifest. From then on, a commit only gives names."""
    folder, plan = work.folder, work.plan
    documents: list[Object] = []

    def put(key: str, content: bytes) -> None:
        documents.append(folder.put(key, content))

    tasks = [json.loads(one) for one in plan.tasks]
    report = work.job.finish(tasks, [json.loads(one[3]) for one in found], put)
    name, text = _manifest(plan), json.dumps(report, sort_keys=True).encode()
    put(_report(plan), text)
    manifest = _core.make_work_manifest(plan.text, texts, documents)
    keys = {one[0] for _, _, objects, _ in found for one in objects}
    with writing(folder.path):
        folder.remove_strays(keys | {one[0] for one in documents})
        folder.put(name, manifest.encode())
        folder.sync_objects()
    folder.write(folder.at(_JOINED), text)


def _check(folder: Folder, task: int, one: Object) -> None:
    """Raises unless an object is as the task's result says; then the task counts as
    missing, so that it is run again."""
    try:
        folder.check(one)
    except Error as error:
        if error.code not in ("not_found", "corrupt_chunk"):
            raise
        folder.forget(task)
        message = f"{error}; task {task} has to be run again"
        raise type(error)(message, error.code) from None


def _publish(work: Work) -> None:
    """Gives the output its name: all of it, or what is added to a data set, the manifest
    last. Continues what a killed commit has begun."""
    folder, output, units = work.folder, work.output, work.job.units
    with writing(output):
        if not os.path.lexists(output):
            os.rename(folder.objects, output)
            sync(os.path.dirname(output))
            return
        if not units:
            raise InvalidArgument(f"{output}: exists already")
        for unit in units:
            _move(folder, unit)
        work.job.published(output)
        for unit in (_report(work.plan), _manifest(work.plan)):
            _move(folder, unit)


def _move(folder: Folder, unit: str) -> None:
    new, path = os.path.join(folder.objects, unit), os.path.join(folder.output, unit)
    if not os.path.lexists(new):
        if os.path.lexists(path):
            return  # moved by a commit that was killed
        raise NotFound(f"{new}: not found")
    if os.path.lexists(path):
        raise InvalidArgument(f"{path}: exists already")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.rename(new, path)
    sync(os.path.dirname(path))


def gc(output: str | os.PathLike[str]) -> bool:
    """Removes what was collected for an output and not committed: everything in
    OUTPUT.batch, and what a killed commit has left of it. Returns whether there was
    anything. Raises InvalidArgument while a task or a commit is running."""
    folder = Folder(os.path.abspath(_checks.expanded(output)))
    if not folder.exists():
        return folder.remove_rest()
    at_once = fcntl.LOCK_EX | fcntl.LOCK_NB
    try:
        with (
            folder.lock("commit.lock", at_once, "is being committed") as is_there,
            folder.lock("lock", at_once, "tasks are running"),
        ):
            return folder.remove() if is_there else folder.remove_rest()
    except NotFound:  # a commit has ended meanwhile
        return folder.remove_rest()
