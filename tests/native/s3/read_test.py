"""Reads data sets from a real S3 server: the program and the Python package."""

import pathlib
import shutil
import subprocess
import sys

import pytest
from gateway import ACCESS, BUCKET, ROOT, SECRET, Gateway, run

TOWN = ROOT / "build/town-example/scenes/town.zarr"
#: Characters that must be encoded, in URLs and in signatures.
NAMES = ["town.zarr", "a b/c+d%20/é&=?#~.zarr"]


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    server = Gateway()
    for name in NAMES:
        server.put_folder(name, TOWN)
    folder = tmp_path_factory.mktemp("zip")
    archive = shutil.make_archive(folder / "town", "zip", TOWN.parent, "town.zarr")
    server.put("town.zip", pathlib.Path(archive).read_bytes())
    yield server
    server.close()


@pytest.mark.parametrize("name", [*NAMES, "town.zip"])
def test_program_reads_the_same_bytes(gateway, name):
    address = f"s3://{BUCKET}/{name}"
    for array in ("agents", "frames", "scenes"):
        local = run(gateway.environment(), "cat", TOWN / array)
        code, out, message = run(gateway.environment(), "cat", f"{address}/{array}")
        assert (code, message) == (0, "")
        assert out == local[1]
        assert len(out) > 100
    code, out, message = run(gateway.environment(), "info", address)
    assert code == 0, message
    assert b"14841" in out


def test_wrong_keys_are_an_error_with_the_code(gateway):
    environment = {**gateway.environment(), "AWS_SECRET_ACCESS_KEY": "other"}
    code, out, message = run(environment, "info", f"s3://{BUCKET}/town.zarr")
    assert (code, out) == (1, b"")
    assert "HTTP 403 (SignatureDoesNotMatch)" in message


def test_anonymous_requests_are_denied_by_a_private_bucket(gateway):
    environment = gateway.environment()
    del environment["AWS_ACCESS_KEY_ID"], environment["AWS_SECRET_ACCESS_KEY"]
    code, _, message = run(environment, "info", f"s3://{BUCKET}/town.zarr")
    assert code == 1
    assert "HTTP 403 (AccessDenied)" in message


def test_keys_from_a_profile(gateway, tmp_path):
    environment = gateway.environment()
    for name in [name for name in environment if name.startswith("AWS_")]:
        del environment[name]
    (tmp_path / ".aws").mkdir()
    (tmp_path / ".aws/credentials").write_text(
        f"[test]\naws_access_key_id = {ACCESS}\naws_secret_access_key = {SECRET}\n"
    )
    (tmp_path / ".aws/config").write_text(
        f"[profile test]\nregion = eu-test-1\nendpoint_url = http://{gateway.host}\n"
    )
    environment |= {"HOME": str(tmp_path), "AWS_PROFILE": "test"}
    code, _, message = run(environment, "info", f"s3://{BUCKET}/town.zarr")
    assert code == 0, message


def test_a_missing_bucket_is_an_error(gateway):
    code, _, message = run(gateway.environment(), "info", "s3://no-bucket/town.zarr")
    assert code == 1
    assert "bucket not found" in message


def test_cache_validates_by_etag(gateway, tmp_path):
    words = ("cat", f"s3://{BUCKET}/town.zarr/agents", "--cache", tmp_path / "cache")
    local = run(gateway.environment(), "cat", TOWN / "agents")
    for _ in range(2):
        code, out, message = run(gateway.environment(), *words)
        assert (code, message, out) == (0, "", local[1])
    files = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert SECRET.encode() not in path.read_bytes()
        assert ACCESS.encode() not in path.read_bytes()
    log = gateway.log.read_text()
    assert log.count("GET | /bucket/town.zarr/agents/0") + log.count("HEAD") > 0


@pytest.mark.parametrize("name", [*NAMES, "town.zip"])
def test_python_reads_the_same_rows(gateway, name):
    program = (
        "import sys, bevscope\n"
        "one, other = (bevscope.open(path) for path in sys.argv[1:])\n"
        "for name in ('scenes', 'frames', 'agents'):\n"
        "    a, b = getattr(one, name)[:], getattr(other, name)[:]\n"
        "    assert len(a) > 0 and a.tobytes() == b.tobytes()\n"
        "print('same')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, TOWN, f"s3://{BUCKET}/{name}"],
        env=gateway.environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("same\n", "")
