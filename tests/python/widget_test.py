"""The notebook widget's side in the kernel."""

from __future__ import annotations

import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bevscope

pytest.importorskip("anywidget")
widget = pytest.importorskip("bevscope.widget")

pytestmark = pytest.mark.skipif(
    not widget.SCRIPT.exists(), reason="the package was built without the viewer"
)


class Browser:
    """Stands for the browser: records the kernel's messages of a viewer."""

    def __init__(self, viewer: Any) -> None:
        self.viewer = viewer
        self.messages: list[tuple[dict[str, Any], list[Any]]] = []
        viewer.send = lambda content, buffers=None: self.messages.append(
            (content, buffers or [])
        )

    def ask(self, **question: Any) -> tuple[dict[str, Any], list[Any]]:
        """Asks the kernel, and waits for its answer."""
        number = f"question-{len(self.messages)}"
        content = {"type": "read", "id": number, "folder": 0, "range": None, **question}
        self.viewer._receive(None, content, [])
        for _ in range(1000):
            for answer in self.messages:
                if answer[0]["id"] == number:
                    return answer
            time.sleep(0.01)
        raise AssertionError(f"no answer to {content}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "data" / "scenes" / "tiny.zarr"
    (root / "scenes").mkdir(parents=True)
    (root / ".zgroup").write_bytes(b'{"zarr_format": 2}')
    (root / "scenes" / ".zarray").write_bytes(b"{}")
    (root / "scenes" / "0").write_bytes(bytes(range(100)))
    (tmp_path / "data" / "meta.json").write_bytes(b"{}")
    (tmp_path / "secret").write_bytes(b"secret")
    return root


def test_reads_objects_and_ranges_of_a_folder(folder: Path) -> None:
    browser = Browser(bevscope.Viewer(folder))
    answer, buffers = browser.ask(key="scenes/0", range=[10, 14])
    assert answer["found"] is True
    assert bytes(buffers[0]) == bytes([10, 11, 12, 13])
    answer, buffers = browser.ask(key="scenes/1")
    assert (answer["found"], buffers) == (False, [])
    assert browser.ask(type="size", key="scenes/0")[0]["size"] == 100


def test_reads_the_map_around_the_data_set(folder: Path) -> None:
    viewer = bevscope.Viewer(str(folder))
    browser = Browser(viewer)
    assert viewer._folders == 2
    assert browser.ask(key="meta.json", folder=1)[0]["found"] is False
    assert browser.ask(key="meta.json", folder=2)[0]["found"] is True


@pytest.mark.parametrize("key", ["../../../secret", "/etc/passwd", "", "a/../../x"])
def test_refuses_keys_outside_the_folder(folder: Path, key: str) -> None:
    answer, buffers = Browser(bevscope.Viewer(folder)).ask(key=key)
    assert answer["error"]["code"] == "invalid_argument"
    assert buffers == []


HIDDEN = [".env", ".ssh/id", "scenes/.secret", ".bevscope/other", "./scenes/0", "a//b"]


@pytest.mark.parametrize("key", HIDDEN)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_refuses_hidden_names(folder: Path, key: str, number: int) -> None:
    file = [folder, folder.parent, folder.parent.parent][number] / key
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        file.write_bytes(b"secret")
    browser = Browser(bevscope.Viewer(folder))
    for kind in ("read", "size"):
        answer, buffers = browser.ask(type=kind, key=key, folder=number)
        assert answer["error"]["code"] == "invalid_argument"
        assert buffers == []


KEYS = ["meta.json", "config.yaml", "config.json", "semantic_map/semantic_map.pb"]
KEYS += ["map.pb", "aerial_map/aerial_map.png"]
OTHERS = ["secret", "notes.json", "other.zarr/.zgroup", "a/b/map.pb", "picture.png"]
OTHERS += ["semantic_map/secret", "aerial_map/secret", "meta.json/x", "x/meta.json"]


@pytest.mark.parametrize("number", [1, 2])
def test_reads_only_the_viewers_files_around_the_data_set(
    folder: Path, number: int
) -> None:
    root = [folder.parent, folder.parent.parent][number - 1]
    browser = Browser(bevscope.Viewer(folder))
    for key in [*KEYS, *OTHERS]:
        file = root / key
        if not file.parent.is_file():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"content")
        answer, buffers = browser.ask(key=key, folder=number)
        found = [bytes(one) for one in buffers]
        assert found == ([b"content"] if key in KEYS else []), key
        assert answer.get("found") is (True if key in KEYS else None), key
        answer, _ = browser.ask(type="size", key=key, folder=number)
        assert answer.get("size") == (7 if key in KEYS else None), key


