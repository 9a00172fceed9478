"""A model of a notebook's kernel, which predicts in the viewer."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._errors import InvalidArgument
from .model import Model

#: Element types of arrays by their names in messages.
_TYPES = {
    "float32": "<f4",
    "float64": "<f8",
    "int32": "<i4",
    "int64": "<i8",
    "uint8": "|u1",
    "bool": "|b1",
}
#: Settings of inputs, which the kernel has read already.
_OF_INPUTS = ("inputs", "scale", "config", "vectorized")


class KernelModel:
    """Runs a model for messages, one at a time."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._lock = threading.Lock()

    def described(
        self,
        name: str | None,
        config: Mapping[str, Any] | None,
        image: str | None,
        vectorized: bool | None,
    ) -> dict[str, Any]:
        """What the viewer needs to make samples, and to understand outputs."""
        contract = self.model.contract or {}
        settings = json.loads(self.model.settings or "null")
        if settings is not None:
            settings = {k: v for k, v in settings.items() if k not in _OF_INPUTS}
        return {
            "name": name or self.model.name,
            "config": config if config is not None else contract.get("config"),
            "image": image or contract.get("image", "none"),
            "vectorized": (
                contract.get("vectorized", False) if vectorized is None else vectorized
            ),
            "settings": settings,
        }

    def answer(
        self, sent: Sequence[Mapping[str, Any]], buffers: Sequence[Any]
    ) -> tuple[list[dict[str, Any]], list[bytes]]:
        """Runs the model on arrays of a message; returns outputs for one."""
        if len(sent) != len(buffers):
            raise InvalidArgument(f"predict: {len(sent)} arrays, {len(buffers)} buffers")
        arrays = {
            str(one["name"]): np.frombuffer(buffer, _TYPES[one["type"]]).reshape(
                one["dims"]
            )
            for one, buffer in zip(sent, buffers, strict=True)
        }
        with self._lock:
            outputs = self.model.run(arrays)
        described, made = [], []
        for name, array in outputs.items():
            is_single = array.dtype == np.float32
            values = np.ascontiguousarray(array, "<f4" if is_single else "<f8")
            kind = "float32" if is_single else "float64"
            described.append({"name": name, "type": kind, "dims": list(array.shape)})
            made.append(values.tobytes())
        return described, made
