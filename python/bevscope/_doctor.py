"""What the package finds of what it can use: python -m bevscope doctor.

The program examines the machine (`bevscope doctor`); this is what only Python knows.
"""

from __future__ import annotations

import importlib.metadata
import platform
import re
import shutil
import subprocess
from dataclasses import asdict, dataclass
from typing import Any

from . import _core

_REQUIREMENT = re.compile(
    r"""(?P<name>[\w.-]+)(\[[\w, .-]*\])?\s*\(?(?P<limits>[^;()]*)\)?\s*"""
    r"""(;.*extra\s*==\s*['"](?P<extra>[\w-]+)['"])?"""
)


@dataclass(frozen=True)
class Finding:
    """As a finding of the program."""

    name: str
    level: str  #: "ok", "warning" or "problem"
    found: str
    remedy: str | None = None


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version: (2, 1) of "2.1rc1"."""
    found = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def _fits(version: str, limits: str) -> bool:
    """Whether a version is within limits such as ">=1.26,<3"."""
    for sign, limit in re.findall(r"(>=|<)\s*([\w.]+)", limits):
        least = _numbers(version) >= _numbers(limit)
        if least != (sign == ">="):
            return False
    return True


def _installed(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def check_requirements(requirements: list[str]) -> list[Finding]:
    """A finding for each package that is required or that an extra adds."""
    findings: dict[tuple[str, str], Finding] = {}
    for requirement in requirements:
        parts = _REQUIREMENT.match(requirement)
        if parts is None:
            continue
        name, limits, extra = parts["name"], parts["limits"].strip(), parts["extra"]
        wanted = f"bevscope[{extra}]" if extra else "bevscope"
        version = _installed(name)
        level = "ok"
        remedy: str | None = f'pip install "{wanted}"'
        if version is None:
            level = "ok" if extra else "problem"
            found = f"not installed, for {wanted}"
        elif _fits(version, limits):
            found, remedy = version, None
        else:
            level = "warning" if extra else "problem"
            found = f"{version} (expected {limits})"
        findings[name, found] = Finding(name, level, found, remedy)
    return list(findings.values())


def check_program(version: str) -> Finding:
    """Compares the version of the program on PATH."""
    path = shutil.which("bevscope")
    if path is None:
        return Finding(
            "program", "ok", "no bevscope on PATH", "docs/cli.md says how to build it"
        )
    try:
        said = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=60
        ).stdout.split()
    except (OSError, subprocess.SubprocessError) as error:
        return Finding("program", "problem", f"{path}: {error}", "install it again")
    found = said[-1] if said else "none"
    if found == version:
        return Finding("program", "ok", f"{path}, {found}")
    return Finding(
        "program", "warning", f"{path}, version {found}", f"install version {version}"
    )


def examine() -> list[Finding]:
    """Examines package, Python, required and optional packages, and the program."""
    version = _core.version()
    place = f"{version}, {_core.__file__}"
    package = Finding("bevscope", "ok", place)
    if _installed("bevscope") != version:
        place = f"{place}, of package {_installed('bevscope') or '(not installed)'}"
        remedy = "pip install --force-reinstall bevscope"
        package = Finding("bevscope", "problem", place, remedy)
    requirements = importlib.metadata.requires("bevscope") if _installed("bevscope") else []
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return [
        package,
        Finding("python", "ok", f"{python}, {platform.platform()}"),
        *check_requirements(requirements or []),
        check_program(version),
    ]


def report(findings: list[Finding]) -> str:
    """The findings as lines, remedies below them."""
    lines = []
    for finding in findings:
        lines.append(f"{finding.level:<9}{finding.name:<15}{finding.found}")
        if finding.remedy:
            lines.append(f"{'':24}-> {finding.remedy}")
    return "\n".join(lines)


def as_json(findings: list[Finding]) -> dict[str, Any]:
    """The findings as the program's JSON has them."""
    return {
        "version": _core.version(),
        "ok": all(finding.level != "problem" for finding in findings),
        "findings": [asdict(finding) for finding in findings],
    }
