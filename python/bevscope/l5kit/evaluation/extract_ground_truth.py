"""Ground truth of a data set's agents."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..data.zarr_dataset import ChunkedDataset
from ..dataset.agent import AgentDataset
from ..geometry import transform_points
from ..rasterization.render_context import RenderContext
from ..rasterization.stub_rasterizer import StubRasterizer
from .csv_utils import write_gt_csv

#: Samples that are built together.
BATCH = 256


def export_zarr_to_csv(
    zarr_dataset: ChunkedDataset,
    csv_file_path: str,
    future_num_frames: int,
    filter_agents_threshold: float,
    step_time: float = 0.1,
    agents_mask: Any = None,
) -> None:
    """Writes the futures of the agents that the mask selects, as world offsets."""
    raster = {
        "pixel_size": (0.25, 0.25),
        "raster_size": (100, 100),
        "ego_center": (0.5, 0.5),
        "set_origin_to_bottom": True,
        "filter_agents_threshold": filter_agents_threshold,
        "disable_traffic_light_faces": True,
    }
    model = {
        "history_num_frames": 0,
        "future_num_frames": future_num_frames,
        "step_time": step_time,
    }
    context = RenderContext(
        np.array((100, 100)), np.array((0.25, 0.25)), np.array((0.5, 0.5)), True
    )
    dataset = AgentDataset(
        {"raster_params": raster, "model_params": model},
        zarr_dataset,
        StubRasterizer(context),
        agents_mask=agents_mask,
    )
    parts: list[tuple[Any, ...]] = []
    for begin in range(0, len(dataset), BATCH):
        some = dataset.batch(range(begin, min(begin + BATCH, len(dataset))))
        world = transform_points(some["target_positions"], some["world_from_agent"])
        parts.append(
            (
                some["timestamp"],
                some["track_id"],
                world - some["centroid"][:, None, :2],
                some["target_availabilities"],
            )
        )
    columns = [np.concatenate(column) for column in zip(*parts)]
    write_gt_csv(csv_file_path, *columns)
