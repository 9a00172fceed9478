"""The vectorizer of a config."""

from __future__ import annotations

from typing import Any

from ..data.local_data_manager import DataManager
from ..data.map_api import MapAPI
from .vectorizer import Vectorizer


def build_vectorizer(cfg: dict[str, Any], data_manager: DataManager) -> Vectorizer:
    """Returns the vectorizer with the map that a config names."""
    return Vectorizer(cfg, MapAPI.from_cfg(data_manager, cfg))
