"""Compares bevscope with zarr-python on every store of the golden inputs."""

import json
import os
import pathlib
import sys
import unittest

import command
import zarr

if not os.environ.get("BEV_GOLDENS"):
    print("[skipped] goldens_test.py: BEV_GOLDENS is not set")
    sys.exit(77)

GOLDENS = pathlib.Path(os.environ["BEV_GOLDENS"])
STORES = sorted(path.parent for path in GOLDENS.glob("inputs/**/.zgroup"))
SLICES = ["0:10", "3:50:7", "-5:", ":-1", "100:90", "::1000", "7:8", "19990:20010"]


def parsed_slice(text):
    parts = [int(part) if part else None for part in text.split(":")]
    return slice(*parts)



def is_copy(store):
    """The same content with each codec: a few reads of each are enough."""
    return store.parent.name == "codecs"


class Goldens(command.ParityCase):
    def test_there_are_stores(self):
        self.assertGreaterEqual(len(STORES), 14)

    def test_info_is_what_zarr_python_knows(self):
        for store in STORES:
            with self.subTest(store=store.name):
                got = command.info(store)
                self.assert_info(got, zarr.open_group(str(store), mode="r"), store)

    def test_the_table_is_l5kits(self):
        tables = json.loads((GOLDENS / "outputs/data/str_tables.json").read_text())
        for name, table in tables.items():
            with self.subTest(store=name):
                got = command.info(GOLDENS / "inputs" / name)
                self.assertEqual(got["table"].rstrip("\n"), table["str"])

    def test_whole_arrays(self):
        for store, name, values in self.arrays():
            with self.subTest(store=store.name, array=name):
                self.assert_same(command.cat_npy(store / name), values, name)

    def test_row_ranges(self):
        for store, name, values in self.arrays():
            for rows in SLICES[:2] if is_copy(store) else SLICES:
                with self.subTest(store=store.name, array=name, rows=rows):
                    got = command.cat_npy(store / name, rows)
                    self.assert_same(got, values[parsed_slice(rows)], rows)

    def test_fields(self):
        for store, name, values in self.arrays():
            names = list(values.dtype.names)
            choices = [names[::-1]] + [names[::2]] + [[field] for field in names]
            for fields in choices[:2] if is_copy(store) else choices:
                with self.subTest(store=store.name, array=name, fields=fields):
                    got = command.cat_npy(store / name, "1:40:3", fields)
                    expected = command.packed(values[1:40:3], fields)
                    self.assert_same(got, expected, fields)

    def arrays(self):
        for store in STORES:
            group = zarr.open_group(str(store), mode="r")
            for name, array in command.all_arrays(group):
                yield store, name, array[:]


if __name__ == "__main__":
    unittest.main()
