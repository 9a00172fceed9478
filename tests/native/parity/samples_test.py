"""bevscope sample and mask against L5Kit's samples among the golden files."""

import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import command
import numpy as np

if not os.environ.get("BEV_GOLDENS"):
    print("[skipped] samples_test.py: BEV_GOLDENS is not set")
    sys.exit(77)

GOLDENS = pathlib.Path(os.environ["BEV_GOLDENS"])
CONFIGS = json.loads((GOLDENS / "manifest.json").read_text())["configs"]
SETS = [("B_stub", "multi"), ("A_stub", "single"), ("B_stub_dt02", "multi")]


def tolerance(key, values):
    """What the golden files' README allows, relative above 1."""
    if values.dtype.kind != "f":
        return 0
    if values.dtype == np.float64:
        return 1e-9
    return 1e-4 if "velocit" in key or "speed" in key else 1e-5


def largest_difference(got, expected):
    if got.size == 0:
        return 0
    wide = expected.astype(np.float64)
    return np.max(np.abs(got - wide) / np.maximum(1, np.abs(wide)))


class Samples(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def write_samples(self, name, scene, kind, indices):
        config = self.folder / f"{name}.json"
        config.write_text(json.dumps(CONFIGS[name]))
        words = ["--kind", kind, "--index=" + ",".join(map(str, indices))]
        if kind == "agent":
            counts = np.load(GOLDENS / f"outputs/select/{scene}_th0.5.npz")["mask"]
            np.savez_compressed(self.folder / "mask.npz", counts[:, 1] >= 1)
            words += ["--mask", str(self.folder / "mask.npz")]
        dataset = GOLDENS / f"inputs/{scene}_scene.zarr"
        out = self.folder / f"{name}_{scene}_{kind}"
        words += ["--config", str(config), "--root", str(GOLDENS / "inputs")]
        command.run("sample", str(dataset), *words, "-o", str(out))
        return out

    def check_sample(self, folder, golden, prefix):
        keys = {key[6:] for key in golden.files if key.startswith(prefix)}
        self.assertEqual({path.stem for path in folder.iterdir()}, keys)
        for key in keys:
            expected = golden[prefix + key]
            if key == "image":
                expected = expected.astype(np.float32) / 255
            got = np.load(folder / f"{key}.npy", allow_pickle=False)
            self.assertEqual((got.dtype, got.shape), (expected.dtype, expected.shape))
            with self.subTest(sample=folder, key=key):
                off = largest_difference(got, expected)
                self.assertLessEqual(off, tolerance(key, expected))

    def test_samples(self):
        for name, scene in SETS:
            for kind in ("ego", "agent"):
                path = GOLDENS / f"outputs/samples/{name}_{scene}_{kind}.npz"
                golden = np.load(path)
                out = self.write_samples(name, scene, kind, golden["indices"])
                for index in golden["indices"]:
                    text = f"{index:05d}"
                    self.check_sample(out / text, golden, text + ".")

    def test_masks(self):
        for scene in ("single", "multi"):
            dataset = str(GOLDENS / f"inputs/{scene}_scene.zarr")
            for threshold in ("0.0", "0.5", "0.9"):
                words = ["--threshold", threshold, "--quiet", "-o", "-"]
                got = np.load(io.BytesIO(command.run("mask", dataset, *words)))
                path = GOLDENS / f"outputs/select/{scene}_th{threshold}.npz"
                np.testing.assert_array_equal(got, np.load(path)["mask"])
                self.assertEqual(got.dtype, np.uint32)

    def test_an_index_that_is_not_there_is_status_1(self):
        config = self.folder / "config.json"
        config.write_text(json.dumps(CONFIGS["B_stub"]))
        words = ["sample", str(GOLDENS / "inputs/multi_scene.zarr"), "--config"]
        words += [str(config), "--root", str(GOLDENS / "inputs"), "-o", str(self.folder)]
        for index, status in (("300", 1), ("-301", 1), ("1:2:0", 2)):
            done = subprocess.run(
                [command.BEVSCOPE, *words, f"--index={index}"],
                capture_output=True,
                check=False,
            )
            self.assertEqual(done.returncode, status, index)


if __name__ == "__main__":
    unittest.main()
