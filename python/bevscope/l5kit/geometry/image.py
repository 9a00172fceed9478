"""Cutting rectangles out of images; needs OpenCV."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def crop_rectangle_from_image(
    image: npt.NDArray[Any], corners: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """Returns the part of an image within four corners (4, 2), rotated upright."""
    import cv2

    xy = np.asarray(corners, np.float32)[:, ::-1]
    centre, (width, height), degrees = cv2.minAreaRect(np.ascontiguousarray(xy))
    upright = cv2.getRotationMatrix2D(tuple(centre), degrees, 1)
    rows, columns = image.shape[:2]
    turned = cv2.warpAffine(image, upright, (rows * 2, columns * 2))
    crop: npt.NDArray[Any] = cv2.getRectSubPix(
        turned, (int(width), int(height)), tuple(centre)
    )
    return crop
