"""Models that predict futures from L5Kit's samples: ONNX files, by onnxruntime, or
functions."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _checks, _core
from ._data.batch import Batch
from ._errors import Closed, InvalidArgument, NotFound, OutOfMemory, Unsupported
from ._model_export import export_onnx as export_onnx

Floats = npt.NDArray[np.float64]
Arrays = dict[str, npt.NDArray[Any]]
#: Receives all arrays of a batch by key, and returns outputs by name.
Predict = Callable[[Arrays], Mapping[str, npt.ArrayLike]]

#: Keys of samples that converting outputs to the world needs.
_POSES = ("world_from_agent", "centroid", "yaw")
_DTYPES: dict[str, np.dtype[Any]] = {
    "float16": np.dtype("f2"),
    "float32": np.dtype("f4"),
    "float64": np.dtype("f8"),
    "int32": np.dtype("i4"),
    "int64": np.dtype("i8"),
    "uint8": np.dtype("u1"),
    "bool": np.dtype("?"),
}
_MAX_BYTES = 256 * 2**20


@dataclass(frozen=True)
class PredictedFutures:
    """Futures that a model predicted for B subjects: K modes of T steps."""

    #: (B, K, T, 2): metres in the world.
    positions: Floats
    #: (B, K, T): radians in the world, not wrapped; None if the model has none.
    yaws: Floats | None
    #: (B, K); the modes of a subject sum to 1.
    confidences: Floats


class Model:
    """A model that predicts futures from samples (docs/models.md). Open only files that you
    trust: onnxruntime has no limits of memory and time."""

    def __init__(
        self,
        run: Predict,
        *,
        name: str,
        settings: str | None,
        signature: Mapping[str, Any] | None,
    ) -> None:
        self._run: Predict | None = run
        self._name = name
        #: JSON text of what the file does not say; None without.
        self.settings = settings
        self._declares = signature is not None
        self._core = None if signature is None else self._bound(signature)
        #: Path of the file; None for bytes and functions.
        self.path: str | None = None

    @classmethod
    def open(
        cls,
        source: str | os.PathLike[str] | bytes | Predict,
        *,
        name: str | None = None,
        settings: Mapping[str, Any] | str | None = None,
        providers: Sequence[str] = ("CPUExecutionProvider",),
        threads: int = 0,
    ) -> Model:
        """Opens a model.

        Raises InvalidArgument if its inputs or outputs are not understood, with what was
        expected; Unsupported without the package onnxruntime; NotFound for a missing file.

        Args:
            source: path or bytes of an ONNX file; or a function, which receives all arrays
                of a batch by key and returns outputs by name.
            name: of the model in messages; by default the file's.
            settings: what the file does not say, or its JSON text; by default what is in
                the file's metadata, by the key `bevscope`.
            providers: onnxruntime's, such as "CUDAExecutionProvider".
            threads: of onnxruntime; by default one per processor.
        """
        text = json.dumps(dict(settings)) if isinstance(settings, Mapping) else settings
        if callable(source):
            named = name or str(getattr(source, "__name__", "model"))
            return cls(source, name=named, settings=text, signature=None)
        content: str | bytes
        if isinstance(source, bytes):
            named, content = name or "model.onnx", source
        else:
            path = os.path.expanduser(os.fspath(source))
            named, content = name or os.path.basename(path), path
        threads = _checks.integer("model: threads", threads)
        session = _session(content, named, list(providers), threads)
        if text is None:
            found = session.get_modelmeta().custom_metadata_map
            text = found.get("bevscope")
        signature = {
            "inputs": [_declared(one) for one in session.get_inputs()],
            "outputs": [_declared(one) for one in session.get_outputs()],
        }
        names = [one["name"] for one in signature["outputs"]]

        def run(inputs: Arrays) -> Mapping[str, npt.ArrayLike]:
            return dict(zip(names, session.run(None, inputs), strict=True))

        made = cls(run, name=named, settings=text, signature=signature)
        made.path = content if isinstance(content, str) else None
        return made

    @property
    def name(self) -> str:
        """Name in messages: the file's."""
        return self._name

    @property
    def contract(self) -> dict[str, Any] | None:
        """What the model takes and gives; of a function, None until it has answered."""
        return None if self._core is None else dict(json.loads(self._core.json()))

    def predict(self, samples: Mapping[str, Any] | Batch) -> PredictedFutures:
        """Predicts the futures of the subjects of a sample or a batch, such as
        `samples[2:8]`.

        Raises InvalidArgument for samples that do not fit the model, and for outputs that
        are not finite or of another shape.
        """
        core, answer = self._answered(samples)
        return PredictedFutures(*core.in_world(answer))

    def _first_steps(self, samples: Mapping[str, Any]) -> tuple[Floats, Floats]:
        """Where a closed loop moves the subjects of a batch, relative to their poses:
        metres (B, 2) and radians (B)."""
        core, answer = self._answered(samples)
        positions, yaws = core.first_steps(answer)
        return positions, yaws

    def _answered(self, samples: Mapping[str, Any] | Batch) -> tuple[Any, Any]:
        """Runs the model; returns its contract, and its answer for the contract."""
        if self._run is None:
            raise Closed(f"{self._name}: closed")
        given = samples.arrays if isinstance(samples, Batch) else samples
        arrays = {key: np.asarray(value) for key, value in given.items()}
        for key in _POSES:
            if key not in arrays:
                raise InvalidArgument(f"samples: no array {key}")
        batched = arrays["yaw"].ndim == 1
        outputs = self._answer(self._inputs(arrays, batched))
        core = self._core
        if core is None or not self._declares:
            core = self._core = self._bound(_signature_of(outputs))
        names = json.loads(core.json())["outputs"]
        values: list[Any] = []
        for part in ("positions", "confidences", "yaws"):
            found = outputs.get(names[part], np.empty(0)) if names[part] else np.empty(0)
            shape = list(found.shape) if found.size or found.ndim > 1 else []
            values += [np.ascontiguousarray(found, np.float64).ravel(), shape]
        poses = [np.ascontiguousarray(arrays[key], np.float64).ravel() for key in _POSES]
        return core, _core.ModelAnswer(*values, *poses)

    def run(self, arrays: Mapping[str, Any]) -> Arrays:
        """Returns the model's outputs for the arrays of a batch, by name, as they are."""
        if self._run is None:
            raise Closed(f"{self._name}: closed")
        given = {key: np.asarray(value) for key, value in arrays.items()}
        return self._answer(self._inputs(given, True))

    def close(self) -> None:
        """Frees the model; idempotent."""
        self._run = None

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _bound(self, signature: Mapping[str, Any]) -> Any:
        text = json.dumps(signature)
        return _core.ModelContract(self._name, text, self.settings, "model.json")

    def _inputs(self, arrays: Arrays, batched: bool) -> Arrays:
        if not self._declares or self._core is None:
            return arrays if batched else {k: a[None] for k, a in arrays.items()}
        described = [
            {"name": key, "type": array.dtype.str, "shape": array.shape}
            for key, array in arrays.items()
        ]
        feeds = json.loads(self._core.feeds(json.dumps(described), batched))
        inputs: Arrays = {}
        for i, feed in enumerate(feeds):
            values = arrays[feed["key"]]
            if feed["scaled"]:
                flat = np.ascontiguousarray(values, np.float32).ravel()
                values = self._core.normalised(i, flat, feed["shape"])
            inputs[feed["name"]] = np.ascontiguousarray(
                values, _DTYPES[feed["type"]]
            ).reshape(feed["shape"])
        return inputs

    def _answer(self, inputs: Arrays) -> Arrays:
        assert self._run is not None
        try:
            outputs = self._run(inputs)
        except MemoryError as error:
            raise OutOfMemory(f"{self._name}: out of memory") from error
        except Exception as error:
            raise InvalidArgument(f"{self._name}: run failed: {error}") from error
        return {name: _array(value) for name, value in outputs.items()}


