"""Credentials are in no file, log, error, state or text of an object, whatever fails.

Everything that must not appear contains the word MARK. Addresses given to `bevscope.open`
are kept in memory, and pickled with the data set, which processes open anew.
"""

import datetime
import http.server
import json
import logging
import pickle
import re
import threading
import traceback
import warnings
from pathlib import Path

import numpy as np
import pytest
from s3_bucket import ACCESS, SECRET, TOKEN, Bucket

import bevscope
from bevscope import (
    DataConfig,
    DataLoader,
    DataSaver,
    S3Credentials,
    batch,
    commit_parts,
    discard_parts,
    list_datasets,
    set_s3_credentials,
)
from bevscope.l5kit import data

MARK = "planted"
USER = "plantedUser:planted-Password@"
QUERY = (
    "?X-Amz-Signature=plantedSignature&X-Amz-Credential=PLANTED&sig=planted&token=planted"
)
KEYS = {
    "AWS_ACCESS_KEY_ID": ACCESS,
    "AWS_SECRET_ACCESS_KEY": SECRET,
    "AWS_SESSION_TOKEN": TOKEN,
}
ROWS = 200


class Seen:
    """Texts, in which the word is searched."""

    def __init__(self):
        self.texts = {}

    def note(self, name, *values):
        for value in values:
            text = value if isinstance(value, str) else f"{value!r} {value}"
            self.texts[f"{name} {len(self.texts)}"] = text

    def failure(self, name, call, kind=bevscope.Error):
        """Notes everything of the error that `call` raises, and returns it."""
        with pytest.raises(kind) as caught:
            call()
        error = caught.value
        # Without the lines of source, which are those of this file.
        shown = traceback.TracebackException.from_exception(error, capture_locals=False)
        self.note(name, "".join(shown.format_exception_only()), error, vars(error))
        at = error
        while at is not None:
            self.note(name, at, at.args)
            at = at.__cause__ or at.__context__
        if isinstance(error, bevscope.Error):
            self.note(name, pickle.dumps(error).decode("latin1"))
        return error

    def files(self, folder):
        for path in Path(folder).rglob("*"):
            self.texts[f"name of {path.name}"] = str(path.relative_to(folder))
            if path.is_file() and path.name != "credentials":
                self.texts[str(path)] = path.read_bytes().decode("latin1")

    def found(self):
        return [name for name, text in self.texts.items() if MARK in text.lower()]


@pytest.fixture
def seen(tmp_path, monkeypatch, capfd, caplog):
    """Afterwards checks what was noted, printed, logged, warned of and written."""
    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.DEBUG)
    texts = Seen()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        yield texts
    texts.files(tmp_path)
    printed = capfd.readouterr()
    texts.note("printed", printed.out, printed.err, caplog.text, *map(str, warned))
    assert texts.found() == []
    assert len(texts.texts) > 20
    texts.note("control", SECRET)
    assert len(texts.found()) == 1


