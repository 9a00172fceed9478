"""Reads bevscope's output with zarr-python: data sets, arrays of all dtypes and codecs."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import command
import made
import numpy as np
import zarr

SEED = 11
CODECS = ["none", "zlib", "gzip", "zstd", "lz4"] + [
    f"blosc:{name}" for name in ("blosclz", "lz4", "lz4hc", "zlib", "zstd")
]


def write(*words):
    subprocess.run([os.environ["WRITE_ARRAYS"], *map(str, words)], check=True)


class Written(command.ParityCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def test_a_data_set_under_every_codec(self):
        for codec in CODECS:
            with self.subTest(codec=codec):
                folder = self.folder / codec.replace(":", "_")
                write("scenes", folder, codec, 5)
                self.check_data_set(zarr.open_group(str(folder), mode="r"), codec)
                consolidated = zarr.open_consolidated(str(folder), mode="r")
                self.check_data_set(consolidated, codec)

    def check_data_set(self, group, codec):
        compressor = group.agents.compressor
        config = compressor.get_config() if compressor else {"id": "none"}
        name = ":".join(filter(None, [config["id"], config.get("cname")]))
        self.assertEqual(name, codec)
        self.assertEqual(group.attrs["format_version"], 2)
        self.assertEqual(len(group.attrs["labels"]), 17)

        scenes, frames, agents = group.scenes[:], group.frames[:], group.agents[:]
        self.assertEqual(scenes["host"].tolist(), ["host-\u00e9"])
        self.assertEqual(scenes["frame_index_interval"].tolist(), [[0, 30]])
        f, a = np.arange(30), np.arange(270)
        self.assertEqual(frames["timestamp"].tolist(), (f * 10**9).tolist())
        intervals = np.stack([f * 9, f * 9 + 9], 1)
        self.assertEqual(frames["agent_index_interval"].tolist(), intervals.tolist())
        self.assertTrue((frames["ego_rotation"] == np.eye(3)).all())
        centroids = np.stack([a * 0.25, a * -0.5], 1)
        self.assertEqual(agents["centroid"].tolist(), centroids.tolist())
        self.assertEqual(agents["track_id"].tolist(), (2**33 + a).tolist())
        self.assertTrue((agents["label_probabilities"].argmax(1) == a % 17).all())
        faces = group.traffic_light_faces[:]
        self.assertEqual(faces["face_id"].tolist(), [f"face{i}" for i in range(30)])
        self.assertTrue((faces["traffic_light_face_status"] == [1, 0, 0]).all())

    def test_arrays_of_every_dtype_and_codec(self):
        rng = np.random.default_rng(SEED)
        codecs = made.CODECS
        for number, dtype in enumerate(made.DTYPES + made.DTYPES):
            compressor = codecs[number % len(codecs)]
            with self.subTest(dtype=dtype, compressor=compressor):
                values = made.values_of(dtype, (50,), rng)
                fill = made.fills_of(dtype, rng)[-1]
                folder = self.folder / f"a{number}"
                self.write_array(folder, values, compressor, fill)
                array = zarr.open_array(str(folder / "ours"), mode="r")
                theirs = zarr.open_array(str(folder / "theirs"), mode="r")
                self.assertEqual(array.compressor, compressor)
                self.assert_same(array[:], values, "values")
                same = np.asarray(array.fill_value).tobytes()
                self.assertEqual(same, np.asarray(theirs.fill_value).tobytes())

    def write_array(self, folder, values, compressor, fill):
        """Creates metadata with zarr-python, then writes the array with bevscope."""
        zarr.create(
            store=zarr.DirectoryStore(str(folder / "theirs")),
            shape=values.shape,
            chunks=(20,),
            dtype=values.dtype,
            compressor=compressor,
            fill_value=fill,
        )
        (folder / "raw").write_bytes(values.tobytes())
        write("array", folder / "ours", folder / "theirs" / ".zarray", folder / "raw")


if __name__ == "__main__":
    unittest.main()
