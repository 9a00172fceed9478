"""Compares bevscope with zarr-python on arrays with filters and filter chains."""

import itertools
import pathlib
import tempfile
import unittest

import command
import made
import numcodecs
import numpy as np
import zarr

SEED = 20241121
INTEGERS = ["|i1", "|u1"] + [o + k + s for o in "<>" for k in "iu" for s in "248"]
SHAPES = [((97,), (10,)), ((1200,), (500,)), ((13, 9), (5, 4)), ((33,), (64,))]


def chains():
    """A dtype and a chain of filters."""
    for code in INTEGERS:
        dtype = np.dtype(code)
        yield dtype, [numcodecs.Delta(code)]
        yield dtype, [numcodecs.Shuffle(dtype.itemsize)]
        yield dtype, [numcodecs.Delta(code), numcodecs.Shuffle(dtype.itemsize)]
        yield dtype, [numcodecs.AsType("<f8", code)]
    yield np.dtype("<i8"), [numcodecs.Delta("<i8", "<i2")]
    yield np.dtype(">u4"), [numcodecs.Delta(">u4", "|u1"), numcodecs.Shuffle(1)]
    for code, packed in itertools.product(["<f4", "<f8", ">f8"], ["|u1", "<i2", ">i4"]):
        scaled = numcodecs.FixedScaleOffset(-3.5, 8, code, packed)
        yield np.dtype(code), [scaled]
        yield np.dtype(code), [scaled, numcodecs.Delta(packed)]
    for code in ("<f4", "<f8", ">f4"):
        yield np.dtype(code), [numcodecs.Delta(code)]
        yield np.dtype(code), [numcodecs.AsType("<f4", code)]
    yield np.dtype("|b1"), [numcodecs.PackBits()]
    yield np.dtype("|b1"), [numcodecs.PackBits(), numcodecs.Shuffle(1)]


def values_of(dtype, shape, rng):
    """Returns close values that are valid for every filter chain of the dtype."""
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    steps = rng.integers(0, 2, shape).cumsum().reshape(shape) % 25
    return (steps - 3 if dtype.kind == "f" else steps).astype(dtype)


class Filters(command.ParityCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name) / "filters.zarr"
        cls.rng = np.random.default_rng(SEED)
        cls.group = zarr.open_group(str(cls.folder), mode="w")
        shapes, codecs = itertools.cycle(SHAPES), itertools.cycle(made.CODECS)
        for number, (dtype, filters) in enumerate(chains()):
            shape, chunks = next(shapes)
            array = cls.group.create_dataset(
                f"a{number}",
                shape=shape,
                chunks=chunks,
                dtype=dtype,
                filters=filters,
                compressor=next(codecs),
                order="F" if number % 3 == 1 else "C",
            )
            array[...] = values_of(dtype, shape, cls.rng)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_whole_arrays(self):
        arrays = list(command.all_arrays(self.group))
        self.assertEqual(len(arrays), len(list(chains())))
        for path, array in arrays:
            with self.subTest(array=array.info):
                self.assert_same(command.cat_npy(self.folder / path), array[...], path)

    def test_row_ranges(self):
        for path, array in command.all_arrays(self.group):
            begin, end = sorted(self.rng.integers(0, len(array) + 1, 2).tolist())
            with self.subTest(array=array.info, rows=(begin, end)):
                got = command.cat_npy(self.folder / path, f"{begin}:{end}:2")
                self.assert_same(got, array[begin:end:2], path)

    def test_info_says_the_filters(self):
        described = command.info(self.folder)["arrays"]
        for path, array in command.all_arrays(self.group):
            filters = [one.get_config() for one in array.filters]
            self.assertEqual(described[path]["filters"], filters, path)


if __name__ == "__main__":
    unittest.main()
