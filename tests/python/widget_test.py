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
    url = "https://me:secret@host/l5/sample.zarr?X-Amz-Signature=secret"
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
