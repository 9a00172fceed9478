"""The jobs of batch work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..._errors import InvalidArgument
from .convert import Argoverse2, ScenarioNet, Waymo
from .copy import Copy
from .facts import Facts
from .job import Job
from .mask import Mask
from .metrics import Metrics
from .parquet import Parquet
from .samples import MadeSamples
from .statistics import Statistics

JOBS: dict[str, type[Job]] = {
    "mask": Mask,
    "statistics": Statistics,
    "facts": Facts,
    "metrics": Metrics,
    "samples": MadeSamples,
    "argoverse2": Argoverse2,
    "scenarionet": ScenarioNet,
    "waymo": Waymo,
    "copy": Copy,
    "parquet": Parquet,
}


def make(options: Mapping[str, Any], address: Any) -> Job:
    """Returns the job with these options."""
    name = options.get("job")
    if name not in JOBS:
        raise InvalidArgument(
            f"job: unknown name (found {name!r}, expected one of {', '.join(JOBS)})"
        )
    return JOBS[name](options, address)
