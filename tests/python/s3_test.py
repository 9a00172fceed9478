"""Writing to S3: requests are signed, repeated when answers are lost, and interruptible."""

import collections
import hashlib
import hmac
import http.server
import signal
import subprocess
import sys
import threading
import urllib.parse
from pathlib import Path

import numpy as np
import pytest

import bevscope
from bevscope import DataConfig, DataLoader, DataSaver

ACCESS, SECRET, TOKEN = "PLANTEDACCESSKEY", "PlantedSecret/Key+0", "plantedToken"
ROWS = 200


def is_signed(handler, body):
    """Whether the signature is that of the request, with all its headers of S3."""
    sent = {name.lower(): value for name, value in handler.headers.items()}
    fields = dict(
        part.split("=", 1) for part in sent["authorization"].split(" ", 1)[1].split(", ")
    )
    names = fields["SignedHeaders"].split(";")
    if any(name.startswith("x-amz-") and name not in names for name in sent):
        return False
    digest = hashlib.sha256(body).hexdigest()
    path, _, query = handler.path.partition("?")
    lines = "".join(f"{name}:{sent[name]}\n" for name in names)
    canonical = [handler.command, path, query, lines, ";".join(names), digest]
    scope = fields["Credential"].split("/", 1)[1]
    hashed = hashlib.sha256("\n".join(canonical).encode()).hexdigest()
    text = "\n".join(["AWS4-HMAC-SHA256", sent["x-amz-date"], scope, hashed])
    key = f"AWS4{SECRET}".encode()
    for part in (*scope.split("/"), text):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    is_whole = sent["x-amz-content-sha256"] == digest
    return is_whole and fields["Signature"] == key.hex()


