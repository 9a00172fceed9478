"""Maps and aerial images that samples need."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _checks, _core
from .._errors import InvalidArgument, NotFound, Unsupported
from .._sources.files import read_file, reading


class SemanticMap:
    """A semantic map, read when it is first used. Pickles as its paths.

    The map of converted scenarios that were moved has a part per scene. Samples, readers
    and facts read the part around a scene from the file; all else reads the whole.
    """

    def __init__(self, map_path: str, meta: str | bytes) -> None:
        self.map_path, self._meta = map_path, meta
        self._all: SemanticMap | None = None
        self._part = 0
        self._core: _core.SemanticMap | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_core": None}

    def meta(self) -> dict[str, Any]:
        """Returns the content of meta.json."""
        found: dict[str, Any] = json.loads(self._meta_json())
        return found

    def _meta_json(self) -> bytes:
        return self._meta if isinstance(self._meta, bytes) else read_file(self._meta)

    @property
    def core(self) -> _core.SemanticMap:
        if self._core is None and self._all is not None:
            self._core = self._all.core.part(self._part)
        elif self._core is None:
            meta = self._meta_json().decode()
            self._core = _core.SemanticMap.read(self.map_path, meta)
        return self._core

    def part_at(self, x: float, y: float) -> SemanticMap | None:
        """Returns the part around a position in world, None if there is none; the map
        itself if it has no parts."""
        if self.core.part_count() == 0:
            return self
        index = self.core.find_part(x, y)
        if index is None:
            return None
        part = SemanticMap(self.map_path, self._meta)
        part._all, part._part = self, index
        return part

    def content(self) -> bytes:
        """Returns the bytes of the map, or of the part, as semantic_map.pb has them."""
        if self._all is None:
            return read_file(self.map_path)
        ends = [0, *self.meta()["map_parts"]["ends"]]
        begin, end = ends[self._part : self._part + 2]
        with reading(self.map_path), open(self.map_path, "rb") as file:
            file.seek(begin)
            return file.read(end - begin)


def map_files(path: str | os.PathLike[str]) -> tuple[str, str]:
    """Returns the paths of a semantic map and of its meta.json, which is in the map's
    folder or the one above. Raises NotFound."""
    file = os.path.abspath(_checks.expanded(path))
    folder = os.path.dirname(file)
    for place in (folder, os.path.dirname(folder)):
        meta = os.path.join(place, "meta.json")
        if os.path.exists(meta):
            return file, meta
    raise NotFound(f"{file}: no meta.json in its folder or the one above")


def decode_image(path: str) -> npt.NDArray[np.uint8]:
    """Returns an image file as (height, width, 3), by Pillow or OpenCV."""
    try:
        from PIL import Image
    except ImportError:
        return _decode_by_opencv(path)
    Image.MAX_IMAGE_PIXELS = None
    with Image.open(path) as image:
        return np.ascontiguousarray(image.convert("RGB"))


def _decode_by_opencv(path: str) -> npt.NDArray[np.uint8]:
    try:
        import cv2
    except ImportError:
        raise Unsupported(
            f"{path}: images need Pillow or OpenCV: pip install bevscope[images]"
        ) from None
    found = cv2.imread(path)
    if found is None:
        raise InvalidArgument(f"{path}: not an image")
    return np.ascontiguousarray(found[..., ::-1])


class AerialImage:
    """An aerial image, read when it is first used. Pickles as its paths."""

    def __init__(self, path: str | npt.NDArray[np.uint8], meta: str | bytes) -> None:
        self.path, self._meta = path, meta
        self._core: _core.AerialImage | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path, "_meta": self._meta, "_core": None}

    @property
    def core(self) -> _core.AerialImage:
        if self._core is None:
            meta = self._meta if isinstance(self._meta, bytes) else read_file(self._meta)
            pixels = decode_image(self.path) if isinstance(self.path, str) else self.path
            self._core = _core.AerialImage(pixels, meta.decode())
        return self._core


def files_of(config: Mapping[str, Any], vectorized: bool, root: str) -> dict[str, str]:
    """Returns the paths of the files that a config's samples need, by kind: "map",
    "aerial" and "meta"."""
    kind = _raster_key(config, "map_type")
    files: dict[str, str] = {}
    if vectorized or kind in ("py_semantic", "semantic_debug"):
        files["map"] = os.path.join(root, _raster_key(config, "semantic_map_key"))
    elif kind in ("py_satellite", "satellite_debug"):
        files["aerial"] = os.path.join(root, _raster_key(config, "satellite_map_key"))
    if files:
        files["meta"] = os.path.join(root, _raster_key(config, "dataset_meta_key"))
    return files


def _raster_key(config: Mapping[str, Any], name: str) -> str:
    section = config.get("raster_params")
    if not isinstance(section, Mapping) or name not in section:
        raise NotFound(f"config: raster_params.{name}: missing")
    return _checks.text(f"config: raster_params.{name}", section[name])


def config_json(config: Any) -> str:
    """Returns a config as JSON; NumPy arrays and scalars become lists and numbers."""

    def plain(value: Any) -> Any:
        if isinstance(value, (np.ndarray, np.generic)):
            return value.tolist()
        raise _checks.invalid("config", value, "JSON")

    if not isinstance(config, Mapping):
        raise _checks.invalid("config", config, "sections by name, as of a loaded YAML")
    try:
        return json.dumps(config, default=plain, allow_nan=False)
    except ValueError as error:
        if "Circular" in str(error):
            raise InvalidArgument("config: contains itself") from None
        where, found = next(_not_finite(config, ""))
        message = f"config: {where}: not a finite number (found {found})"
        raise InvalidArgument(message) from None


def _not_finite(value: Any, where: str) -> Iterator[tuple[str, float]]:
    """Yields where a config has numbers that are not finite, and which."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield from _not_finite(one, f"{where}.{name}" if where else str(name))
    elif isinstance(value, (list, tuple)):
        for i, one in enumerate(value):
            yield from _not_finite(one, f"{where}[{i}]")
    elif isinstance(value, float) and not math.isfinite(value):
        yield where, value


class Maps:
    """The semantic map and the aerial image of samples. Pickles as their paths."""

    def __init__(
        self, map: SemanticMap | None = None, aerial: AerialImage | None = None
    ) -> None:
        self.map, self.aerial = map, aerial

    def find(
        self,
        config: Mapping[str, Any],
        vectorized: bool,
        root: str | os.PathLike[str] | None,
    ) -> None:
        """Adds the files that a config needs and that were not given, in a directory; by
        default that of the environment variable L5KIT_DATA_FOLDER."""
        folder = _checks.expanded(root or os.environ.get("L5KIT_DATA_FOLDER", "."))
        files = files_of(config, vectorized, folder)
        if "map" in files and self.map is None:
            self.map = SemanticMap(files["map"], files["meta"])
        if "aerial" in files and self.aerial is None:
            self.aerial = AerialImage(files["aerial"], files["meta"])

    @property
    def core(self) -> tuple[_core.SemanticMap | None, _core.AerialImage | None]:
        """The core's objects, read when they are first used."""
        map, aerial = self.map, self.aerial
        return map.core if map else None, aerial.core if aerial else None
