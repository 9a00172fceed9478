"""Reads L5Kit data sets and builds L5Kit's samples at the speed of C++."""

from typing import TYPE_CHECKING, Any

from . import _core, _names
from ._data.array import Array
from ._data.batch import Batch
from ._data.dataset import Dataset
from ._data.maps import AerialImage, SemanticMap
from ._data.opening import open
from ._data.samples import Samples
from ._errors import (
    Closed,
    Error,
    InvalidArgument,
    NotFound,
    OutOfMemory,
    OutOfRange,
    ReadError,
    Unsupported,
)
from ._parquet_store.parquet_dataset import ParquetDataset, parquet
from ._plot import plot
from ._publish import publish
from ._saved.config import DataConfig, Nullable
from ._saved.download import Download, upload
from ._saved.loader import Attachment, DataLoader
from ._saved.saver import (
    DataSaver,
    SavedDataset,
    commit_parts,
    discard_parts,
    list_datasets,
)
from ._simulate import SimulatedScene, simulate
from ._sources.cache import cache_contents, clear_cache
from ._sources.credentials import S3Credentials, set_s3_credentials
from ._sources.remote import FsspecSource, ObstoreSource
from ._sources.source import MappingSource, MemorySource, Source
from ._streams.concat import Concat, concat_readers
from ._streams.joined import Joined
from ._streams.mix import Mix, mix
from ._streams.stream import Mapped, Stream
from .model import Model
from .reader import Reader

_names.keep_names(__name__)

if TYPE_CHECKING:
    from .widget import Viewer

__version__: str = _core.version()

__all__ = [
    "AerialImage",
    "Array",
    "Attachment",
    "Batch",
    "Closed",
    "Concat",
    "DataConfig",
    "DataLoader",
    "DataSaver",
    "Dataset",
    "Download",
    "Error",
    "FsspecSource",
    "InvalidArgument",
    "Joined",
    "Mapped",
    "MappingSource",
    "MemorySource",
    "Mix",
    "Model",
    "NotFound",
    "Nullable",
    "ObstoreSource",
    "OutOfMemory",
    "OutOfRange",
    "ReadError",
    "ParquetDataset",
    "Reader",
    "S3Credentials",
    "Samples",
    "SavedDataset",
    "SemanticMap",
    "SimulatedScene",
    "Source",
    "Stream",
    "Unsupported",
    "Viewer",
    "__version__",
    "cache_contents",
    "clear_cache",
    "commit_parts",
    "concat_readers",
    "discard_parts",
    "list_datasets",
    "mix",
    "open",
    "parquet",
    "plot",
    "publish",
    "set_s3_credentials",
    "simulate",
    "upload",
]


def __getattr__(name: str) -> Any:
    # The widget needs anywidget, which nothing else does.
    if name == "Viewer":
        from .widget import Viewer

        return Viewer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
