"""Images as GIF (needs Pillow) and as video (needs OpenCV)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._errors import ReadError, Unsupported

#: OpenCV's INTER_CUBIC.
CUBIC = 2

Images = Iterable[npt.NDArray[np.uint8]]


def _sized(
    images: Images, resolution: tuple[int, int], interpolation: int
) -> Iterator[npt.NDArray[Any]]:
    """Yields images as (h, w, 3), with the size `resolution` (width, height)."""
    for image in images:
        if image.ndim == 3 and image.shape[0] == 3:
            image = image.transpose(1, 2, 0)
        if image.ndim == 2:
            image = np.repeat(image[..., None], 3, axis=2)
        if image.shape[1::-1] != tuple(resolution):
            import cv2

            image = cv2.resize(image, tuple(resolution), interpolation=interpolation)
        yield np.ascontiguousarray(image)


def write_gif(
    output_filepath: str,
    images: Images,
    resolution: tuple[int, int],
    fps: float = 24.0,
    loop: int = 0,
    interpolation: int = CUBIC,
) -> None:
    """Writes RGB images, (h, w, 3), (3, h, w) or (h, w), as GIF.

    Args:
        resolution: width and height to which images are resized.
        loop: how often the images are shown; 0 is without end.
    """
    try:
        from PIL import Image
    except ImportError:
        raise Unsupported("GIF needs Pillow: pip install bevscope[images]") from None
    frames = [Image.fromarray(one) for one in _sized(images, resolution, interpolation)]
    if not frames:
        raise ValueError("images: none given")
    milliseconds = round(1000 / fps)
    frames[0].save(
        output_filepath,
        format="GIF",
        save_all=True,
        append_images=frames[1:],
        duration=milliseconds,
        loop=loop,
    )


def write_video(
    output_filepath: str,
    images: Images,
    resolution: tuple[int, int],
    fps: float = 24.0,
    codec: str = "FMP4",
    interpolation: int = CUBIC,
) -> None:
    """Writes RGB images as write_gif() takes them, as a video of OpenCV's `codec`."""
    import cv2

    writer = cv2.VideoWriter(
        output_filepath, cv2.VideoWriter_fourcc(*codec), fps, tuple(resolution)
    )
    if not writer.isOpened():
        raise ReadError(f"{output_filepath}: cannot be written with codec {codec}", "io")
    try:
        for image in _sized(images, resolution, interpolation):
            writer.write(np.ascontiguousarray(image[..., ::-1]))
    finally:
        writer.release()