def test_links_that_leave_the_folder_are_absent(folder: Path, tmp_path: Path) -> None:
    (folder / "scenes" / "1").symlink_to(tmp_path / "secret")
    (folder / "scenes" / "2").symlink_to("0")
    (folder / "other").symlink_to(tmp_path)
    (folder.parent / "map.pb").symlink_to(tmp_path / "secret")
    browser = Browser(bevscope.Viewer(folder))
    for number, key in [(0, "scenes/1"), (0, "other/secret"), (1, "map.pb")]:
        answer, buffers = browser.ask(key=key, folder=number)
        assert (answer["found"], buffers) == (False, [])
        assert browser.ask(type="size", key=key, folder=number)[0]["size"] is None
    assert browser.ask(key="scenes/2")[0]["found"] is True


def test_keys_do_not_leave_other_sources() -> None:
    class Seen:
        def read(self, key: str, range: object) -> bytes:
            return key.encode()

    browser = Browser(bevscope.Viewer(Seen()))
    for key in ("../secret", "/etc/passwd", "a/../../b", ".ssh/id", ""):
        answer, buffers = browser.ask(key=key)
        assert answer["error"]["code"] == "invalid_argument"
        assert buffers == []
    assert browser.ask(key="agents/.zarray")[0]["found"] is True


def test_pictures_are_not_kept(folder: Path) -> None:
    viewer = bevscope.Viewer(folder)
    browser = Browser(viewer)
    first = viewer.screenshot()
    for _ in range(1000):
        shot = viewer.screenshot()
        number = browser.messages[-1][0]["id"]
        viewer._receive(None, {"type": "screenshot", "id": number}, [b"png"])
        assert shot.png == b"png"
    assert len(viewer._screenshots) == 1
    for _ in range(1000):
        viewer.screenshot()
    assert len(viewer._screenshots) < 100
    with pytest.raises(bevscope.ReadError, match="no browser has sent it"):
        _ = first.png
    numbers = [content["id"] for content, _ in browser.messages]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("wanted", [[5, 2], [-1, 4], "x"])
def test_refuses_invalid_ranges(folder: Path, wanted: object) -> None:
    answer, _ = Browser(bevscope.Viewer(folder)).ask(key="scenes/0", range=wanted)
    assert "error" in answer


def test_sends_the_error_of_a_failed_read() -> None:
    class Broken:
        def read(self, key: str, range: object) -> bytes:
            raise OSError(5, "Input/output error")

    answer, _ = Browser(bevscope.Viewer(Broken())).ask(key="scenes/0")
    assert answer["error"]["code"] == "io"
    assert "Input/output error" in answer["error"]["message"]


def test_does_not_answer_a_cancelled_read() -> None:
    class Slow:
        def read(self, key: str, range: object) -> bytes:
            viewer._receive(None, {"type": "cancel", "id": "question-0"}, [])
            return b"late"

    viewer = bevscope.Viewer(Slow())
    browser = Browser(viewer)
    content = {"type": "read", "id": "question-0", "folder": 0, "key": "a", "range": None}
    viewer._receive(None, content, [])
    viewer._pool.shutdown(wait=True)
    assert browser.messages == []