class Bucket(http.server.ThreadingHTTPServer):
    """One bucket in memory. `choose(command, key)` returns a fault or None: a status, or
    "lost" for a request that is done without an answer, or a function that is called
    first."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self):
        self.objects, self.writers, self.unsigned = {}, {}, []
        self.seen = collections.Counter()
        self.choose = lambda command, key: None
        self.lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def folder(self, prefix):
        items = self.objects.items()
        return {key[len(prefix) :]: body for key, body in items if key.startswith(prefix)}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", length=None, **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def handle_one(self):
        bucket = self.server
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_signed(self, body):
            bucket.unsigned.append(self.requestline)
        url = urllib.parse.urlsplit(self.path)
        key = urllib.parse.unquote(url.path).removeprefix("/bucket").removeprefix("/")
        with bucket.lock:
            bucket.seen[self.command, key] += 1
            fault = bucket.choose(self.command, key)
        if callable(fault):
            fault = fault()
        if isinstance(fault, int):
            return self.reply(fault)
        answer = self.answer(key, dict(urllib.parse.parse_qsl(url.query)), body)
        if fault == "lost":
            self.close_connection = True
            return self.connection.close()
        self.reply(*answer[:2], **answer[2])

    do_GET = do_HEAD = do_PUT = do_DELETE = do_POST = handle_one

    def answer(self, key, query, body):
        bucket = self.server
        with bucket.lock:
            found = bucket.objects.get(key)
            if "list-type" in query:
                return 200, listing(bucket.objects, query), {}
            if self.command == "PUT":
                if found is not None and self.headers.get("If-None-Match") == "*":
                    return 412, b"", {}
                bucket.objects[key] = body
                bucket.writers[key] = self.headers["x-amz-meta-bevscope-writer"]
                return 200, b"", {"ETag": '"1"'}
            if self.command == "DELETE":
                bucket.objects.pop(key, None)
                return 204, b"", {}
            if found is None:
                return 404, b"", {}
            headers = {"ETag": '"1"', "x_amz_meta_bevscope_writer": bucket.writers[key]}
            if self.command == "HEAD":
                return 200, b"", {**headers, "length": len(found)}
            return 200, found, headers


def listing(objects, query):
    prefix, delimiter = query.get("prefix", ""), query.get("delimiter")
    keys, prefixes = [], set()
    for key in sorted(objects):
        rest = key.removeprefix(prefix)
        if not key.startswith(prefix):
            continue
        if delimiter and delimiter in rest:
            prefixes.add(prefix + rest.split(delimiter)[0] + delimiter)
        else:
            keys.append(key)
    found = "".join(
        f"<Contents><Key>{key}</Key><Size>{len(objects[key])}</Size></Contents>"
        for key in keys
    )
    found += "".join(
        f"<CommonPrefixes><Prefix>{each}</Prefix></CommonPrefixes>"
        for each in sorted(prefixes)
    )
    return f"<ListBucketResult>{found}</ListBucketResult>".encode()


@pytest.fixture
def bucket(monkeypatch, tmp_path):
    server = Bucket()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ACCESS)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_SESSION_TOKEN", TOKEN)
    monkeypatch.setenv("AWS_REGION", "eu-test-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("BEVSCOPE_PARTS", str(tmp_path / "parts"))
    yield server
    server.shutdown()
    server.server_close()
    assert not server.unsigned


def save(store, seed=0, **options):
    config = DataConfig(
        "digits", {"image": ("u1", (8, 8)), "label": "i8"}, max_object_size=4096
    )
    random = np.random.default_rng(seed)
    with DataSaver(config, store, **options) as saver:
        saver.save(
            {
                "image": random.integers(0, 256, (ROWS, 8, 8), np.uint8),
                "label": np.arange(ROWS) + seed,
            }
        )


def local_objects(folder):
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_saved_objects_are_those_of_a_folder(bucket, tmp_path):
    save(tmp_path / "x.zarr")
    save("s3://bucket/a b/x.zarr")
    expected = local_objects(tmp_path / "x.zarr")
    assert len(expected) > 8
    assert bucket.folder("a b/x.zarr/") == expected
    assert len(DataLoader("s3://bucket/a b/x.zarr")) == ROWS
    for body in bucket.objects.values():
        assert SECRET.encode() not in body
        assert TOKEN.encode() not in body


def test_an_archive_is_one_object(bucket, tmp_path):
    save(tmp_path / "x.zarr.zip")
    save("s3://bucket/x.zarr.zip")
    assert bucket.objects == {"x.zarr.zip": (tmp_path / "x.zarr.zip").read_bytes()}


def test_a_data_set_is_copied(bucket, tmp_path, goldens):
    source = bevscope.open(goldens / "inputs/single_scene.zarr")
    source.copy(tmp_path / "x.zarr")
    source.copy("s3://bucket/x.zarr")
    assert bucket.folder("x.zarr/") == local_objects(tmp_path / "x.zarr")


@pytest.mark.parametrize("fault", [503, 500, "lost"])
def test_the_first_answer_to_every_write_is_lost(bucket, tmp_path, fault):
    def choose(command, key):
        return fault if command == "PUT" and bucket.seen[command, key] == 1 else None

    bucket.choose = choose
    save(tmp_path / "x.zarr")
    save("s3://bucket/x.zarr")
    assert bucket.folder("x.zarr/") == local_objects(tmp_path / "x.zarr")


def test_a_refused_write_is_an_error_without_keys(bucket):
    bucket.choose = lambda command, key: 403 if "image/1" in key else None
    with pytest.raises(bevscope.Error, match="PUT failed: HTTP 403") as caught:
        save("s3://bucket/x.zarr")
    for text in (SECRET, ACCESS, TOKEN):
        assert text not in str(caught.value)
    assert "x.zarr/.zgroup" not in bucket.objects
    bucket.choose = lambda command, key: None
    assert bevscope.commit_parts("s3://bucket/x.zarr") == ROWS
    assert len(DataLoader("s3://bucket/x.zarr")) == ROWS


def test_existing_data_sets_are_refused(bucket):
    save("s3://bucket/x.zarr")
    before = dict(bucket.objects)
    with pytest.raises(bevscope.InvalidArgument, match="already exists"):
        save("s3://bucket/x.zarr", 1)
    assert bucket.objects == before


SAVE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
sys.path.insert(0, sys.argv[1])
import s3_test
try:
    s3_test.save("s3://bucket/x.zarr")
except KeyboardInterrupt:
    sys.exit(7)
"""


def test_an_interrupt_ends_an_upload(bucket):
    asked, released = threading.Event(), threading.Event()

    def wait():
        asked.set()
        released.wait()
        return 503

    bucket.choose = lambda command, key: wait if "image/1" in key else None
    process = subprocess.Popen([sys.executable, "-c", SAVE, str(Path(__file__).parent)])
    assert asked.wait(60)
    process.send_signal(signal.SIGINT)
    released.set()
    assert process.wait(60) == 7
    assert "x.zarr/.zgroup" not in bucket.objects
