"""Reads L5Kit data sets and builds L5Kit's samples at the speed of C++."""

from ._array import Array
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
from ._maps import AerialImage, SemanticMap
from ._remote import FsspecSource, ObstoreSource
from ._samples import Samples
from ._source import MappingSource, MemorySource, Source
from ._version import __version__

__all__ = [
    "AerialImage",
    "Array",
    "Dataset",
    "Error",
    "FsspecSource",
    "InvalidArgument",
    "MappingSource",
    "MemorySource",
    "NotFound",
    "ObstoreSource",
    "OutOfMemory",
    "OutOfRange",
    "ReadError",
    "Samples",
    "SemanticMap",
    "Source",
    "Unsupported",
    "__version__",
    "open",
]
