"""Batch work compared with the programs that people use for it, on the same rows.

Usage: run.py ZARR FOLDER [parquet|mask|scaling]...

- Mask: bevscope's job on two processes, and L5Kit's select_agents, which starts a process
  per processor, by Debian's Python. The second time of 8 million made-up agents: the start
  of processes takes half of bevscope's time for two million. L5KIT names the folder that
  contains the package l5kit; without it, prints bevscope's rate alone.
- Parquet: bevscope's job on two processes, and a pyspark job on local[2], whose Python
  workers read chunks by zarr-python and return Arrow batches. (zarr-python 3 lacks L5Kit's
  types of records; bevscope.zarr adds them, and nothing else.)

- Scaling: the mask of 40 million made-up agents by one process and by two, each of which
  runs every second task. "processor" is the time of the busier one.

Results are compared before anything is reported. All take turns (TURNS, default 3).
Prints medians of elapsed time, which other load affects, and of processor time of all
processes, which it does not; and the median of the turns' ratios. bevscope's times
include the start of its processes, Spark's do not: its session is started before. Its
first turn compiles, which takes as long again as the others.
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import zarr

import bevscope.zarr

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/python"))
import batch_data  # noqa: E402

TURNS = int(os.environ.get("TURNS", "3"))
ROWS = 250_000  # of a task
AIMS = {"mask": 40, "parquet": 10}
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds():
    """Returns the processor time of this process, and of all that it has started."""
    parents, seconds = {}, {}
    for one in pathlib.Path("/proc").iterdir():
        if not one.name.isdigit():
            continue
        try:
            fields = (one / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        parents[int(one.name)] = int(fields[1])
        seconds[int(one.name)] = sum(map(int, fields[11:15])) / TICKS
    total = 0.0
    for process in parents:
        at = process
        while at not in (0, os.getpid()):
            at = parents.get(at, 0)
        total += seconds[process] if at else 0
    return total


def measured(work, *arguments):
    """Returns elapsed and processor seconds."""
    started, before = time.monotonic(), processor_seconds()
    work(*arguments)
    return time.monotonic() - started, processor_seconds() - before


def batch(*words):
    command = [sys.executable, "-m", "bevscope", "batch", *map(str, words)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def ours(job, store, output, *options):
    batch("plan", job, store, "-o", output, *options)
    batch("run", output, "--processes", 2, "--quiet", "--commit")


class Spark:
    """A job of pyspark that exports agents."""

    def __init__(self, store, chunk):
        from pyspark.sql import SparkSession

        os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        self.store, self.chunk = str(store), chunk
        self.session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.memory", "4g")
            .config("spark.sql.parquet.compression.codec", "zstd")
            .getOrCreate()
        )
        self.session.sparkContext.setLogLevel("OFF")

    def export(self, output):
        from pyspark.sql.pandas.types import from_arrow_schema

        store, chunk = self.store, self.chunk
        agents = agents_of(store)
        tasks = -(-agents.shape[0] // ROWS)
        schema = from_arrow_schema(table_of(agents[:1]).schema)

        def read(batches):
            agents = agents_of(store)
            for one in batches:
                for task in one["id"].to_pylist():
                    end = min((task + 1) * ROWS, agents.shape[0])
                    for begin in range(task * ROWS, end, chunk):
                        rows = agents[begin : min(begin + chunk, end)]
                        yield from table_of(rows).to_batches()

        ids = self.session.range(0, tasks, numPartitions=tasks)
        ids.mapInArrow(read, schema).write.mode("overwrite").parquet(str(output))


def agents_of(store):
    """Returns an array of zarr-python, which lacks L5Kit's types of records."""
    bevscope.zarr.register()
    return zarr.open_group(store, mode="r")["agents"]


def table_of(rows):
    """Returns rows as an Arrow table without unsigned integers, which Spark lacks."""
    columns = {}
    for name in rows.dtype.names:
        values = np.ascontiguousarray(rows[name])
        if values.dtype == np.uint64:
            values = values.astype(np.int64)
        if values.ndim == 1:
            columns[name] = pa.array(values)
            continue
        flat, width = pa.array(values.reshape(-1)), values.shape[1]
        starts = pa.array(np.arange(len(values) + 1, dtype=np.int32) * width)
        columns[name] = pa.ListArray.from_arrays(starts, flat)
    return pa.table(columns)


def check_parquet(first, second):
    """Ends the program unless the files have the same rows."""
    tables = []
    for folder in (first, second):
        files = sorted(folder.glob("part-*.parquet"))
        tables.append(pa.concat_tables(pq.read_table(one) for one in files))
    if [len(one) for one in tables] != [len(tables[0])] * 2:
        sys.exit(f"parquet: other rows (found {[len(one) for one in tables]})")
    for name in tables[0].column_names:
        columns = [one[name].combine_chunks() for one in tables]
        if pa.types.is_nested(columns[0].type):
            columns = [one.flatten() for one in columns]
        a, b = (one.to_numpy(zero_copy_only=False) for one in columns)
        if not np.array_equal(a.astype(b.dtype), b, equal_nan=a.dtype.kind == "f"):
            sys.exit(f"parquet: column {name} differs")
    return len(tables[0])


