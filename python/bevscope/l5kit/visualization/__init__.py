from .utils import (
    ARROW_LENGTH_IN_PIXELS,
    ARROW_THICKNESS_IN_PIXELS,
    ARROW_TIP_LENGTH_IN_PIXELS,
    PREDICTED_POINTS_COLOR,
    REFERENCE_TRAJ_COLOR,
    TARGET_POINTS_COLOR,
    draw_arrowed_line,
    draw_reference_trajectory,
    draw_trajectory,
)
from .video import write_gif, write_video

__all__ = [
    "ARROW_LENGTH_IN_PIXELS",
    "ARROW_THICKNESS_IN_PIXELS",
    "ARROW_TIP_LENGTH_IN_PIXELS",
    "PREDICTED_POINTS_COLOR",
    "REFERENCE_TRAJ_COLOR",
    "TARGET_POINTS_COLOR",
    "draw_arrowed_line",
    "draw_reference_trajectory",
    "draw_trajectory",
    "write_gif",
    "write_video",
]