def test_opens_a_zip_and_the_browser_opens_urls(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "tiny.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, f"inside.zarr/{file.relative_to(folder)}")
    browser = Browser(bevscope.Viewer(path))
    answer, buffers = browser.ask(key="scenes/0", range=[0, 2])
    assert bytes(buffers[0]) == b"\x00\x01"
    url = "https://host/l5/sample.zarr/"
    viewer = bevscope.Viewer(url)
    assert (viewer._url, viewer._name, viewer._sources) == (url, "sample.zarr", [])
    assert not viewer._is_signed


def test_signed_addresses_are_told_and_not_stored() -> None:
    url = "https://host/l5/sample.zarr?X-Amz-Signature=secret"
    viewer = bevscope.Viewer(url)
    state = {key: value for key, value in viewer.get_state().items() if key != "_esm"}
    assert "secret" not in repr(state)
    assert state["_url"] == "https://host/l5/sample.zarr"
    assert (state["_name"], state["_is_signed"]) == ("sample.zarr", True)
    browser = Browser(viewer)
    viewer._receive(None, {"type": "address", "id": "question-0"}, [])
    [(answer, _)] = browser.messages
    assert answer == {"type": "answer", "id": "question-0", "address": url}


def test_refuses_paths_without_a_data_set(tmp_path: Path) -> None:
    with pytest.raises(bevscope.ReadError, match="not found"):
        bevscope.Viewer(tmp_path / "absent.zarr")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    with pytest.raises(bevscope.InvalidArgument, match="no single data set"):
        bevscope.Viewer(tmp_path / "empty.zip")


def test_track_ids_keep_their_64_bits(folder: Path) -> None:
    viewer = bevscope.Viewer(folder)
    viewer.selection = 2**63 + 5
    assert viewer.get_state(["selection"]) == {"selection": "9223372036854775813"}
    viewer.set_state({"selection": "9007199254740993"})
    assert viewer.selection == 2**53 + 1
    viewer.set_state({"selection": "ego"})
    assert viewer.selection == "ego"


def test_checks_overlays_and_predictions(folder: Path) -> None:
    viewer = bevscope.Viewer(folder)
    viewer.overlay([[1, 2], [3, 4]], kind="line", scene=2)
    (one,) = viewer._overlays
    assert np.frombuffer(one["points"]).tolist() == [1, 2, 3, 4]
    assert (one["kind"], one["scene"], one["frame"]) == ("line", 2, None)
    with pytest.raises(bevscope.InvalidArgument, match="shape"):
        viewer.overlay([1, 2, 3])
    with pytest.raises(bevscope.InvalidArgument, match="finite"):
        viewer.overlay([[np.nan, 1]])
    viewer.add_predictions(np.zeros((2, 5, 2)), [10, 20], [1, -1])
    assert len(viewer._predictions["coords"]) == 2 * 5 * 2 * 8
    for stamps, ids in [([1.5, 2], [1, 2]), ([1, 2], [0.5, 1]), ([True, False], [1, 2])]:
        with pytest.raises(bevscope.InvalidArgument, match="expected integers"):
            viewer.add_predictions(np.zeros((2, 5, 2)), stamps, ids)
    with pytest.raises(bevscope.InvalidArgument, match="confidences"):
        viewer.add_predictions(np.zeros((2, 3, 5, 2)), [1, 2], [3, 4], np.ones((2, 2)))


def test_a_screenshot_arrives_after_the_cell(folder: Path, tmp_path: Path) -> None:
    viewer = bevscope.Viewer(folder)
    Browser(viewer)
    shot = viewer.screenshot()
    shot.save(tmp_path / "shot.png")
    with pytest.raises(bevscope.InvalidArgument, match="next cell"):
        _ = shot.png
    viewer._receive(None, {"type": "screenshot", "id": "shot-0"}, [memoryview(b"PNG")])
    assert (shot.done, shot.png) == (True, b"PNG")
    assert (tmp_path / "shot.png").read_bytes() == b"PNG"


def ahead(arrays: Any) -> Any:
    assert arrays["history_positions"].dtype == np.float32
    return {"positions": 2.0 * arrays["history_positions"], "scores": np.ones((1, 1))}


def test_a_function_of_the_kernel_predicts(folder: Path) -> None:
    viewer = bevscope.Viewer(folder)
    browser = Browser(viewer)
    array = np.arange(4, dtype="<f4").reshape(1, 2, 2)
    inputs = [{"name": "history_positions", "type": "float32", "dims": [1, 2, 2]}]

    def asked() -> tuple[dict[str, Any], list[Any]]:
        content = {"type": "predict", "id": f"p{len(browser.messages)}", "inputs": inputs}
        viewer._receive(None, content, [memoryview(array.tobytes())])
        for _ in range(1000):
            if browser.messages and browser.messages[-1][0]["id"] == content["id"]:
                return browser.messages[-1]
            time.sleep(0.01)
        raise AssertionError("no answer")

    assert "set_model" in asked()[0]["error"]["message"]
    viewer.set_model(ahead, name="Ahead", image="u8", config={"a": 1})
    assert viewer._model["name"] == "Ahead" and viewer._model["image"] == "u8"
    assert viewer._model["config"] == {"a": 1} and viewer._model["vectorized"] is False
    answer, buffers = asked()
    assert [one["name"] for one in answer["outputs"]] == ["positions", "scores"]
    assert answer["outputs"][0]["dims"] == [1, 2, 2]
    assert [one["type"] for one in answer["outputs"]] == ["float32", "float64"]
    assert np.frombuffer(buffers[0], "<f4").tolist() == [0, 2, 4, 6]

    def fails(arrays: Any) -> Any:
        raise ValueError("no weights")

    viewer.set_model(fails)
    assert asked()[0]["error"] == {
        "code": "invalid_argument",
        "message": "fails: run failed: no weights",
    }
    viewer.set_model(None)
    assert viewer._model is None
    with pytest.raises(bevscope.InvalidArgument, match="settings: not for a Model"):
        viewer.set_model(bevscope.Model.open(ahead), settings={})
