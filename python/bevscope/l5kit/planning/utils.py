"""Boxes of agents as shapes; needs shapely."""

from __future__ import annotations

from typing import Any

import numpy as np


def _get_bounding_box(centroid: Any, yaw: Any, extent: Any) -> Any:
    """Returns the box as polygon: front left, front right, rear right, rear left."""
    from shapely.geometry import Polygon

    yaw = float(np.ravel(yaw)[0])
    forward = np.array([np.cos(yaw), np.sin(yaw)]) * (extent[0] / 2)
    left = np.array([-np.sin(yaw), np.cos(yaw)]) * (extent[1] / 2)
    centre = np.asarray(centroid[:2])
    corners = (forward + left, forward - left, -forward - left, -forward + left)
    return Polygon([tuple(centre + corner) for corner in corners])


def _get_sides(bbox: Any) -> tuple[Any, Any, Any, Any]:
    """Returns the sides of a box: front, rear, left, right."""
    from shapely.geometry import LineString

    a, b, c, d = bbox.exterior.coords[:-1]
    return (
        LineString([a, b]),
        LineString([c, d]),
        LineString([a, d]),
        LineString([b, c]),
    )


def within_range(
    ego_centroid: Any, ego_extent: Any, agent_centroid: Any, agent_extent: Any
) -> Any:
    """Whether circles around the ego vehicle's and the agents' boxes meet."""
    distance = np.linalg.norm(ego_centroid - agent_centroid, axis=-1)
    reach = np.linalg.norm(ego_extent[:2]) + np.linalg.norm(agent_extent[:, :2], axis=-1)
    return distance < 0.5 * reach
