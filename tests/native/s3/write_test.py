"""Writes data sets to a real S3 server, with faults between program and server."""

import pathlib
import signal
import subprocess
import time

import numpy as np
import pytest
from gateway import ACCESS, BEVSCOPE, BUCKET, ROOT, SECRET, Gateway, run
from proxy import FAULTS, Proxy, some_puts_fail

TOWN = ROOT / "build/town-example/scenes/town.zarr"
ROWS = 3000
PART = 8 << 20


@pytest.fixture
def gateway():
    server = Gateway()
    yield server
    server.close()


@pytest.fixture
def proxied(gateway):
    """Returns a function that starts a proxy; its environment is the second result."""
    started = []

    def start(*arguments, **options):
        started.append(Proxy(gateway.port, *arguments, **options))
        return started[-1], gateway.environment(started[-1].port)

    yield start
    for proxy in started:
        proxy.close()


def inputs(folder, seed=0):
    """Returns the words of two arrays, of which one compresses."""
    random = np.random.default_rng(seed)
    folder.mkdir(exist_ok=True)
    np.save(folder / "image.npy", random.integers(0, 256, (ROWS, 28, 28), np.uint8))
    np.save(folder / "label.npy", np.arange(ROWS) // 7 + seed)
    return [f"{name}={folder / name}.npy" for name in ("image", "label")]


def save_words(words, store, limit="64KiB"):
    return ["save", *words, "-o", str(store), f"--max-object-size={limit}", "--quiet"]


def save(environment, words, store, *options):
    return run(environment, *save_words(words, store), *options)


def local_objects(folder):
    files = [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def objects(gateway, prefix):
    """Returns the bytes of all objects below a prefix by key."""
    root = prefix + "/"
    found = [key for key in gateway.keys() if key.startswith(root)]
    return {key[len(root) :]: (gateway.objects / key).read_bytes() for key in found}


def check_no_keys(folder):
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert SECRET.encode() not in content, path
            assert ACCESS.encode() not in content, path


def is_visible(gateway, name):
    return (gateway.objects / name / ".zgroup").exists()


def test_saved_objects_are_those_of_a_folder(gateway, tmp_path):
    words, environment = inputs(tmp_path / "in"), gateway.environment()
    assert save(environment, words, tmp_path / "x.zarr")[0] == 0
    code, _, message = save(environment, words, f"s3://{BUCKET}/a b/x.zarr")
    assert (code, message) == (0, "")
    expected = local_objects(tmp_path / "x.zarr")
    assert len(expected) > 30
    assert objects(gateway, "a b/x.zarr") == expected
    check_no_keys(gateway.objects)
    check_no_keys(tmp_path)


def test_root_documents_are_written_last(gateway, proxied, tmp_path):
    proxy, environment = proxied()
    code, _, message = save(environment, inputs(tmp_path / "in"), f"s3://{BUCKET}/x.zarr")
    assert code == 0, message
    names = [line.split()[1].split("x.zarr/")[1] for line in proxy.puts()]
    assert names[0] == ".bevscope/upload.json"
    assert names[-3:] == [".zattrs", ".zgroup", ".zmetadata"]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("seed", range(4))
def test_a_fifth_of_all_writes_fails_and_the_result_is_the_same(
    gateway, proxied, tmp_path, seed
):
    words = inputs(tmp_path / "in")
    proxy, environment = proxied(some_puts_fail(seed))
    remote = save_words(words, f"s3://{BUCKET}/x.zarr", "12KiB")
    code, _, message = run(environment, *remote)
    assert len(proxy.faults) > 30
    assert {fault for fault, _ in proxy.faults} == set(FAULTS)
    assert (code, message) == (0, "")
    assert run(environment, *save_words(words, tmp_path / "x.zarr", "12KiB"))[0] == 0
    assert objects(gateway, "x.zarr") == local_objects(tmp_path / "x.zarr")


def test_stalled_requests_are_sent_again(gateway, proxied, tmp_path):
    stalled = []

    def choose(line):
        if "/image/3.0.0 " not in line or stalled:
            return None
        stalled.append(line)
        return "stall"

    words = inputs(tmp_path / "in")
    _, environment = proxied(choose)
    code, _, message = save(environment, words, f"s3://{BUCKET}/x.zarr")
    assert (code, message, len(stalled)) == (0, "", 1)
    assert save(environment, words, tmp_path / "x.zarr")[0] == 0
    assert objects(gateway, "x.zarr") == local_objects(tmp_path / "x.zarr")


@pytest.mark.parametrize("lost", [".zgroup", ".zattrs", "upload.json", "image/0.0.0"])
def test_a_lost_answer_is_no_error(gateway, proxied, tmp_path, lost):
    seen = []

    def choose(line):
        if not line.startswith("PUT ") or f"/{lost} " not in line:
            return None
        seen.append(line)
        return "lost" if len(seen) == 1 else None

    words = inputs(tmp_path / "in")
    _, environment = proxied(choose)
    code, _, message = save(environment, words, f"s3://{BUCKET}/x.zarr")
    assert (code, message) == (0, "")
    assert len(seen) == 2
    assert save(environment, words, tmp_path / "x.zarr")[0] == 0
    assert objects(gateway, "x.zarr") == local_objects(tmp_path / "x.zarr")


def test_lasting_failure_is_an_error_and_leaves_nothing(gateway, proxied, tmp_path):
    def choose(line):
        is_put = line.startswith("PUT ") and "/image/5.0.0 " in line
        return "503" if is_put and len(proxy.faults) < 9 else None

    words = inputs(tmp_path / "in")
    proxy, environment = proxied(choose)
    code, _, message = save(environment, words, f"s3://{BUCKET}/x.zarr")
    assert code == 1
    assert "/x.zarr/image/5.0.0: PUT failed: HTTP 503" in message
    assert len(proxy.faults) == 9
    assert not is_visible(gateway, "x.zarr")
    # What was collected, and uploaded, is still there
    code, _, message = run(environment, "save", "-o", f"s3://{BUCKET}/x.zarr")
    assert code == 0, message
    assert save(environment, words, tmp_path / "x.zarr")[0] == 0
    assert objects(gateway, "x.zarr") == local_objects(tmp_path / "x.zarr")


@pytest.mark.parametrize("at", [0.3, 0.5, 0.8, 0.98])
def test_killed_while_uploading(gateway, proxied, tmp_path, at):
    words = inputs(tmp_path / "in")
    local = tmp_path / "x.zarr"
    assert save(gateway.environment(), words, local)[0] == 0
    count = len(local_objects(local)) + 1
    proxy, environment = proxied(delay=0.02)
    store = f"s3://{BUCKET}/x.zarr"
    arguments = [
        BEVSCOPE,
        "save",
        *words,
        "-o",
        store,
        "--max-object-size=64KiB",
        "--quiet",
    ]
    process = subprocess.Popen(arguments, env=environment, stderr=subprocess.DEVNULL)
    while len(proxy.puts()) < at * count and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    expected = local_objects(local)
    if is_visible(gateway, "x.zarr"):  # killed before or after the last document
        del expected[".zmetadata"]
        assert objects(gateway, "x.zarr").items() >= expected.items()
        return
    code, out, _ = run(environment, "info", store)
    assert (code, out) == (1, b"")
    code, _, message = save(environment, words, store)
    assert (code, message) == (0, "")
    assert objects(gateway, "x.zarr") == expected


def test_uploads_are_parallel(proxied, tmp_path):
    proxy, environment = proxied(delay=0.05)
    words = inputs(tmp_path / "in")
    code, _, message = save(environment, words, f"s3://{BUCKET}/x.zarr")
    assert code == 0, message
    assert 8 <= proxy.most <= 17


def test_existing_outputs_are_refused(gateway, tmp_path):
    words, environment = inputs(tmp_path / "in"), gateway.environment()
    store = f"s3://{BUCKET}/x.zarr"
    assert save(environment, words, store)[0] == 0
    before = objects(gateway, "x.zarr")
    code, _, message = save(environment, words, store)
    assert (code, "already exists" in message) == (1, True)
    other = inputs(tmp_path / "other", 1)
    code, _, message = save(environment, other, store, "--replace")
    assert (code, "cannot be replaced at once" in message) == (1, True)
    gateway.put("notes/a.txt", b"text")
    code, _, message = save(environment, words, f"s3://{BUCKET}/notes")
    assert (code, "not empty" in message) == (1, True)
    assert objects(gateway, "x.zarr") == before
    assert objects(gateway, "notes") == {"a.txt": b"text"}


def test_of_two_writers_at_least_one_fails(gateway, proxied, tmp_path):
    """Both begin before one ends, with other rows and other parts."""
    _, environment = proxied(delay=0.02)
    store = f"s3://{BUCKET}/x.zarr"
    running = []
    for seed in (0, 1):
        words = inputs(tmp_path / f"in{seed}", seed)
        (tmp_path / f"local{seed}").mkdir()
        own = {**environment, "BEVSCOPE_PARTS": str(tmp_path / f"parts{seed}")}
        arguments = [BEVSCOPE, *save_words(words, store)]
        running.append(subprocess.Popen(arguments, env=own, stderr=subprocess.PIPE))
        assert save(environment, words, tmp_path / f"local{seed}" / "x.zarr")[0] == 0
    messages = [process.communicate(timeout=120)[1].decode() for process in running]
    codes = [process.returncode for process in running]
    assert 1 in codes, messages
    for code, message in zip(codes, messages, strict=True):
        known = ("another process", "already exists", "was replaced since")
        assert code == 0 or any(text in message for text in known)
    if is_visible(gateway, "x.zarr"):
        assert 0 in codes
        winner = local_objects(tmp_path / f"local{codes.index(0)}" / "x.zarr")
        assert objects(gateway, "x.zarr").items() >= winner.items()


def test_archives_are_replaced_at_once(gateway, proxied, tmp_path):
    store = f"s3://{BUCKET}/x.zarr.zip"
    first, second = (inputs(tmp_path / f"in{seed}", seed) for seed in (0, 1))
    _, environment = proxied(some_puts_fail(5))
    for words, options in ((first, []), (second, ["--replace"])):
        code, _, message = save(environment, words, store, *options)
        assert (code, message) == (0, "")
        local = tmp_path / "x.zarr.zip"
        assert save(gateway.environment(), words, local, *options)[0] == 0
        assert (gateway.objects / "x.zarr.zip").read_bytes() == local.read_bytes()
    code, _, message = save(environment, first, store)
    assert (code, "already exists" in message) == (1, True)
    assert not gateway.uploads()


@pytest.fixture
def large(tmp_path):
    """An array that becomes objects, or a .zip, of several parts."""
    values = np.random.default_rng(3).integers(0, 256, (5, 5 << 20), np.uint8)
    np.save(tmp_path / "large.npy", values)
    return [f"large={tmp_path / 'large.npy'}", "--codec=none", "--quiet"]


@pytest.mark.parametrize("name", ["x.zarr", "x.zarr.zip"])
def test_large_objects_are_uploaded_in_parts(gateway, proxied, tmp_path, large, name):
    lost = []

    def choose(line):
        if line.startswith("POST ") and "?uploadId=" in line and not lost:
            lost.append(line)
            return "lost"
        return None

    proxy, environment = proxied(choose)
    options = [*large, "--max-object-size=20MiB"]
    code, _, message = run(environment, "save", *options, "-o", f"s3://{BUCKET}/{name}")
    assert (code, message, len(lost)) == (0, "", 1)
    assert any("partNumber=3&" in line for line in proxy.lines)
    assert run(environment, "save", *options, "-o", tmp_path / name)[0] == 0
    if name.endswith(".zip"):
        assert (gateway.objects / name).read_bytes() == (tmp_path / name).read_bytes()
    else:
        assert objects(gateway, name) == local_objects(tmp_path / name)
    assert not gateway.uploads()


@pytest.mark.parametrize("name", ["x.zarr", "x.zarr.zip"])
def test_failed_parts_are_removed(gateway, proxied, large, name):
    def choose(line):
        return "503" if "partNumber=2&" in line else None

    _, environment = proxied(choose)
    options = [*large, "--max-object-size=20MiB"]
    code, _, message = run(environment, "save", *options, "-o", f"s3://{BUCKET}/{name}")
    assert code == 1
    assert "PUT failed: HTTP 503" in message
    assert not gateway.uploads()
    assert not is_visible(gateway, "x.zarr")
    code, _, message = run(environment, "gc", f"s3://{BUCKET}/{name}")
    assert code == 0, message
    assert gateway.keys() == []


def test_scenes_are_copied(gateway, tmp_path):
    environment = gateway.environment()
    for name in ("both.zarr", "both.zarr.zip"):
        store = f"s3://{BUCKET}/{name}"
        code, _, message = run(environment, "concat", store, TOWN, TOWN, "--quiet")
        assert code == 0, message
        assert run(environment, "concat", tmp_path / name, TOWN, TOWN, "--quiet")[0] == 0
        for array in ("scenes", "frames", "agents"):
            one, other = (
                run(environment, "cat", f"{path}/{array}")
                for path in (store, tmp_path / name)
            )
            assert (one[0], len(one[1]) > 100) == (0, True)
            assert one[1] == other[1]
    source = f"s3://{BUCKET}/both.zarr"
    target = f"s3://{BUCKET}/chopped.zarr"
    code, _, message = run(environment, "chop", source, target, "--frames=10", "--quiet")
    assert code == 0, message
    assert run(environment, "info", target)[0] == 0


def test_ls_lists_with_one_request(gateway, proxied, tmp_path):
    words, environment = inputs(tmp_path / "in"), gateway.environment()
    for name in ("data/a.zarr", "data/b.zarr", "data/c.zarr.zip"):
        assert save(environment, words, f"s3://{BUCKET}/{name}")[0] == 0
    gateway.put("data/other/file", b"1")
    proxy, environment = proxied()
    code, out, message = run(environment, "ls", f"s3://{BUCKET}/data")
    assert (code, message) == (0, "")
    lines = [line for line in out.decode().splitlines() if not line.startswith(" ")]
    count = len(local_objects(gateway.objects / "data/a.zarr"))
    size = sum(map(len, local_objects(gateway.objects / "data/a.zarr").values()))
    assert len(lines) == 3
    assert lines[0] == (
        f's3://{BUCKET}/data/a.zarr  "a": {ROWS} rows, {count} objects, {size} bytes'
    )
    listings = [line.split()[1] for line in proxy.lines if "list-type=2" in line]
    assert len(listings) == len(set(listings)) == 3
    assert sum("delimiter=" in line for line in listings) == 1


TOWN_WORDS = ["--scenes", "1", "--frames", "3", "--no-aerial", "--quiet"]


@pytest.mark.parametrize("options", [[], ["--zip"]])
def test_a_town_is_that_of_a_folder_and_its_scenes_are_written_last(
    gateway, proxied, tmp_path, options
):
    proxy, environment = proxied()
    words = [*TOWN_WORDS, *options]
    assert run(environment, "town", str(tmp_path / "town"), *words)[0] == 0
    code, _, message = run(environment, "town", f"s3://{BUCKET}/made/town/", *words)
    assert (code, message) == (0, "")
    expected = local_objects(tmp_path / "town")
    assert len(expected) >= 4
    assert objects(gateway, "made/town") == expected
    names = [line.split()[1].split("/town/")[1] for line in proxy.puts()]
    last = "scenes/town.zarr.zip" if options else "scenes/town.zarr/.zmetadata"
    assert names[-1] == last
    code, _, message = run(environment, "town", f"s3://{BUCKET}/made/town", *words)
    assert code == 1 and "already exists" in message
    code, _, message = run(environment, "town", f"s3://{BUCKET}/made/town", "--force")
    assert code == 2 and "not replaced" in message
    assert objects(gateway, "made/town") == expected
    check_no_keys(gateway.objects)


def test_a_failed_town_has_no_scenes_and_is_completed_by_repeating(
    gateway, proxied, tmp_path
):
    _, failing = proxied(lambda line: "500" if ".zgroup " in line else None)
    words = ["town", f"s3://{BUCKET}/town", *TOWN_WORDS]
    code, _, _ = run(failing, *words)
    assert code == 1
    assert not is_visible(gateway, "town/scenes/town.zarr")
    environment = gateway.environment()
    assert run(environment, *words)[0] == 0
    assert run(environment, "town", str(tmp_path / "town"), *TOWN_WORDS)[0] == 0
    assert objects(gateway, "town") == local_objects(tmp_path / "town")


def test_splits_and_masks_are_those_of_a_folder(gateway, tmp_path):
    environment = gateway.environment()
    town = tmp_path / "two.zarr"
    assert run(environment, "concat", town, TOWN, TOWN, "--quiet")[0] == 0
    size = sum(len(body) for body in local_objects(town).values())
    first = f"a.zarr={0.6 * size / 2**30:.9f}"
    for root in (f"s3://{BUCKET}", str(tmp_path)):
        for command in (
            ["split", town, f"{root}/parts", first, "b.zarr", "--quiet"],
            ["mask", town, "-o", f"{root}/mask.zarr", "--threshold=0.5", "--quiet"],
        ):
            code, _, message = run(environment, *command)
            assert code == 0, message
    for name in ("parts/a.zarr", "parts/b.zarr", "mask.zarr"):
        assert len(objects(gateway, name)) > 2
        assert objects(gateway, name) == local_objects(tmp_path / name), name
