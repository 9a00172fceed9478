from .combine import get_combined_scenes
from .filter import (
    filter_agents_by_distance,
    filter_agents_by_frames,
    filter_agents_by_labels,
    filter_agents_by_track_id,
    filter_tl_faces_by_frames,
    filter_tl_faces_by_status,
    get_agents_slice_from_frames,
    get_frames_slice_from_scenes,
    get_tl_faces_slice_from_frames,
)
from .labels import (
    PERCEPTION_LABEL_TO_INDEX,
    PERCEPTION_LABELS,
    TL_FACE_LABEL_TO_INDEX,
    TL_FACE_LABELS,
)
from .local_data_manager import DataManager, LocalDataManager
from .map_api import MapAPI
from .zarr_dataset import (
    AGENT_DTYPE,
    FRAME_DTYPE,
    SCENE_DTYPE,
    TL_FACE_DTYPE,
    ChunkedDataset,
)
from .zarr_utils import zarr_concat

__all__ = [
    "AGENT_DTYPE",
    "ChunkedDataset",
    "DataManager",
    "FRAME_DTYPE",
    "LocalDataManager",
    "MapAPI",
    "PERCEPTION_LABELS",
    "PERCEPTION_LABEL_TO_INDEX",
    "SCENE_DTYPE",
    "TL_FACE_DTYPE",
    "TL_FACE_LABELS",
    "TL_FACE_LABEL_TO_INDEX",
    "filter_agents_by_distance",
    "filter_agents_by_frames",
    "filter_agents_by_labels",
    "filter_agents_by_track_id",
    "filter_tl_faces_by_frames",
    "filter_tl_faces_by_status",
    "get_agents_slice_from_frames",
    "get_combined_scenes",
    "get_frames_slice_from_scenes",
    "get_tl_faces_slice_from_frames",
    "zarr_concat",
]
