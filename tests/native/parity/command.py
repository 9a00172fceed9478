"""Calls of the bevscope program, and shared helpers of the parity tests."""

import io
import json
import os
import subprocess
import sys
import unittest

try:
    import numpy as np
    import zarr
except ImportError as missing:
    print(f"[skipped] {os.path.basename(sys.argv[0])}: {missing}")
    sys.exit(77)

BEVSCOPE = os.environ["BEVSCOPE"]


def run(*words):
    """Returns a command's standard output as bytes; fails the test if it fails."""
    done = subprocess.run([BEVSCOPE, *words], capture_output=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def cat(array, rows=None, fields=(), output_format="npy", select=None):
    words = ["cat", str(array), "--format", output_format, "--allow-missing"]
    if rows is not None:
        words.append(f"--rows={rows}")
    if select is not None:
        words.append(f"--select={select}")
    if fields:
        words.append("--fields=" + ",".join(fields))
    return run(*words)


def cat_npy(array, rows=None, fields=(), select=None):
    data = cat(array, rows, fields, select=select)
    return np.load(io.BytesIO(data), allow_pickle=False)


def info(dataset):
    return json.loads(run("info", str(dataset), "--json", "--allow-missing"))


def packed(values, fields):
    """Returns the dtype of `cat` for fields: one is plain, several a packed record."""
    if not fields:
        return values
    if len(fields) == 1:
        return values[fields[0]]
    dtype = np.dtype([(name, values.dtype[name]) for name in fields])
    out = np.empty(values.shape, dtype)
    for name in fields:
        out[name] = values[name]
    return out


class ParityCase(unittest.TestCase):
    """Compares exactly: dtype with byte order, shape, and every byte."""

    def assert_same(self, got, expected, what):
        expected = np.asarray(expected)
        dtypes = (got.dtype.descr, expected.dtype.descr)
        self.assertEqual(dtypes[0], dtypes[1], f"{what}: dtype")
        self.assertEqual(got.dtype.str, expected.dtype.str, f"{what}: byte order")
        self.assertEqual(got.shape, expected.shape, f"{what}: shape")
        same = got.tobytes() == np.ascontiguousarray(expected).tobytes()
        self.assertTrue(same, f"{what}: values")

    def assert_info(self, got, group, folder):
        """Compares `info --json` of a group (or a root array) with zarr-python."""
        self.assertEqual(got["format"], "zarr-v2")
        self.assertEqual(got["attrs"], dict(group.attrs))
        arrays = dict(all_arrays(group))
        self.assertEqual(sorted(got["arrays"]), sorted(arrays))
        for path, array in arrays.items():
            self.assertEqual(
                got["arrays"][path], described(array, folder / path), path
            )


def all_arrays(node, prefix=""):
    """Yields every array below a group with its path; a root array has path ""."""
    if isinstance(node, zarr.Array):
        yield prefix, node
        return
    for name, child in node.items():
        yield from all_arrays(child, f"{prefix}/{name}" if prefix else name)


def described(array, folder):
    document = json.loads((folder / ".zarray").read_text())
    chunks = [
        os.path.join(at, name)
        for at, _, names in os.walk(folder)
        for name in names
        if not name.startswith(".")
    ]
    return {
        "shape": list(array.shape),
        "chunks": list(array.chunks),
        "dtype": document["dtype"],
        "order": array.order,
        "fill_value": document["fill_value"],
        "compressor": array.compressor and array.compressor.get_config(),
        "filters": array.filters,
        "stored_bytes": sum(map(os.path.getsize, chunks)),
        # nchunks_initialized is wrong (2) for an array without axes.
        "stored_chunks": len(chunks),
        "missing_chunks": array.nchunks - len(chunks),
    }
