"""The agents of a data set that are items."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.zarr_array import WritableArray
from ..data.zarr_dataset import ChunkedDataset
from .select_agents import (
    TH_DISTANCE_AV,
    TH_EXTENT_RATIO,
    TH_YAW_DEGREE,
    _rules,
    mask_of_rules,
    select_agents,
)
from .utils import AGENT_MIN_FRAME_FUTURE, AGENT_MIN_FRAME_HISTORY


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=4)


class MaskedAgents:
    """The parts of data sets that select agents by a mask."""

    cfg: dict[str, Any]
    dataset: ChunkedDataset

    def set_mask(self, mask: Any, min_history: int, min_future: int) -> None:
        """Sets agents_mask and the indices that follow from it."""
        if mask is None:
            counts = self.load_agents_mask()
            mask = (counts[:, 0] >= min_history) & (counts[:, 1] >= min_future)
            if min_history != AGENT_MIN_FRAME_HISTORY:
                _warn(f"you're running with custom min_frame_history of {min_history}")
            if min_future != AGENT_MIN_FRAME_FUTURE:
                _warn(f"you're running with custom min_frame_future of {min_future}")
        else:
            _warn("you're running with a custom agents_mask")
        self.agents_mask = mask
        self.agents_indices = np.nonzero(mask)[0]
        self.mask_indices = np.full(len(mask), -1, np.int64)
        self.mask_indices[self.agents_indices] = np.arange(len(self.agents_indices))
        self.cumulative_sizes_agents = self.dataset.frames["agent_index_interval"][:, 1]

    def load_agents_mask(self) -> npt.NDArray[np.uint32]:
        """Returns the stored counts (n, 2), which are made if there are none."""
        threshold = self.cfg["raster_params"]["filter_agents_threshold"]
        name = f"agents_mask/{threshold}"
        path = self.dataset.path
        folder = Path(path) / name
        if not folder.exists():
            _warn(
                f"cannot find the right config in {path},\n"
                f"your cfg has loaded filter_agents_threshold={threshold};\n"
                "but that value doesn't have a match among the agents_mask in the zarr\n"
                "Mask will now be generated for that parameter."
            )
            limits = (threshold, TH_YAW_DEGREE, TH_EXTENT_RATIO, TH_DISTANCE_AV)
            try:
                select_agents(self.dataset, *limits)
            except OSError as error:
                _warn(f"{folder}: not written: {error}")
                return mask_of_rules(self.dataset, _rules(*limits))
        return np.asarray(WritableArray(folder.parent, str(threshold)))

    def scene_mask(self, scene_index: int) -> npt.NDArray[Any]:
        """Returns the mask of a scene's agents."""
        begin, end = self.dataset.scenes[scene_index]["frame_index_interval"]
        first = self.dataset.frames[int(begin)]["agent_index_interval"][0]
        last = self.dataset.frames[int(end) - 1]["agent_index_interval"][1]
        mask: npt.NDArray[Any] = self.agents_mask[first:last].copy()
        return mask

    def items_of_scene(self, scene_idx: int) -> npt.NDArray[Any]:
        """Returns the items whose agents belong to a scene."""
        scenes = self.dataset.scenes
        assert scene_idx < len(scenes), f"scene {scene_idx} is out of range ({len(scenes)})"
        begin, end = (int(v) for v in scenes[scene_idx]["frame_index_interval"])
        first = int(self.cumulative_sizes_agents[begin - 1]) if begin else 0
        last = int(self.cumulative_sizes_agents[end - 1])
        return self._items_between(first, last)

    def items_of_frame(self, frame_idx: int) -> npt.NDArray[Any]:
        """Returns the items whose agents belong to a frame."""
        first = int(self.cumulative_sizes_agents[frame_idx - 1]) if frame_idx else 0
        return self._items_between(first, int(self.cumulative_sizes_agents[frame_idx]))

    def _items_between(self, first: int, last: int) -> npt.NDArray[Any]:
        items = self.mask_indices[first:last]
        return items[items != -1]
