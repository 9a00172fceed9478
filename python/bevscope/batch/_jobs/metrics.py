"""L5Kit's metrics of the predictions for a whole data set."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ... import _core
from ..._errors import InvalidArgument
from ..._sources.files import reading
from .job import Job, Put, Report, files_fingerprint

_PIECE = 1 << 20


class Metrics(Job):
    """metrics.json: the mean of each metric over all agents. A task is a share of the
    agents, and reads both files whole; rows may be in any order."""

    usual = {"shares": 8}

    def __init__(self, options: Mapping[str, Any], address: Any) -> None:
        super().__init__(options, address)
        if not isinstance(address, list) or len(address) != 2:
            raise InvalidArgument(
                "metrics: expected two files, of ground truth and of predictions (L5Kit's "
                "gt.csv and pred.csv)"
            )
        shares = self.options["shares"]
        if not isinstance(shares, int) or shares < 1:
            raise InvalidArgument(f"metrics: shares: must be at least 1 (found {shares})")

    def fingerprint(self) -> str:
        return files_fingerprint("/", self.address)

    def tasks(self) -> list[dict[str, Any]]:
        shares = self.options["shares"]
        return [{"share": i, "shares": shares} for i in range(shares)]

    def run(self, task: Mapping[str, Any], put: Put) -> Report:
        share = _core.MetricShare(task["share"], task["shares"])
        for path, add in zip(
            self.address, (share.add_truths, share.add_predictions), strict=True
        ):
            _read(path, add)
        return {"sums": json.loads(share.finish())}

    def finish(
        self, tasks: Sequence[Mapping[str, Any]], reports: Sequence[Report], put: Put
    ) -> Report:
        text = _core.join_metrics([json.dumps(one["sums"]) for one in reports])
        put("metrics.json", text.encode())
        report: Report = json.loads(text)
        return report


def _read(path: str, add: Callable[[bytes], None]) -> None:
    """Passes a file in pieces to a function."""
    with reading(path), open(path, "rb") as file:
        while piece := file.read(_PIECE):
            add(piece)
