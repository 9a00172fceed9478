"""A real S3 server on 127.0.0.1 (Versity S3 Gateway), and requests to it."""

import datetime
import hashlib
import hmac
import http.client
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "build/s3/versitygw"
BEVSCOPE = os.environ.get("BEVSCOPE", str(ROOT / "build/release/bevscope"))

#: Planted: must not appear in any file, message or log.
ACCESS, SECRET, REGION = "PLANTEDACCESSKEY", "PlantedSecret/Key+0", "eu-test-1"
BUCKET = "bucket"


def signed(method, host, path, query, body):
    """Returns the headers of a signed request, independent of bevscope's code."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    digest = hashlib.sha256(body).hexdigest()
    headers = {"host": host, "x-amz-content-sha256": digest, "x-amz-date": now}
    lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    names = ";".join(sorted(headers))
    canonical = "\n".join([method, path, query, lines, names, digest])
    scope = f"{now[:8]}/{REGION}/s3/aws4_request"
    text = "\n".join(
        ["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(canonical.encode()).hexdigest()]
    )
    key = f"AWS4{SECRET}".encode()
    for part in (*scope.split("/"), text):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    del headers["host"]
    headers["Authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={ACCESS}/{scope}, SignedHeaders={names}, "
        f"Signature={key.hex()}"
    )
    return headers


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Gateway:
    """A server with one bucket, whose objects are files in `objects`."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.objects = pathlib.Path(self._folder.name, "root", BUCKET)
        self.objects.mkdir(parents=True)
        self.port = free_port()
        self.host = f"127.0.0.1:{self.port}"
        self.log = pathlib.Path(self._folder.name, "log")
        keys = {"ROOT_ACCESS_KEY": ACCESS, "ROOT_SECRET_KEY": SECRET}
        options = ["--port", self.host, "--region", REGION, "--keep-alive"]
        self._process = subprocess.Popen(
            [PROGRAM, *options, "posix", str(self.objects.parent)],
            env={**os.environ, **keys},
            stdout=self.log.open("wb"),
            stderr=subprocess.STDOUT,
        )
        self._wait()

    def _wait(self):
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        self.close()
        raise RuntimeError("the S3 server did not start")

    def close(self):
        self._process.terminate()
        self._process.wait()
        self._folder.cleanup()

    def request(self, method, key, body=b"", query=""):
        path = urllib.parse.quote(f"/{BUCKET}/{key}" if key else f"/{BUCKET}", safe="/-._~")
        connection = http.client.HTTPConnection(self.host)
        target = path + (f"?{query}" if query else "")
        connection.request(
            method, target, body, signed(method, self.host, path, query, body)
        )
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text

    def put(self, key, body):
        status, text = self.request("PUT", key, body)
        assert status == 200, (status, text)

    def put_folder(self, prefix, folder):
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file():
                self.put(
                    f"{prefix}/{path.relative_to(folder).as_posix()}", path.read_bytes()
                )

    def keys(self):
        """Returns the keys of all objects, without the server's own files."""
        found = (path for path in self.objects.rglob("*") if path.is_file())
        names = sorted(path.relative_to(self.objects).as_posix() for path in found)
        return [name for name in names if not name.startswith(".sgwtmp")]

    def uploads(self):
        """Returns whether multipart uploads are unfinished."""
        status, text = self.request("GET", "", query="uploads=")
        assert status == 200, (status, text)
        return b"<Upload>" in text

    def environment(self, port=None):
        """Returns the environment of a program that uses the server, or a proxy."""
        usual = {name: value for name, value in os.environ.items() if "AWS_" not in name}
        return {
            **usual,
            "AWS_ACCESS_KEY_ID": ACCESS,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": REGION,
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port or self.port}",
            "HOME": self._folder.name,
        }


def run(environment, *words, **options):
    """Runs the program; returns its exit code, output and messages. No message may
    contain a key."""
    done = subprocess.run(
        [BEVSCOPE, *map(str, words)],
        env=environment,
        capture_output=True,
        timeout=300,
        **options,
    )
    for text in (done.stdout, done.stderr):
        assert SECRET.encode() not in text
        assert ACCESS.encode() not in text
    return done.returncode, done.stdout, done.stderr.decode()
