"""Keys of S3 from a callback: when they are asked for, and what its failures are."""

import copy
import datetime
import pickle
import threading
import traceback

import numpy as np
import pytest
from s3_bucket import SECRET, TOKEN, Bucket

import bevscope
from bevscope import DataConfig, DataLoader, DataSaver, S3Credentials, set_s3_credentials

ROWS = 200
STORE = "s3://bucket/x.zarr"


@pytest.fixture
def bucket(monkeypatch, tmp_path):
    server = Bucket()
    monkeypatch.delenv("AWS_ACCESS_KEY_ID", raising=False)
    monkeypatch.setenv("AWS_REGION", "eu-test-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("BEVSCOPE_PARTS", str(tmp_path / "parts"))
    yield server
    set_s3_credentials(None)
    server.end()


def after(**duration):
    return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**duration)


class Keys:
    """Gives KEY1, KEY2 ..; counts calls."""

    def __init__(self, **lifetime):
        self.calls, self._lifetime, self._lock = 0, lifetime, threading.Lock()

    def __call__(self, bucket):
        assert bucket == "bucket"
        with self._lock:
            self.calls += 1
            name = f"KEY{self.calls}"
        expires = after(**self._lifetime) if self._lifetime else None
        return S3Credentials(name, SECRET, TOKEN, expires)


def save(store=STORE):
    attributes = {"image": ("u1", (8, 8)), "label": "i8"}
    config = DataConfig("digits", attributes, max_object_size=4096)
    with DataSaver(config, store) as saver:
        image = np.random.default_rng(0).integers(0, 256, (ROWS, 8, 8), np.uint8)
        saver.save({"image": image, "label": np.arange(ROWS)})


def test_one_call_gives_the_keys_of_all_requests(bucket):
    keys = Keys(hours=1)
    set_s3_credentials(keys)
    save()
    assert len(DataLoader(STORE)) == ROWS
    assert len(bucket.used) > 10
    assert set(bucket.used) == {"KEY1"}
    assert keys.calls == 1


def test_expired_keys_are_replaced_while_data_sets_are_open(bucket):
    keys = Keys()
    set_s3_credentials(keys)
    save()
    loader = DataLoader(STORE)
    bucket.expired.add("KEY1")
    before = len(bucket.used)
    assert loader[ROWS - 1]["label"] == ROWS - 1
    assert bucket.used[before:].count("KEY1") <= 2  # image and label, at the same time
    assert keys.calls == 2
    bucket.expired.add("KEY2")
    save("s3://bucket/y.zarr")  # HEAD requests too
    assert keys.calls == 3
    assert len(DataLoader("s3://bucket/y.zarr")) == ROWS


def test_threads_share_one_call(bucket):
    keys = Keys(hours=1)
    set_s3_credentials(keys)
    save()
    set_s3_credentials(keys)  # forgets the keys
    failed = []

    def read():
        try:
            assert len(DataLoader(STORE)) == ROWS
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failed
    assert keys.calls == 2


def test_keys_that_stay_expired_are_an_error(bucket):
    bucket.expired |= {"KEY1", "KEY2", "KEY3"}
    set_s3_credentials(Keys())
    with pytest.raises(bevscope.ReadError, match=r"HTTP 400 \(ExpiredToken\)") as caught:
        DataLoader(STORE)
    assert caught.value.code == "network"
    assert SECRET not in str(caught.value)


def test_exceptions_of_the_callback_are_chained_without_their_text(bucket):
    def fail(_):
        raise RuntimeError(f"no answer for {SECRET}")

    set_s3_credentials(fail)
    for work in (lambda: DataLoader(STORE), save):
        with pytest.raises(bevscope.ReadError) as caught:
            work()
        error = caught.value
        text = "s3://bucket: the credentials callback failed (RuntimeError)"
        assert (error.code, str(error)) == ("network", text)
        assert isinstance(error.__cause__, RuntimeError)
        assert SECRET not in pickle.dumps(error).decode("latin1")
        assert SECRET not in "".join(traceback.format_exception_only(type(error), error))


def test_errors_and_interrupts_of_the_callback_pass(bucket):
    def fail(_):
        raise bevscope.Unsupported("own text")

    set_s3_credentials(fail)
    with pytest.raises(bevscope.Unsupported, match="^own text$"):
        DataLoader(STORE)

    def interrupt(_):
        raise KeyboardInterrupt

    set_s3_credentials(interrupt)
    with pytest.raises(KeyboardInterrupt):
        DataLoader(STORE)


def test_keys_that_cannot_be_used_are_errors_that_do_not_quote_them(bucket):
    wrong = [
        (S3Credentials(SECRET, ""), "an empty key"),
        (S3Credentials("KEY", f"{SECRET}\r\nX: 1"), "an invalid value"),
        (S3Credentials("KEY", SECRET, None, after(seconds=-1)), "expired keys"),
        (("KEY", SECRET), r"found tuple, expected S3Credentials or None"),
    ]
    for given, message in wrong:
        set_s3_credentials(lambda _, given=given: given)
        with pytest.raises(bevscope.InvalidArgument, match=message) as caught:
            DataLoader(STORE)
        assert SECRET not in str(caught.value)
    with pytest.raises(bevscope.InvalidArgument, match="expires must have a time zone"):
        S3Credentials("KEY", SECRET, expires=datetime.datetime(2030, 1, 1))


def test_without_keys_requests_are_anonymous(bucket):
    set_s3_credentials(lambda _: None)
    with pytest.raises(bevscope.Error):
        DataLoader(STORE)
    assert bucket.unsigned
    bucket.unsigned.clear()


def test_a_callback_that_reads_its_own_bucket_is_an_error(bucket):
    def read(_):
        return DataLoader("s3://bucket/keys.zarr")

    set_s3_credentials(read)
    with pytest.raises(bevscope.InvalidArgument, match="callback needs its own keys"):
        DataLoader(STORE)


def test_credentials_are_neither_printed_nor_pickled():
    keys = S3Credentials("KEY", SECRET, TOKEN)
    for text in (repr(keys), str(keys), f"{keys}"):
        assert text == "S3Credentials(expires=None)"
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be pickled"):
            copied(keys)
