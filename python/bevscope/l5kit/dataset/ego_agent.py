"""Vectorized samples in which the ego vehicle is one of the agents."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.filter import get_frames_slice_from_scenes
from ..data.zarr_dataset import ChunkedDataset
from ..sampling.agent_sampling import get_agent_context
from ..sampling.native import samples_of, window
from .ego import EgoDatasetVectorized, Sample
from .mask import MaskedAgents
from .utils import AGENT_MIN_FRAME_FUTURE, AGENT_MIN_FRAME_HISTORY

#: The frame that evaluation samples.
EVAL_FRAME = 99


class EgoAgentDatasetVectorized(MaskedAgents, EgoDatasetVectorized):
    """One sample per frame, or per scene with eval_mode, which then lists the tracks of
    the agents that the mask selects."""

    def __init__(
        self,
        cfg: dict[str, Any],
        zarr_dataset: ChunkedDataset,
        vectorizer: Any,
        perturbation: Any = None,
        agents_mask: Any = None,
        eval_mode: bool = False,
    ) -> None:
        super().__init__(cfg, zarr_dataset, vectorizer, perturbation)
        self.eval_mode = eval_mode
        self.vectorizer.other_agents_num -= 1  # the ego vehicle takes its place
        self.set_mask(agents_mask, AGENT_MIN_FRAME_HISTORY, AGENT_MIN_FRAME_FUTURE)

    def _config(self) -> dict[str, Any]:
        raster = self.cfg["raster_params"]
        config: dict[str, Any] = self.vectorizer.config(
            self.cfg["model_params"],
            raster["filter_agents_threshold"],
            faces=not raster["disable_traffic_light_faces"],
        )
        config["data_generation_params"]["other_agents_num"] += 1
        return config

    def _native_options(self) -> dict[str, Any] | None:
        if self.perturbation is not None and not self._perturbs_natively():
            return None
        return {
            "config": self._config(),
            "kind": "ego_agent",
            "map": self.vectorizer.mapAPI.map,
        }

    def __len__(self) -> int:
        return len(self.dataset.scenes if self.eval_mode else self.dataset.frames)

    def _combined(self, scene_index: int, state_index: int) -> Sample:
        native = self._native()
        if native is not None and self.perturbation is None:
            return native.track(int(scene_index), int(state_index), None)
        scene = self.dataset.scenes[scene_index]
        if native is not None:
            first = int(scene["frame_index_interval"][0])
            return self._moved([first + int(state_index)])[0]
        frames = self.dataset.frames[get_frames_slice_from_scenes(scene)]
        rows = window(frames, self.dataset.agents, self.dataset.tl_faces, 0, len(frames))
        self._perturb(rows, state_index)
        made = samples_of(
            *rows, self._config(), kind="ego_agent", map=self.vectorizer.mapAPI.map
        ).track(0, state_index, None)
        made["scene_index"] = scene_index
        return made

    def _perturb(self, rows: tuple[Any, Any, Any], state_index: int) -> None:
        """Perturbs the poses of frames, if there is a perturbation."""
        model, (frames, agents, faces) = self.cfg["model_params"], rows
        if self.perturbation is None:
            return
        history = max(model["history_num_frames_ego"], model["history_num_frames_agents"])
        past, coming, *_ = get_agent_context(
            state_index, frames, agents, faces, history, model["future_num_frames"]
        )
        if len(coming) != model["future_num_frames"]:
            return
        past, coming = self.perturbation.perturb(history_frames=past, future_frames=coming)
        moved = np.concatenate((past[::-1], coming))
        span = slice(state_index + 1 - len(past), state_index + 1 + len(coming))
        for field in ("ego_translation", "ego_rotation"):
            frames[field][span] = moved[field]

    def _builds_batches(self) -> bool:
        own = type(self).__getitem__ is EgoAgentDatasetVectorized.__getitem__
        return own and not self.eval_mode and self._native() is not None

    def __getitem__(self, index: int) -> Sample:
        at = self._index(index)
        if not self.eval_mode:
            return self._combined(*self._place(at))
        data = self._combined(at, EVAL_FRAME)
        rows = self.agents_indices[self.items_of_scene(at)]
        tracks = self.dataset.agents[rows]["track_id"]
        listed = np.zeros(50)
        listed[: len(tracks)] = tracks
        data["all_valid_agents_track_ids"] = listed
        return data

    def get_scene_dataset(self, scene_index: int) -> EgoAgentDatasetVectorized:
        scene = self.dataset.get_scene_dataset(scene_index)
        mask = self.scene_mask(scene_index)
        return EgoAgentDatasetVectorized(
            self.cfg, scene, self.vectorizer, self.perturbation, mask
        )

    def get_scene_indices(self, scene_idx: int) -> npt.NDArray[Any]:
        return self.items_of_scene(scene_idx)

    def get_frame_indices(self, frame_idx: int) -> npt.NDArray[Any]:
        return self.items_of_frame(frame_idx)