def l5kit_mask(store):
    """Writes a mask by L5Kit into the data set."""
    program = pathlib.Path(__file__).parent / "l5kit_mask.py"
    command = ["/usr/bin/python3", "-B", program, store]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def report(name, rows, ours, theirs):
    line = f"{name:10s} {rows} rows, median of {len(ours)} turns\n"
    for place, unit in enumerate(("elapsed", "processor")):
        own = [one[place] for one in ours]
        line += f"  {unit:10s} bevscope {statistics.median(own):8.2f} s"
        if theirs:
            other = [one[place] for one in theirs]
            ratios = [b / a for a, b in zip(own, other, strict=True)]
            line += f", others {statistics.median(other):8.2f} s, "
            line += f"{statistics.median(ratios):6.1f}x (aim {AIMS[name]}x; in order "
            line += " ".join(f"{one:.1f}x" for one in ratios) + ")"
        line += "\n"
    print(line, end="", flush=True)


def seconds_of_shares(store, output, count):
    """Makes a mask by processes that run a share of the tasks each. Returns elapsed
    seconds, and processor seconds of the busiest process."""
    agents = agents_of(str(store)).shape[0]
    batch(
        "plan", "mask", store, "-o", output, "--option", f"chunks={agents // 800_000 + 1}"
    )
    command = [sys.executable, "-m", "bevscope", "batch", "run", str(output), "--share"]
    started, busiest = time.monotonic(), 0.0
    processes = [subprocess.Popen([*command, f"{i}/{count}"]) for i in range(count)]
    for one in processes:
        _, status, usage = os.wait4(one.pid, 0)
        if status != 0:
            sys.exit("scaling: a process failed")
        busiest = max(busiest, usage.ru_utime + usage.ru_stime)
    return time.monotonic() - started, busiest


def scale(folder):
    """Prints how much faster two processes are than one."""
    store = batch_data.make_large(folder / "large.zarr", scenes=2000)
    ratios = []
    for _ in range(TURNS):
        one, two = (
            seconds_of_shares(store, fresh(folder / f"scaling{n}"), n) for n in (1, 2)
        )
        ratios.append([a / b for a, b in zip(one, two, strict=True)])
        for n in (1, 2):
            shutil.rmtree(folder / f"scaling{n}.batch")
    elapsed, processor = (statistics.median(one) for one in zip(*ratios, strict=True))
    line = f"elapsed {elapsed:.2f}x, processor {processor:.2f}x (aim 1.7x)"
    print(f"scaling    1 to 2 processes: {line}", flush=True)


def fresh(path):
    shutil.rmtree(path, ignore_errors=True)
    return path


def compare_exports(store, folder):
    """Prints how much faster an export is than a pyspark job."""
    chunk = agents_of(str(store)).chunks[0]
    spark = Spark(store, chunk)
    options = ("--option", f"chunks={max(1, ROWS // chunk)}")
    own_turns, other_turns = [], []
    for _ in range(TURNS):
        own, other = fresh(folder / "own"), fresh(folder / "other")
        own_turns.append(measured(ours, "parquet", store, own, *options))
        other_turns.append(measured(spark.export, other))
        rows = check_parquet(own, other)
    spark.session.stop()
    report("parquet", rows, own_turns, other_turns)


def compare_masks(store, folder):
    """Prints how much faster a mask is than L5Kit's."""
    rows = agents_of(str(store)).shape[0]
    options = ("--option", f"chunks={max(1, rows // 10_000 // 8)}")
    own_turns, other_turns = [], []
    for _ in range(TURNS):
        mask, theirs = fresh(folder / "mask.zarr"), fresh(folder / "l5kit.zarr")
        own_turns.append(measured(ours, "mask", store, mask, *options))
        if "L5KIT" not in os.environ:
            continue
        shutil.copytree(store, theirs)
        other_turns.append(measured(l5kit_mask, theirs))
        a, b = (
            zarr.open_array(str(one / "agents_mask/0.5"), mode="r")[:]
            for one in (mask, theirs)
        )
        if not np.array_equal(a, b):
            sys.exit("mask: L5Kit's differs")
    report("mask", rows, own_turns, other_turns)


def main(store, folder, parts):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if "parquet" in parts:
        compare_exports(store, folder)
    if "mask" in parts:
        compare_masks(store, folder)
        made = batch_data.make_large(folder / "made.zarr", scenes=400)
        compare_masks(made, folder)
    if "scaling" in parts:
        scale(folder)
    if "L5KIT" not in os.environ:
        print("L5Kit was not measured: L5KIT is not set")
    shutil.rmtree(folder)


if __name__ == "__main__":
    paths = [pathlib.Path(one) for one in sys.argv[1:3]]
    main(*paths, sys.argv[3:] or ("parquet", "mask", "scaling"))
