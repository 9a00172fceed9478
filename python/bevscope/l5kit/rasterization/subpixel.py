"""Drawing with fractions of pixels, by OpenCV."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

#: OpenCV's arguments for coordinates in 1/512 pixel, anti-aliased.
CV2_SUB_VALUES = {"shift": 9, "lineType": 16}
CV2_SHIFT_VALUE = 2**9
INTERPOLATION_POINTS = 20


def cv2_subpixel(coords: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Returns coordinates in 1/512 pixel."""
    return (coords * CV2_SHIFT_VALUE).astype(np.int64)


def fill_polygons(image: npt.NDArray[Any], polygons: npt.NDArray[Any], color: Any) -> None:
    """Fills polygons (n, points, 2) given in 1/512 pixel."""
    import cv2

    cv2.fillPoly(image, list(polygons.astype(np.int32)), color=color, **CV2_SUB_VALUES)
