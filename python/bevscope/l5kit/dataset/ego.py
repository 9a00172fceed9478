"""Data sets with one sample per frame."""

from __future__ import annotations

import bisect
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _checks
from ..._data.batch import Batch
from ..._data.samples import Samples
from ..._errors import Unsupported
from ..data.filter import get_frames_slice_from_scenes
from ..data.zarr_dataset import ChunkedDataset
from ..kinematic.ackerman_perturbation import AckermanPerturbation
from ..rasterization.render_context import RenderContext
from ..sampling.agent_sampling import _draws, generate_agent_sample
from ..sampling.agent_sampling_vectorized import generate_agent_sample_vectorized
from .torch_dataset import Dataset
from .utils import kMaxStrLength

Sample = dict[str, Any]


class BaseEgoDataset(Dataset):  # type: ignore[type-arg,misc]
    """One sample per frame, centred on the ego vehicle.

    The core builds samples of a data set that was opened for reading. Where it cannot
    (rows in memory, a perturbation or a rasterizer of your own), sample_function builds
    them; results are equal.
    """

    perturbation: Any = None

    def __init__(self, cfg: dict[str, Any], zarr_dataset: ChunkedDataset) -> None:
        self.cfg = cfg
        self.dataset = zarr_dataset
        self.cumulative_sizes = zarr_dataset.scenes["frame_index_interval"][:, 1]
        self.sample_function = self._get_sample_function()
        self._samples: Samples | None = None

    def _get_sample_function(self) -> Callable[..., Sample]:
        raise NotImplementedError

    def _native_options(self) -> dict[str, Any] | None:
        """Returns the options of the core's samples; None if it cannot build them."""
        return None

    def native_options(self) -> dict[str, Any] | None:
        """Returns options with which the core builds what get_frame() and items return;
        None if it cannot, or if a class of its own builds them or perturbs."""
        own = type(self).__getitem__ is not BaseEgoDataset.__getitem__
        if own or type(self).get_frame not in _FRAMES or self.perturbation is not None:
            return None
        return self._native_options()

    def _native(self) -> Samples | None:
        if not self.dataset.is_stored():
            return None
        if self._samples is None:
            options = self._native_options()
            if options is not None:
                self._samples = Samples(self.dataset.dataset, **options)
        return self._samples

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["_samples"] = None
        return state

    def __len__(self) -> int:
        return len(self.dataset.frames)

    def get_frame(
        self, scene_index: int, state_index: int, track_id: int | None = None
    ) -> Sample:
        """Returns the sample of the ego vehicle, or of a track, in a frame of a scene."""
        native = self._native()
        if native is not None and self.perturbation is None:
            return native.track(int(scene_index), int(state_index), _plain(track_id))
        scene = self.dataset.scenes[scene_index]
        frames = self.dataset.frames[get_frames_slice_from_scenes(scene)]
        faces = self.dataset.tl_faces
        if self.cfg["raster_params"]["disable_traffic_light_faces"]:
            faces = np.empty(0, dtype=faces.dtype)
        data = self.sample_function(
            state_index, frames, self.dataset.agents, faces, _plain(track_id)
        )
        host = np.zeros(kMaxStrLength, np.uint8)
        name = str(scene["host"]).encode("ascii")
        host[: len(name)] = np.frombuffer(name, np.uint8)
        data["scene_index"] = scene_index
        data["host_id"] = host
        data["timestamp"] = frames[state_index]["timestamp"]
        data["track_id"] = np.int64(-1 if track_id is None else track_id)
        return data

    def _index(self, index: int) -> int:
        count = len(self)
        if index < -count:
            raise ValueError(f"sample {index} is out of range (count {count})")
        if index >= count:
            raise IndexError(f"sample {index} is out of range (count {count})")
        return int(index + count if index < 0 else index)

    def _place(self, frame: int) -> tuple[int, int]:
        """Returns the scene of a frame, and the frame's index in it."""
        scene = bisect.bisect_right(self.cumulative_sizes, frame)
        return scene, frame - (int(self.cumulative_sizes[scene - 1]) if scene else 0)

    def __getitem__(self, index: int) -> Sample:
        native = self._native()
        if native is not None and 0 <= index < len(native):
            return native[index] if self.perturbation is None else self._moved([index])[0]
        return self.get_frame(*self._place(self._index(index)))

    def __getitems__(self, indices: Any) -> Batch | list[Sample]:
        """Returns the samples that PyTorch 2's loader asks for."""
        if self._builds_batches():
            return Batch(self.batch(indices), len(indices))
        return [self[int(i)] for i in indices]

    def batch(
        self, indices: Any, *, threads: int = 1, out: dict[str, Any] | None = None
    ) -> Sample:
        """Returns the samples of several items, stacked; see bevscope.Samples.batch."""
        native = self._native()
        if native is not None and self._builds_batches():
            rows = _checks.indices("batch", indices, len(self))
            return native.batch(rows, threads=threads, out=out, **self._offsets(rows))
        if out:
            raise Unsupported("batch: out needs a data set that the core samples")
        made = [self[int(i)] for i in _checks.indices("batch", indices, len(self))]
        return {key: np.stack([one[key] for one in made]) for key in made[0]}

    def _builds_batches(self) -> bool:
        """Whether the core's items are those of this class."""
        own = type(self).__getitem__ is BaseEgoDataset.__getitem__
        return own and type(self).get_frame in _FRAMES and self._native() is not None

    def _perturbs_natively(self) -> bool:
        """Whether the core can perturb as perturbation does, which draws the offsets."""
        exact = type(self.perturbation) is AckermanPerturbation
        return exact and self.cfg["model_params"]["future_num_frames"] > 0

    def _offsets(self, frames: npt.NDArray[np.int64]) -> dict[str, Any]:
        """Draws the offsets of frames that have their whole future, in order."""
        if self.perturbation is None:
            return {}
        offsets = np.full((len(frames), 3), np.nan)
        ends = self.cumulative_sizes[
            np.searchsorted(self.cumulative_sizes, frames, side="right")
        ]
        whole = frames + self.cfg["model_params"]["future_num_frames"] < ends
        for i in np.nonzero(whole)[0]:
            drawn = self.perturbation.draw()
            if drawn is not None:
                offsets[i] = drawn
        least = float(self.perturbation.min_displacement)
        return {"offsets": offsets, "min_displacement": least}

    def _moved(self, frames: list[int]) -> Batch:
        """Returns perturbed samples."""
        native = self._native()
        assert native is not None
        rows = np.array(frames, np.int64)
        return Batch(native.batch(rows, **self._offsets(rows)), len(rows))

    def get_scene_dataset(self, scene_index: int) -> BaseEgoDataset:
        """Returns a data set of one scene in memory, which can be changed."""
        return BaseEgoDataset(self.cfg, self.dataset.get_scene_dataset(scene_index))

    def get_scene_indices(self, scene_idx: int) -> npt.NDArray[Any]:
        """Returns the items of a scene."""
        scenes = self.dataset.scenes
        assert scene_idx < len(scenes), f"scene {scene_idx} is out of range ({len(scenes)})"
        return np.arange(*scenes[scene_idx]["frame_index_interval"])

    def get_frame_indices(self, frame_idx: int) -> npt.NDArray[Any]:
        """Returns the items of a frame."""
        count = len(self.dataset.frames)
        assert frame_idx < count, f"frame {frame_idx} is out of range ({count})"
        return np.asarray((frame_idx,), dtype=np.int64)

    def __str__(self) -> str:
        return str(self.dataset)


