"""Writes docs/python-reference.md from the docstrings of the installed package.

Usage: python scripts/python/reference.py [--check]

--check: fails if the file differs, or if something public has no docstring.
"""

import ast
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python/bevscope"
PAGE = ROOT / "docs/python-reference.md"

#: Modules that are documented, with the source files of their public names.
MODULES = {
    "bevscope": [
        "_data/dataset", "_data/opening", "_parquet_store/parquet_dataset", "_data/array",
        "_data/batch", "_streams/stream", "reader", "_streams/joined", "_streams/concat",
        "_streams/mix", "_data/samples", "_saved/config", "_saved/saver", "_saved/loader",
        "_saved/download", "_data/maps", "_sources/source", "_sources/remote",
        "_sources/cache", "_sources/credentials", "_errors", "_plot", "_publish",
        "model", "_simulate", "widget",
    ],
    "bevscope.types": ["types"],
    "bevscope.torch": ["torch"],
    "bevscope.arrow": ["arrow"],
    "bevscope.convert": ["convert"],
    "bevscope.batch": ["batch/_work", "batch/_local"],
    "bevscope.batch.ray": ["batch/ray", "batch/_ray_data"],
    "bevscope.batch.spark": ["batch/spark", "batch/_spark_source"],
    "bevscope.forecasts": ["forecasts"],
    "bevscope.rollouts": ["rollouts"],
    "bevscope.results": ["results", "_score_files"],
    "bevscope.simulations": ["simulations"],
    "bevscope.model": ["model", "_model_export"],
    "bevscope.zarr": ["zarr"],
    "bevscope.widget": ["widget"],
    "bevscope.streamlit": ["_element", "streamlit"],
    "bevscope.gradio": ["gradio"],
    "bevscope.panel": ["panel"],
}  # fmt: skip
#: Names of a module that have no __all__ to list them.
NAMES = {
    "bevscope.types": ["Frame", "Timeline", "Facts", "SceneFacts", "TrackFacts", "Sample"]
    + ["VectorizedSample"],
    "bevscope.torch": ["loader", "Loader", "collate", "order_of", "tensors_of"],
    "bevscope.arrow": ["Table", "schema_of", "stream_of"],
    "bevscope.convert": [
        "argoverse2",
        "commonroad",
        "interaction",
        "nuplan",
        "nuscenes",
        "scenarionet",
        "waymo",
    ],
    "bevscope.batch": ["plan", "run", "commit", "gc", "open", "local", "Plan", "Work"],
    "bevscope.batch.ray": ["run", "BevscopeDatasource", "BevscopeDatasink"],
    "bevscope.batch.spark": ["run", "register", "BevscopeSource"],
    "bevscope.forecasts": [
        "Forecasts",
        "read_argoverse2",
        "write_argoverse2",
        "recorded",
        "read_l5kit",
        "write_l5kit",
        "write_l5kit_truths",
    ],
    "bevscope.rollouts": ["save_rollout"],
    "bevscope.model": ["Model", "PredictedFutures", "export_onnx"],
    "bevscope.results": ["open_submission", "save", "score", "Submission", "Futures"]
    + ["Scores", "read_scores", "ScoreTable"],
    "bevscope.simulations": ["open_simulation", "Simulation", "Measures"],
    "bevscope.zarr": ["Records", "register"],
    "bevscope.widget": ["Screenshot"],
    "bevscope.streamlit": ["viewer", "Shown"],
    "bevscope.gradio": ["Viewer"],
    "bevscope.panel": ["Viewer"],
}


def public_names():
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return ast.literal_eval(node.value)
    raise SystemExit("bevscope: no __all__")


def signature_of(function):
    arguments = ast.unparse(function.args)
    for receiver in ("self", "cls"):
        if arguments == receiver or arguments.startswith(f"{receiver}, "):
            arguments = arguments[len(receiver) :].removeprefix(", ")
    returned = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({arguments}){returned}"


def wrapped(text, indent=""):
    """Wraps a signature between arguments."""
    kept = re.sub(r"(?<!,) (?!->)| (?![*\w]+[:,=)])", "\0", text)
    options = {"break_long_words": False, "break_on_hyphens": False}
    filled = textwrap.fill(kept, 120, subsequent_indent=indent, **options)
    return filled.replace("\0", " ")


def code_of(text):
    return f"```\n{wrapped(text, '    ')}\n```"


def text_of(node, owner=""):
    """Returns a docstring as Markdown: its arguments as a list."""
    text = ast.get_docstring(node)
    if text is None:
        return ""
    before, _, arguments = text.partition("\nArgs:\n")
    lines = []
    for line in arguments.splitlines():
        nested = line.startswith("        ")
        stripped = line.strip()
        if not nested and stripped:
            name, _, rest = stripped.partition(": ")
            lines.append(f"- `{name}`: {rest}")
        else:
            lines.append(f"  {stripped}" if stripped else "")
    return before.rstrip() + ("\n\n" + "\n".join(lines) if lines else "")


