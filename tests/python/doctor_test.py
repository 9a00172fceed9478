"""python -m bevscope doctor: versions of the package, of others, and of the program."""

import json
import subprocess
import sys

import numpy
import pytest

import bevscope
from bevscope import __main__, _doctor


def named(findings, name):
    (found,) = [finding for finding in findings if finding.name == name]
    return found


def test_what_is_installed_is_named_with_its_version():
    findings = _doctor.examine()
    assert named(findings, "bevscope").found.startswith(bevscope.__version__)
    assert named(findings, "numpy").found == numpy.__version__
    assert named(findings, "numpy").remedy is None
    assert all(finding.level == "ok" or finding.remedy for finding in findings)
    names = {finding.name for finding in findings}
    assert {"torch", "pyarrow", "ray", "pyspark", "pyyaml", "python", "program"} <= names


@pytest.mark.parametrize(
    ("requirement", "level", "part"),
    [
        ("numpy>=1.0", "ok", numpy.__version__),
        ("numpy>=99", "problem", "expected >=99"),
        ("numpy<1,>=0.1", "problem", "expected <1,>=0.1"),
        ("numpy[all]>=1.0,<99; extra == 'x'", "ok", numpy.__version__),
        ("numpy>=99; extra == 'x'", "warning", "expected >=99"),
        ("no-such-package>=1", "problem", "not installed, for bevscope"),
        ('no-such-package>=1; extra == "x"', "ok", "not installed, for bevscope[x]"),
    ],
)
def test_requirements_are_compared_with_what_is_installed(requirement, level, part):
    (finding,) = _doctor.check_requirements([requirement])
    assert (finding.level, part in finding.found) == (level, True)
    assert (finding.remedy is None) == (finding.found == numpy.__version__)
    if "extra" in requirement and finding.remedy:
        assert finding.remedy == 'pip install "bevscope[x]"'


def test_a_program_of_another_version_is_a_warning(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert _doctor.check_program("1.2").level == "ok"
    program = tmp_path / "bevscope"
    program.write_text("#!/bin/sh\necho bevscope 1.2\n")
    program.chmod(0o755)
    assert _doctor.check_program("1.2").level == "ok"
    other = _doctor.check_program("1.3")
    assert (other.level, other.remedy) == ("warning", "install version 1.3")
    program.write_text("#!/bin/none\n")
    assert _doctor.check_program("1.2").level == "problem"


def test_the_command_prints_lines_or_json_and_a_problem_is_status_1(capsys, monkeypatch):
    assert __main__.main(["doctor"]) == 0
    assert f"ok       numpy          {numpy.__version__}\n" in capsys.readouterr().out
    assert __main__.main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["version"], report["ok"]) == (bevscope.__version__, True)
    assert report["findings"][0]["name"] == "bevscope"
    broken = [_doctor.Finding("numpy", "problem", "1.0 (expected >=2)", "install it")]
    monkeypatch.setattr(_doctor, "examine", lambda: broken)
    assert __main__.main(["doctor"]) == 1
    assert capsys.readouterr().out.splitlines()[1] == f"{'':24}-> install it"


def test_it_imports_no_optional_package():
    code = (
        "import sys; from bevscope import __main__; __main__.main(['doctor']);"
        "assert not {'torch', 'pyarrow', 'ray', 'yaml'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
