"""Filters and shuffled batches with DuckDB, petastorm and zarr-python, one thread each."""

import contextlib
import pathlib
import warnings

import duckdb
import numcodecs.blosc
import numpy as np

# pyarrow before torch, or the two libraries conflict: petastorm's documentation.
import pyarrow  # noqa: I001
import zarr

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from petastorm import make_batch_reader
    from petastorm.predicates import in_lambda
    from petastorm.pytorch import BatchedDataLoader, DataLoader

#: Columns of the export in which the filter is evaluated, and the filter.
FILTERED = ["extent_x", "velocity_x"]


def passes(extent_x, velocity_x):
    return (extent_x > 4.5) & (velocity_x > 2)


def one_thread():
    """Limits the libraries to one thread each."""
    pyarrow.set_cpu_count(1)
    pyarrow.set_io_thread_count(1)
    numcodecs.blosc.use_threads = False
    numcodecs.blosc.set_nthreads(1)


class DuckDb:
    name = "DuckDB"

    def __init__(self, folder):
        self.connection = duckdb.connect()
        self.connection.execute("SET threads = 1")
        path = str(pathlib.Path(folder) / "*.parquet").replace("'", "''")
        self.source = f"FROM read_parquet('{path}') WHERE extent_x > 4.5 AND velocity_x > 2"

    def count(self):
        return self.connection.execute(f"SELECT count(*) {self.source}").fetchone()[0]

    def rows(self):
        return self.connection.execute(f'SELECT "row" {self.source}').fetchnumpy()["row"]


class Petastorm:
    name = "petastorm"

    def __init__(self, folder):
        self.url = pathlib.Path(folder).resolve().as_uri()

    @contextlib.contextmanager
    def reader(self, fields, **options):
        # It prints as it closes, and warns of pyarrow's classes that it uses.
        with warnings.catch_warnings(), contextlib.redirect_stdout(None):
            warnings.simplefilter("ignore")
            with make_batch_reader(
                self.url, schema_fields=fields, reader_pool_type="dummy", **options
            ) as reader:
                yield reader

    def filtered(self, fields):
        """A filter's fields must be among the fields read."""
        return self.reader(
            [f"^{name}$" for name in fields],
            predicate=in_lambda(FILTERED, passes),
            shuffle_row_groups=False,
        )

    def count(self):
        with self.filtered(FILTERED) as reader:
            return sum(len(batch.extent_x) for batch in reader)

    def rows(self):
        with self.filtered([*FILTERED, "row"]) as reader:
            return np.concatenate([batch.row for batch in reader])

    def batches(self, count, size, loader=DataLoader):
        """Yields shuffled batches of three fields."""
        fields = ["^row$", "^centroid_x$", "^yaw$"]
        with self.reader(fields, shuffle_row_groups=True, seed=1) as reader:
            made = loader(reader, batch_size=size, shuffling_queue_capacity=10_000)
            for _, batch in zip(range(count), made):
                yield batch

    def fast_batches(self, count, size):
        return self.batches(count, size, BatchedDataLoader)


class ZarrPython:
    name = "zarr-python"

    def __init__(self, path):
        self.agents = zarr.open(str(path), mode="r")["agents"]

    def masks(self):
        """Yields the first row and the mask of each chunk, which is faster than the
        whole array at once."""
        step = self.agents.chunks[0]
        for begin in range(0, self.agents.shape[0], step):
            agents = self.agents[begin : begin + step]
            yield begin, passes(agents["extent"][:, 0], agents["velocity"][:, 0])

    def count(self):
        return sum(int(np.count_nonzero(mask)) for _, mask in self.masks())

    def rows(self):
        return np.concatenate(
            [begin + np.flatnonzero(mask) for begin, mask in self.masks()]
        )
