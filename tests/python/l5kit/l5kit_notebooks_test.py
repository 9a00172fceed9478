"""L5Kit's own notebooks run through bevscope.l5kit to their last cell.

L5KIT names a directory with the sources of L5Kit 1.5.0, whose examples/ has the notebooks.
Their cells are unchanged: IPython's startup folder imports bevscope.l5kit.install.
The data are a recorded scene, repeated with other times and tracks, and a synthetic map.
Configs ask for less work (see smaller). Pretrained weights are random: they cannot be
downloaded in a test.
"""

import os
from pathlib import Path

import pytest

if "L5KIT" not in os.environ:
    pytest.skip("L5KIT is not set", allow_module_level=True)
for name in ("bokeh", "cv2", "ipykernel", "matplotlib", "prettytable", "tqdm"):
    pytest.importorskip(name)
nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
torch = pytest.importorskip("torch")
resnet = pytest.importorskip("torchvision.models.resnet")
yaml = pytest.importorskip("yaml")

from bevscope.l5kit.data import ChunkedDataset  # noqa: E402

#: What notebooks name: the folder of the data, and the models of three that others load.
DATA = Path("/tmp/l5kit_data")
MODELS = [Path(f"/tmp/{name}.pt") for name in ("planning_model", "simulation_model")]
MODELS += [Path("/tmp/urban_driver.pt")]
#: The folder of the data, in notebooks that leave it to the user.
PLACEHOLDERS = ("PATH_TO_DATA", "PATH_TO_DATASET")
#: Scenes of each data set that configs name. Notebooks display ten scenes, and simulate
#: the scenes 0, 10 and 20.
SCENES = {"sample": 10, "train": 1, "validate_0": 21}
#: Nanoseconds, and tracks, between repetitions of the scene.
HOUR, TRACKS = 3_600_000_000_000, 1_000_000
#: Notebooks in their order, and what their last cell displays.
BOKEH, IMAGE, TEXT = "application/vnd.bokehjs_exec.v0+json", "image/png", "text/plain"
NOTEBOOKS = {
    "agent_motion_prediction/agent_motion_prediction": IMAGE,
    "visualisation/visualise_data": BOKEH,
    "planning/train": TEXT,
    "planning/open_loop_test": IMAGE,
    "planning/closed_loop_test": BOKEH,
    "simulation/train": TEXT,
    "simulation/simulation_test": BOKEH,
    "urban_driver/train": TEXT,
    "urban_driver/closed_loop_test": BOKEH,
    "safepathnet/agent_prediction": TEXT,
}
#: Notebooks for modules that PyPI's L5Kit 1.5.0 does not have yet, but the sources have.
NEWER = ["safepathnet/agent_prediction"]


def root_of(folder):
    """Returns the root of L5Kit's sources, with examples and l5kit/l5kit."""
    for candidate in (folder, *folder.resolve().parents[:2]):
        if (candidate / "examples/planning").is_dir():
            return candidate
    raise FileNotFoundError(f"{folder}: no notebooks of L5Kit (expected examples)")


def write_scenes(source, path, count):
    """Writes a data set that repeats a recorded scene."""
    recorded, made = ChunkedDataset(str(source)).open(), ChunkedDataset(str(path))
    made.initialize()
    for i in range(count):
        scenes, frames, agents = recorded.scenes[:], recorded.frames[:], recorded.agents[:]
        scenes["frame_index_interval"] += len(made.frames)
        scenes["start_time"] += i * HOUR
        scenes["end_time"] += i * HOUR
        frames["agent_index_interval"] += len(made.agents)
        frames["traffic_light_faces_index_interval"] += len(made.tl_faces)
        frames["timestamp"] += i * HOUR
        agents["track_id"] += i * TRACKS
        made.scenes.append(scenes)
        made.frames.append(frames)
        made.agents.append(agents)
        made.tl_faces.append(recorded.tl_faces[:])


def write_data(inputs, folder):
    """Writes a folder of data with L5Kit's names."""
    for name, count in SCENES.items():
        path = folder / f"scenes/{name}.zarr"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_scenes(inputs / "single_scene.zarr", path, count)
    files = {
        "meta.json": "meta.json",
        "town_map.pb": "semantic_map/semantic_map.pb",
        "aerial_town.png": "aerial_map/aerial_map.png",
    }
    for name, key in files.items():
        (folder / key).parent.mkdir(exist_ok=True)
        (folder / key).symlink_to(inputs / name)


