"""Reads L5Kit data sets and builds L5Kit's samples at the speed of C++."""

from typing import TYPE_CHECKING, Any

from ._array import Array
from ._batch import Batch
from ._concat import Concat, concat_readers
from ._config import DataConfig
from ._credentials import S3Credentials, set_s3_credentials
from ._dataset import Dataset, open
from ._errors import (
    Error,
    InvalidArgument,
    NotFound,
    OutOfMemory,
    OutOfRange,
    ReadError,
    Unsupported,
)
from ._joined import Joined
from ._loader import Attachment, DataLoader
from ._map import Mapped
from ._maps import AerialImage, SemanticMap
from ._mix import Mix, mix
from ._remote import FsspecSource, ObstoreSource
from ._samples import Samples
from ._saver import DataSaver, SavedDataset, commit_parts, discard_parts, list_datasets
from ._source import MappingSource, MemorySource, Source
from ._stream import Stream
from ._version import __version__
from .reader import Reader

if TYPE_CHECKING:
    from .widget import Viewer

__all__ = [
    "AerialImage",
    "Array",
    "Attachment",
    "Batch",
    "Concat",
    "DataConfig",
    "DataLoader",
    "DataSaver",
    "Dataset",
    "Error",
    "FsspecSource",
    "InvalidArgument",
    "Joined",
    "Mapped",
    "MappingSource",
    "MemorySource",
    "Mix",
    "NotFound",
    "ObstoreSource",
    "OutOfMemory",
    "OutOfRange",
    "ReadError",
    "Reader",
    "S3Credentials",
    "Samples",
    "SavedDataset",
    "SemanticMap",
    "Source",
    "Stream",
    "Unsupported",
    "Viewer",
    "__version__",
    "commit_parts",
    "concat_readers",
    "discard_parts",
    "list_datasets",
    "mix",
    "open",
    "set_s3_credentials",
]


def __getattr__(name: str) -> Any:
    # The widget needs anywidget, which nothing else does.
    if name == "Viewer":
        from .widget import Viewer

        return Viewer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
