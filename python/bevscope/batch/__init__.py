"""Batch work: a job on a data set as tasks that any engine runs, and one commit.

    work = batch.plan({"job": "mask", "threshold": 0.5}, "train.zarr", "mask.zarr")
    batch.local(work, processes=4)          # or batch.ray.run, batch.spark.run
    batch.commit(work)

A task is a function of plan and data set: repeated anywhere, it writes equal bytes and has
an equal result. Until the commit, everything is in the folder OUTPUT.batch, which all
processes must see. docs/batch.md describes jobs, engines and failures.
"""

from ._local import local
from ._work import Plan, Work, commit, gc, open, plan, run

__all__ = ["Plan", "Work", "commit", "gc", "local", "open", "plan", "run"]
