"""Reads the agents of copies of a data set with and without a codec, from a cold and from
a warm file cache, in turns, and prints their times and ratios.

Usage: python bench/reader/cold.py TOWN.zarr FOLDER [ROUNDS]

FOLDER is where the copies are made, on the disk that is measured. Before each cold read,
the copy's files are dropped from the system's cache (posix_fadvise, no root needed), and
mincore tells whether that succeeded.
"""

import ctypes
import hashlib
import mmap
import os
import statistics
import sys
import time
from pathlib import Path

import bevscope

CODECS = ("none", "lz4", "zstd", "blosc:lz4")
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = (
    *(ctypes.c_void_p, ctypes.c_size_t),
    *(ctypes.c_int,) * 3,
    ctypes.c_long,
)
LIBC.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
LIBC.mincore.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p)


def copy_of(town, folder, codec):
    path = folder / f"{codec.replace(':', '-')}.zarr"
    if not path.exists():
        bevscope.open(town).copy(path, codec=codec)
    return path


def files_of(path):
    return [one for one in sorted(path.rglob("*")) if one.is_file()]


def pages_in_memory(path):
    """Returns the file's pages that the system has in memory."""
    size = path.stat().st_size
    if size == 0:
        return 0
    count = -(-size // mmap.PAGESIZE)
    with open(path, "rb") as file:
        at = LIBC.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
        found = ctypes.create_string_buffer(count)
        if at == ctypes.c_void_p(-1).value or LIBC.mincore(at, size, found) != 0:
            raise OSError(ctypes.get_errno(), "mincore")
        LIBC.munmap(at, size)
    return sum(page & 1 for page in found.raw[:count])


def drop(path):
    """Removes the files from the system's cache; returns the share that stayed."""
    stayed = pages = 0
    for one in files_of(path):
        with open(one, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        stayed += pages_in_memory(one)
        pages += -(-one.stat().st_size // mmap.PAGESIZE)
    return stayed / pages


def digest(path):
    made = hashlib.sha256()
    for rows in bevscope.open(path).agents.blocks():
        made.update(rows.tobytes())
    return made.hexdigest()


def seconds(path):
    begin = time.perf_counter()
    count = sum(len(rows) for rows in bevscope.open(path).agents.blocks())
    assert count
    return time.perf_counter() - begin


def main():
    town, folder = sys.argv[1], Path(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    copies = {codec: copy_of(town, folder, codec) for codec in CODECS}
    assert len({digest(path) for path in copies.values()}) == 1, "copies differ"
    cold = {codec: [] for codec in CODECS}
    warm = {codec: [] for codec in CODECS}
    stayed = 0.0
    for _ in range(rounds):
        for codec, path in copies.items():
            stayed = max(stayed, drop(path))
            cold[codec].append(seconds(path))
            warm[codec].append(seconds(path))
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors, {rounds} rounds")
    print(f"largest share of a copy that stayed in memory: {stayed:.1%}")
    for name, times in (("cold", cold), ("warm", warm)):
        for codec in CODECS:
            size = sum(one.stat().st_size for one in files_of(copies[codec] / "agents"))
            ratio = statistics.median(
                none / own for none, own in zip(times["none"], times[codec], strict=True)
            )
            middle = statistics.median(times[codec])
            print(
                f"{name}  {codec:10s} {size / 1e6:6.0f} MB  {middle:.3f} s  "
                f"{ratio:.2f}x none"
            )


if __name__ == "__main__":
    main()
