"""Parquet files for tests, and the arrays that reading them gives."""

import http.server
import threading
import urllib.parse
from decimal import Decimal
from pathlib import Path

import numpy as np


def columns_of(rows, seed=0):
    """Returns columns of every fixed type, as pyarrow has them, and as arrays."""
    import pyarrow as pa

    rng = np.random.default_rng(seed)
    numbers = np.arange(rows)
    plain = {
        "row": numbers * 10,
        "flag": rng.random(rows) > 0.5,
        "i1": rng.integers(-128, 128, rows).astype("i1"),
        "u1": rng.integers(0, 256, rows).astype("u1"),
        "i2": rng.integers(-(2**15), 2**15, rows).astype("i2"),
        "u2": rng.integers(0, 2**16, rows).astype("u2"),
        "i4": rng.integers(-(2**31), 2**31, rows).astype("i4"),
        "u4": rng.integers(0, 2**32, rows).astype("u4"),
        "i8": rng.integers(-(2**63), 2**63, rows),
        "u8": np.arange(rows, dtype="u8") + 2**63,
        "f2": rng.random(rows).astype("f2"),
        "f4": rng.random(rows).astype("f4"),
        "f8": np.where(numbers % 97 == 3, np.nan, rng.random(rows)),
    }
    pairs, code = rng.random((rows, 2)), rng.integers(0, 256, (rows, 6)).astype("u1")
    cents = rng.integers(-(10**11), 10**11, rows)
    special = {
        "kind": pa.array(numbers % 7).dictionary_encode(),
        "pair": pa.FixedSizeListArray.from_arrays(pa.array(pairs.ravel()), 2),
        "code": pa.array([one.tobytes() for one in code], pa.binary(6)),
        "price": pa.array([Decimal(int(one)) / 100 for one in cents], pa.decimal128(15, 2)),
        "day": pa.array(numbers.astype("i4"), pa.date32()),
        "at": pa.array(numbers, pa.timestamp("us", "UTC")),
        "clock": pa.array(numbers.astype("i4"), pa.time32("ms")),
    }
    expected = plain | {
        "kind": numbers % 7,
        "pair": pairs,
        "code": code,
        "price": np.array([float(Decimal(int(one)) / 100) for one in cents]),
        "day": numbers.astype("i4"),
        "at": numbers,
        "clock": numbers.astype("i4"),
    }
    return pa.table({**plain, **special}), expected


def rows_of(reader):
    """Returns the columns that a reader yields in an epoch."""
    batches = list(reader)
    return {name: np.concatenate([one[name] for one in batches]) for name in reader.schema}


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self._answer(with_body=False)

    def do_GET(self):
        self._answer(with_body=True)

    def _answer(self, with_body):
        name = urllib.parse.unquote(self.path.partition("?")[0])
        path = Path(self.server.root, name.lstrip("/"))
        body = path.read_bytes() if path.is_file() else None
        status, size = 200 if body is not None else 404, len(body or b"")
        asked = self.headers.get("Range")
        if body and asked:
            begin, end = asked.removeprefix("bytes=").split("-")
            last = min(int(end), size - 1)
            status, body = 206, body[int(begin) : last + 1]
        self.send_response(status)
        self.send_header("ETag", f'"{path.name}-{size}"')
        if status == 206:
            self.send_header("Content-Range", f"bytes {begin}-{last}/{size}")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        if with_body and body:
            self.server.sent[path.name] = self.server.sent.get(path.name, 0) + len(body)
            self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    """Serves a folder by HTTP with ranges; counts the bytes sent of each file."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, root):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.root, self.sent = root, {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


def cells_of(reader):
    """Returns the columns of an epoch as lists: arrays, texts, bytes, or None."""
    fields = {one["name"]: one for one in reader.explain()["fields"]}
    names = [name for name in fields if not name.endswith(".valid")]
    native, found = reader._native(), {name: [] for name in names}
    while (arrays := native.next()) is not None:
        for name in names:
            values, offsets = arrays[name], arrays.get(f"{name}.offsets")
            if offsets is None:
                rows = list(values)
            else:
                rows = [values[a:b] for a, b in zip(offsets[:-1], offsets[1:], strict=True)]
            kind = fields[name].get("kind", "text" if offsets is not None else "")
            if kind == "text":
                rows = [row.tobytes().decode() for row in rows]
            elif kind not in ("", "array"):
                rows = [row.tobytes() for row in rows]
            valid = arrays.get(f"{name}.valid", np.ones(len(rows), bool))
            found[name] += [
                row if is_valid else None for row, is_valid in zip(rows, valid, strict=True)
            ]
    return found
