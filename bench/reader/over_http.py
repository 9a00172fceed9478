"""Bytes and requests of cold filters over HTTP, with and without statistics.

Usage: over_http.py PROGRAM ZARR

PROGRAM is bevscope. Counts the rows of filters in ZARR, served from this machine and
opened anew for each, and prints a Markdown table of what the server sent. Counts, not
times: other load does not matter. Ends with an error if the number of rows depends on the
statistics or is not that of the folder, or if chunks are fetched although the statistics
exclude everything.
"""

import http.server
import os
import pathlib
import re
import subprocess
import sys
import threading

STATISTICS = ".bevscope/statistics.json"
FILTERS = [
    ("agents", "speed > 15"),
    ("agents", "speed > 12 and label == 'MOTORCYCLIST'"),
    ("agents", "label == 'ANIMAL'"),
    ("agents", "velocity[0] > 50 and label == 'CAR'"),
    ("agents", "extent[0] > 18.5"),
    ("agents", "label == 'CAR' and distance_to_ego < 10"),
    ("agents", "scene == 42 and speed > 10"),
    ("agents", "scene == 42 and frame == 100"),
    ("agents", "frame < 10 and label == 'PEDESTRIAN'"),
    ("agents", "centroid[0] > 100000"),
    ("agents", "timestamp < 0"),
    ("frames", "agent_count > 100"),
    ("frames", "ego_translation[0] > 100000"),
]


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves files of a folder with ranges, and counts."""

    protocol_version = "HTTP/1.1"
    folder = pathlib.Path()
    with_statistics = False
    sent = []  # (path, bytes of the body)

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)
        self.sent.append((self.path, len(body) if self.command == "GET" else 0))

    def do_GET(self):
        path = self.folder / self.path.split("?")[0].lstrip("/")
        hidden = str(path).endswith(STATISTICS) and not self.with_statistics
        if hidden or not path.is_file():
            return self.answer(404)
        body = path.read_bytes()
        headers = [("ETag", f'"{path.stat().st_mtime_ns}"'), ("Accept-Ranges", "bytes")]
        wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if not wanted:
            return self.answer(200, body, headers)
        first, last = wanted.groups()
        begin = int(first) if first else len(body) - int(last)
        end = min(int(last) + 1, len(body)) if first and last else len(body)
        headers.append(("Content-Range", f"bytes {begin}-{end - 1}/{len(body)}"))
        return self.answer(206, body[begin:end], headers)

    do_HEAD = do_GET


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


def count(program, address, table, where):
    command = [program, "count", address, "--quiet", "--from", table, "--where", where]
    return int(subprocess.run(command, check=True, capture_output=True).stdout)


def is_chunk(path):
    return not re.search(r"/\.z\w+$|/zarr\.json$|/\.bevscope/", path)


def measured(program, address, table, where):
    """Returns the rows; the requests and bytes of chunks, and those of all objects."""
    Handler.sent.clear()
    rows = count(program, address, table, where)
    sent = list(Handler.sent)
    chunks = [size for path, size in sent if is_chunk(path)]
    return rows, (len(chunks), sum(chunks)), (len(sent), sum(size for _, size in sent))


def kilobytes(size):
    return f"{size / 1000:,.0f}" if size == 0 or size >= 10_000 else f"{size / 1000:,.1f}"


def main():
    program, zarr = sys.argv[1], pathlib.Path(sys.argv[2])
    os.environ.pop("BEVSCOPE_CACHE", None)
    subprocess.run([program, "index", zarr, "--quiet"], check=True, capture_output=True)
    Handler.folder = zarr.parent
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/{zarr.name}"
    print("| filter | rows | requests | kB | with statistics: requests | kB | of chunks |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for table, where in FILTERS:
        Handler.with_statistics = False
        rows, _, plain = measured(program, address, table, where)
        Handler.with_statistics = True
        same, chunks, known = measured(program, address, table, where)
        folder = count(program, zarr, table, where)
        if not rows == same == folder:
            sys.exit(f"{where}: rows differ (found {rows}, {same}, expected {folder})")
        if rows == 0 and where in EXCLUDED and chunks[1] > 0:
            sys.exit(f"{where}: {chunks[1]} bytes of chunks (expected 0)")
        print(
            f"| `{where}`{'' if table == 'agents' else f', {table}'} | {rows:,} "
            f"| {plain[0]} | {kilobytes(plain[1])} | {known[0]} | {kilobytes(known[1])} "
            f"| {chunks[0]}: {kilobytes(chunks[1])} kB |",
            flush=True,
        )


#: What the statistics exclude in every chunk.
EXCLUDED = {
    "speed > 15",
    "label == 'ANIMAL'",
    "extent[0] > 18.5",
    "centroid[0] > 100000",
    "timestamp < 0",
    "ego_translation[0] > 100000",
    "velocity[0] > 50 and label == 'CAR'",
}

if __name__ == "__main__":
    main()
