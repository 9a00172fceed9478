"""Pickles and texts of objects name the modules that they have always named."""

import pickle
import subprocess
import sys

import pytest

import bevscope
from bevscope import batch

#: Public names by their module in pickles.
NAMES = {
    "_array": "Array",
    "_batch": "Batch",
    "_cache": "cache_contents clear_cache",
    "_concat": "Concat concat_readers",
    "_config": "DataConfig Nullable",
    "_credentials": "S3Credentials set_s3_credentials",
    "_dataset": "Dataset open",
    "_download": "Download upload",
    "_errors": "Closed Error InvalidArgument NotFound OutOfMemory OutOfRange ReadError "
    "Unsupported",
    "_joined": "Joined",
    "_loader": "Attachment DataLoader",
    "_map": "Mapped",
    "_maps": "AerialImage SemanticMap",
    "_mix": "Mix mix",
    "_parquet_dataset": "ParquetDataset parquet",
    "_plot": "plot",
    "_publish": "publish",
    "_remote": "FsspecSource ObstoreSource",
    "_samples": "Samples",
    "_saver": "DataSaver SavedDataset commit_parts discard_parts list_datasets",
    "_simulate": "SimulatedScene simulate",
    "_source": "MappingSource MemorySource Source",
    "_stream": "Stream",
    "model": "Model",
    "reader": "Reader",
    "widget": "Viewer",
}
BATCH = {"_local": "local", "_work": "Plan Work commit gc open plan run"}
PLACES = [(module, name) for module, names in NAMES.items() for name in names.split()]


def test_all_public_names_are_listed():
    assert sorted(name for _, name in PLACES) == sorted(
        {*bevscope.__all__} - {"__version__"}
    )
    assert sorted(" ".join(BATCH.values()).split()) == sorted(batch.__all__)


@pytest.mark.parametrize(("module", "name"), PLACES)
def test_the_module_is_the_one_of_pickles(module, name):
    if name == "Viewer":
        pytest.importorskip("anywidget")
    found = getattr(bevscope, name)
    assert (found.__module__, found.__qualname__) == (f"bevscope.{module}", name)
    assert pickle.loads(f"cbevscope.{module}\n{name}\n.".encode()) is found
    assert pickle.loads(pickle.dumps(found)) is found


def test_modules_of_batch_are_those_of_pickles():
    for module, names in BATCH.items():
        for name in names.split():
            assert getattr(batch, name).__module__ == f"bevscope.batch.{module}"


def test_a_new_process_reads_pickles():
    objects = [bevscope.Dataset, bevscope.Mapped, bevscope.InvalidArgument("x")]
    code = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()))"
    ran = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(objects), capture_output=True
    )
    assert ran.stdout.decode() == (
        "[<class 'bevscope._dataset.Dataset'>, <class 'bevscope._map.Mapped'>, "
        "InvalidArgument('x')]\n"
    ), ran.stderr


def test_importing_the_package_imports_few_others():
    code = "import sys, bevscope; print(*{one.split('.')[0] for one in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    heavy = {"torch", "pyarrow", "zarr", "PIL", "cv2", "yaml", "anywidget", "fsspec"}
    heavy |= {"matplotlib"}
    assert "bevscope" in loaded.stdout and not heavy & {*loaded.stdout.split()}
