"""The viewer in notebooks: `bevscope.Viewer`."""

from __future__ import annotations

import itertools
import os
import zipfile
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "bevscope.Viewer: anywidget is not installed (pip install 'bevscope[widget]')",
        name=error.name,
    ) from error

from . import _checks
from ._data.dataset import Dataset
from ._element import SCRIPT, check_script, is_address, name_of
from ._errors import Error, InvalidArgument, ReadError
from ._kernel_model import KernelModel
from ._sources.folders import AROUND_KEYS, FolderSource, ZipSource, check_key
from ._sources.source import MemorySource, shown, source_of
from .model import Model, Predict

#: Reads that run at the same time.
_THREADS = 8

#: Folders around a data set that may contain its map: its own and the next.
_AROUND = 2

#: Pictures that a viewer waits for at the same time.
_MAX_SCREENSHOTS = 64


def _roots(path: str | os.PathLike[str]) -> list[str]:
    """Returns the folders of a zip file that are zarr groups with scenes."""
    end = "scenes/.zarray"
    with zipfile.ZipFile(path) as archive:
        found = [n[: -len(end)] for n in archive.namelist() if n.endswith(end)]
    return [n.rstrip("/") for n in found if not n or n.endswith("/")]


class Place:
    """What a viewer opens: a URL that the browser reads, or sources of the kernel."""

    def __init__(
        self, name: str, *, url: str | None = None, sources: Iterable[Any] = ()
    ) -> None:
        self.name = name
        self.url = url
        #: The data set, then the folders around it.
        self.sources = list(sources)


def _place_of_path(path: Path) -> Place:
    if not path.exists():
        raise ReadError(f"{path}: not found", url=str(path))
    around = [path.resolve().parent, path.resolve().parent.parent][:_AROUND]
    folders = [FolderSource(folder, AROUND_KEYS) for folder in around]
    if path.is_dir():
        return Place(path.name, sources=[FolderSource(path), *folders])
    roots = _roots(path)
    if len(roots) != 1:
        raise InvalidArgument(
            f"{path}: no single data set (found {', '.join(roots) or 'none'})",
            url=str(path),
        )
    return Place(path.name, sources=[ZipSource(path, roots[0]), *folders])


def place_of(dataset: Any) -> Place:
    """Returns the place of a path, URL, source, mapping, `Dataset`, or L5Kit's
    `ChunkedDataset`."""
    if isinstance(dataset, Dataset):
        return place_of(dataset.address)
    if hasattr(dataset, "tl_faces") and hasattr(dataset, "path"):
        return _place_of_chunked(dataset)
    address = source_of(dataset)
    if not isinstance(address, str):
        return Place(type(address).__name__, sources=[address])
    if is_address(address):
        return Place(name_of(address), url=address)
    return _place_of_path(Path(address))


def _place_of_chunked(dataset: Any) -> Place:
    """Returns the place of L5Kit's data set: its files, unless it is in memory."""
    names = ("scenes", "frames", "agents", "tl_faces")
    arrays = {name: getattr(dataset, name) for name in names}
    if not all(isinstance(array, np.ndarray) for array in arrays.values()):
        return place_of(dataset.path)
    arrays["traffic_light_faces"] = arrays.pop("tl_faces")
    return Place("in memory", sources=[MemorySource(arrays)])


