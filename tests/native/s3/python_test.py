"""The Python package writes to a real S3 server what the program writes."""

import numpy as np
import pytest
from gateway import ACCESS, BUCKET, SECRET, Gateway, run
from proxy import FAULTS, Proxy, some_puts_fail

from bevscope import DataConfig, DataLoader, DataSaver, list_datasets

ROWS = 3000


@pytest.fixture
def gateway():
    server = Gateway()
    yield server
    server.close()


@pytest.fixture
def use(gateway, monkeypatch, tmp_path):
    """Returns a function that makes this process use the server, or a proxy."""

    def set_environment(port=None):
        for name, value in gateway.environment(port).items():
            if name.startswith("AWS_"):
                monkeypatch.setenv(name, value)
        monkeypatch.setenv("BEVSCOPE_PARTS", str(tmp_path / "parts"))

    return set_environment


def save(store, image, limit=64 << 10):
    attributes = {"image": (image.dtype, image.shape[1:]), "label": "i8"}
    config = DataConfig("digits", attributes, max_object_size=limit)
    with DataSaver(config, store) as saver:
        saver.save({"image": image, "label": np.arange(len(image)) // 7})


def images(shape=(ROWS, 28, 28)):
    return np.random.default_rng(0).integers(0, 256, shape, np.uint8)


def local_objects(folder):
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_saved_objects_are_those_of_a_folder(gateway, use, tmp_path):
    use()
    save(tmp_path / "x.zarr", images())
    save(f"s3://{BUCKET}/a b/x.zarr", images())
    expected = local_objects(tmp_path / "x.zarr")
    assert len(expected) > 30
    assert local_objects(gateway.objects / "a b/x.zarr") == expected
    for body in local_objects(gateway.objects).values():
        assert SECRET.encode() not in body
        assert ACCESS.encode() not in body
    loader = DataLoader(f"s3://{BUCKET}/a b/x.zarr")
    assert np.array_equal(loader[1234]["image"], images()[1234])
    (found,) = list_datasets(f"s3://{BUCKET}/a b")
    assert (found.rows, found.objects) == (ROWS, len(expected))


@pytest.mark.parametrize("seed", range(2))
def test_a_fifth_of_all_writes_fails_and_the_result_is_the_same(
    gateway, use, tmp_path, seed
):
    proxy = Proxy(gateway.port, some_puts_fail(seed))
    use(proxy.port)
    save(f"s3://{BUCKET}/x.zarr", images(), 12 << 10)
    proxy.close()
    assert {fault for fault, _ in proxy.faults} == set(FAULTS)
    use()
    save(tmp_path / "x.zarr", images(), 12 << 10)
    expected = local_objects(tmp_path / "x.zarr")
    assert local_objects(gateway.objects / "x.zarr") == expected


@pytest.mark.parametrize("name", ["x.zarr", "x.zarr.zip"])
def test_large_objects_are_uploaded_in_parts(gateway, use, tmp_path, name):
    proxy = Proxy(gateway.port)
    use(proxy.port)
    image = images((5, 5 << 20))
    save(f"s3://{BUCKET}/{name}", image, 20 << 20)
    proxy.close()
    assert any("partNumber=2&" in line for line in proxy.lines)
    save(tmp_path / name, image, 20 << 20)
    if name.endswith(".zip"):
        assert (gateway.objects / name).read_bytes() == (tmp_path / name).read_bytes()
    else:
        assert local_objects(gateway.objects / name) == local_objects(tmp_path / name)
    assert not gateway.uploads()
    code, out, _ = run(gateway.environment(), "ls", f"s3://{BUCKET}/{name}")
    assert (code, b"5 rows" in out) == (0, True)
