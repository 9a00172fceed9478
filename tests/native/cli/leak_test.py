"""No command writes, prints or names a file after a credential, whatever fails.

Credentials are in the environment, profile files, addresses (user, password, query) and
addresses typed wrongly. All of them contain the word below.
"""

import concurrent.futures
import http.server
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from s3_bucket import ACCESS, SECRET, TOKEN, Bucket  # noqa: E402

BEVSCOPE = os.environ["BEVSCOPE"]
WORD = "planted"
USER = "plantedUser:planted-Password"
QUERY = (
    "?X-Amz-Signature=plantedSignature&X-Amz-Credential=PLANTED%2Fx&AWSAccessKeyId=planted"
    "&Signature=planted%2B&sig=planted&token=planted"
)
#: What follows DATASET, by command. Of {in}, the address; of {out}, a new path.
READING = {
    "array": ["append {in} {root}/x.npy", "assign {in} --value 1", "resize {in} 3"],
    "info": ["{in}", "{in} --json", "{in} --maps {in}", "{root} --maps {in}"],
    "cat": ["{in}/agents", "{in}/agents --format json -o {out}.json"],
    "scan": ["{in} --from agents -o {out}.csv", "{in} --from agents --explain"],
    "count": ["{in} --from agents --where track_id==1"],
    "describe": ["{in} --from agents --fields velocity", "{in} --format json"],
    "facts": ["{in}", "{in} --tracks -o {out}.csv", "{in} --compute", "{in} --tag x"],
    "index": ["{in} -o {out}.json", "{in}", "{in} --check", "{in} --no-facts"],
    "inspect": ["{in}", "{in} --rows log", "{in} --scenes"],
    "mask": ["{in} --threshold 0.5 -o {out}.zarr", "{in} --threshold 0.5 -o {out}.npz"],
    "sample": ["{in} --config {root}/config.yaml --root {root} --index 0 -o {out}"],
    "materialize": ["{in} --config {root}/config.yaml --root {root} --index 0 -o {out}"],
    "render": ["{in} --config {root}/config.yaml --root {root} --index 0 -o {out}.png"],
    "copy": ["{in} {out}.zarr", "{in} {out}.zarr.zip --for viewing --cache {out}.cache"],
    "concat": ["{out}.zarr {in} {in}", "{out}.zarr {zarr} {in}"],
    "split": ["{in} {out} a.zarr=1 b.zarr"],
    "chop": ["{in} {out}.zarr --frames 10", "{in} --frames 10 --future 5"],
    "convert": [
        "commonroad {in} -o {out}.zarr",
        "interaction {in} -o {out}.zarr",
        "interaction {root} --maps {in} -o {out}.zarr",
        "interaction {root} --ego {in} -o {out}.zarr",
        "lanelet2 {in} -o {out}",
        "lanelet2 {root} --origin {in} -o {out}",
        "nuplan {in} -o {out}.zarr",
        "nuplan {root} --maps {in} -o {out}.zarr",
        "nuscenes {in} --maps {root} -o {out}.zarr",
        "opendrive {in} -o {out}",
        "waymo {in} -o {out}.zarr",
        "scenarionet {in} -o {out}.zarr",
        "scenarionet --export {in} -o {out}",
    ],
    "score": ["{in} --data {in}", "{root} --data {in} -o {out}.csv"],
    "futures": ["{in}", "{in} --scenario 1"],
    "save": ["x={in} -o {out}.zarr"],
    "ls": ["{in}"],
    "gc": ["{in}"],
    "cache": ["--cache {in}"],
    "publish": ["{in} -o {out} --app {root}", "{in} -o {out} --app {root} --dry-run"],
    "doctor": ["{in}", "{in} --json", "--cache {in} --json", "{in} --origin {in}"],
    "serve": ["{in}", "{root} --log {in}"],
    "town": ["{in} --scenes 1 --frames 2"],
}
#: The address as an output, an option, or with missing parts of the command.
WRITING = [
    "copy {zarr} {in}",
    "copy {zarr} {in} --columnar --force",
    "concat {in} {zarr}",
    "split {zarr} {in} a.zarr=1 b.zarr",
    "chop {zarr} {in} --frames 10",
    "mask {zarr} --threshold 0.5 -o {in}",
    "sample {zarr} --config {root}/config.yaml --root {root} --index 0 -o {in}",
    "sample {zarr} --config {in} --root {in} --index 0 -o {out}",
    "render {zarr} --config {root}/config.yaml --root {in} --index 0 -o {out}",
    "scan {zarr} --from agents -o {in}",
    "index {zarr} -o {in}",
    "save x={root}/x.npy -o {in}",
    "save x={root}/x.npy -o {out}.zarr --attach {in}",
    "info {in} --cache {in}",
    "info {in} {in}",
    "{in}",
    "info --{in}",
    "scan {in} --from {in}",
]


