"""Rows of row groups in chunks."""

import json
import random
from pathlib import Path

import pytest

from bevscope._parquet_store import layout
from bevscope._parquet_store.layout import Layout, chunk_rows_of

VECTORS = Path(__file__).parents[2] / "vectors/parquet_layout.json"


@pytest.mark.parametrize("case", json.loads(VECTORS.read_text()), ids=lambda c: c["name"])
def test_vectors_that_typescript_shares(case):
    assert chunk_rows_of(case["files"], case["row_bytes"]) == case["chunk_rows"]


def test_every_row_is_in_one_part():
    rng = random.Random(3)
    for _ in range(200):
        lengths = [rng.choice([0, 1, 7, 50, 64]) for _ in range(rng.randint(1, 40))]
        made = Layout(lengths, chunk_rows_of([lengths], rng.choice([8, 1 << 20])))
        found = []
        for chunk in range(made.chunks):
            at = 0
            for part in made.parts(chunk):
                assert part.at == at
                at += part.end - part.begin
                found += [(part.group, row) for row in range(part.begin, part.end)]
            last = chunk == made.chunks - 1
            assert at == (made.rows - chunk * made.chunk_rows if last else made.chunk_rows)
        assert found == [
            (group, row) for group, rows in enumerate(lengths) for row in range(rows)
        ]


def test_chunks_are_bounded_in_bytes():
    rows = chunk_rows_of([[1_000] * 5], 1 << 20)
    assert rows << 20 <= layout.MAX_CHUNK_BYTES
    assert 1_000 / rows == pytest.approx(-(-1_000 // rows), rel=0.02)
