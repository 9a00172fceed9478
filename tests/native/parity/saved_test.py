"""Reads what `bevscope save` wrote with zarr-python: every codec, dtype and both kinds of stores."""

import pathlib
import tempfile
import unittest

import command
import numpy as np
import zarr

SEED = 20
CODECS = ["none", "zlib", "gzip", "zstd", "lz4"] + [
    f"blosc:{name}" for name in ("blosclz", "lz4", "lz4hc", "zlib", "zstd")
]
DTYPES = ["|b1", "|u1", "<i2", ">i4", "<u8", "<f2", "<f4", ">f8", "<c8", "<U3", "|S5", "<M8[ns]"]
LIMIT = 4096


def values_of(dtype, shape, rng):
    """Half zeros, so that it compresses, but not to nothing."""
    dtype = np.dtype(dtype)
    if dtype.kind == "U":
        return rng.choice(["", "a", "\u00e9\u4e2d", "xyz"], shape).astype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    raw = rng.integers(0, 256, (*shape, dtype.itemsize), dtype=np.uint8)
    raw[rng.random(raw.shape) < 0.5] = 0
    return raw.view(dtype).reshape(shape)


class Saved(command.ParityCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.rng = np.random.default_rng(SEED)

    def npy(self, name, values):
        path = self.folder / f"{name}.npy"
        np.save(path, values)
        return f"{name}={path}"

    def save(self, store, inputs, *options):
        command.run("save", *inputs, "-o", str(store), f"--max-object-size={LIMIT}", "--quiet", *options)

    def check_group(self, group, arrays):
        self.assertEqual(sorted(group.array_keys()), sorted(arrays))
        for name, values in arrays.items():
            self.assert_same(group[name][:], values, name)

    def test_every_codec(self):
        arrays = {
            "image": values_of("<f4", (300, 4, 6), self.rng),
            "label": values_of("<i8", (300,), self.rng),
        }
        inputs = [self.npy(name, values) for name, values in arrays.items()]
        for codec in CODECS:
            with self.subTest(codec=codec):
                store = self.folder / (codec.replace(":", "_") + ".zarr")
                self.save(store, inputs, "--codec", codec, "--name", "made")
                self.check_group(zarr.open_group(str(store), mode="r"), arrays)
                group = zarr.open_consolidated(str(store), mode="r")
                self.check_group(group, arrays)
                self.assertEqual(group.attrs["name"], "made")
                self.assertEqual(group.attrs["bevscope_save"]["rows"], 300)
                sizes = [path.stat().st_size for path in (store / "image").glob("[0-9]*")]
                self.assertGreater(len(sizes), 2)
                self.assertLessEqual(max(sizes), LIMIT)

    def test_every_dtype(self):
        arrays = {
            f"a{i}": values_of(dtype, (200, 3), self.rng) for i, dtype in enumerate(DTYPES)
        }
        store = self.folder / "d.zarr"
        self.save(store, [self.npy(name, values) for name, values in arrays.items()])
        self.check_group(zarr.open_group(str(store), mode="r"), arrays)

    def test_zip_and_append(self):
        arrays = {"x": values_of("<f8", (500, 2), self.rng)}
        store = self.folder / "d.zip"
        parts = np.split(arrays["x"], [3, 250, 251])
        for number, part in enumerate(parts):
            self.save(store, [self.npy("x", part)], *(["--append"] if number else []))
        with zarr.ZipStore(str(store), mode="r") as opened:
            self.check_group(zarr.open_group(opened, mode="r"), arrays)

    def test_savers_in_the_order_of_their_numbers(self):
        values = values_of("<i4", (400, 5), self.rng)
        store = self.folder / "d.zarr"
        parts = np.split(values, [150, 170])
        for number in (2, 0, 1):
            inputs = [self.npy("x", parts[number])]
            self.save(store, inputs, f"--saver={number}", "--no-commit")
        command.run("save", "-o", str(store))
        self.check_group(zarr.open_group(str(store), mode="r"), {"x": values})


if __name__ == "__main__":
    unittest.main()
