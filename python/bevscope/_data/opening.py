"""Opens data sets, and arrays and groups that can be changed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Literal, overload

import numpy.typing as npt

from .. import _checks
from .._convert.store import Argoverse2Store, argoverse2_path
from .._parquet_store.parquet_dataset import is_parquet, parquet
from .dataset import Dataset
from .group import Group, open_writable
from .writable import WritableArray


@overload
def open(  # noqa: A001
    address: str | os.PathLike[str] | Any,
    mode: Literal["r"] = "r",
    *,
    byte_budget: int = 256 << 20,
    missing: str = "records_required",
    cache: str | os.PathLike[str] | None = None,
    cache_limit: int = 1 << 30,
    map: bool | str | os.PathLike[str] = False,
    ego: str = "",
) -> Dataset: ...


@overload
def open(  # noqa: A001
    address: str | os.PathLike[str],
    mode: Literal["a", "w", "w-"],
    *,
    shape: int | Iterable[int],
    dtype: npt.DTypeLike,
    chunks: int | Iterable[int] | None = None,
    codec: str = "blosc:lz4",
    level: int | None = None,
    fill_value: Any = 0,
    order: str = "C",
    zarr_format: int = 2,
) -> WritableArray: ...


@overload
def open(  # noqa: A001
    address: str | os.PathLike[str], mode: Literal["r+", "a", "w", "w-"]
) -> WritableArray | Group: ...


def open(  # noqa: A001
    address: str | os.PathLike[str] | Any, mode: str = "r", **options: Any
) -> Dataset | WritableArray | Group:
    """Opens a data set for reading: a directory, a .zip file, the http(s) URL or S3 address
    (`s3://bucket/key`) of either, the address of a public file of Hugging Face
    (`hf://datasets/OWNER/NAME@REVISION/PATH`) or Google (`gs://bucket/key`), a mapping from
    keys to bytes (fsspec's, a zarr 2 store), an obstore store, or a `Source`. Or a Parquet
    data set: a file or URL that ends in .parquet, a folder of such files, or a list of
    files (`bevscope.parquet` opens others). Or scenarios of Waymo (a .tfrecord file or
    its URL), ScenarioNet (a .pkl file or its URL), nuPlan (a .db file or its URL),
    CommonRoad (an .xml file or its URL), INTERACTION (a .csv file of tracks or its URL) or
    Argoverse 2 (scenario_ID.parquet), a folder of such files, or that of a version of
    nuScenes, equal to what a conversion makes of them. Or, in another mode than "r", an
    array or a group in a directory or in S3 for changing it.

    Args:
        mode: "r", reading; "r+", changing an array or a group that exists; "a", as "r+",
            or it is created; "w", an array is created in place of an existing one; "w-",
            it is created, or InvalidArgument raised.
        byte_budget: encoded chunks that are cached, in bytes.
        missing: how absent chunks read: "records_required" (an error for L5Kit's four
            arrays, otherwise fill values), "fill" or "error".
        cache: folder that keeps chunks for later runs, shared by processes: of what is
            read over HTTP or from S3, by fsspec, by obstore or by a source with `name` and
            `states`; other sources raise InvalidArgument. They are used after the server
            has reported them as unchanged. A folder that cannot be written is a
            RuntimeWarning, once. `bevscope.clear_cache` empties it.
        cache_limit: maximum size of all files in that folder, in bytes.
        map: of scenarios: convert the maps too, as `bevscope.convert` with `map`; several
            scenarios of CommonRoad, ScenarioNet and Waymo are then moved. Of nuPlan the
            folder of CITY/*/map.gpkg, or the map of all logs; of nuScenes True, or a
            folder; of INTERACTION True, a folder of LOCATION.osm, or a map. See
            `Dataset.semantic_map`.
        ego: of scenarios of CommonRoad and INTERACTION: id of the obstacle or track that
            is the ego vehicle, which each must have, as `bevscope.convert` with `ego`.
        shape, dtype: of an array that is created; without them, a group is.
        chunks: length of a chunk along each axis; by default one chunk, or of 1 MiB.
        codec: "none", "zlib", "gzip", "zstd", "lz4" or "blosc:" with "lz4", "lz4hc",
            "zstd", "zlib" or "blosclz".
        level: of the codec.
        fill_value: what elements are that were not assigned; None for zeros.
        order: of the elements in a chunk, "C" or "F".
        zarr_format: 2, or 3, which has no order "F", "zlib" and "lz4".
    """
    if mode == "r" and (path := argoverse2_path(address)) is not None:
        with_map = _checks.flag("open: map", options.pop("map", False))
        return Dataset(Argoverse2Store(path, with_map), **options)
    if mode == "r" and is_parquet(address):
        return parquet(address, **options)
    if mode == "r":
        return Dataset(address, **options)
    return open_writable(address, mode, **options)