def is_shown(node):
    if not isinstance(node, ast.FunctionDef) or ast.get_docstring(node) is None:
        return False
    return not node.name.startswith("_") or node.name == "__arrow_c_stream__"


def is_property(node):
    return any(ast.unparse(one) == "property" for one in node.decorator_list)


def describe_class(node):
    bases = ", ".join(ast.unparse(one) for one in node.bases)
    yield f"### class `{node.name}`" + (f" ({bases})" if bases else "")
    made = [one for one in node.body if getattr(one, "name", "") == "__init__"]
    if made:
        yield code_of(node.name + signature_of(made[0]).removesuffix(" -> None"))
    yield text_of(node)
    for one in node.body:
        if is_shown(one):
            shown = "" if is_property(one) else signature_of(one)
            if is_property(one) and one.returns:
                shown = f": {ast.unparse(one.returns)}"
            yield wrapped(f"**`{one.name}{shown}`**")
            yield text_of(one)


def keys_of(name, module):
    """Yields the keys of a TypedDict with their annotations, and whether all results have
    them."""
    for node in module:
        if isinstance(node, ast.ClassDef) and node.name == name:
            for base in node.bases:
                yield from keys_of(ast.unparse(base), module)
            total = not node.keywords
            for one in node.body:
                if isinstance(one, ast.AnnAssign):
                    yield one.target.id, one.annotation, total
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            made = node.value
            for key, value in zip(made.args[1].keys, made.args[1].values, strict=True):
                yield key.value, value, not made.keywords


def table_of(name, module):
    """Returns the keys of a TypedDict as a table."""
    aliases = {}
    for node in module:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
            aliases[node.targets[0].id] = ast.unparse(node.value.slice)
    lines = ["| key | type | shape | unit | content |", "| --- | --- | --- | --- | --- |"]
    for key, annotation, total in keys_of(name, module):
        if not isinstance(annotation, ast.Subscript):
            lines.append(f"| `{key}` | `{ast.unparse(annotation)}` | | | |")
            continue
        kind, *rest = annotation.slice.elts
        names = [aliases.get(one, one) for one in ast.unparse(kind).split(" | ")]
        names = [re.sub(r"^np\.|_$", "", one) for one in names]
        shape, unit, content = [*(one.value for one in rest), "", ""][:3]
        shown = f"({shape})" if shape else ""
        content += "" if total else (" (optional)" if content else "optional")
        cells = (f"`{key}`", " or ".join(names), shown, unit, content)
        lines.append("".join(f"| {cell} " if cell else "| " for cell in cells) + "|")
    return "\n".join(lines)


def describe(node):
    if isinstance(node, ast.ClassDef):
        yield from describe_class(node)
        return
    yield f"### `{node.name}`"
    yield code_of(node.name + signature_of(node))
    yield text_of(node)


def describe_types(names):
    module = ast.parse((PACKAGE / "types.py").read_text())
    yield "## bevscope.types"
    yield ast.get_docstring(module)
    for name in names:
        yield f"### `{name}`"
        for node, after in zip(module.body, module.body[1:] + [None], strict=True):
            if isinstance(node, ast.ClassDef) and node.name == name:
                yield text_of(node)
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
                yield after.value.value
        yield table_of(name, module.body)


def page():
    yield "# Reference of the Python package"
    yield (
        "Written by `scripts/python/reference.py` from the docstrings. Introduction: "
        "[python.md](python.md).\nNames of `bevscope.l5kit` are those of L5Kit."
    )
    for module, files in MODULES.items():
        wanted = NAMES.get(module) or public_names()
        if module == "bevscope.types":
            yield from describe_types(wanted)
            continue
        found = {}
        for file in files:
            path = PACKAGE / f"{file}.py"
            for node in ast.parse(path.read_text()).body if path.exists() else ():
                if (
                    isinstance(node, (ast.ClassDef, ast.FunctionDef))
                    and node.name in wanted
                ):
                    found[node.name] = node
        yield f"## {module}"
        for name, node in found.items():
            if ast.get_docstring(node) is None:
                raise SystemExit(f"{module}.{name}: no docstring")
            yield from describe(node)
        missing = set(wanted) - set(found) - {"__version__"}
        if missing and module == "bevscope":
            raise SystemExit(f"{module}: not found: {', '.join(sorted(missing))}")


made = "\n\n".join(filter(None, page())) + "\n"
if "--check" in sys.argv:
    if PAGE.read_text() != made:
        sys.exit(f"{PAGE.name}: out of date; run python scripts/python/reference.py")
else:
    PAGE.write_text(made)