def _plain(track_id: Any) -> int | None:
    return None if track_id is None else int(track_id)


class EgoDataset(BaseEgoDataset):
    """Samples with a rasterized image (C, H, W)."""

    def __init__(
        self,
        cfg: dict[str, Any],
        zarr_dataset: ChunkedDataset,
        rasterizer: Any,
        perturbation: Any = None,
    ) -> None:
        self.perturbation = perturbation
        self.rasterizer = rasterizer
        super().__init__(cfg, zarr_dataset)

    def _context(self) -> RenderContext:
        raster = self.cfg["raster_params"]
        return RenderContext(
            np.array(raster["raster_size"]),
            np.array(raster["pixel_size"]),
            np.array(raster["ego_center"]),
            raster["set_origin_to_bottom"],
        )

    def _get_sample_function(self) -> Callable[..., Sample]:
        model = self.cfg["model_params"]
        return partial(
            generate_agent_sample,
            render_context=self._context(),
            history_num_frames=model["history_num_frames"],
            future_num_frames=model["future_num_frames"],
            step_time=model["step_time"],
            filter_agents_threshold=self.cfg["raster_params"]["filter_agents_threshold"],
            rasterizer=self.rasterizer,
            perturbation=self.perturbation,
        )

    def _native_options(self) -> dict[str, Any] | None:
        raster, model = self.cfg["raster_params"], self.cfg["model_params"]
        threshold, history = raster["filter_agents_threshold"], model["history_num_frames"]
        drawn = self.rasterizer
        if self.perturbation is not None and not self._perturbs_natively():
            return None
        if not _draws(drawn, self._context(), history, threshold):
            return None
        config = drawn.config(
            {**model, "render_ego_history": drawn.render_ego_history}, threshold
        )
        faces = raster["disable_traffic_light_faces"]
        config["raster_params"]["disable_traffic_light_faces"] = faces
        return {
            "config": config,
            "map": drawn.semantic_map,
            "aerial": drawn.aerial_image,
        }

    def get_frame(
        self, scene_index: int, state_index: int, track_id: int | None = None
    ) -> Sample:
        data = super().get_frame(scene_index, state_index, track_id=track_id)
        if self._native() is None or self.perturbation is not None:
            data["image"] = data["image"].transpose(2, 0, 1)
        return data

    def get_scene_dataset(self, scene_index: int) -> EgoDataset:
        scene = self.dataset.get_scene_dataset(scene_index)
        return EgoDataset(self.cfg, scene, self.rasterizer, self.perturbation)


