"""bevscope.model: what feeds models, and their outputs in the world."""

import json
import sys

import numpy as np
import pytest

from bevscope import Closed, InvalidArgument, NotFound, Samples, Unsupported, _core
from bevscope.model import Model

#: A subject at (100, 50), turned by a quarter to the left.
SAMPLE = {
    "world_from_agent": np.array([[0, -1, 100], [1, 0, 50], [0, 0, 1]], float),
    "centroid": np.array([100.0, 50.0]),
    "yaw": np.float64(1.5),
    "history_positions": np.array([[0, 0], [-2, 0]], np.float32),
    "timestamp": np.int64(7),
}
SETTINGS = {"format": "bevscope-model", "version": 1}


def ahead(inputs):
    batch = len(inputs["yaw"])
    assert inputs["history_positions"].shape == (batch, 2, 2)
    return {"positions": np.tile([[1.0, 0.0], [2.0, 0.0]], (batch, 1, 1))}


def test_a_function_predicts_in_the_world():
    with Model.open(ahead) as model:
        assert model.name == "ahead"
        assert model.contract is None
        found = model.predict(SAMPLE)
        assert found.positions.tolist() == [[[[100, 51], [100, 52]]]]
        assert found.confidences.tolist() == [[1]]
        assert found.yaws is None
        assert model.contract["outputs"]["positions"] == "positions"
    model.close()
    with pytest.raises(Closed, match="ahead: closed"):
        model.predict(SAMPLE)


def test_batches_modes_and_yaws():
    batch = {key: np.stack([value, value]) for key, value in SAMPLE.items()}

    def modes(inputs):
        assert inputs["timestamp"].tolist() == [7, 7]
        return {
            "pred": np.zeros((2, 3, 4, 3), np.float32),
            "logits": np.log([[1, 1, 2]] * 2),
        }

    found = Model.open(modes, settings={**SETTINGS, "units": 0.5}).predict(batch)
    assert found.positions.shape == (2, 3, 4, 2)
    assert np.allclose(found.confidences, [[0.25, 0.25, 0.5]] * 2)
    assert np.all(found.yaws == 1.5)


def test_what_does_not_fit_is_named():
    def returning(value):
        return Model.open(lambda _: {"positions": value}, name="m")

    with pytest.raises(InvalidArgument, match="positions: not finite in 1 of 1 samples"):
        returning(np.full((1, 2, 2), np.nan)).predict(SAMPLE)
    with pytest.raises(InvalidArgument, match=r"m: output positions: not positions"):
        returning(np.zeros((1, 2, 7))).predict(SAMPLE)
    with pytest.raises(InvalidArgument, match="samples: no array yaw"):
        rest = {key: value for key, value in SAMPLE.items() if key != "yaw"}
        returning(np.zeros((1, 2, 2))).predict(rest)
    with pytest.raises(InvalidArgument, match="m: run failed: no server"):

        def failing(_):
            raise OSError("no server")

        Model.open(failing, name="m").predict(SAMPLE)
    with pytest.raises(InvalidArgument, match="model.json: fame: unknown key"):
        Model.open(ahead, settings={**SETTINGS, "fame": 1}).predict(SAMPLE)


def test_without_onnxruntime_or_file_an_error_says_so(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(Unsupported, match="onnxruntime is not installed"):
        Model.open(b"")
    monkeypatch.undo()
    pytest.importorskip("onnxruntime")
    with pytest.raises(NotFound, match=r"absent\.onnx: not found"):
        Model.open(tmp_path / "absent.onnx")


TYPES = {
    "<f4": "float32",
    "<f8": "float64",
    "<i8": "int64",
    "|u1": "uint8",
    "|b1": "bool",
}


@pytest.mark.parametrize("vectorized", [False, True])
def test_the_keys_of_real_samples_are_known(goldens, vectorized):
    """Every array of a sample can feed an input that declares its name, type and shape."""
    configs = json.loads((goldens / "manifest.json").read_text())["configs"]
    samples = Samples(
        str(goldens / "inputs/single_scene.zarr"),
        configs["V1" if vectorized else "B_box"],
        vectorized=vectorized,
        root=goldens / "inputs",
    )
    arrays = {key: np.asarray(value) for key, value in samples[3].items()}
    described = [
        {"name": key, "type": array.dtype.str, "shape": array.shape}
        for key, array in arrays.items()
        if array.dtype.str in TYPES
    ]
    inputs = [
        {**one, "type": TYPES[one["type"]], "shape": ["batch", *one["shape"]]}
        for one in described
    ]
    outputs = [{"name": "positions", "type": "float32", "shape": ["batch", 12, 2]}]
    text = json.dumps({"inputs": inputs, "outputs": outputs})
    contract = _core.ModelContract("m", text, None, "model.json")
    assert json.loads(contract.json())["vectorized"] is vectorized
    feeds = json.loads(contract.feeds(json.dumps(described), False))
    assert [feed["key"] for feed in feeds] == [one["name"] for one in inputs]
    assert len(feeds) >= 20
