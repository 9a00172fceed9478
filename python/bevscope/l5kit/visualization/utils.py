"""Drawing trajectories onto images; needs OpenCV."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..geometry import transform_points

Image = npt.NDArray[np.uint8]
Color = tuple[int, int, int]

PREDICTED_POINTS_COLOR = (0, 255, 255)
TARGET_POINTS_COLOR = (255, 0, 255)
REFERENCE_TRAJ_COLOR = (255, 255, 0)
#: Of arrows, in pixels; the tip's as a fraction of the arrow's length.
ARROW_LENGTH_IN_PIXELS = 2
ARROW_THICKNESS_IN_PIXELS = 1
ARROW_TIP_LENGTH_IN_PIXELS = 1.8


def _pixel(position: npt.NDArray[Any]) -> tuple[int, int]:
    x, y = (int(v) for v in np.asarray(position, np.float64).astype(np.int32))
    return x, y


def draw_arrowed_line(
    on_image: Image, position: npt.NDArray[Any], yaw: float, rgb_color: Color
) -> None:
    """Draws an arrow of two pixels from a pixel position (x, y) towards `yaw`, radians."""
    import cv2

    start = np.asarray(position[:2], np.float64)
    end = start + ARROW_LENGTH_IN_PIXELS * np.array([np.cos(yaw), np.sin(yaw)])
    cv2.arrowedLine(
        on_image,
        _pixel(start),
        _pixel(end),
        rgb_color,
        thickness=ARROW_THICKNESS_IN_PIXELS,
        tipLength=ARROW_TIP_LENGTH_IN_PIXELS,
    )


def draw_trajectory(
    on_image: Image,
    positions: npt.NDArray[Any],
    rgb_color: Color,
    radius: int = 1,
    yaws: npt.NDArray[Any] | None = None,
) -> None:
    """Draws pixel positions (n, 2) as discs, or as arrows if yaws (n, 1) are given."""
    import cv2

    if yaws is None:
        for position in positions:
            cv2.circle(on_image, _pixel(position[:2]), radius, rgb_color, -1)
        return
    if len(yaws) != len(positions):
        raise AssertionError(f"yaws: found {len(yaws)}, expected {len(positions)}")
    for position, yaw in zip(positions, yaws):
        draw_arrowed_line(on_image, position, float(np.ravel(yaw)[0]), rgb_color)


def draw_reference_trajectory(
    on_image: Image, world_to_pixel: npt.NDArray[Any], positions: npt.NDArray[Any]
) -> None:
    """Draws world positions (n, 2) inside of the image as discs."""
    import cv2

    pixels = transform_points(np.array(positions), world_to_pixel)
    size = on_image.shape[1::-1]
    inside = np.all((pixels > 0) & (pixels < size), axis=1)
    for pixel in np.floor(pixels[inside]):
        cv2.circle(on_image, _pixel(pixel), 1, REFERENCE_TRAJ_COLOR, -1)
