"""L5Kit's samples of a config as arrays, or as WebDataset shards."""

from __future__ import annotations

import functools
import io
import json
import os
import tarfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _core
from ..._data.maps import files_of
from ..._data.samples import Samples
from ..._errors import InvalidArgument
from ..._sources.source import descr_of
from .job import Job, Put, Report, files_fingerprint, ranges

_GROUP = '{\n    "zarr_format": 2\n}'
_BLOSC = {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0}
_FORMATS = ("zarr", "webdataset")


class MadeSamples(Job):
    """Samples as a zarr group with an array per key, or as .tar shards with a file per
    key. A task is a run of chunks, or a shard."""

    usual = {
        "config": None,
        "kind": "ego",
        "vectorized": False,
        "image": "f32",
        "root": None,
        "rules": {},
        "perturbation": None,
        "begin": 0,
        "end": None,
        "format": "zarr",
        "rows": 16,
        "chunks": 16,
        "compressor": _BLOSC,
    }

    def __init__(self, options: Mapping[str, Any], address: Any) -> None:
        super().__init__(options, address)
        if not isinstance(self.options["config"], Mapping):
            raise InvalidArgument("samples: config must be L5Kit's config as an object")
        if self.options["format"] not in _FORMATS:
            raise InvalidArgument(
                f"samples: format: unknown (found {self.options['format']!r}, expected "
                f"one of {', '.join(_FORMATS)})"
            )

        if self._needs_files():
            # Processes of other machines run in other folders.
            self.options["root"] = os.path.abspath(self.options["root"] or ".")

    @functools.cached_property
    def samples(self) -> Samples:
        names = ("kind", "vectorized", "image", "root", "perturbation", "rules")
        options = {name: self.options[name] for name in names}
        return Samples(self.dataset, self.options["config"], **options)

    def uses_masks(self) -> bool:
        """A stored mask chooses the agents."""
        return self.options["kind"] != "ego"

    def fingerprint(self) -> str:
        """Also of the map and the aerial image."""
        own, files = super().fingerprint(), []
        if self._needs_files():
            found = self._files()
            files = sorted(str(one) for one in found.values())
        return own + files_fingerprint("/", files) if files else own

    def _files(self) -> dict[str, str]:
        config, root = self.options["config"], self.options["root"] or "."
        return files_of(config, self._is_vectorized(), root)

    def _needs_files(self) -> bool:
        if self.options["image"] == "none" and not self._is_vectorized():
            return False
        return "raster_params" in self.options["config"] and bool(self._files())

    def _is_vectorized(self) -> bool:
        return self.options["vectorized"] or self.options["kind"] in ("ego_agent", "eval")

    def _range(self) -> range:
        begin, end = self.options["begin"], self.options["end"]
        return range(len(self.samples))[begin:end]

    def tasks(self) -> list[dict[str, Any]]:
        chosen = self._range()
        if not chosen:
            raise InvalidArgument("samples: no samples")
        rows = self.options["rows"] * self.options["chunks"]
        return [
            {"begin": a, "end": b} for a, b in ranges(len(chosen), rows, "samples: rows")
        ]

    def run(self, task: Mapping[str, Any], put: Put) -> Report:
        if self.options["format"] == "webdataset":
            return self._run_shard(task, put)
        step, arrays = self.options["rows"], {}
        for begin in range(task["begin"], task["end"], step):
            items = self._range()[begin : min(begin + step, task["end"])]
            batch = self.samples.batch(np.array(items))
            for key, values in batch.items():
                meta = self._meta(values, len(self._range()))
                arrays[key] = [meta["dtype"], meta["shape"], meta["chunks"]]
                place = ".".join(["0"] * (len(meta["shape"]) - 1))
                name = f"{key}/{begin // step}" + (f".{place}" if place else "")
                flat = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
                put(name, _core.encode_chunk(json.dumps(meta), flat))
        return {"arrays": arrays}

    def _meta(self, values: npt.NDArray[Any], count: int) -> dict[str, Any]:
        """Returns the .zarray of a key."""
        return self._array_meta(
            descr_of(values.dtype),
            [count, *values.shape[1:]],
            [self.options["rows"], *(max(1, n) for n in values.shape[1:])],
        )

    def _array_meta(
        self, dtype: Any, shape: Sequence[int], chunks: Sequence[int]
    ) -> dict[str, Any]:
        return {
            "chunks": list(chunks),
            "compressor": self.options["compressor"],
            "dtype": dtype,
            "fill_value": False if dtype == "|b1" else 0,
            "filters": None,
            "order": "C",
            "shape": list(shape),
            "zarr_format": 2,
        }

    def _run_shard(self, task: Mapping[str, Any], put: Put) -> Report:
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for number in range(task["begin"], task["end"]):
                sample = self.samples[self._range()[number]]
                for key, value in sample.items():
                    file = io.BytesIO()
                    np.save(file, np.asarray(value), allow_pickle=False)
                    # No time, owner or mode of this machine.
                    member = tarfile.TarInfo(f"{number:09}.{key}.npy")
                    member.size = file.tell()
                    file.seek(0)
                    tar.addfile(member, file)
        rows = self.options["rows"] * self.options["chunks"]
        put(f"samples-{task['begin'] // rows:06}.tar", content.getvalue())
        return {}

    def finish(
        self, tasks: Sequence[Mapping[str, Any]], reports: Sequence[Report], put: Put
    ) -> Report:
        count = len(self._range())
        if self.options["format"] == "webdataset":
            return {"samples": count, "shards": len(tasks)}
        documents = {".zgroup": json.loads(_GROUP)}
        for key, (dtype, shape, chunks) in sorted(reports[0]["arrays"].items()):
            for number, one in enumerate(reports):
                if one["arrays"].get(key) != [dtype, shape, chunks]:
                    raise InvalidArgument(f"samples: {key}: differs in task {number}")
            documents[f"{key}/.zarray"] = self._array_meta(dtype, shape, chunks)
        for name, document in documents.items():
            put(name, json.dumps(document, indent=4, sort_keys=True).encode())
        consolidated = {"metadata": documents, "zarr_consolidated_format": 1}
        put(".zmetadata", json.dumps(consolidated, indent=4, sort_keys=True).encode())
        return {"samples": count, "arrays": sorted(reports[0]["arrays"])}