class EgoDatasetVectorized(BaseEgoDataset):
    """Samples with lists of points instead of an image."""

    kind = "ego"

    def __init__(
        self,
        cfg: dict[str, Any],
        zarr_dataset: ChunkedDataset,
        vectorizer: Any,
        perturbation: Any = None,
    ) -> None:
        self.perturbation = perturbation
        self.vectorizer = vectorizer
        super().__init__(cfg, zarr_dataset)

    def _get_sample_function(self) -> Callable[..., Sample]:
        model = self.cfg["model_params"]
        return partial(
            generate_agent_sample_vectorized,
            history_num_frames_ego=model["history_num_frames_ego"],
            history_num_frames_agents=model["history_num_frames_agents"],
            future_num_frames=model["future_num_frames"],
            step_time=model["step_time"],
            filter_agents_threshold=self.cfg["raster_params"]["filter_agents_threshold"],
            perturbation=self.perturbation,
            vectorizer=self.vectorizer,
        )

    def _native_options(self) -> dict[str, Any] | None:
        if self.perturbation is not None and not self._perturbs_natively():
            return None
        raster = self.cfg["raster_params"]
        return {
            "config": self.vectorizer.config(
                self.cfg["model_params"],
                raster["filter_agents_threshold"],
                faces=not raster["disable_traffic_light_faces"],
            ),
            "vectorized": True,
            "map": self.vectorizer.mapAPI.map,
        }

    def get_scene_dataset(self, scene_index: int) -> EgoDatasetVectorized:
        scene = self.dataset.get_scene_dataset(scene_index)
        return EgoDatasetVectorized(self.cfg, scene, self.vectorizer, self.perturbation)


#: Definitions of get_frame() that the core follows; a user's own is called instead.
_FRAMES = (BaseEgoDataset.get_frame, EgoDataset.get_frame)
