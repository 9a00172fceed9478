"""The data set with one sample per selected agent."""

from __future__ import annotations

import bisect
from typing import Any

import numpy.typing as npt

from ..data.zarr_dataset import ChunkedDataset
from .ego import _FRAMES, EgoDataset, Sample
from .mask import MaskedAgents
from .utils import AGENT_MIN_FRAME_FUTURE, AGENT_MIN_FRAME_HISTORY

MIN_FRAME_HISTORY = AGENT_MIN_FRAME_HISTORY
MIN_FRAME_FUTURE = AGENT_MIN_FRAME_FUTURE


class AgentDataset(MaskedAgents, EgoDataset):
    """One sample per agent that the mask selects, centred on it."""

    def __init__(
        self,
        cfg: dict[str, Any],
        zarr_dataset: ChunkedDataset,
        rasterizer: Any,
        perturbation: Any = None,
        agents_mask: Any = None,
        min_frame_history: int = MIN_FRAME_HISTORY,
        min_frame_future: int = MIN_FRAME_FUTURE,
    ) -> None:
        assert perturbation is None, "AgentDataset does not support perturbation (yet)"
        super().__init__(cfg, zarr_dataset, rasterizer, perturbation)
        self.set_mask(agents_mask, min_frame_history, min_frame_future)

    def __len__(self) -> int:
        return len(self.agents_indices)

    def _native_options(self) -> dict[str, Any] | None:
        options = super()._native_options()
        if options is not None:
            options.update(kind="agent", mask=self.agents_mask)
        return options

    def __getitem__(self, index: int) -> Sample:
        native = self._native()
        if native is not None and 0 <= index < len(native) and self._builds_batches():
            return native[index]
        row = int(self.agents_indices[self._index(index)])
        track_id = self.dataset.agents[row]["track_id"]
        frame = bisect.bisect_right(self.cumulative_sizes_agents, row)
        return self.get_frame(*self._place(frame), track_id=track_id)

    def _builds_batches(self) -> bool:
        own = type(self).__getitem__ is AgentDataset.__getitem__
        return own and type(self).get_frame in _FRAMES and self._native() is not None

    def get_scene_dataset(self, scene_index: int) -> AgentDataset:
        scene = self.dataset.get_scene_dataset(scene_index)
        mask = self.scene_mask(scene_index)
        return AgentDataset(self.cfg, scene, self.rasterizer, self.perturbation, mask)

    def get_scene_indices(self, scene_idx: int) -> npt.NDArray[Any]:
        return self.items_of_scene(scene_idx)

    def get_frame_indices(self, frame_idx: int) -> npt.NDArray[Any]:
        count = len(self.dataset.frames)
        assert frame_idx < count, f"frame {frame_idx} is out of range ({count})"
        return self.items_of_frame(frame_idx)
