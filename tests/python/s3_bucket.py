"""A bucket of S3 in this process, which checks signatures."""

import collections
import hashlib
import hmac
import http.server
import threading
import urllib.parse

ACCESS, SECRET, TOKEN = "PLANTEDACCESSKEY", "PlantedSecret/Key+0", "plantedToken"


def is_signed(handler, body):
    """Whether the signature is that of the request, with all its headers of S3."""
    sent = {name.lower(): value for name, value in handler.headers.items()}
    if not sent.get("authorization", "").startswith("AWS4-HMAC-SHA256 "):
        return False
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
    first. Requests with the access keys in `expired` are refused; `used` has those of all
    requests."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self):
        self.objects, self.writers, self.unsigned = {}, {}, []
        self.seen = collections.Counter()
        self.choose = lambda command, key: None
        self.expired, self.used = set(), []  # access keys
        self.lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def end(self):
        """Stops, and fails if a request was not signed."""
        self.shutdown()
        self.server_close()
        assert not self.unsigned

    def folder(self, prefix):
        items = self.objects.items()
        return {key[len(prefix) :]: body for key, body in items if key.startswith(prefix)}


def bucket_of(monkeypatch):
    """Starts a bucket, and names it and its keys in the environment."""
    server = Bucket()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ACCESS)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_SESSION_TOKEN", TOKEN)
    monkeypatch.setenv("AWS_REGION", "eu-test-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
    return server


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
        sent = self.headers.get("Authorization", "Credential=/")
        access = sent.partition("Credential=")[2].partition("/")[0]
        with bucket.lock:
            bucket.used.append(access)
            if access in bucket.expired:
                code = "" if self.command == "HEAD" else "<Code>ExpiredToken</Code>"
                return self.reply(400, f"<Error>{code}</Error>".encode() if code else b"")
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
