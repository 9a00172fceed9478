"""L5Kit's samples."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _checks, _core
from .._errors import InvalidArgument, OutOfRange
from .array import rows_of
from .batch import Batch, with_numbers
from .dataset import Dataset
from .maps import AerialImage, Maps, SemanticMap, config_json

Sample = "dict[str, Any]"


class Samples:
    """A sequence of L5Kit's samples: `samples[i]` is a dict of arrays with L5Kit's keys,
    order, dtypes and shapes (docs/samples.md); `bevscope.types.Sample`
    and `VectorizedSample` list them. `samples[2:8]`, `samples[[3, 1]]` and
    `samples[mask]` build several in one call and return a `Batch`.

    Pickles as addresses and options; opens anew in other processes.

    Args:
        dataset: a `Dataset`, or what `bevscope.open` takes.
        config: L5Kit's config.
        kind: "ego" (one item per frame), "agent" (per agent that passes the rules),
            "ego_agent" (per frame, vectorized), "eval" (per scene, vectorized).
        vectorized: lists of points instead of an image.
        image: "f32" (C, h, w) from 0 to 1; "u8", 255 times that; "none".
        root: directory of the maps; by default the environment variable
            L5KIT_DATA_FOLDER.
        perturbation: fields of L5Kit's AckermanPerturbation with Gaussian offsets:
            probability, mean, deviation, seed, offset_seed, min_displacement.
        rules: which agents are items: label_threshold, max_yaw_step_deg,
            max_extent_ratio, max_distance_to_ego, min_history, min_future, use_stored.
        mask: which agents are items instead, for the kind "agent": bool, one per row of
            `agents`.
    """

    def __init__(
        self,
        dataset: Dataset | Any,
        config: Mapping[str, Any],
        *,
        kind: str = "ego",
        vectorized: bool = False,
        image: str = "f32",
        root: str | os.PathLike[str] | None = None,
        map: SemanticMap | None = None,
        aerial: AerialImage | None = None,
        perturbation: Mapping[str, Any] | None = None,
        rules: Mapping[str, Any] | None = None,
        mask: npt.ArrayLike | None = None,
    ) -> None:
        self.dataset = dataset if isinstance(dataset, Dataset) else Dataset(dataset)
        kind = _checks.text("samples: kind", kind)
        image = _checks.text("samples: image", image)
        vectorized = bool(vectorized) or kind in ("ego_agent", "eval")
        self._options = {"kind": kind, "vectorized": vectorized, "image": image}
        self._json = config_json(config)
        self._maps = Maps(map, aerial)
        self._perturbation = dict(perturbation) if perturbation else None
        self._rules = dict(rules or {})
        self._mask = None if mask is None else _checked_mask(mask)
        if mask is not None and kind != "agent":
            raise InvalidArgument(f"samples: kind {kind} has no mask")
        if rules and (kind not in ("agent", "eval") or mask is not None):
            why = "with a mask" if mask is not None else f"for the kind {kind}"
            raise InvalidArgument(f"samples: rules are not used {why}")
        if image != "none" or vectorized:
            self._maps.find(config, vectorized, root)
        self._pid = 0
        self._length = len(self._native())

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state.pop("_core", None)
        state["_pid"] = 0
        return state

    def _native(self) -> _core.Samples:
        pid = self.dataset._handle.generation
        if self._pid != pid:
            self._core, self._pid = self.dataset._handle.call(self._create), pid
        return self._core

    def _create(self, dataset: _core.Dataset) -> _core.Samples:
        config = _core.SampleConfig()
        config.json = self._json
        config.vectorized = bool(self._options["vectorized"])
        config.image = str(self._options["image"])
        config.map, config.aerial = self._maps.core
        if self._perturbation is not None:
            config.perturbation = _filled(
                "perturbation", _core.Perturbation(), self._perturbation
            )
        if self._mask is not None:
            return _core.masked_samples(dataset, config, self._mask.view(np.uint8))
        rules = _filled("rules", _core.AgentRules(), self._rules)
        return _core.samples(dataset, str(self._options["kind"]), config, rules)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        """Returns the sample of an item, or for a slice, a list of integers or a mask a
        `Batch`: a sequence of samples, built together."""
        count = len(self)
        if isinstance(index, slice):
            rows = range(*_checks.bounds("samples: index", index).indices(count))
            return self.__getitems__(rows)
        if isinstance(index, list) or getattr(index, "ndim", 0) > 0:
            is_mask = _is_mask(index)
            return self.__getitems__(rows_of(index, count, "samples") if is_mask else index)
        row = _checks.integer("samples: index", index, -(2**99), 2**99)
        if not -count <= row < count:
            raise OutOfRange(f"samples: index {row} is out of range (count {count})")
        row %= count
        native = self._native()
        return with_numbers(self.dataset._handle.call(lambda core: native.sample(row)))

    def __getitems__(self, indices: Sequence[int] | npt.NDArray[Any]) -> Batch:
        """Returns the samples that PyTorch 2's loader asks for, built in one call."""
        return Batch(self.batch(indices) if len(indices) else {}, len(indices))

    def batch(
        self,
        indices: Sequence[int] | npt.NDArray[Any],
        *,
        threads: int = 1,
        out: Mapping[str, Any] | None = None,
        offsets: npt.ArrayLike | None = None,
        min_displacement: float = 0,
    ) -> dict[str, Any]:
        """Returns the samples of several items, stacked: arrays of shape (n, ...) that
        share one block of memory.

        Args:
            threads: that build samples; the result does not depend on it.
            out: arrays or tensors of the CPU, pinned ones too, that are filled and
                returned instead, by key.
            offsets: (n, 3), displaces the ego vehicle of each item as a perturbation
                does: lateral and longitudinal metres, yaw radians; NaN does not.
            min_displacement: metres; shorter futures keep their heading.
        """
        rows = _checks.indices("batch", indices, len(self))
        threads = _checks.integer("batch: threads", threads, 1)
        least = _checks.number("batch: min_displacement", min_displacement)
        moved = None if offsets is None else _checks.floats("offsets", offsets)
        if moved is not None and moved.shape != (len(rows), 3):
            raise InvalidArgument(
                f"offsets: invalid shape (found {moved.shape}, expected {(len(rows), 3)})"
            )
        filled = dict(out or {})
        native = self._native()
        return self.dataset._handle.call(
            lambda core: native.batch(rows, threads, filled, moved, least)
        )

    def track(self, scene: int, frame: int, track_id: int | None = None) -> dict[str, Any]:
        """Returns the sample of a track, or of the ego vehicle, in a frame of a scene."""
        scene = _checks.index("track: scene", scene)
        frame = _checks.index("track: frame", frame)
        if track_id is not None:
            track_id = _checks.index("track: track_id", track_id, _checks.UINT64_MAX)
        native = self._native()
        return with_numbers(
            self.dataset._handle.call(lambda core: native.track(scene, frame, track_id))
        )

    def tracks(
        self,
        scenes: Sequence[int],
        frame: int,
        track_ids: Sequence[int | None],
        *,
        threads: int = 1,
    ) -> dict[str, Any]:
        """Returns the samples of n tracks in a frame, stacked as `batch` does.

        Args:
            scenes: (n) scenes.
            frame: of the scenes.
            track_ids: (n) tracks; None for the ego vehicle.
            threads: that build samples; the result does not depend on it.
        """
        numbers = [_checks.index("tracks: scenes", one) for one in scenes]
        frame = _checks.index("tracks: frame", frame)
        ids = [
            None if one is None else _checks.index("tracks: id", one, _checks.UINT64_MAX)
            for one in track_ids
        ]
        if len(ids) != len(numbers):
            raise InvalidArgument(
                f"tracks: lengths differ (found {len(numbers)} scenes, {len(ids)} tracks)"
            )
        threads = _checks.integer("tracks: threads", threads, 1)
        native = self._native()
        return self.dataset._handle.call(
            lambda core: native.batch_at(numbers, frame, ids, threads)
        )

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for index in range(len(self)):
            yield self[index]

    @property
    def channels(self) -> list[str]:
        """The names of the image's channels."""
        return self._native().channels()

    @property
    def agent_rows(self) -> npt.NDArray[np.int64]:
        """The rows of `agents` that are the items; empty if items are not agents."""
        return self._native().agent_rows()


def _is_mask(index: Any) -> bool:
    if isinstance(index, list):
        return bool(index) and all(isinstance(one, (bool, np.bool_)) for one in index)
    return np.asarray(index).dtype == np.bool_


def _checked_mask(mask: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    found = np.asarray(mask)
    if found.dtype != np.bool_ or found.ndim != 1:
        raise _checks.invalid("samples: mask", found, "one bool per row of agents")
    return np.ascontiguousarray(found)


def _filled(thing: str, options: Any, values: Mapping[str, Any]) -> Any:
    """Sets the options of an object of the core."""
    known = [name for name in dir(options) if not name.startswith("_")]
    _checks.options(thing, values, known)
    for name, value in values.items():
        try:
            setattr(options, name, _plain(value))
        except TypeError:
            expected = type(getattr(options, name)).__name__
            raise _checks.invalid(
                f"{thing}: {name}", value, f"a value of type {expected}"
            ) from None
    return options


def _plain(value: Any) -> Any:
    """Returns NumPy's arrays and scalars as lists and numbers."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
