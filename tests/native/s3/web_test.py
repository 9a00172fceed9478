"""Writes data sets with bevscope/save, in Node, to a real S3 server by presigned URLs."""

import pathlib
import subprocess

import numpy as np
import pytest
from gateway import ACCESS, BUCKET, SECRET, Gateway
from proxy import Proxy, some_puts_fail

SCRIPT = pathlib.Path(__file__).with_name("web_saver.mjs")
ROWS = 5_000_000


@pytest.fixture
def gateway():
    server = Gateway()
    yield server
    server.close()


def save(environment):
    """Runs the saver; returns its exit code and everything that it printed."""
    endpoint = environment["AWS_ENDPOINT_URL"]
    done = subprocess.run(
        ["node", SCRIPT, endpoint, f"{BUCKET}/numbers.zarr"],
        env=environment,
        capture_output=True,
        text=True,
    )
    text = done.stdout + done.stderr
    assert ACCESS not in text and SECRET not in text and "X-Amz" not in text
    return done.returncode, text


def check(gateway):
    """Compares the stored rows with those that were made."""
    root = gateway.objects / "numbers.zarr"
    rows = np.arange(ROWS, dtype="<u4")
    value = b"".join((root / f"value/{i}").read_bytes() for i in range(2))
    found = np.frombuffer(value, "<u4")[:ROWS]
    assert np.array_equal(found, rows * np.uint32(2654435761))
    label = np.frombuffer((root / "label/0.0").read_bytes(), "u1")
    assert np.array_equal(label[: 2 * ROWS], (np.arange(2 * ROWS) % 251).astype("u1"))
    assert (root / ".zmetadata").is_file()


def test_objects_are_created_and_never_replaced(gateway):
    assert save(gateway.environment()) == (0, f"{ROWS}\n")
    check(gateway)
    assert not gateway.uploads()
    code, text = save(gateway.environment())
    assert code == 1
    assert "made: already exists" in text
    check(gateway)


@pytest.mark.parametrize("seed", range(3))
def test_many_puts_fail_and_the_data_set_is_complete(gateway, seed):
    proxy = Proxy(gateway.port, some_puts_fail(seed, share=0.4))
    try:
        assert save(gateway.environment(proxy.port)) == (0, f"{ROWS}\n")
        assert len(proxy.faults) > 0
    finally:
        proxy.close()
    check(gateway)


def test_refused_signatures_are_an_error_without_the_keys(gateway):
    environment = {**gateway.environment(), "AWS_REGION": "elsewhere"}
    code, text = save(environment)
    assert code == 1
    assert "made: .zmetadata: HTTP 40" in text
    assert gateway.keys() == []
