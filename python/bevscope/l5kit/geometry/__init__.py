from .angle import (
    angle_between_vectors,
    angular_distance,
    compute_yaw_around_north_from_direction,
)
from .image import crop_rectangle_from_image
from .transform import (
    compute_agent_pose,
    ecef_to_geodetic,
    geodetic_to_ecef,
    rotation33_as_yaw,
    transform_point,
    transform_points,
    vertical_flip,
    yaw_as_rotation33,
)
from .voxel import normalize_intensity, points_within_bounds, voxel_coords_to_intensity_grid

__all__ = [
    "angle_between_vectors",
    "angular_distance",
    "compute_agent_pose",
    "compute_yaw_around_north_from_direction",
    "crop_rectangle_from_image",
    "ecef_to_geodetic",
    "geodetic_to_ecef",
    "normalize_intensity",
    "points_within_bounds",
    "rotation33_as_yaw",
    "transform_point",
    "transform_points",
    "vertical_flip",
    "voxel_coords_to_intensity_grid",
    "yaw_as_rotation33",
]