class Screenshot:
    """A picture that the browser sends after the current cell."""

    def __init__(self, future: Future[bytes]) -> None:
        self._future = future

    @property
    def done(self) -> bool:
        return self._future.done()

    @property
    def png(self) -> bytes:
        """The PNG file. Raises InvalidArgument until the browser has sent it."""
        if not self.done:
            raise InvalidArgument("screenshot: not here yet; read it in the next cell")
        return self._future.result()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the PNG file, at once or when the browser has sent it."""

        def write(future: Future[bytes]) -> None:
            Path(path).write_bytes(future.result())

        if self.done:
            write(self._future)
        else:
            self._future.add_done_callback(write)

    def _repr_png_(self) -> bytes | None:
        return self.png if self.done else None

    def __repr__(self) -> str:
        return f"<bevscope.Screenshot: {'done' if self.done else 'waiting'}>"


def _wire_selection(value: Any, _: Any) -> str | None:
    return None if value is None else str(value)


def _selection_of(value: Any, _: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdigit() else value


class Viewer(anywidget.AnyWidget):
    """The viewer as a notebook widget.

    Args:
        dataset: a path, an http(s) URL, an address hf://, s3:// or gs://, a mapping, a
            source, a `Dataset`, or L5Kit's `ChunkedDataset`. The browser reads URLs and
            addresses itself; the kernel reads everything else for it, between two cells.
        scene, frame: position, counted from 0.
        height: of the output in pixels.

    The traits `scene`, `frame`, `selection` (a track id or "ego"), `camera` and `state`
    (a link's fragment) change with the viewer, and the viewer with them. `error` is the
    last error of reading, or None.
    """

    scene = traitlets.Int(None, allow_none=True, min=0).tag(sync=True)
    frame = traitlets.Int(None, allow_none=True, min=0).tag(sync=True)
    selection = traitlets.Union(
        [traitlets.Int(), traitlets.Enum(["ego"])], default_value=None, allow_none=True
    ).tag(sync=True, to_json=_wire_selection, from_json=_selection_of)
    camera = traitlets.Dict(default_value=None, allow_none=True).tag(sync=True)
    theme = traitlets.Enum(["auto", "dark", "light"], "auto").tag(sync=True)
    state = traitlets.Unicode("").tag(sync=True)
    height = traitlets.Int(480, min=100, max=10_000).tag(sync=True)
    error = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    #: Without user name, password and query: notebooks store traits. If it had some, the
    #: browser asks for the whole address.
    _url = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    _is_signed = traitlets.Bool(False).tag(sync=True)
    _name = traitlets.Unicode("").tag(sync=True)
    _folders = traitlets.Int(0).tag(sync=True)
    _overlays: Any = traitlets.List().tag(sync=True)
    _predictions: Any = traitlets.Dict(default_value=None, allow_none=True).tag(sync=True)
    _model: Any = traitlets.Dict(default_value=None, allow_none=True).tag(sync=True)

    _pool: ThreadPoolExecutor | None = None

    def __init__(self, dataset: Any, **traits: Any) -> None:
        check_script()
        place = place_of(dataset)
        self._sources, self._address = place.sources, place.url
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="bevscope-viewer")
        self._wanted: set[str] = set()
        self._screenshots: dict[str, Future[bytes]] = {}  # those that are awaited
        self._numbers = itertools.count()
        self._kernel_model: KernelModel | None = None
        super().__init__(
            _esm=SCRIPT.read_text(encoding="utf-8"),
            _url=shown(place.url),
            _is_signed=shown(place.url) != place.url,
            _name=place.name,
            _folders=max(0, len(place.sources) - 1),
            **traits,
        )
        self.on_msg(self._receive)

    def go_to(self, scene: int, frame: int = 0) -> None:
        """Opens frame `frame` of scene `scene`."""
        with self.hold_sync():
            self.frame, self.scene = frame, scene

    def overlay(
        self,
        points: npt.ArrayLike,
        *,
        kind: str = "points",
        color: str | None = None,
        scene: int | None = None,
        frame: int | None = None,
    ) -> None:
        """Draws points over the picture, in world metres.

        Args:
            points: (n, 2).
            kind: "points", or "line" for a line through them.
            color: a CSS colour.
            scene, frame: where they belong; everywhere if absent.
        """
        array = np.ascontiguousarray(points, "<f8")
        if array.ndim != 2 or array.shape[1] != 2 or not np.isfinite(array).all():
            raise InvalidArgument(
                f"overlay: invalid points (found shape {array.shape}, "
                "expected (n, 2), finite)"
            )
        if kind not in ("points", "line"):
            raise InvalidArgument(
                f"overlay: unknown kind (found {kind!r}, expected 'points' or 'line')"
            )
        one = {"points": array.tobytes(), "kind": kind, "color": color}
        self._overlays = [*self._overlays, {**one, "scene": scene, "frame": frame}]

    def clear_overlays(self) -> None:
        """Removes all overlays."""
        self._overlays = []

    def add_predictions(
        self,
        coords: npt.ArrayLike,
        timestamps: npt.ArrayLike,
        track_ids: npt.ArrayLike,
        confidences: npt.ArrayLike | None = None,
    ) -> None:
        """Shows a model's predictions, and reviews them against the recorded paths.

        Args:
            coords: (n, steps, 2), or (n, modes, steps, 2): metres from the agent's
                position along the world's axes.
            timestamps: (n,), nanoseconds, of the predicted frames.
            track_ids: (n,); -1 is the ego vehicle.
            confidences: (n, modes), of sum 1; required for more than one mode.
        """
        positions = np.ascontiguousarray(coords, "<f8")
        if positions.ndim == 3:
            positions = positions[:, None]
        if positions.ndim != 4 or positions.shape[3] != 2:
            raise InvalidArgument(
                f"coords: invalid shape (found {np.shape(coords)}, "
                "expected (n, modes, steps, 2))"
            )
        n, modes = positions.shape[:2]
        if confidences is None and modes == 1:
            confidences = np.ones((n, 1))
        ids = np.asarray(track_ids)
        arrays = {
            "timestamps": _checks.integers("timestamps", timestamps, "<i8"),
            "track_ids": (
                ids.astype("<i8")  # the same bits
                if ids.dtype.kind == "u"
                else _checks.integers("track_ids", track_ids, "<i8")
            ),
            "confidences": np.ascontiguousarray(confidences, "<f8"),
        }
        for name, shape in (
            ("timestamps", (n,)),
            ("track_ids", (n,)),
            ("confidences", (n, modes)),
        ):
            if arrays[name].shape != shape:
                raise InvalidArgument(
                    f"{name}: invalid shape (found {arrays[name].shape}, expected {shape})"
                )
        arrays["coords"] = positions
        self._predictions = {name: one.tobytes() for name, one in arrays.items()}

    def clear_predictions(self) -> None:
        """Removes the predictions."""
        self._predictions = None

    def set_model(
        self,
        model: Model | Predict | str | os.PathLike[str] | None,
        *,
        name: str | None = None,
        config: Mapping[str, Any] | None = None,
        image: str | None = None,
        vectorized: bool | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        """Lets a model predict the displayed frame, while scrubbing and playing, and drive
        (docs/models.md). It runs in the kernel, between two cells, in a thread of its own.

        Args:
            model: a function, which receives all arrays of a batch by key and returns
                outputs by name, a `Model`, or the path of an ONNX file; None closes it.
            name: shown by the viewer; by default the model's.
            config: L5Kit's config of the samples; by default the model's, else the data's.
            image, vectorized: of a function's samples, as of `Samples`; by default
                "none" and False.
            settings: what a function or file does not say: docs/models.md.
        """
        self._kernel_model, self._model = None, None
        if model is None:
            return
        if isinstance(model, Model):
            if settings is not None:
                raise InvalidArgument(
                    "set_model: settings: not for a Model, which has them"
                )
            opened = model
        else:
            opened = Model.open(model, name=name, settings=settings)
        self._kernel_model = KernelModel(opened)
        self._model = self._kernel_model.described(name, config, image, vectorized)

    def screenshot(self) -> Screenshot:
        """Asks the browser for the picture as PNG; it arrives after this cell."""
        future: Future[bytes] = Future()
        number = f"shot-{next(self._numbers)}"
        if len(self._screenshots) >= _MAX_SCREENSHOTS:
            oldest = self._screenshots.pop(next(iter(self._screenshots)))
            oldest.set_exception(ReadError("screenshot: no browser has sent it"))
        self._screenshots[number] = future
        self.send({"type": "screenshot", "id": number})
        return Screenshot(future)

    def close(self) -> None:
        """Closes the widget and its threads."""
        super().close()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _receive(self, _: Any, content: Mapping[str, Any], buffers: list[Any]) -> None:
        """Handles a message of the browser."""
        kind, number = content.get("type"), str(content.get("id"))
        if kind == "screenshot":
            self._take_screenshot(number, content, buffers)
        elif kind == "cancel":
            self._wanted.discard(number)
        elif kind == "address":
            self.send({"type": "answer", "id": number, "address": self._address})
        elif kind in ("read", "size"):
            self._wanted.add(number)
            if self._pool is not None:
                self._pool.submit(self._answer, number, dict(content))
        elif kind == "predict" and self._pool is not None:
            self._wanted.add(number)
            self._pool.submit(self._predict, number, content.get("inputs"), buffers)

    def _take_screenshot(
        self, number: str, content: Mapping[str, Any], buffers: list[Any]
    ) -> None:
        future = self._screenshots.pop(number, None)
        if future is None:
            return  # another view of this widget was faster
        if buffers:
            future.set_result(bytes(buffers[0]))
        else:
            future.set_exception(ReadError(str(content.get("error"))))

    def _predict(self, number: str, inputs: Any, sent: list[Any]) -> None:
        """Predicts for the browser, and sends the outputs or the error."""
        answer: dict[str, Any] = {"type": "answer", "id": number}
        buffers: list[bytes] = []
        try:
            if self._kernel_model is None:
                raise InvalidArgument("predict: the kernel has no model; call set_model")
            if number in self._wanted:  # it waited for another thread
                answer["outputs"], buffers = self._kernel_model.answer(inputs, sent)
        except Exception as error:  # every failure is the browser's to show
            answer["error"] = _error_of(error)
        if number in self._wanted:
            self._wanted.discard(number)
            self.send(answer, buffers)

    def _answer(self, number: str, question: Mapping[str, Any]) -> None:
        """Reads for the browser, and sends bytes, absence or the error."""
        if number not in self._wanted:
            return
        answer: dict[str, Any] = {"type": "answer", "id": number}
        buffers: list[Any] = []
        try:
            source = self._sources[int(question["folder"])]
            key = str(question["key"])
            check_key(key)
            if question["type"] == "size":
                size = getattr(source, "size", None)
                answer["size"] = None if size is None else size(key)
            else:
                found = source.read(key, _range_of(question.get("range")))
                answer["found"] = found is not None
                if found is not None:
                    buffers.append(bytes(found))
        except Exception as error:  # every failure is the browser's to show
            answer["error"] = _error_of(error)
        if number in self._wanted:
            self._wanted.discard(number)
            self.send(answer, buffers)


def _range_of(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    begin, end = (int(one) for one in value)
    if not 0 <= begin <= end:
        raise InvalidArgument(f"range: invalid (found {begin} to {end})")
    return begin, end


def _error_of(error: Exception) -> dict[str, str]:
    if isinstance(error, Error):
        return {"code": str(error.code), "message": str(error)}
    code = "io" if isinstance(error, OSError) else "network"
    return {"code": code, "message": f"{type(error).__name__}: {error}"}


__all__ = ["SCRIPT", "Screenshot", "Viewer", "place_of"]
