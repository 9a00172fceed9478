"""Writes PyTorch models that take L5Kit's samples as ONNX files."""

from __future__ import annotations

import inspect
import io
import json
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._data.batch import Batch
from ._errors import InvalidArgument, Unsupported
from ._l5kit_export import exportable

#: Outputs that futures are made of (docs/models.md); others are not part of the file.
_NAMES = (
    "positions",
    "positions_all",
    "pred",
    "confidences",
    "probabilities",
    "logits",
    "scores",
    "yaws",
    "yaws_all",
)


class _Sample(dict[str, Any]):
    """A sample that notes which of its arrays are read."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        super().__init__(arrays)
        self.read: list[str] = []

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        if key not in self.read:
            self.read.append(key)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self else default


def export_onnx(
    model: Any,
    samples: Mapping[str, Any] | Batch,
    path: str | os.PathLike[str],
    *,
    inputs: Sequence[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    opset: int = 15,
) -> None:
    """Writes a PyTorch model as an ONNX file for pages and `Model.open` (docs/models.md).

    The model runs on the samples in `eval` mode. What it reads of them becomes the file's
    inputs, with a batch of any length; its positions, confidences and yaws, by any of the
    names in docs/models.md, become the outputs.

    Raises Unsupported without the package torch; InvalidArgument if the model reads
    nothing, gives no outputs of these names, or cannot be exported.

    Args:
        model: an `nn.Module` that takes a dict of tensors by key, as L5Kit's do.
        samples: a batch of at least two, such as `samples[2:8]`.
        path: of the file; its name should end in `.onnx`.
        inputs: keys of samples if the model takes tensors, in their order, in place of a
            dict. It then gives positions, or positions and confidences.
        settings: of docs/models.md, such as `{"config": config}`: part of the file.
        opset: version of ONNX's operators.
    """
    try:
        import torch
    except ImportError as error:
        raise Unsupported("export_onnx: torch is not installed") from error
    arrays = samples.arrays if isinstance(samples, Batch) else samples
    given = {key: _tensor(torch, value) for key, value in arrays.items()}
    given = {key: value for key, value in given.items() if value is not None}
    count = _count(given)
    was_training = bool(model.training)
    model.eval()
    try:
        with torch.no_grad(), exportable(torch, model):
            keys, outputs = _run(model, given, inputs)
            named = {
                name: value
                for name, value in outputs.items()
                if value.ndim and value.shape[0] == count
            }
            wanted = _wanted(list(named), settings)
            if not wanted:
                raise InvalidArgument(
                    f"export_onnx: no outputs of futures (found {sorted(outputs)}, "
                    f"expected positions; or name them in settings)"
                )
            content = _exported(torch, model, given, keys, wanted, inputs, opset)
    finally:
        model.train(was_training)
    text = json.dumps({"format": "bevscope-model", "version": 1, **(settings or {})})
    _write(Path(os.path.expanduser(os.fspath(path))), content + _metadata("bevscope", text))


def _tensor(torch: Any, value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().cpu()
    array = np.asarray(value)
    if array.dtype == object or array.dtype.kind not in "biuf":
        return None
    unsigned = {
        np.dtype("u2"): np.int32,
        np.dtype("u4"): np.int64,
        np.dtype("u8"): np.int64,
    }
    return torch.from_numpy(
        np.ascontiguousarray(array.astype(unsigned.get(array.dtype, array.dtype)))
    )


def _count(given: Mapping[str, Any]) -> int:
    if "yaw" not in given or given["yaw"].ndim != 1 or given["yaw"].shape[0] < 2:
        raise InvalidArgument(
            "export_onnx: no batch (expected arrays of two samples or more, samples[2:8])"
        )
    return int(given["yaw"].shape[0])


def _run(
    model: Any, given: Mapping[str, Any], inputs: Sequence[str] | None
) -> tuple[list[str], dict[str, Any]]:
    """The keys that the model reads, and its outputs by name."""
    if inputs is not None:
        for key in inputs:
            if key not in given:
                raise InvalidArgument(f"export_onnx: samples have no array {key}")
        keys = list(inputs)
        return keys, _by_name(model(*(given[key].clone() for key in keys)))
    sample = _Sample({key: value.clone() for key, value in given.items()})
    outputs = _by_name(model(sample))
    if not sample.read:
        raise InvalidArgument("export_onnx: the model reads no array of the samples")
    return sample.read, outputs


def _by_name(found: Any) -> dict[str, Any]:
    if isinstance(found, Mapping):
        return {name: value for name, value in found.items() if hasattr(value, "ndim")}
    values = list(found) if isinstance(found, (tuple, list)) else [found]
    if len(values) > 2 or not all(hasattr(value, "ndim") for value in values):
        raise InvalidArgument(
            f"export_onnx: unknown outputs (found {len(values)} values, expected a dict, "
            f"positions, or positions and confidences)"
        )
    return dict(zip(("positions", "confidences"), values, strict=False))


def _wanted(names: list[str], settings: Mapping[str, Any] | None) -> list[str]:
    named = (settings or {}).get("outputs") or {}
    return [name for name in names if name in _NAMES or name in named.values()]


def _exported(
    torch: Any,
    model: Any,
    given: Mapping[str, Any],
    keys: list[str],
    wanted: list[str],
    inputs: Sequence[str] | None,
    opset: int,
) -> bytes:
    class Positional(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *tensors: Any) -> tuple[Any, ...]:
            # Models write into their batch, which inputs of a graph do not allow.
            copies = [tensor.clone() for tensor in tensors]
            if inputs is not None:
                outputs = _by_name(self.model(*copies))
            else:
                outputs = _by_name(self.model(dict(zip(keys, copies, strict=True))))
            return tuple(outputs[name] for name in wanted)

    options: dict[str, Any] = {
        "input_names": keys,
        "output_names": wanted,
        "dynamic_axes": {name: {0: "batch"} for name in [*keys, *wanted]},
        "opset_version": opset,
    }
    # The newer exporter needs packages that PyTorch does not install.
    if "dynamo" in inspect.signature(torch.onnx.export).parameters:
        options["dynamo"] = False
    out = io.BytesIO()
    tensors = tuple(given[key] for key in keys)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", torch.jit.TracerWarning)
        _check_batches(torch, Positional().eval(), tensors)
        try:
            torch.onnx.export(Positional().eval(), tensors, out, **options)
        except Exception as error:
            raise InvalidArgument(
                f"export_onnx: PyTorch cannot export the model: {error}"
            ) from error
    return out.getvalue()


def _check_batches(torch: Any, module: Any, tensors: tuple[Any, ...]) -> None:
    """Refuses a model whose trace holds for one length of the batch alone."""
    traced = torch.jit.trace(module, tensors, check_trace=False)
    one = tuple(tensor[:1] for tensor in tensors)
    try:
        same = all(
            a.shape == b.shape and torch.allclose(a, b, rtol=1e-3, atol=1e-3)
            for a, b in zip(traced(*one), module(*one), strict=True)
        )
    except RuntimeError:
        same = False
    if not same:
        raise InvalidArgument(
            f"export_onnx: the file would give other outputs for one sample than for "
            f"{tensors[0].shape[0]} (the model takes the length of the batch as a number: "
            f"expected tensor.shape[0], not len(tensor))"
        )


def _metadata(key: str, text: str) -> bytes:
    """An entry of the metadata, which may follow any field of a model (protobuf)."""

    def field(number: int, content: bytes) -> bytes:
        out = bytearray([number << 3 | 2])
        length = len(content)
        while length > 127:
            out.append(length & 127 | 128)
            length >>= 7
        return bytes([*out, length]) + content

    return field(14, field(1, key.encode()) + field(2, text.encode()))


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
