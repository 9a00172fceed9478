"""PyTorch models as ONNX files: onnxruntime predicts what PyTorch does."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from bevscope import InvalidArgument, Samples
from bevscope.model import export_onnx

torch = pytest.importorskip("torch")

#: An environment with onnxruntime, which Debian's Python has no package of.
NEWEST = Path(__file__).parents[2] / "build/python/newest/bin/python"
#: Predicts with the first file the samples of the second, into the third.
PREDICTS = """
import sys
import numpy as np
from bevscope.model import Model

with Model.open(sys.argv[1]) as model:
    found = model.predict(dict(np.load(sys.argv[2])))
    np.savez(sys.argv[3], positions=found.positions, confidences=found.confidences,
             yaws=found.yaws if found.yaws is not None else [])
"""


class Planner(torch.nn.Module):
    """As L5Kit's: reads a dict, writes into it, and computes a loss only in training."""

    def __init__(self, steps=6):
        super().__init__()
        self.steps = steps
        self.image = torch.nn.Conv2d(5, 4, 3, stride=4)
        self.out = torch.nn.Linear(4 + 4, steps * 3)

    def forward(self, batch):
        if self.training:
            return {"loss": batch["target_positions"].sum()}
        past = batch["history_positions"]
        past[:, 1:] *= 0.5
        seen = self.image(batch["image"]).amax((2, 3))
        out = self.out(torch.cat([seen, past[:, :2].flatten(1)], 1))
        out = out.view(seen.shape[0], self.steps, 3)
        return {"positions": out[..., :2], "yaws": out[..., 2:], "weights": seen}


class Modes(torch.nn.Module):
    """As many of Kaggle: an image, positions of modes and their scores."""

    def __init__(self):
        super().__init__()
        self.image = torch.nn.Conv2d(5, 3 * 4 * 2 + 3, 3, stride=4)

    def forward(self, image):
        out = self.image(image).mean((2, 3))
        return out[:, :24].view(-1, 3, 4, 2), out[:, 24:]


@pytest.fixture(scope="module")
def batch(goldens):
    configs = json.loads((goldens / "manifest.json").read_text())["configs"]
    config = configs["B_box"]
    samples = Samples(str(goldens / "inputs/single_scene.zarr"), config)
    arrays = samples[2:8].arrays
    image = np.ascontiguousarray(arrays["image"][:, :5])
    return {**arrays, "image": image}


def predicted(path, batch, tmp_path):
    """Outputs in the world, by onnxruntime."""
    if not NEWEST.exists():
        pytest.skip(f"{NEWEST}: not found")
    given, found = tmp_path / "given.npz", tmp_path / "found.npz"
    np.savez(given, **{k: v for k, v in batch.items() if np.asarray(v).dtype != object})
    command = [NEWEST, "-c", PREDICTS, path, given, found]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": ""})
    return dict(np.load(found))


def in_world(positions, batch):
    """(B, K, T, 2) metres, by matrices."""
    turned = np.einsum("bij,bktj->bkti", batch["world_from_agent"][:, :2, :2], positions)
    return turned + batch["world_from_agent"][:, None, None, :2, 2]


@pytest.mark.parametrize("count", [1, 6])
def test_a_model_of_dicts(batch, tmp_path, count):
    torch.manual_seed(1)
    model = Planner()
    path = tmp_path / "planner.onnx"
    export_onnx(model, batch, path)
    assert model.training
    some = {key: np.asarray(value)[:count] for key, value in batch.items()}
    found = predicted(path, some, tmp_path)
    model.eval()
    keys = ("image", "history_positions")
    tensors = {key: torch.from_numpy(some[key].copy()) for key in keys}
    with torch.no_grad():
        wanted = model(tensors)
    positions = wanted["positions"].numpy().astype(float)[:, None]
    assert found["positions"].shape == (count, 1, 6, 2)
    assert np.abs(found["positions"] - in_world(positions, some)).max() < 1e-4
    yaws = wanted["yaws"].numpy()[..., 0] + some["yaw"][:, None]
    assert np.abs(found["yaws"][:, 0] - yaws).max() < 1e-5


def test_a_model_of_tensors(batch, tmp_path):
    torch.manual_seed(2)
    model = Modes().eval()
    path = tmp_path / "modes.onnx"
    export_onnx(model, batch, path, inputs=["image"], settings={"name": "three modes"})
    assert not model.training
    assert path.read_bytes().endswith(b'"name": "three modes"}')
    found = predicted(path, batch, tmp_path)
    with torch.no_grad():
        positions, scores = model(torch.from_numpy(batch["image"].copy()))
    wanted = in_world(positions.numpy().astype(float), batch)
    assert np.abs(found["positions"] - wanted).max() < 1e-4
    assert np.abs(found["confidences"] - torch.softmax(scores, 1).numpy()).max() < 1e-6


def test_what_cannot_be_exported_is_named(batch, tmp_path):
    path = tmp_path / "x.onnx"

    class Weights(torch.nn.Module):
        def forward(self, given):
            return {"attention": given["history_positions"]}

    class Nothing(torch.nn.Module):
        def forward(self, given):
            return {"positions": torch.zeros(6, 4, 2)}

    class Transformed(torch.nn.Module):
        def forward(self, given):
            return {"positions": torch.fft.fft(given["history_positions"]).real}

    class Frozen(torch.nn.Module):
        def forward(self, given):
            count = len(given["yaw"])
            return {"positions": given["history_positions"].reshape(count, 2, -1)[..., :4]}

    one = {key: np.asarray(value)[0] for key, value in batch.items()}
    for model, given, options, message in [
        (Weights(), batch, {}, r"no outputs of futures \(found \['attention'\]"),
        (Nothing(), batch, {}, "reads no array"),
        (Modes(), batch, {"inputs": ["images"]}, "no array images"),
        (Modes(), one, {"inputs": ["image"]}, "no batch"),
        (Transformed(), batch, {}, "PyTorch cannot export the model"),
        (Frozen(), batch, {}, "other outputs for one sample than for 6"),
    ]:
        with pytest.raises(InvalidArgument, match=message):
            export_onnx(model, given, path, **options)
    assert list(tmp_path.iterdir()) == []
