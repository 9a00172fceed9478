"""torch.utils.data.Dataset, or a stand-in where PyTorch is not installed."""

from __future__ import annotations

from typing import Any

try:
    from torch.utils.data import Dataset
except ImportError:

    class Dataset:  # type: ignore[no-redef]
        """Base class without PyTorch."""

        def __class_getitem__(cls, _: Any) -> Any:
            return cls


__all__ = ["Dataset"]
