"""Reads bevscope's csv and json with Python's readers."""

import csv
import io
import json
import math
import pathlib
import tempfile
import unittest

import command
import made
import numpy as np
import zarr

SEED = 7


def csv_rows(path, **options):
    text = command.cat(path, output_format="csv", **options).decode()
    return list(csv.reader(io.StringIO(text, newline="")))


def json_rows(path, **options):
    return json.loads(command.cat(path, output_format="json", **options))


class Text(command.ParityCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.rng = np.random.default_rng(SEED)

    def write(self, values, name="a"):
        path = self.folder / name
        zarr.save_array(str(path), values)
        return path

    def test_reals_read_back_as_the_same_bits(self):
        for code in ("<f2", ">f4", "<f8"):
            values = made.values_of(np.dtype(code), (3000,), self.rng)
            path = self.write(values)
            with self.subTest(dtype=code):
                got = [row[0] for row in csv_rows(path)[1:]]
                self.assert_numbers(np.array(got, dtype="f8").astype(code), values)
                got = [float(value) for value in json_rows(path)]
                self.assert_numbers(np.array(got).astype(code), values)

    def assert_numbers(self, got, expected):
        nan = np.isnan(expected)
        self.assertTrue(np.isnan(got[nan]).all())
        self.assertEqual(got[~nan].tobytes(), expected[~nan].tobytes())

    def test_reals_are_as_short_as_pythons(self):
        values = np.array([0.1, 1 / 3, 1e300, -2.5, 3.0, 5e-324, -0.0])
        got = [row[0] for row in csv_rows(self.write(values))[1:]]
        for text, value in zip(got, values):
            self.assertLessEqual(len(text), len(repr(float(value))), text)
            self.assertEqual(float(text), value)
        halves = np.array([0.1, 65504, 6e-8, 3], "<f2")
        got = [row[0] for row in csv_rows(self.write(halves))[1:]]
        self.assertEqual(got, ["0.1", "6.55e+04", "6e-08", "3.0"])

    def test_integers_keep_all_their_digits(self):
        for code in ("|i1", ">i2", "<i4", ">i8", "|u1", "<u2", ">u4", "<u8"):
            limits = np.iinfo(code)
            values = np.array([limits.min, limits.max, 1], code)
            path = self.write(values)
            with self.subTest(dtype=code):
                self.assertEqual(json_rows(path), values.tolist())
                got = [int(row[0]) for row in csv_rows(path)[1:]]
                self.assertEqual(got, values.tolist())

    def test_complex_numbers(self):
        values = np.array([1 + 2j, -1.5 - 0.25j, complex(math.inf, -math.inf)], ">c16")
        path = self.write(values)
        got = [complex(row[0]) for row in csv_rows(path)[1:]]
        self.assertEqual(got, values.tolist())
        got = [complex(float(re), float(im)) for re, im in json_rows(path)]
        self.assertEqual(got, values.tolist())

    def test_dates_are_spelled_as_numpy_spells_them(self):
        for unit in ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "25s"):
            dtype = np.dtype(f"<M8[{unit}]")
            since, until = -(2**63) + 1, 2**63 - 1  # of fine units, not 10,000 years
            if unit not in ("ns", "ps"):
                years = np.array(["0001", "9999"], "M8[Y]")
                since, until = years.astype(dtype).astype("i8")
            counts = self.rng.integers(since, until, 200)
            values = np.append(counts, [0, -1, -(2**63)]).astype("i8").view(dtype)
            expected = [str(value) for value in np.datetime_as_string(values)]
            path = self.write(values)
            with self.subTest(unit=unit):
                self.assertEqual(json_rows(path), expected)
                self.assertEqual([row[0] for row in csv_rows(path)[1:]], expected)

    def test_durations_are_counts(self):
        values = np.array([5, -7, -(2**63)], "m8[ms]")
        self.assertEqual(json_rows(self.write(values)), [5, -7, "NaT"])

    def test_texts_keep_every_character(self):
        texts = ["plain", 'say "hi"', "a,b", "two\nlines", "caf\u00e9 \u4e2d \U0001f600", ""]
        for dtype in ("<U20", ">U20"):
            path = self.write(np.array(texts, dtype))
            self.assertEqual(json_rows(path), texts)
            self.assertEqual([row[0] if row else "" for row in csv_rows(path)[1:]], texts)
        path = self.write(np.array([b"abc", b""], "S5"))
        self.assertEqual(json_rows(path), ["abc", ""])

    def test_raw_bytes_are_hexadecimal(self):
        values = np.array([b"\x00\xff\x10"], "V3")
        self.assertEqual(json_rows(self.write(values)), ["00ff10"])

    def test_records_are_columns_and_objects(self):
        dtype = [("id", "<u8"), ("xy", "<f8", (2,)), ("p", [("q", "<f4"), ("b", "|b1")])]
        values = np.array([(2**64 - 1, (1, 2.5), (0.5, True)), (7, (3, math.nan), (1, False))], dtype)
        path = self.write(values)
        self.assertEqual(
            csv_rows(path),
            [
                ["id", "xy_0", "xy_1", "p.q", "p.b"],
                ["18446744073709551615", "1.0", "2.5", "0.5", "true"],
                ["7", "3.0", "NaN", "1.0", "false"],
            ],
        )
        self.assertEqual(
            json_rows(path),
            [
                {"id": 2**64 - 1, "xy": [1, 2.5], "p": {"q": 0.5, "b": True}},
                {"id": 7, "xy": [3, "NaN"], "p": {"q": 1, "b": False}},
            ],
        )
        self.assertEqual(csv_rows(path, fields=["xy"])[0], ["xy_0", "xy_1"])
        self.assertEqual(json_rows(path, fields=["id"], rows="1:"), [7])

    def test_axes_are_columns_and_nested_lists(self):
        values = np.arange(12, dtype="<i2").reshape(2, 3, 2)
        path = self.write(values, "grid")
        self.assertEqual(json_rows(path), values.tolist())
        header, *rows = csv_rows(path)
        self.assertEqual(header, [f"value_{i}_{j}" for i in range(3) for j in range(2)])
        self.assertEqual(rows, [[str(v) for v in row.ravel()] for row in values])

    def test_an_array_without_axes_is_a_value(self):
        path = self.write(np.array(2.5))
        self.assertEqual(json_rows(path), 2.5)
        self.assertEqual(csv_rows(path), [["value"], ["2.5"]])

    def test_no_rows(self):
        path = self.write(np.zeros(0, "<f4"))
        self.assertEqual(json_rows(path), [])
        self.assertEqual(csv_rows(path), [["value"]])


if __name__ == "__main__":
    unittest.main()
