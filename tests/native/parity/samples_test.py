"""Compares bevscope sample and mask with L5Kit's samples in the golden files."""

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
SETS = [("B_stub", "multi"), ("A_sat", "single")]


def tolerance(key, values):
    """Returns the tolerance that the golden files' README allows, relative above 1."""
    if values.dtype.kind != "f":
        return 0
    if values.dtype == np.float64:
        return 1e-9
    if "lane" in key or "crosswalk" in key:
        return 1e-6
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

    def write_samples(self, name, scene, words, indices):
        """Runs the command with a new output folder; returns the folder."""
        config = self.folder / f"{name}.json"
        config.write_text(json.dumps(CONFIGS[name]))
        out = self.folder / f"{name}_{scene}_{len(list(self.folder.iterdir()))}"
        words = [*words, "--index=" + ",".join(map(str, indices))]
        words += ["--config", str(config), "--root", str(GOLDENS / "inputs")]
        dataset = GOLDENS / f"inputs/{scene}_scene.zarr"
        command.run("sample", str(dataset), *words, "-o", str(out))
        return out

    def write_mask(self, mask):
        path = self.folder / "mask.npz"
        np.savez_compressed(path, mask)
        return ["--mask", str(path)]

    def check_sample(self, folder, golden, prefix):
        keys = {key[6:] for key in golden.files if key.startswith(prefix)}
        keys.discard("len")
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

    def check_all(self, golden_path, words, name, scene):
        golden = np.load(GOLDENS / "outputs" / golden_path)
        names = {key[:5] for key in golden.files if key[5:6] == "."}
        indices = sorted(map(int, names))
        self.assertGreater(len(indices), 0)
        out = self.write_samples(name, scene, words, indices)
        for text in names:
            self.check_sample(out / text, golden, text + ".")

    def test_samples_of_the_ego_vehicle(self):
        for name, scene in SETS:
            golden = f"samples/{name}_{scene}_ego.npz"
            self.check_all(golden, ["--kind", "ego"], name, scene)

    def test_samples_of_agents(self):
        for name, scene in SETS:
            counts = np.load(GOLDENS / f"outputs/select/{scene}_th0.5.npz")["mask"]
            words = ["--kind", "agent", *self.write_mask(counts[:, 1] >= 1)]
            self.check_all(f"samples/{name}_{scene}_agent.npz", words, name, scene)

    def test_vectorized_samples(self):
        self.check_all("vector/V1_single_ego.npz", ["--vectorized"], "V1", "single")
        words = ["--kind", "egoagent"]
        self.check_all("vector/V3_multi_egoagent.npz", words, "V3", "multi")

    def test_a_sample_to_evaluate_has_the_valid_agents(self):
        counts = np.load(GOLDENS / "outputs/select/single_th0.5.npz")["mask"]
        words = ["--kind", "egoagent", "--eval"]
        words += self.write_mask(np.arange(len(counts)) % 997 == 0)
        golden = "vector/V1_single_egoagent_eval.npz"
        self.check_all(golden, words, "V1", "single")

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
