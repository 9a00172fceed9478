"""No key that a run uses is in what the run writes or says.

Each run has recognizable keys from one place. Everything that it leaves is searched:
objects in S3 and on disk, journals and manifests of parts, the persistent cache, output,
messages of errors, their pickles, and texts and pickles of Python's objects.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT
from s3_bucket import SECRET, Bucket

PROGRAM = Path(os.environ.get("BEVSCOPE", ROOT / "build/release/bevscope"))
#: In all planted texts but SECRET; never in a text of bevscope.
MARK = "PLANTED"
ACCESS, TOKEN = "PLANTEDACCESS", "PLANTEDTOKEN"
SIGNED = "X-Amz-Signature=PLANTEDSIGNATURE&X-Amz-Credential=PLANTEDCREDENTIAL"


@pytest.fixture
def bucket():
    server = Bucket()
    yield server
    server.shutdown()
    server.server_close()


def environment(bucket, home):
    usual = {name: value for name, value in os.environ.items() if "AWS_" not in name}
    origin = f"http://127.0.0.1:{bucket.server_port}"
    ours = {"AWS_ENDPOINT_URL": origin, "HOME": str(home), "XDG_STATE_HOME": ""}
    return {**usual, **ours, "BEVSCOPE_PARTS": str(home / "out/parts")}


def keys_of_environment(home):
    return {
        "AWS_ACCESS_KEY_ID": ACCESS,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_SESSION_TOKEN": TOKEN,
    }


def keys_of_profile(home):
    (home / ".aws").mkdir(parents=True)
    (home / ".aws/credentials").write_text(
        f"[default]\naws_access_key_id={ACCESS}\naws_secret_access_key={SECRET}\n"
        f"aws_session_token={TOKEN}\n"
    )
    return {}


def keys_of_callback(home):
    return {"BY_CALLBACK": "1"}


PLACES = {
    "environment": keys_of_environment,
    "profile": keys_of_profile,
    "callback": keys_of_callback,
}


def leaks(texts):
    """Returns the names of texts that contain what was planted."""
    marks = [MARK.encode(), SECRET.encode()]
    return [name for name, text in texts.items() if any(one in text for one in marks)]


def written(folder):
    return {
        str(path): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()
    }


SCRIPT = """
import os, pickle, sys, traceback
import numpy as np
import bevscope
from bevscope import DataConfig, DataLoader, DataSaver, S3Credentials

def said(*things):
    for thing in things:
        print(repr(thing), str(thing), ascii(thing))

def pickled(*things):
    for thing in things:
        print(pickle.dumps(thing, protocol=0).decode("latin1"))

def fails(work):
    try:
        work()
    except Exception as error:
        said(error, error.args, vars(error))
        pickled(error)
        traceback.print_exc()
    else:
        sys.exit("no error")

def save(store, commit=True, **options):
    config = DataConfig("digits", {"label": "i8"}, max_object_size=1 << 12)
    said(config)
    with DataSaver(config, store, commit=commit, **options) as saver:
        saver.save({"label": np.arange(4000)})
        saver.attach("a.txt", b"text")
        saver.flush()
        said(saver, vars(saver))
"""

SAVES = """
ACCESS, SECRET, TOKEN = sys.argv[1:]
if os.environ.get("BY_CALLBACK"):
    def callback(bucket):
        if os.path.exists("fail"):
            raise RuntimeError(TOKEN)
        return S3Credentials(ACCESS, SECRET, TOKEN)
    said(callback("b"))
    fails(lambda: pickled(callback("b")))
    bevscope.set_s3_credentials(callback)

save("s3://bucket/x.zarr")
save("s3://bucket/x.zarr.zip")
save("s3://bucket/left.zarr", commit=False)  # its parts stay
loader = DataLoader("s3://bucket/x.zarr", cache="out/cache")
assert len(loader[:]["label"]) == 4000
said(loader, vars(loader), loader.config, *bevscope.list_datasets("s3://bucket"))
pickled(loader, loader.config)
fails(lambda: save("s3://bucket/x.zarr"))
fails(lambda: DataLoader("s3://bucket/none.zarr"))
fails(lambda: DataLoader("s3://bucket/denied.zarr"))
fails(lambda: save("s3://bucket/denied.zarr"))
fails(lambda: bevscope.open("s3://bucket/x.zarr", cache="out/cache"))
"""


def run(words, environment, folder, **options):
    done = subprocess.run(
        words, env=environment, cwd=folder, capture_output=True, timeout=120, **options
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("place", PLACES)
def test_keys_are_in_nothing_that_python_writes_or_says(bucket, tmp_path, place):
    bucket.choose = lambda command, key: 403 if key.startswith("denied") else None
    home, work = tmp_path / "home", tmp_path / "home/out"
    work.mkdir(parents=True)
    env = {**environment(bucket, home), **PLACES[place](home)}
    program = [sys.executable, "-c", SCRIPT + SAVES, ACCESS, SECRET, TOKEN]
    code, out, err = run(program, env, home)
    assert code == 0, err.decode()
    assert set(bucket.used) == {ACCESS}
    assert not bucket.unsigned  # all were signed with SECRET
    texts = {"stdout": out, "stderr": err, **written(work)}
    texts.update({f"s3://{key}": body for key, body in bucket.objects.items()})
    assert {"s3://x.zarr/.zmetadata", "s3://x.zarr.zip"} <= set(texts)
    assert any("left.zarr" in name and "parts" in name for name in texts)
    assert any("cache" in name for name in texts)
    assert out.count(b"DataLoader") and err.count(b"Traceback") >= 5
    assert leaks(texts) == []
    assert leaks({"planted": TOKEN.encode()}) == ["planted"]


READS = """
import warnings
warnings.simplefilter("always")
address, folder = sys.argv[1:]
signed = address.rpartition("x.zarr")
loader = DataLoader(address, cache="out/cache")
assert len(loader[:]["label"]) == 4000
said(loader, loader.config)
pickled(loader.config)
dataset = bevscope.open(address)
said(dataset, dataset.arrays)
fails(lambda: dataset.array("none"))
fails(lambda: dataset.copy("out/copy.zarr"))
for other in ("none.zarr", "denied.zarr", "x.zarr/label", "none.zip"):
    fails(lambda: DataLoader(signed[0] + other + signed[2]))
