"""python -m bevscope batch: plan, run and commit on the command line."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from .._errors import InvalidArgument
from . import _jobs, _local, _work, _worker

_EXAMPLES = """\
examples:
  python -m bevscope batch plan mask train.zarr -o mask.zarr --option threshold=0.5
  python -m bevscope batch run mask.zarr --processes 4 --commit
  python -m bevscope batch run mask.zarr --task 7
  python -m bevscope batch commit mask.zarr
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "batch",
        help="runs a job on a data set as tasks, on this machine or a cluster",
        description="Divides a job into tasks, runs them, and publishes what they wrote "
        "by one commit. Each step may be repeated and continues after an interruption.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    steps = parser.add_subparsers(dest="step", required=True)
    plan = steps.add_parser("plan", help="divides a job into tasks; prints their number")
    plan.add_argument("job", choices=sorted(_jobs.JOBS))
    plan.add_argument("dataset", nargs="+", metavar="SRC", help="data set, or files")
    plan.add_argument("-o", "--output", required=True, metavar="OUT")
    plan.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="option of the job, as JSON or text; may be repeated",
    )
    run = steps.add_parser("run", help="runs tasks without a result")
    run.add_argument("output", metavar="OUT")
    run.add_argument("--task", type=int, metavar="I", help="only this task")
    run.add_argument(
        "--share",
        metavar="I/N",
        help="only tasks I, I + N, I + 2 N and so on, in this process",
    )
    run.add_argument("--processes", type=int, metavar="N", help="default: processors")
    run.add_argument("--commit", action="store_true", help="then commit")
    run.add_argument("--quiet", action="store_true", help="do not show progress")
    for name, text in {
        "commit": "publishes the output; prints the job's report",
        "status": "prints the numbers of tasks done and of all",
        "gc": "removes what was not committed",
    }.items():
        steps.add_parser(name, help=text).add_argument("output", metavar="OUT")
    steps.choices["commit"].add_argument(
        "--upload", metavar="ADDRESS", help="copy a new output to s3://BUCKET/KEY, then"
    )
    # Of the local runner, without help: not for people.
    steps.add_parser("worker").add_argument("output")


def _options(words: list[str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise InvalidArgument(f"--option: expected NAME=VALUE (found {word!r})")
        try:
            out[name] = json.loads(text)
        except json.JSONDecodeError:
            out[name] = text
    return out


def progress_bar(quiet: bool) -> Callable[[int, int], None] | None:
    """Returns a function that shows progress on standard error."""
    if quiet:
        return None
    started, first = time.monotonic(), [-1]

    def show(done: int, total: int) -> None:
        if first[0] < 0:
            first[0] = done
        took, ran = time.monotonic() - started, done - first[0]
        left = f", {took / ran * (total - done):.0f} s left" if 0 < ran else ""
        if sys.stderr.isatty():
            full = 30 * done // max(1, total)
            end = "\n" if done == total else ""
            text = f"\r[{'#' * full}{'.' * (30 - full)}] {done} of {total} tasks{left} "
            print(text, end=end, file=sys.stderr, flush=True)
        elif done == total or done % max(1, total // 10) == 0:
            print(f"{done} of {total} tasks{left}", file=sys.stderr, flush=True)

    return show


def _share(text: str, count: int) -> list[int]:
    index, _, shares = text.partition("/")
    if not (index.isdigit() and shares.isdigit() and int(index) < int(shares)):
        raise InvalidArgument(f"--share: expected I/N with I < N (found {text!r})")
    return list(range(int(index), count, int(shares)))


def _run(arguments: argparse.Namespace) -> int:
    work = _work.open(arguments.output)
    if arguments.task is not None or arguments.share is not None:
        tasks = (
            [arguments.task]
            if arguments.task is not None
            else _share(arguments.share, len(work))
        )
        for task in tasks:
            _work.run(work, task)
        return 0
    try:
        _local.local(
            work, processes=arguments.processes, progress=progress_bar(arguments.quiet)
        )
    except KeyboardInterrupt:
        done = len(work) - len(work.missing())
        print(
            f"\ninterrupted: {done} of {len(work)} tasks are done; the same command "
            "continues",
            file=sys.stderr,
        )
        return 130
    if arguments.commit:
        print(json.dumps(_work.commit(work), indent=1, sort_keys=True))
    return 0


def main(arguments: argparse.Namespace) -> int:
    """Runs a step and returns its exit status."""
    if arguments.step == "plan":
        source = arguments.dataset
        job = {"job": arguments.job, **_options(arguments.option)}
        planned = _work.plan(
            job, source[0] if len(source) == 1 else source, arguments.output
        )
        print(len(planned))
        return 0
    if arguments.step == "run":
        return _run(arguments)
    if arguments.step == "gc":
        removed = _work.gc(arguments.output)
        print("removed" if removed else "nothing was there")
        return 0
    work = _work.open(arguments.output)
    if arguments.step == "worker":
        return _worker.serve(work)
    if arguments.step == "status":
        print(f"{len(work) - len(work.missing())} of {len(work)} tasks are done")
        return 0
    report = _work.commit(work, upload=arguments.upload)
    print(json.dumps(report, indent=1, sort_keys=True))
    return 0
