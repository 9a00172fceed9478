from .box_rasterizer import BoxRasterizer
from .rasterizer import (
    EGO_EXTENT_HEIGHT,
    EGO_EXTENT_LENGTH,
    EGO_EXTENT_WIDTH,
    Rasterizer,
)
from .rasterizer_builder import build_rasterizer
from .render_context import RenderContext
from .sat_box_rasterizer import SatBoxRasterizer
from .satellite_image import (
    get_sat_image_crop,
    get_sat_image_crop_scaled,
    get_sat_image_crop_scaled_from_ecef,
)
from .satellite_rasterizer import SatelliteRasterizer
from .sem_box_rasterizer import SemBoxRasterizer
from .semantic_rasterizer import SemanticRasterizer
from .stub_rasterizer import StubRasterizer

__all__ = [
    "BoxRasterizer",
    "EGO_EXTENT_HEIGHT",
    "EGO_EXTENT_LENGTH",
    "EGO_EXTENT_WIDTH",
    "Rasterizer",
    "RenderContext",
    "SatBoxRasterizer",
    "SatelliteRasterizer",
    "SemBoxRasterizer",
    "SemanticRasterizer",
    "StubRasterizer",
    "build_rasterizer",
    "get_sat_image_crop",
    "get_sat_image_crop_scaled",
    "get_sat_image_crop_scaled_from_ecef",
]