class Server(http.server.ThreadingHTTPServer):
    """Files of a folder below /ok/; a status below /STATUS/."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, folder):
        self.folder = folder
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """Commands may end before their answers."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        _, kind, key = self.path.split("?")[0].split("/", 2)
        file = self.server.folder / key
        status, body = (200, b"") if kind == "ok" else (int(kind), self.path.encode())
        if kind == "ok" and file.is_file():
            body = file.read_bytes()
        elif kind == "ok":
            status = 404
        part = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        self.send_response(206 if part and status == 200 else status)
        if part and status == 200:
            first, last = int(part[1]), min(int(part[2]), len(body) - 1)
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(body)}")
            body = body[first : last + 1]
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET


class Leaks(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.root = self.folder / "town"
        self.work = self.folder / "work"
        self.work.mkdir()
        self.plain = {n: v for n, v in os.environ.items() if "AWS_" not in n}
        self.plain |= {"HOME": str(self.folder / "home"), "NO_COLOR": "1"}
        (self.folder / "home").mkdir()
        self.done = 0
        self.codes = []
        town = "--scenes 2 --frames 20 --agents-max 40 --no-aerial"
        code = self.call(self.plain, ["town", str(self.root), *town.split()])
        self.assertEqual(code, 0)
        marks = ("head", "title", "description", "counts", "about", "picture")
        (self.root / "site.html").write_text("".join(f"<!--site:{m}-->" for m in marks))
        header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }"
        header = header.ljust(117) + b"\n"
        magic = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
        (self.root / "x.npy").write_bytes(magic + header + bytes(range(12)))

    def call(self, environment, words):
        """Runs a command in its own folder, and checks what it prints."""
        done = subprocess.run(
            [BEVSCOPE, *words],
            env=environment,
            cwd=self.work,
            capture_output=True,
            check=False,
            timeout=120,
        )
        said = done.stdout + done.stderr
        if WORD.encode() in said.lower():
            at = said.lower().index(WORD.encode())
            quoted = said[max(0, at - 200) : at + 100].decode(errors="replace")
            raise AssertionError(f"{' '.join(words)}: prints a credential: {quoted}")
        return done.returncode

    def call_all(self, environment, address, lines):
        """Runs lines of words, several at a time; returns their exit codes."""

        def one(line):
            self.done += 1
            names = {"in": address, "out": f"out-{self.done}", "root": str(self.root)}
            names["zarr"] = f"{self.root}/scenes/town.zarr"
            words = [word.format(**names) for word in line.split()]
            return self.call(environment, words)

        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            codes = list(threads.map(one, lines))
        self.check_files()
        return dict(zip(lines, codes, strict=True))

    def check_files(self):
        """Checks names and contents of all files."""
        found = [path for path in self.folder.rglob("*") if "x.npy" not in path.name]
        self.assertGreater(len(found), 10)
        for path in found:
            name = str(path.relative_to(self.folder))
            self.assertNotIn(WORD, name.lower())
            if path.is_file() and name != "home/.aws/credentials":
                self.assertNotIn(WORD.encode(), path.read_bytes().lower(), name)

    def lines(self, but=()):
        return [
            f"{command} {line}"
            for command, lines in READING.items()
            if command not in but
            for line in lines
        ]

    def test_every_command_is_tried(self):
        shown = subprocess.run([BEVSCOPE, "--help"], capture_output=True, check=True)
        text = shown.stdout.decode().split("Commands:\n")[1].split("\n\n")[0]
        self.assertEqual({line.split()[0] for line in text.splitlines()}, set(READING))

    def test_urls_with_user_password_and_signature(self):
        server = Server(self.root)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        host = f"http://{USER}@127.0.0.1:{server.server_port}"
        codes = self.call_all(
            self.plain, f"{host}/ok/scenes/town.zarr{QUERY}#planted", self.lines()
        )
        self.assertEqual(codes["info {in}"], 0)
        self.assertEqual(codes["copy {in} {out}.zarr"], 0)
        self.assertEqual(codes["mask {in} --threshold 0.5 -o {out}.zarr"], 0)
        for status in (403, 404, 410):
            codes = self.call_all(
                self.plain, f"{host}/{status}/x.zarr{QUERY}", self.lines()
            )
            self.assertEqual(codes["info {in} --json"], 1)
        few = ["info {in}", "copy {in} {out}.zarr", "scan {in} --from agents --explain"]
        codes = self.call_all(self.plain, f"{host}/503/x.zarr{QUERY}", few)
        self.assertEqual(set(codes.values()), {1})
        codes = self.call_all(self.plain, f"{host}/ok/x.zarr{QUERY}", WRITING)
        self.assertTrue(all(codes.values()), codes)

    def test_addresses_typed_wrongly(self):
        for address in (
            f"http://{USER}@127.0.0.1:1/x.zarr{QUERY}",
            f"http://plantedUser:pla/nted-planted@127.0.0.1/x.zarr{QUERY}",
            f"htp://{USER}@host/x.zarr{QUERY}",
            f"https://{USER}@",
            f"s3://{USER}@bucket/x.zarr",
            f"s3://bucket/x.zarr{QUERY}",
            f"gs://{USER}@bucket/x.zarr",
            f"hf://{USER}@datasets/me/x.zarr",
            f"hf://datasets/me/town/x.zarr{QUERY}",
            f"host/x.zarr{QUERY}",
        ):
            few = ["info {in}", "copy {in} {out}.zarr", "ls {in}", "gc {in}"]
            few += ["copy {zarr} {in}", "save x={root}/x.npy -o {in}"]
            if address.startswith("http:"):
                few = few[:1]  # each waits for retries
            elif address.startswith("host"):
                few = few[:4]  # a local path is no address
            environment = {**self.plain, "AWS_ENDPOINT_URL": "http://127.0.0.1:1"}
            self.call_all(environment, address, few)

    def test_keys_of_s3(self):
        bucket = Bucket()
        self.addCleanup(bucket.server_close)
        self.addCleanup(bucket.shutdown)
        service = {
            "AWS_REGION": "eu-test-1",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{bucket.server_port}",
        }
        keys = {
            "AWS_ACCESS_KEY_ID": ACCESS,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_SESSION_TOKEN": TOKEN,
        }
        aws = self.folder / "home/.aws"
        aws.mkdir()
        (aws / "credentials").write_text(
            "[default]\n"
            + "".join(f"{name.lower()} = {value}\n" for name, value in keys.items())
            + f"[broken]\naws_access_key_id = {ACCESS}\n"
            f"[control]\naws_access_key_id = {ACCESS}\n"
            f"aws_secret_access_key = {SECRET}\x01\n"
        )
        for number, environment in enumerate((service, {**service, **keys})):
            environment = {**self.plain, **environment}
            store = f"s3://bucket/{number}"
            writes = [
                f"copy {{root}}/scenes/town.zarr {store}/x.zarr",
                f"save x={{root}}/x.npy -o {store}/y.zarr --attach {{root}}/meta.json",
                f"copy {{root}}/scenes/town.zarr {store}/x.zarr.zip --columnar",
                f"town {store}/town --scenes 1 --frames 2 --no-aerial",
            ]
            codes = self.call_all(environment, store, writes)
            self.assertEqual(set(codes.values()), {0}, codes)
            codes = self.call_all(environment, f"{store}/x.zarr", self.lines(("town",)))
            self.assertEqual(codes["info {in}"], 0)
            codes = self.call_all(environment, f"{store}/y.zarr", WRITING)
            for status in (400, 403, 404, 503):
                bucket.choose = lambda command, key, status=status: status
                few = ["info {in}", "ls {in}", "copy {zarr} {in}"]
                if status == 503:
                    few.pop()  # eight retries take most of a minute
                codes = self.call_all(environment, f"{store}/z.zarr", few)
                self.assertEqual(codes["info {in}"], 1)
            bucket.choose = lambda command, key: None
        self.assertFalse(bucket.unsigned)
        for key, body in bucket.objects.items():
            self.assertNotIn(WORD, key.lower())
            self.assertNotIn(WORD.encode(), body.lower(), key)
        for wrong in (
            {"AWS_PROFILE": "broken"},
            {"AWS_PROFILE": "control"},
            {"AWS_PROFILE": "planted"},
            {"AWS_ACCESS_KEY_ID": ACCESS},
            {**keys, "AWS_SECRET_ACCESS_KEY": f"{SECRET} "},
            {"AWS_ENDPOINT_URL": f"http://{USER}@127.0.0.1:1"},
            {"AWS_ENDPOINT_URL": f"http://127.0.0.1:1{QUERY}"},
            {"AWS_REGION": "planted!"},
        ):
            environment = {**self.plain, **service, **wrong}
            both = ["info {in}", "doctor --json"]
            codes = self.call_all(environment, "s3://bucket/0/x.zarr", both)
            self.assertEqual(codes, dict.fromkeys(both, 1), wrong)

    def test_a_leak_is_found(self):
        with self.assertRaises(AssertionError):
            self.call(self.plain, ["info", "planted"])
        (self.work / "x").write_bytes(b"a PLANTEDKEY")
        with self.assertRaises(AssertionError):
            self.check_files()


if __name__ == "__main__":
    unittest.main()