@pytest.fixture
def bucket(monkeypatch, tmp_path):
    server = Bucket()
    for name in (*KEYS, "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("AWS_REGION", "eu-test-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("BEVSCOPE_PARTS", str(tmp_path / "parts"))
    yield server
    set_s3_credentials(None)
    server.shutdown()
    server.server_close()


def from_environment(monkeypatch, _):
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


def from_profile(_, tmp_path):
    folder = tmp_path / "home/.aws"
    folder.mkdir(parents=True)
    lines = [f"{name.lower()} = {value}" for name, value in KEYS.items()]
    (folder / "credentials").write_text("\n".join(["[default]", *lines]))


def from_callback(*_):
    later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    set_s3_credentials(lambda bucket: S3Credentials(ACCESS, SECRET, TOKEN, later))


def batch_of(first=0):
    image = np.random.default_rng(first).integers(0, 256, (ROWS, 8, 8), np.uint8)
    return {"image": image, "label": np.arange(ROWS) + first}


def config():
    attributes = {"image": ("u1", (8, 8)), "label": "i8"}
    return DataConfig("digits", attributes, additional={"by": "me"}, max_object_size=4096)


def save(seen, store, **options):
    with DataSaver(config(), store, **options) as saver:
        saver.attach("note.txt", b"made up")
        saver.save(batch_of())
        saver.flush()
        seen.note("saver", saver)


@pytest.mark.parametrize("source", [from_environment, from_profile, from_callback])
def test_keys_of_s3(seen, bucket, monkeypatch, tmp_path, source):
    source(monkeypatch, tmp_path)
    made = config()
    seen.note("config", made, made.to_json(), pickle.dumps(made).decode("latin1"))
    for store in ("s3://bucket/x.zarr", "s3://bucket/x.zarr.zip"):
        save(seen, store)
        loader = DataLoader(store)
        assert len(loader) == ROWS
        seen.note("loader", loader, loader.attachments, loader[3]["label"])
        seen.note("pickle", pickle.dumps(loader).decode("latin1"))
    save(seen, "s3://bucket/y.zarr", commit=False, saver=3)
    seen.files(tmp_path)
    assert any("manifest" in name for name in seen.texts)
    commit_parts("s3://bucket/y.zarr")
    seen.note("list", *list_datasets("s3://bucket/"))
    seen.failure("exists", lambda: save(seen, "s3://bucket/x.zarr"))
    for status in (400, 403, 404, 503):
        bucket.choose = lambda command, key, status=status: status
        seen.failure(f"read {status}", lambda: DataLoader("s3://bucket/x.zarr"))
    bucket.choose = lambda command, key: 403 if command == "PUT" else None
    seen.failure("write", lambda: save(seen, "s3://bucket/z.zarr"))
    discard_parts("s3://bucket/z.zarr")
    bucket.choose = lambda command, key: None
    assert not bucket.unsigned
    assert len(bucket.objects) > 20
    for key, body in bucket.objects.items():
        seen.note("object", key, body.decode("latin1"))


def test_wrong_keys_and_settings(seen, bucket, monkeypatch):
    def read():
        return DataLoader("s3://bucket/x.zarr")

    keys = S3Credentials(ACCESS, SECRET, TOKEN)
    seen.note("keys", keys, f"{keys}", [keys], {"keys": keys})
    seen.failure("pickle", lambda: pickle.dumps(keys), TypeError)
    for wrong in (
        S3Credentials(f"{ACCESS} ", SECRET),
        S3Credentials(ACCESS, f"{SECRET}\n"),
        S3Credentials(ACCESS, SECRET, TOKEN * 2000),
    ):
        set_s3_credentials(lambda bucket, wrong=wrong: wrong)
        seen.failure("callback", read)
    set_s3_credentials(lambda bucket: (ACCESS, SECRET))
    seen.failure("callback", read)
    set_s3_credentials(None)
    for settings in (
        {**KEYS, "AWS_SECRET_ACCESS_KEY": f"{SECRET} "},
        {"AWS_ACCESS_KEY_ID": ACCESS},
        {"AWS_PROFILE": "planted"},
        {"AWS_ENDPOINT_URL": f"http://{USER}127.0.0.1:1"},
        {"AWS_ENDPOINT_URL": f"http://127.0.0.1:1{QUERY}"},
        {"AWS_REGION": "planted!"},
    ):
        with monkeypatch.context() as changed:
            for name, value in settings.items():
                changed.setenv(name, value)
            seen.failure("settings", read)
    for address in (f"s3://{USER}bucket/x", f"s3://bucket/x{QUERY}", f"s3://{USER}b"):
        seen.failure("address", lambda address=address: DataLoader(address))
        seen.failure("output", lambda address=address: save(seen, address))


@pytest.fixture
def server(tmp_path):
    """Serves a folder below /ok/, whatever the query; below /403/, answers with 403."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            _, kind, key = self.path.split("?")[0].split("/", 2)
            file = tmp_path / "served" / key
            is_there = kind == "ok" and file.is_file()
            status = 404 if kind == "ok" else int(kind)
            body = file.read_bytes() if is_there else self.path.encode()
            part = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
            self.send_response((206 if part else 200) if is_there else status)
            if part and is_there:
                first, last = int(part[1]), min(int(part[2]), len(body) - 1)
                self.send_header("Content-Range", f"bytes {first}-{last}/{len(body)}")
                body = body[first : last + 1]
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET

    found = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{found.server_port}"
    found.shutdown()
    found.server_close()


def small_scenes():
    frames = np.zeros(20, data.FRAME_DTYPE)
    frames["agent_index_interval"] = [[2 * i, 2 * i + 2] for i in range(20)]
    frames["ego_rotation"] = np.eye(3)
    frames["timestamp"] = np.arange(20) * 10**8
    agents = np.zeros(40, data.AGENT_DTYPE)
    agents["track_id"] = np.arange(40) % 2 + 1
    agents["centroid"] = np.random.default_rng(0).normal(size=(40, 2))
    scenes = np.zeros(1, data.SCENE_DTYPE)
    scenes["frame_index_interval"] = [[0, 20]]
    faces = np.zeros(0, data.TL_FACE_DTYPE)
    return {
        "scenes": scenes,
        "frames": frames,
        "agents": agents,
        "traffic_light_faces": faces,
    }


def test_addresses_with_user_and_signature(seen, server, tmp_path):
    bevscope.open(bevscope.MemorySource(small_scenes())).copy(tmp_path / "served/s.zarr")
    address = f"{server}/ok/s.zarr{QUERY}#planted"
    cached = {"cache": tmp_path / "cache"}
    dataset = bevscope.open(address, **cached)
    assert len(dataset.agents[:]) == 40
    reader = dataset.reader("agents", where="track_id == 1")
    assert sum(len(rows["track_id"]) for rows in reader) == 20
    seen.note("data set", dataset, dataset.agents, dataset.summary())
    seen.note("reader", reader, reader.plan, reader.state(), reader.explain())
    seen.note("reader", reader.schema, reader.diagnostics, reader.describe())
    for layout in ("original", "viewing", "columnar"):
        dataset.copy(tmp_path / f"{layout}.zarr", layout=layout)
    seen.failure("out of range", lambda: dataset.agents[99])
    seen.failure("array", lambda: dataset["none"])
    seen.failure("filter", lambda: dataset.reader("agents", where="none == 1").count())
    for key in ("agents/0", ".zmetadata"):
        kept = (tmp_path / "served/s.zarr" / key).read_bytes()
        (tmp_path / "served/s.zarr" / key).write_bytes(b"damaged")
        seen.failure(f"damaged {key}", lambda: bevscope.open(address).agents[:])
        (tmp_path / "served/s.zarr" / key).write_bytes(kept)
    for status in (401, 403, 404, 410):
        url = f"{server}/{status}/s.zarr{QUERY}"
        seen.failure(f"open {status}", lambda url=url: bevscope.open(url).agents[:])
        seen.failure(f"load {status}", lambda url=url: DataLoader(url))
        seen.failure(f"zip {status}", lambda url=url: DataLoader(url.replace("?", ".zip?")))


def test_addresses_that_are_wrong(seen, server, tmp_path):
    for address in (
        f"{server}:9/s.zarr{QUERY}",
        f"{server.replace('//', f'//{USER}')}/ok/s.zarr",
        f"http://{USER}a b/s.zarr{QUERY}",
        f"htp://{USER}127.0.0.1/s.zarr{QUERY}",
        f"https://{USER}",
        f"//{USER}host/s.zarr{QUERY}".replace(USER, ""),
    ):
        seen.failure("open", lambda address=address: bevscope.open(address).agents[:])
        seen.failure("load", lambda address=address: DataLoader(address))
    url = f"{server}/ok/s.zarr{QUERY}"
    seen.failure("save", lambda: save(seen, url))
    dataset = bevscope.open(bevscope.MemorySource(small_scenes()))
    seen.failure("copy", lambda: dataset.copy(url))
    job = {"job": "mask", "threshold": 0.5}
    refused = seen.failure("plan", lambda: batch.plan(job, url, tmp_path / "out"))
    assert isinstance(refused, bevscope.InvalidArgument)
    assert not (tmp_path / "out.batch").exists()


def test_a_users_exception_passes_and_ours_are_shortened():
    error = bevscope.ReadError(
        f"http://{USER}host/a{QUERY}: failed", url=f"http://{USER}h/"
    )
    assert (str(error), error.url) == ("http://host/a: failed", "http://h/")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (str(again), again.url) == (str(error), error.url)
    assert str(bevscope.NotFound("a\udcff? b=c: none")) == "a?? b=c: none"
    assert json.loads(json.dumps({"text": str(error)}))["text"] == str(error)
