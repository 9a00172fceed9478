"""Arrays of every dtype, codec, order, chunking and fill value, from a seed."""

import itertools

import numcodecs
import numpy as np

SCALARS = (
    ["|b1", "|i1", "|u1"]
    + [order + code for order in "<>" for code in ("i2", "i4", "i8", "u2", "u4", "u8")]
    + [order + code for order in "<>" for code in ("f2", "f4", "f8", "c8", "c16")]
    + ["|S1", "|S7", "|V5", "<U1", "<U5", ">U3"]
    + ["<M8[ns]", ">M8[ms]", "<M8[25s]", "<M8[D]", "<M8[M]", "<m8[us]", ">m8[7h]"]
)
RECORDS = [
    [("a", "<i4"), ("b", "<f8")],
    [("id", ">u8"), ("xy", "<f4", (2,)), ("m", ">f8", (3, 3))],
    [("flag", "|b1"), ("name", "<U4"), ("tag", "|S3"), ("raw", "|V3")],
    [("when", "<M8[ns]"), ("span", "<m8[s]"), ("z", ">c8"), ("h", "<f2")],
    [("pose", [("x", "<f8"), ("q", "<f4", (4,))]), ("id", "|u1")],
    [("hits", [("t", "<i8"), ("p", ">f4")], (2,)), ("n", ">u2")],
    [("l", "<f4", (60,)), ("m", "|u1", (13,)), ("n", "<f8")],  # longer than 255 bytes
]
DTYPES = [np.dtype(d) for d in SCALARS] + [np.dtype(d) for d in RECORDS]
CODECS = (
    [None, numcodecs.Zlib(1), numcodecs.GZip(6), numcodecs.Zstd(3), numcodecs.LZ4(1)]
    + [
        numcodecs.Blosc(cname, level, shuffle)
        for cname in ("lz4", "lz4hc", "blosclz", "zstd", "zlib")
        for level, shuffle in ((5, 0), (5, 1), (9, 2))
    ]
    + [numcodecs.Blosc("lz4", 5, 1, blocksize=256), numcodecs.Blosc("lz4", 0, 1)]
)
SHAPES = [
    # shape, chunks
    ((97,), (10,)),
    ((97,), (97,)),
    ((33,), (64,)),
    ((0,), (5,)),
    ((), ()),
    ((13, 9), (5, 4)),
    ((6, 1), (1, 1)),
    ((7, 0), (3, 2)),
    ((5, 4, 6), (2, 3, 4)),
    ((1200,), (500,)),
]


def values_of(dtype, shape, rng):
    """Returns random valid bytes of the dtype: NaNs with payloads, NaT, single fields."""
    if dtype.subdtype:
        base, inner = dtype.subdtype
        return values_of(base, shape + inner, rng)
    out = np.zeros(shape, dtype)
    if dtype.names:
        for name in dtype.names:
            out[name] = values_of(dtype[name], shape, rng)
        return out
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind == "U":
        points = rng.choice([0x41, 0x7A, 0xE9, 0x4E2D, 0x1F600], (*shape, dtype.itemsize // 4))
        return points.astype(np.dtype("u4").newbyteorder(dtype.byteorder)).view(dtype).reshape(shape)
    # Small steps, so that codecs have something to compress.
    flat = rng.integers(0, 256, out.nbytes, dtype="u1") & rng.integers(0, 256, dtype="u1")
    return flat.view(dtype).reshape(shape) if out.size else out


def fills_of(dtype, rng):
    """Returns fill values: zero, a typical value of the type, special values."""
    own = values_of(dtype, (1,), rng)[0]
    if dtype.kind == "f":
        return [0, 1.5, np.nan, np.inf, -np.inf]
    if dtype.kind == "c":
        return [0, 1.5 - 2j, complex(np.nan, np.inf)]
    if dtype.kind in "iu":
        return [0, np.iinfo(dtype).max, np.iinfo(dtype).min]
    if dtype.kind in "Mm":
        return [own, np.array("NaT", dtype)[()]]
    if dtype.kind == "b":
        return [False, True]
    if dtype.kind == "S":
        return [b"", b"x"]
    if dtype.kind == "U":
        return ["", "\u00e9"]
    return [0, own.tobytes()]  # the form zarr-python accepts for records and raw bytes


def layouts():
    """Covers every pair of dtype and codec or shape within a few rounds."""
    shapes = itertools.cycle(SHAPES)
    codecs = itertools.cycle(CODECS)
    for number, dtype in enumerate(itertools.chain(DTYPES, DTYPES, DTYPES)):
        shape, chunks = next(shapes)
        yield {
            "dtype": dtype,
            "shape": shape,
            "chunks": chunks or None,
            "compressor": next(codecs),
            "order": "F" if number % 3 == 1 else "C",
            "dimension_separator": "/" if number % 4 == 2 else ".",
        }