def write_weights(folder):
    """Writes random weights where torchvision looks before it downloads any."""
    checkpoints = folder / "hub/checkpoints"
    checkpoints.mkdir(parents=True)
    url = resnet.ResNet50_Weights.IMAGENET1K_V1.url
    torch.save(resnet.resnet50().state_dict(), checkpoints / Path(url).name)


def smaller(config, folder):
    """Returns a notebook's config with less work. Planning and simulation need the same
    history, because the simulation's notebook drives with the planning notebook's model.
    safepathnet's expects frames with more agents than it samples."""
    for section in ("train_data_loader", "val_data_loader"):
        if section in config:
            config[section].update(batch_size=4, num_workers=2)
    if "train_params" in config:
        config["train_params"].update(max_num_steps=3)
        config["raster_params"].update(raster_size=[64, 64])
    if folder == "planning":
        config["model_params"].update(history_num_frames=5)
    if folder == "urban_driver":
        config["model_params"].update(future_num_frames=3)
    if folder == "safepathnet":
        config["train_params"].update(num_epochs=1)
        config["data_generation_params"].update(other_agents_num=8)
    return config


@pytest.fixture(scope="module")
def place(goldens, tmp_path_factory):
    """The folder of the notebooks; data and models are where the notebooks expect them."""
    for path in (DATA, *MODELS):
        assert not os.path.lexists(path), f"{path}: exists; remove it"
    root = tmp_path_factory.mktemp("l5kit")
    write_data(goldens / "inputs", root / "data")
    write_weights(root / "torch")
    startup = root / "ipython/profile_default/startup"
    startup.mkdir(parents=True)
    (startup / "l5kit.py").write_text("import bevscope.l5kit.install\n")
    examples = root_of(Path(os.environ["L5KIT"])) / "examples"
    for folder in sorted({Path(name).parent for name in NOTEBOOKS}):
        target = root / folder
        target.mkdir()
        for path in (examples / folder).glob("*.yaml"):
            config = smaller(yaml.safe_load(path.read_text()), str(folder))
            (target / path.name).write_text(yaml.safe_dump(config))
        for path in (examples / folder).glob("*.ipynb"):
            (target / path.name).write_bytes(path.read_bytes())
        for name in PLACEHOLDERS:
            (target / name).symlink_to(root / "data")
    DATA.symlink_to(root / "data")
    yield root
    for path in (DATA, *MODELS):
        path.unlink(missing_ok=True)


def outputs_of(cell):
    """Returns what a cell displayed, by type."""
    found = {}
    for output in cell.outputs:
        found.update(output.get("data", {}))
        if output.output_type == "stream":
            found["text/plain"] = found.get("text/plain", "") + output.text
    return found


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_runs_to_its_last_cell(name, place, capsys):
    notebook = nbformat.read(place / f"{name}.ipynb", as_version=4)
    cells = [
        (i, cell)
        for i, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and cell.source
    ]
    client = nbclient.NotebookClient(
        notebook,
        timeout=3600,
        kernel_name="python3",
        resources={"metadata": {"path": str(place / name.rpartition("/")[0])}},
    )
    environment = {
        **os.environ,
        "IPYTHONDIR": str(place / "ipython"),
        # Notebooks look for models of others in /tmp.
        "TMPDIR": "/tmp" if name.endswith("/train") else str(place),
        "TORCH_HOME": str(place / "torch"),
    }
    if name in NEWER:
        environment["PYTHONPATH"] = str(root_of(Path(os.environ["L5KIT"])) / "l5kit")
    last = 0
    with client.setup_kernel(env=environment):
        try:
            for last, (i, cell) in enumerate(cells, 1):
                client.execute_cell(cell, i)
        finally:
            with capsys.disabled():
                print(f"\n{name}: code cell {last} of {len(cells)}")
        check = nbformat.v4.new_code_cell(
            "import l5kit.dataset\nprint(l5kit.dataset.__file__)"
        )
        notebook.cells.append(check)
        client.execute_cell(check, len(notebook.cells) - 1)
    assert NOTEBOOKS[name] in outputs_of(cells[-1][1])
    assert "/bevscope/l5kit/" in outputs_of(check)["text/plain"]
