"""Small conversions of samples; need PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

AGENT_MIN_FRAME_HISTORY = 10
AGENT_MIN_FRAME_FUTURE = 1
kMaxStrLength = 70


def convert_str_to_fixed_length_tensor(string: str, max_length: int = kMaxStrLength) -> Any:
    """Returns an ASCII text as uint8 tensor, padded with zeros."""
    import torch

    assert len(string) <= max_length, f"text: longer than {max_length}: {string}"
    assert "\0" not in string, f"text: contains a zero: {string}"
    padded = np.zeros(max_length, np.uint8)
    padded[: len(string)] = np.frombuffer(string.encode("ascii"), np.uint8)
    return torch.from_numpy(padded)


def move_to_device(data: dict[str, Any], device: Any) -> dict[str, Any]:
    """Returns the tensors on a device."""
    return {key: tensor.to(device) for key, tensor in data.items()}


def move_to_numpy(data: dict[str, Any]) -> dict[str, Any]:
    """Returns the tensors as NumPy arrays."""
    return {key: tensor.cpu().numpy() for key, tensor in data.items()}
