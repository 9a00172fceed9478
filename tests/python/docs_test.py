"""The examples of README.md and of the package's pages run; the reference is complete."""

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


PAGES = [
    ROOT / name
    for name in (
        *(
            "README.md",
            "docs/arrays.md",
            "docs/batch.md",
            "docs/patches.md",
            "docs/python.md",
            "docs/python-reader.md",
        ),
        *("docs/parquet.md", "docs/saver.md", "docs/train.md", "python/README.md"),
    )
]


def examples_of(path):
    """Yields the headline and the Python blocks of each section that has such blocks."""
    for section in re.split(r"^(?=#+ |In )", path.read_text(), flags=re.MULTILINE):
        blocks = re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
        if blocks:
            yield section.splitlines()[0].strip("# "), blocks


def sections():
    for path in PAGES:
        for headline, blocks in examples_of(path):
            name = f"{path.name}: {headline[:20].strip()}"
            yield pytest.param(path, "\n".join(blocks), id=name)


def import_all(code):
    """Skips if a module that the code imports is not installed, or an older one."""
    for node in ast.walk(ast.parse(code)):
        modules = [getattr(node, "module", None)] if hasattr(node, "module") else []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        for module in filter(None, modules):
            try:
                importlib.import_module(module)
            except ImportError as error:
                pytest.skip(f"{module}: {error}")


@pytest.fixture
def checkout(town, tmp_path, monkeypatch):
    """A directory with build/town and sample.zarr, in which examples may write."""
    (tmp_path / "build").mkdir()
    (tmp_path / "build/town").symlink_to(town, target_is_directory=True)
    (tmp_path / "sample.zarr").symlink_to(town / "scenes/town.zarr")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("L5KIT_DATA_FOLDER", raising=False)
    if "BEVSCOPE" in os.environ:
        folder = (ROOT / os.environ["BEVSCOPE"]).parent
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


@pytest.mark.parametrize(("path", "code"), list(sections()))
def test_examples_run(checkout, path, code, request):
    import_all(code)
    if "import pytorch_lightning" in code:
        request.getfixturevalue("lightning_runs")
    if "bevscope.Viewer(" in code:
        widget = pytest.importorskip("bevscope.widget")
        if not widget.SCRIPT.exists():
            pytest.skip("the package was built without the viewer")
    if '["bevscope", ' in code and not shutil.which("bevscope"):
        pytest.skip("the program bevscope is not installed")
    names = {"__name__": "example"}
    exec(compile(code, str(path), "exec"), names)


def test_readme_has_an_example_in_python():
    assert len(list(examples_of(ROOT / "README.md"))) == 1


def test_the_typed_script_runs(checkout):
    script = ROOT / "tests/python/typed_user.py"
    command = [sys.executable, str(script), "build/town/scenes/town.zarr"]
    ran = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ))
    assert ran.returncode == 0, ran.stderr
    assert "'agents':" in ran.stdout


def test_the_reference_names_what_exists():
    text = (ROOT / "docs/python-reference.md").read_text()
    for section in text.split("\n## ")[1:]:
        name = section.split()[0]
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue  # bevscope.zarr needs zarr-python 3
        for part in section.split("\n### ")[1:]:
            try:
                owner = getattr(module, re.search(r"`(\w+)`", part)[1])
            except ImportError:
                continue  # bevscope.Viewer needs anywidget
            for member in re.findall(r"^\*\*`(\w+)", part, re.MULTILINE):
                assert hasattr(owner, member), (owner, member)
