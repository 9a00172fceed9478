"""Exports a network of L5Kit, and compares onnxruntime with PyTorch.

Usage: python with_l5kit.py exported.py TOWN FOLDER planning|multimodal|vectorized|unroll
"""

import sys
import types
from pathlib import Path

import numpy as np
import onnxruntime
import torch
import yaml

import bevscope
from bevscope.model import Model, export_onnx

# l5kit.environment registers itself.
sys.modules["gym"].envs = types.SimpleNamespace(register=lambda **_: None)

from l5kit.planning.rasterized.model import RasterizedPlanningModel  # noqa: E402
from l5kit.planning.rasterized.multimodal_model import (  # noqa: E402
    RasterizedMultiModalPlanningModel,
)
from l5kit.planning.vectorized.closed_loop_model import VectorizedUnrollModel  # noqa: E402
from l5kit.planning.vectorized.open_loop_model import VectorizedModel  # noqa: E402

HISTORY, FUTURE, CHANNELS = 2, 3, 9


def network(name):
    loss, weights = torch.nn.L1Loss(reduction="none"), [1.0, 1.0, 1.0]
    if name == "planning":
        shape = ("simple_cnn", CHANNELS, 3 * FUTURE)
        return RasterizedPlanningModel(*shape, weights, loss, pretrained=False)
    if name == "multimodal":
        shape = ("simple_cnn", CHANNELS, FUTURE, 3, 3)
        return RasterizedMultiModalPlanningModel(*shape, weights, loss, pretrained=False)
    options = {
        "history_num_frames_ego": HISTORY,
        "history_num_frames_agents": HISTORY,
        "num_targets": 3 * FUTURE,
        "weights_scaling": weights,
        "criterion": loss,
        "global_head_dropout": 0.0,
        "disable_other_agents": False,
        "disable_map": False,
        "disable_lane_boundaries": True,
    }
    if name == "vectorized":
        return VectorizedModel(**options)
    return VectorizedUnrollModel(
        **options,
        detach_unroll=True,
        warmup_num_frames=0,
        discount_factor=1.0,
        limit_predicted_yaw=True,
    )


def main(town, folder, name):
    torch.manual_seed(2)
    torch.set_num_threads(1)
    config = yaml.safe_load(Path(town, "config.yaml").read_text())
    names = ("", "_ego", "_agents")
    config["model_params"].update({f"history_num_frames{of}": HISTORY for of in names})
    config["model_params"]["future_num_frames"] = FUTURE
    config["raster_params"]["raster_size"] = [112, 112]
    samples = bevscope.Samples(
        f"{town}/scenes/town.zarr",
        config,
        vectorized=name in ("vectorized", "unroll"),
        root=town,
    )
    model, path = network(name).eval(), f"{folder}/{name}.onnx"
    forwards = [type(one).forward for one in model.modules()]
    batch = samples.batch(range(60, 64))
    export_onnx(model, batch, path, settings={"config": config})
    assert [type(one).forward for one in model.modules()] == forwards
    assert not any("forward" in vars(one) for one in model.modules())
    with Model.open(path) as opened:
        assert opened.predict(batch).positions.shape[0] == 4
        print(opened.contract["outputs"], opened.contract["readsFuture"])
    session = onnxruntime.InferenceSession(path)
    for count in (4, 1, 3):
        part = {key: value[:count] for key, value in batch.items()}
        feeds = {one.name: np.array(part[one.name]) for one in session.get_inputs()}
        names = [one.name for one in session.get_outputs()]
        found = dict(zip(names, session.run(None, feeds)))
        tensors = {
            key: torch.from_numpy(np.array(value))
            for key, value in part.items()
            if value.dtype.kind in "bif"
        }
        with torch.no_grad():
            wanted = model(tensors)
        compared = [one for one in names if one in wanted]
        assert len(compared) >= 2, names
        for one in compared:
            error = np.abs(found[one] - wanted[one].numpy()).max()
            assert error < 1e-4, (name, one, count, error)
    print(f"{name}: batches of 4, 1 and 3 are equal")


if __name__ == "__main__":
    main(*sys.argv[1:])
