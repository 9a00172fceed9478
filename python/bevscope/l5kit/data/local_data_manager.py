"""Finds files below a data folder."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path

L5KIT_DATA_FOLDER_ENV_KEY = "L5KIT_DATA_FOLDER"


class DataManager(ABC):
    """Turns keys into paths."""

    @abstractmethod
    def require(self, key: str) -> str:
        """Returns the path of an existing file or folder."""


class LocalDataManager(DataManager):
    """Resolves keys against a folder, by default the one that the environment variable
    L5KIT_DATA_FOLDER names."""

    def __init__(self, local_data_folder: str | Path | None = None) -> None:
        folder = local_data_folder
        if folder is None:
            folder = os.environ.get(L5KIT_DATA_FOLDER_ENV_KEY)
        if folder is None:
            raise ValueError(
                f"data folder: not given, and {L5KIT_DATA_FOLDER_ENV_KEY} is not set"
            )
        self.root_folder = Path(folder)

    def require(self, key: str) -> str:
        path = self.root_folder / key
        if not path.exists():
            raise FileNotFoundError(f"{key}: not found in data folder {self.root_folder}")
        return str(path)
