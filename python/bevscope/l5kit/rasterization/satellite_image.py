"""Cutting parts out of aerial images, by OpenCV."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..geometry import transform_point
from .rasterizer import Image, Rows
from .satellite_rasterizer import INTER_LINEAR


def get_sat_image_crop_scaled_from_ecef(
    sat_image: Image,
    crop_size: Any,
    ecef_translation: Rows,
    ecef_to_sat: Rows,
    **kwargs: Any,
) -> Image:
    """As get_sat_image_crop_scaled(), around an earth-centred position."""
    position = transform_point(ecef_translation, ecef_to_sat)
    return get_sat_image_crop_scaled(sat_image, crop_size, position, **kwargs)


def _middle(image: Image, rows: int, columns: int) -> Image:
    top, left = int(image.shape[0] / 2 - rows / 2), int(image.shape[1] / 2 - columns / 2)
    return image[top : top + rows, left : left + columns]


def get_sat_image_crop_scaled(
    sat_image: Image,
    crop_size: Any,
    sat_pixel_translation: Rows,
    yaw: float | None = None,
    sat_pixel_scale: float = 1.0,
    pixel_size: float = 1.0,
    interpolation: int = INTER_LINEAR,
) -> Image:
    """Returns a part of an image in another resolution.

    Args:
        crop_size: pixels of the result.
        sat_pixel_translation: pixel of the image in the middle of the result.
        yaw: rotation in radians.
        sat_pixel_scale: metres per pixel of the image.
        pixel_size: metres per pixel of the result.
    """
    import cv2

    side = int(max(crop_size))
    size = int(np.round(side * pixel_size / sat_pixel_scale))
    crop = get_sat_image_crop(sat_image, (size, size), sat_pixel_translation, yaw)
    resized = cv2.resize(crop, (side, side), interpolation=interpolation)
    return _middle(resized, crop_size[1], crop_size[0])


def get_sat_image_crop(
    sat_image: Image, crop_size: Any, sat_pixel_translation: Rows, yaw: float | None = None
) -> Image:
    """Returns the part of an image around a pixel, optionally rotated."""
    import cv2

    if yaw is None:
        return _cut(sat_image, crop_size, sat_pixel_translation)
    larger = np.ceil(np.array(crop_size) * np.sqrt(2)).astype(np.int64)
    image = _cut(sat_image, larger, sat_pixel_translation)
    rows, columns = image.shape[:2]
    turn = cv2.getRotationMatrix2D((columns / 2, rows / 2), float(np.degrees(yaw)), 1.0)
    turned = cv2.warpAffine(image, turn, (columns, rows))
    return _middle(turned, crop_size[0], crop_size[1])


def _cut(image: Image, size: Any, position: Rows) -> Image:
    top, left = (int(position[i] - size[i] // 2) for i in (0, 1))
    bottom, right = top + int(size[0]), left + int(size[1])
    if top < 0 or left < 0 or bottom >= image.shape[0] or right >= image.shape[1]:
        raise IndexError(
            f"aerial image: crop {top}-{bottom}, {left}-{right} is out of range "
            f"(shape {image.shape})"
        )
    return image[top:bottom, left:right]