for wrong in ("http://?", "http://u:PLANTED@/?", "http://u:PLANTED@h:port/?"):
    fails(lambda: DataLoader(wrong + "PLANTED"))
"""


def presigned(bucket, name):
    place = f"PLANTEDUSER:PLANTEDPASSWORD@127.0.0.1:{bucket.server_port}"
    return f"http://{place}/bucket/{name}?{SIGNED}"


def saved(bucket, home):
    """Saves x.zarr for those who read it."""
    bucket.choose = lambda command, key: 403 if key.startswith("denied") else None
    (home / "out").mkdir(parents=True)
    env = environment(bucket, home)
    keys = {**env, **keys_of_environment(home)}
    program = [sys.executable, "-c", SCRIPT + 'save("s3://bucket/x.zarr")']
    code, _, err = run(program, keys, home)
    assert code == 0, err.decode()
    return env


def test_queries_and_users_of_urls_are_in_nothing_that_python_writes_or_says(
    bucket, tmp_path
):
    """But in a pickled data set, which has the address that it opens."""
    env = saved(bucket, tmp_path)
    program = [sys.executable, "-c", SCRIPT + READS]
    code, out, err = run([*program, presigned(bucket, "x.zarr"), "out"], env, tmp_path)
    assert code == 0, err.decode()
    texts = {"stdout": out, "stderr": err, **written(tmp_path / "out")}
    assert any("cache" in name for name in texts)
    assert err.count(b"Traceback") == 9
    assert leaks(without_source(texts)) == []


def without_source(texts):
    """Returns texts without the lines of this script that tracebacks quote."""
    lines = [line for line in texts["stderr"].splitlines() if b"fails(" not in line]
    return {**texts, "stderr": b"\n".join(lines)}


def test_keys_are_in_nothing_that_the_program_writes_or_says(bucket, tmp_path):
    if not PROGRAM.exists():
        pytest.skip("build/release/bevscope is missing")
    env = saved(bucket, tmp_path)
    keys = {**env, **keys_of_environment(tmp_path)}
    url, store, denied = (
        presigned(bucket, "x.zarr"),
        "s3://bucket/x.zarr",
        presigned(bucket, "denied.zarr"),
    )

    np.save(tmp_path / "a.npy", np.arange(4000))
    to = ["save", "a=a.npy", "--max-object-size=4KiB", "-o"]
    runs = [
        (keys, 0, ["info", store]),
        (keys, 0, ["cat", f"{store}/label", "--cache", "out/cache"]),
        (keys, 0, ["ls", "s3://bucket"]),
        (keys, 0, [*to, "s3://bucket/program.zarr"]),
        (keys, 0, [*to, "s3://bucket/program.zip"]),
        (keys, 0, [*to, "s3://bucket/left.zarr", "--no-commit"]),
        (keys, 1, [*to, "s3://bucket/program.zarr"]),
        (keys, 1, [*to, "s3://bucket/denied.zarr"]),
        (keys, 1, ["info", "s3://bucket/denied.zarr"]),
        (keys, 1, ["copy", store, "out/copy.zarr"]),
        (env, 0, ["info", url]),
        (env, 0, ["info", url, "--json"]),
        (env, 0, ["cat", url.replace("?", "/label?"), "--cache", "out/cache"]),
        (env, 1, ["cat", url]),
        (env, 1, ["cat", url.replace("?", "/none?")]),
        (env, 1, ["info", denied]),
        (env, 1, ["info", presigned(bucket, "none.zarr")]),
        (env, 1, ["info", presigned(bucket, "none.zip")]),
        (env, 1, ["copy", url, "out/copy.zarr"]),
        (env, 1, ["scan", url, "--where", "label > 1"]),
        (env, 1, ["render", url, "-o", "out/a.png"]),
        (env, 1, ["mask", url, "-o", "out/mask.zarr", "--threshold", "0.5"]),
    ]
    texts = {}
    for environ, expected, words in runs:
        code, out, err = run([str(PROGRAM), *words], environ, tmp_path)
        assert code == expected or (expected and code), (words, err)
        texts[f"{words} stdout"], texts[f"{words} stderr"] = out, err
    texts.update(written(tmp_path / "out"))
    texts.update({f"s3://{key}": body for key, body in bucket.objects.items()})
    assert ACCESS in bucket.used
    assert any("left.zarr" in name for name in texts)
    assert any("cache" in name for name in texts)
    assert leaks(texts) == []