def _array(value: Any) -> npt.NDArray[Any]:
    """An output as an array; also a tensor of PyTorch."""
    return np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)


def _session(content: str | bytes, name: str, providers: list[str], threads: int) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise Unsupported(
            f"{name}: the package onnxruntime is not installed (pip install onnxruntime)"
        ) from error
    if isinstance(content, str):
        if not os.path.isfile(content):
            raise NotFound(f"{name}: not found")
        _checks.integer(f"{name}: bytes", os.path.getsize(content), 0, _MAX_BYTES)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # errors are raised as well
    options.intra_op_num_threads = threads
    try:
        return onnxruntime.InferenceSession(content, options, providers=providers)
    except Exception as error:
        raise InvalidArgument(f"{name}: cannot be loaded: {error}") from error


def _declared(one: Any) -> dict[str, Any]:
    shape = [side if isinstance(side, (int, str)) else None for side in one.shape]
    # onnxruntime reports an unknown shape as that of a scalar.
    return {"name": one.name, "type": one.type, "shape": shape or None}


def _signature_of(outputs: Arrays) -> dict[str, Any]:
    return {
        "inputs": [],
        "outputs": [
            {"name": name, "type": array.dtype.str, "shape": array.shape}
            for name, array in outputs.items()
        ],
    }
