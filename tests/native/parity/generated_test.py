"""bevscope against zarr-python on stores that zarr-python writes here, from a seed."""

import os
import pathlib
import tempfile
import unittest

import command
import made
import numpy as np
import zarr

SEED = 20240607


def write_group(folder, rng):
    """One array per layout; some lack chunks, which are the fill value then."""
    group = zarr.open_group(str(folder), mode="w")
    group.attrs.update({"title": "caf\u00e9", "n": [1, 2.5, None, True], "big": 2**53})
    for number, layout in enumerate(made.layouts()):
        fills = made.fills_of(layout["dtype"], rng)
        array = group.create_dataset(
            f"part{number % 3}/a{number}",
            fill_value=fills[number % len(fills)],
            **layout,
        )
        values = made.values_of(layout["dtype"], layout["shape"], rng)
        array[...] = values if layout["shape"] else values[()]
        if number % 2:
            drop_chunks(folder / array.path, rng)
    return group


def drop_chunks(folder, rng):
    for at, _, names in os.walk(folder):
        for name in sorted(names):
            if not name.startswith(".") and rng.integers(3) == 0:
                os.remove(os.path.join(at, name))


def written(axis):
    """As it stands between the brackets."""
    if isinstance(axis, int):
        return str(axis)
    parts = (axis.start, axis.stop, axis.step)
    return ":".join("" if part is None else str(part) for part in parts)


class Generated(command.ParityCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name) / "made.zarr"
        cls.rng = np.random.default_rng(SEED)
        cls.group = write_group(cls.folder, cls.rng)
        cls.arrays = sorted(command.all_arrays(cls.group))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_info_is_what_zarr_python_knows(self):
        got = command.info(self.folder)
        self.assert_info(got, self.group, self.folder)
        self.assertIsNone(got["table"])

    def test_info_of_an_array_by_itself(self):
        path, array = self.arrays[0]
        got = command.info(self.folder / path)
        self.assertEqual(list(got["arrays"]), [""])
        expected = command.described(array, self.folder / path)
        self.assertEqual(got["arrays"][""], expected)

    def test_whole_arrays(self):
        for path, array in self.arrays:
            with self.subTest(array=array.info):
                got = command.cat_npy(self.folder / path)
                self.assert_same(got, array[...], path)

    def test_row_ranges(self):
        for path, array in self.arrays:
            if array.ndim == 0:
                continue
            begin, end = sorted(self.rng.integers(-3, len(array) + 3, 2).tolist())
            step = int(self.rng.integers(1, 5))
            with self.subTest(array=array.info, rows=(begin, end, step)):
                got = command.cat_npy(self.folder / path, f"{begin}:{end}:{step}")
                self.assert_same(got, array[...][begin:end:step], path)

    def test_boxes(self):
        for path, array in self.arrays:
            if array.ndim == 0:
                continue
            for _ in range(3):
                axes = [self.some_axis(n) for n in array.shape]
                axes = axes[: int(self.rng.integers(1, array.ndim + 1))]
                select = ",".join(map(written, axes))
                with self.subTest(array=array.info, select=select):
                    got = command.cat_npy(self.folder / path, select=select)
                    self.assert_same(got, array[...][(*axes, ...)], path)

    def some_axis(self, length):
        """An index or a slice, of bounds inside and outside, up or down."""
        if length and self.rng.integers(3) == 0:
            return int(self.rng.integers(-length, length))
        ends = [int(n) for n in self.rng.integers(-length - 2, length + 3, 2)]
        begin, end = (None if self.rng.integers(4) == 0 else n for n in ends)
        step = int(self.rng.choice([-7, -2, -1, 1, 2, 5]))
        return slice(begin, end, step)

    def test_fields(self):
        for path, array in self.arrays:
            for fields in self.some_fields(array.dtype):
                with self.subTest(array=array.info, fields=fields):
                    got = command.cat_npy(self.folder / path, fields=fields)
                    expected = command.packed(array[...], fields)
                    self.assert_same(got, expected, path)

    def test_a_field_of_a_nested_record(self):
        for path, array in self.arrays:
            if not array.dtype.names or "pose" not in array.dtype.names:
                continue
            got = command.cat_npy(self.folder / path, fields=["pose.q"])
            self.assert_same(got, array[...]["pose"]["q"], path)

    def some_fields(self, dtype):
        if not dtype.names:
            return []
        names = list(dtype.names)
        return [[self.rng.choice(names)], names[::-1]]


class LongArray(command.ParityCase):
    def test_a_long_array_streams_in_batches(self):
        with tempfile.TemporaryDirectory() as folder:
            array = zarr.open_array(
                folder, mode="w", shape=(20_000_000,), chunks=(1_700_000,), dtype="<i4"
            )
            array[:] = np.arange(len(array), dtype="<i4")
            for rows in (":", "5:19999999:77", "::9000000"):
                begin, end, step = (int(p) if p else None for p in f"{rows}::".split(":")[:3])
                with self.subTest(rows=rows):
                    got = command.cat_npy(folder, rows)
                    self.assert_same(got, array[:][begin:end:step], rows)


if __name__ == "__main__":
    unittest.main()
