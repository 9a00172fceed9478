"""L5Kit's selection of agents."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ... import _core
from ..._errors import InvalidArgument
from .._folder import sync
from .job import Job, Put, Report, ranges

_FIELDS = {
    "threshold": "label_threshold",
    "yaw": "max_yaw_step_deg",
    "extent": "max_extent_ratio",
    "distance": "max_distance_to_ego",
}


class Mask(Job):
    """agents_mask/THRESHOLD: how long each agent is visible before and after its frame. A
    task is a run of chunks; it reads the scenes that overlap them."""

    usual = {
        "threshold": 0.5,
        "yaw": 30.0,
        "extent": 1.1,
        "distance": 50.0,
        "chunks": 100,
    }

    def __init__(self, options: Mapping[str, Any], address: Any) -> None:
        super().__init__(options, address)
        self._rules = _core.AgentRules()
        for name, field in _FIELDS.items():
            value = self.options[name]
            # JSON has no infinity.
            number = math.inf if value == "inf" else value
            if isinstance(number, bool) or not isinstance(number, (int, float)):
                raise InvalidArgument(f"mask: {name}: not a number (found {value!r})")
            if math.isnan(number):
                raise InvalidArgument(f"mask: {name}: must not be NaN")
            self.options[name] = "inf" if math.isinf(number) else float(number)
            setattr(self._rules, field, float(number))
        self.units = (_core.mask_path(self._rules),)

    def tasks(self) -> list[dict[str, Any]]:
        chunks = _core.mask_chunk_count(len(self.dataset.agents))
        step = self.options["chunks"]
        return [{"begin": a, "end": b} for a, b in ranges(chunks, step, "mask: chunks")]

    def run(self, task: Mapping[str, Any], put: Put) -> Report:
        report: Report = json.loads(
            self.dataset._handle.call(
                lambda core: _core.write_mask_chunks(
                    core, self._rules, task["begin"], task["end"], put
                )
            )
        )
        return report

    def finish(
        self, tasks: Sequence[Mapping[str, Any]], reports: Sequence[Report], put: Put
    ) -> Report:
        texts = [json.dumps(one) for one in reports]
        report: Report = json.loads(
            self.dataset._handle.call(
                lambda core: _core.write_mask_documents(core, self._rules, texts, put)
            )
        )
        return report

    def published(self, output: str) -> None:
        """Makes agents_mask a group."""
        group = os.path.join(output, "agents_mask")
        if not os.path.exists(os.path.join(group, ".zgroup")):
            with open(os.path.join(group, ".zgroup"), "w", encoding="utf-8") as file:
                file.write('{\n    "zarr_format": 2\n}')
                file.flush()
                os.fsync(file.fileno())
            sync(group)
