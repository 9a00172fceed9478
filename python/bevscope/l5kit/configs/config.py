"""Config files: YAML (by PyYAML) or JSON."""

from __future__ import annotations

import json
from typing import Any

from ..._errors import Unsupported


def _yaml() -> Any:
    try:
        import yaml
    except ImportError:
        return None
    return yaml


def load_config_data(path: str) -> dict[str, Any]:
    """Returns the content of a config file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    yaml = _yaml()
    if yaml is not None:
        found: dict[str, Any] = yaml.safe_load(text)
        return found
    try:
        found = json.loads(text)
    except ValueError:
        raise Unsupported(
            f"{path}: YAML needs PyYAML: pip install bevscope[yaml]"
        ) from None
    return found


def save_config_data(data: dict[str, Any], path: str) -> None:
    """Writes a config file, as JSON (which is YAML) where PyYAML is missing."""
    yaml = _yaml()
    with open(path, "w", encoding="utf-8") as file:
        if yaml is not None:
            yaml.safe_dump(data, file)
        else:
            json.dump(data, file, indent=2)


def load_metadata(metadata_path: str) -> dict[str, Any]:
    """Returns the content of a meta.json."""
    with open(metadata_path, encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found
