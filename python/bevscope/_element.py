"""What the viewer's components share: its script, and the values that they exchange with
it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ._data.dataset import Dataset
from ._errors import InvalidArgument, ReadError
from ._sources.source import shown

#: The browser's part; absent if the package was built without the viewer.
SCRIPT = Path(__file__).parent / "static" / "widget.js"

#: Addresses that browsers read themselves.
SCHEMES = ("http", "https", "hf", "s3", "gs")

#: Values whose change is reported unless others are chosen.
WATCHED = ("scene", "selection")

Selection = int | Literal["ego"] | None


class Shown(NamedTuple):
    """What a viewer shows. None until it has shown something, or if nothing is selected."""

    scene: int | None = None
    frame: int | None = None
    #: A track id, or "ego".
    selection: Selection = None


def check_script() -> None:
    """Raises ReadError if the package was built without the viewer."""
    if not SCRIPT.exists():
        raise ReadError(f"{SCRIPT}: not found (this package was built without the viewer)")


def is_address(dataset: Any) -> bool:
    """Whether browsers read it themselves: an URL, or an address of a host."""
    return isinstance(dataset, str) and dataset.split("://")[0] in SCHEMES


def name_of(address: str) -> str:
    """Returns the last segment of an address."""
    return str(shown(address)).rstrip("/").rsplit("/", 1)[-1]


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def wire(name: str, value: Any) -> Any:
    """Returns a value as the browser takes it. Track ids have 64 bits: they are text."""
    if value is None or (name == "selection" and value == "ego"):
        return value
    if name == "theme" and value in ("auto", "dark", "light"):
        return value
    if name in ("scene", "frame", "selection", "height") and _is_index(value):
        return str(value) if name == "selection" else int(value)
    raise InvalidArgument(f"{name}: invalid value (found {value!r})")


def values_of(
    dataset: Any, watch: Collection[str] = WATCHED, **given: Any
) -> dict[str, Any]:
    """Returns the values of a viewer that opens an address in a dashboard's page.

    Args:
        dataset: an address that the browser reads, or a `Dataset` of one.
        watch: the values whose change is reported.
        given: scene, frame, selection, theme, height.
    """
    address = dataset.address if isinstance(dataset, Dataset) else dataset
    if not is_address(address):
        raise InvalidArgument(
            "dataset: not an address that browsers read (found "
            f"{shown(str(address))!r}, expected {'://, '.join(SCHEMES)}://); "
            "`bevscope serve DIR --cors ORIGIN` gives a folder one"
        )
    unknown = set(watch) - set(Shown._fields)
    if unknown:
        raise InvalidArgument(f"watch: unknown values (found {sorted(unknown)})")
    values = {name: wire(name, value) for name, value in given.items()}
    own = {"_url": address, "_name": name_of(address), "_watch": sorted(watch)}
    return {**own, **values}


def shown_of(values: Mapping[str, Any] | None) -> Shown:
    """Returns what the browser has reported."""
    found = {name: (values or {}).get(name) for name in Shown._fields}
    selection = found["selection"]
    if isinstance(selection, str) and selection.isdigit():
        found["selection"] = int(selection)
    return Shown(**found)
