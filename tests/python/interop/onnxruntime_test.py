"""bevscope.model with onnxruntime: outputs are those of the operators, in the world."""

import json

import numpy as np
import pytest
from protobuf import varint

from bevscope import InvalidArgument, Samples
from bevscope.model import Model

pytest.importorskip("onnxruntime")

STEPS = 12


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def content(field: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(data)) + data


def tensor(name: str, shape: list[int | None]) -> bytes:
    """A float32 input or output; an axis of any length is None."""
    axes = [content(2, "n") if n is None else number(1, n) for n in shape]
    shaped = content(2, b"".join(content(1, axis) for axis in axes))
    return content(1, name) + content(2, content(1, number(1, 1) + shaped))


def velocity_model(past: int, metadata: str | None = None) -> bytes:
    """p + k (p - q) of the current and the previous position, for k = 1 to STEPS."""
    weights = np.zeros((STEPS, past), np.float32)
    weights[:, 0] = np.arange(STEPS) + 2
    weights[:, 1] = -np.arange(STEPS) - 1
    node = content(1, "w") + content(1, "history_positions")
    node += content(2, "positions") + content(4, "MatMul")
    constant = number(1, STEPS) + number(1, past) + number(2, 1)
    constant += content(8, "w") + content(9, weights.tobytes())
    graph = content(1, node) + content(2, "graph") + content(5, constant)
    graph += content(11, tensor("history_positions", [None, past, 2]))
    graph += content(12, tensor("positions", [None, STEPS, 2]))
    out = number(1, 8) + content(7, graph) + content(8, number(2, 17))
    if metadata is not None:
        out += content(14, content(1, "bevscope") + content(2, metadata))
    return out


@pytest.fixture(scope="module")
def samples(goldens):
    configs = json.loads((goldens / "manifest.json").read_text())["configs"]
    path = str(goldens / "inputs/single_scene.zarr")
    return Samples(path, configs["B_stub"], image="none")


def test_predictions_of_samples_and_batches(samples, tmp_path):
    past = samples[0]["history_positions"].shape[0]
    path = tmp_path / "velocity.onnx"
    path.write_bytes(velocity_model(past))
    model = Model.open(path)
    assert model.contract["inputs"][0]["shape"] == f"(n, {past}, 2)"
    batch = model.predict(samples[[3, 20, 60]])
    for i, item in enumerate([3, 20, 60]):
        sample = samples[item]
        now, before = np.float64(sample["history_positions"][:2])
        local = now + np.arange(1, STEPS + 1)[:, None] * (now - before)
        matrix = sample["world_from_agent"]
        wanted = local @ matrix[:2, :2].T + matrix[:2, 2]
        found = model.predict(sample)
        assert np.abs(found.positions[0, 0] - wanted).max() < 1e-4
        assert np.abs(batch.positions[i, 0] - wanted).max() < 1e-4


def test_settings_in_the_metadata_are_read(samples):
    past = samples[0]["history_positions"].shape[0]
    settings = {"format": "bevscope-model", "version": 1, "name": "inside"}
    model = Model.open(velocity_model(past, json.dumps(settings)))
    assert model.contract["name"] == "inside"


def test_damaged_files_are_refused():
    with pytest.raises(InvalidArgument, match=r"model\.onnx: cannot be loaded: "):
        Model.open(velocity_model(11)[:100])
    with pytest.raises(InvalidArgument, match="a: cannot be loaded"):
        Model.open(b"text", name="a")
