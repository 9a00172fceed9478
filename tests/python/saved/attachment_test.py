"""Files attached to saved data sets."""

import hashlib
import subprocess
import sys

import numpy as np
import pytest

import bevscope
from bevscope import Attachment, DataConfig, DataLoader, DataSaver, InvalidArgument

CONFIG = DataConfig("digits", {"label": "i8"}, max_object_size=4096)


def save(store, attached, **options):
    with DataSaver(CONFIG, store, **options) as saver:
        for name, content in attached.items():
            saver.attach(name, content)
        saver.save({"label": np.arange(5)})


@pytest.mark.parametrize("name", ["d.zarr", "d.zarr.zip"])
def test_attachments_are_read_as_they_were_attached(tmp_path, name):
    path = tmp_path / "model.bin"
    large = bytes(range(256)) * 20_000
    path.write_bytes(large)
    attached = {"model.bin": path, "note": b"first", "empty": bytearray()}
    save(tmp_path / name, attached)
    assert path.read_bytes() == large
    save(tmp_path / name, {"more": memoryview(b"more")}, mode="append")
    loader = DataLoader(tmp_path / name)
    assert loader.attachments == {
        key: Attachment(len(content), hashlib.sha256(content).hexdigest())
        for key, content in {
            "empty": b"",
            "model.bin": large,
            "more": b"more",
            "note": b"first",
        }.items()
    }
    assert list(loader.attachments) == sorted(loader.attachments)
    assert loader.attachment("model.bin") == large
    assert loader.attachment("empty") == b""
    assert len(loader) == 10
    with pytest.raises(bevscope.NotFound, match="other: not attached"):
        loader.attachment("other")


def test_hostile_names_are_refused(tmp_path):
    with DataSaver(CONFIG, tmp_path / "d.zarr") as saver:
        for name in (
            "",
            ".",
            "..",
            "../a",
            "a/b",
            "/a",
            "a\\b",
            ".zgroup",
            "a\0b",
            "n" * 201,
        ):
            with pytest.raises(InvalidArgument, match="attachments: invalid name"):
                saver.attach(name, b"")
        with pytest.raises(bevscope.NotFound):
            saver.attach("a", tmp_path / "absent")
        saver.save({"label": np.arange(5)})
    assert DataLoader(tmp_path / "d.zarr").attachments == {}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.zarr"]


def test_a_damaged_attachment_is_an_error(tmp_path):
    save(tmp_path / "d.zarr", {"note": b"first"})
    stored = tmp_path / "d.zarr/attachments/note"
    assert stored.read_bytes() == b"first"
    loader = DataLoader(tmp_path / "d.zarr")
    stored.write_bytes(b"fIrst")
    with pytest.raises(bevscope.Error, match="differs from its entry"):
        loader.attachment("note")
    stored.unlink()
    with pytest.raises(bevscope.Error, match="attachments/note: not found"):
        loader.attachment("note")
    assert loader[4]["label"] == 4


def test_two_savers_attach_different_bytes_under_different_names_only(tmp_path):
    for saver, content in ((0, b"a"), (1, b"b")):
        save(tmp_path / "d.zarr", {"note": content}, saver=saver, commit=False)
    with pytest.raises(InvalidArgument, match="attachments/note: is attached twice"):
        bevscope.commit_parts(tmp_path / "d.zarr")
    assert not (tmp_path / "d.zarr").exists()


def test_what_was_attached_before_a_flush_survives_a_kill(tmp_path):
    program = f"""
import os, signal
import numpy as np
from bevscope import DataConfig, DataSaver
config = DataConfig.from_json({CONFIG.to_json()!r})
saver = DataSaver(config, {str(tmp_path / "d.zarr")!r})
saver.attach("note", b"kept")
saver.save({{"label": np.arange(5)}})
saver.flush()
saver.attach("note", b"lost")
os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-c", program], check=False)
    assert killed.returncode == -9
    with DataSaver(CONFIG, tmp_path / "d.zarr", resume=True) as saver:
        assert saver.rows == 5
    assert DataLoader(tmp_path / "d.zarr").attachment("note") == b"kept"
