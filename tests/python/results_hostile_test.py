"""Hostile files of futures are refused soon, in little memory, and run nothing."""

import gzip
import io
import lzma
import os
import pickle
import tarfile
import zipfile

import numpy as np
import pytest
from measured import measured
from protobuf import field, varint

from bevscope import Error
from bevscope.results import open_submission


class Trace:
    """Unpickled, it makes a file."""

    def __init__(self, path) -> None:
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def npy(array: object) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asarray(array), allow_pickle=True)
    return out.getvalue()


def archive(files: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, content in files.items():
            made.writestr(name, content, method)
    return out.getvalue()


def npz(deflated: dict[str, np.ndarray] | None = None, **arrays: object) -> bytes:
    good = {
        "futures": np.zeros((1, 1, 1, 2, 4), np.float32),
        "scenario_id": np.array(["a"]),
        "track_id": np.array([[7]]),
        "first_step": np.array(11),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, array in (good | arrays).items():
            made.writestr(f"{name}.npy", npy(array))
        for name, array in (deflated or {}).items():
            made.writestr(f"{name}.npy", npy(array), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def header(shape: str) -> bytes:
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    return b"\x93NUMPY\x01\x00\x76\x00" + text.ljust(117).encode() + b"\n"


def declared(shape: str) -> bytes:
    """An archive whose futures have a shape, but no values."""
    names = {"scenario_id": np.array(["a"]), "track_id": np.array([[7]])}
    files = {f"{name}.npy": npy(array) for name, array in names.items()}
    return archive({"futures.npy": header(shape), "first_step.npy": npy(11)} | files)


def tar() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as made:
        info = tarfile.TarInfo("../../x.binproto")
        info.size = 5
        made.addfile(info, io.BytesIO(b"abcde"))
    return out.getvalue()


MILLION = 1_000_000
CASES = b"case_id,track_id,frame_id,x1,y1\n"


def parquet(footer: bytes, size: int | None = None) -> bytes:
    stated = len(footer) if size is None else size
    return b"PAR1" + footer + stated.to_bytes(4, "little") + b"PAR1"


def nuscenes(prediction: str) -> bytes:
    members = f'"instance":"i","sample":"s","probabilities":[1],"prediction":{prediction}'
    return f"[{{{members}}}]".encode()


def doubled(times: int) -> list:
    """Refers to itself so often that a copy would have 2 to this power of lists."""
    out: list = []
    for _ in range(times):
        out = [out, out]
    return out


def declared_pickle(shape: tuple[int, ...]) -> bytes:
    """PufferDrive's dict, with an array of a shape, but few values."""
    good = pickle.dumps({"x": np.zeros((3, 1, 81), "f4"), "scenario_id": 0}, 2)
    three, found = (b"K\x03K\x01KQ\x87", b"\x8a\x06" + shape[0].to_bytes(6, "little"))
    assert three in good
    return good.replace(three, found + b"K\x01KQ\x87")


ID = field(1, b"a")
VALUES = b"".join(field(k, bytes(4 * 80)) for k in (2, 3, 4, 5))
AGENT = field(1, VALUES + varint(6 * 8) + varint(7))
SCENE = field(2, AGENT)
HEAD = b"scenario_id,track_id,step,x,y,mode\n"
SPARSE = b"".join(b"a,%d,0,0,0,0\n" % i for i in range(1000))
#: Content, and what is said of it: of all files, or of a scenario that is read.
FILES = {
    "xz": (lzma.compress(bytes(2**22)), "a compressed file"),
    "gzip": (gzip.compress(bytes(2**24)), "a compressed file"),
    "tar": (tar(), "an archive; unpack it first"),
    "parquet": (b"PAR1" + bytes(1000), "Parquet that is not complete"),
    "parquet, long footer": (parquet(b"", 2**31), "Parquet that is not complete"),
    "parquet, long list": (parquet(b"\x29\xfc" + b"\xff" * 9 + b"\x01"), "a list longer"),
    "parquet, deep": (parquet(b"\x1c" * MILLION), "nested too deeply"),
    "hdf5": (b"\x89HDF\r\n\x1a\n" + bytes(10_000), "no field number"),
    "json": (b"[" * MILLION, "not a JSON array"),
    "json, deep": (
        b'[{"a":' + b"[" * MILLION + b"]" * MILLION + b"}]",
        "instance: is missing",
    ),
    "json, many modes": (nuscenes("[[[0,0]]" + ",[[0,0]]" * 2000 + "]"), "too many modes"),
    "json, many steps": (nuscenes("[[[0,0]" + ",[0,0]" * 2000 + "]]"), "too many steps"),
    "json, no finite number": (nuscenes("[[[1e999,0]]]"), "a number that is not finite"),
    "json, long": (nuscenes("[[[0,0]" + " " * 2**23 + "]]"), "an item of more than"),
    "interpret": (CASES + b"1,1,11,=1+1,0\n", "x: not a finite number"),
    "interpret, far": (CASES + b"1,1,1,0,0\n1,1,900000000,0,0\n", "too many steps"),
    "interpret, few rows": (
        CASES + b"".join(b"1,%d,1,0,0\n" % i for i in range(2000)) + b"1,1,999,0,0\n",
        "too few rows",
    ),
    "pickle, doubled": (pickle.dumps(doubled(60), 4), "pickle"),
    "pickle, many": (b"\x80\x02(" + b"}" * 3 * MILLION + b"l.", "pickle"),
    "pickle, declared": (declared_pickle((2**40, 1, 81)), "wrong length"),
    "pickle, objects": (
        pickle.dumps({"x": np.array([{}]), "scenario_id": 0}, 4),
        "object",
    ),
    "torch": (archive({"archive/data.pkl": b"x"}), "an archive without results"),
    "many files": (
        archive({f"{i:040}": b"" for i in range(20_000)}),
        "an archive without results",
    ),
    "many arrays": (
        archive({f"{i:036}.npy": b"" for i in range(20_000)}),
        "too many files for an archive",
    ),
    "inflated": (
        npz({"valid": np.zeros((1, 1, 1, 2**25), bool)}),
        r"valid.npy: too large \(found 33554560 bytes, expected at most 16777216; mark",
    ),
    "inflated in parts": (
        npz({name: np.zeros(12 * 2**20, bool) for name in ("probability", "valid")}),
        "probability.npy: too large",
    ),
    "declared": (declared("(2, 1024, 2000, 1000, 4)"), "too many values"),
    "declared scenarios": (declared(f"({2**38}, 1, 1, 2, 1)"), "axis 0 is too long"),
    "truncated": (b"\x0a" + varint(2**63) + b"\x0a\x01a", "field 1: truncated"),
    "long number": (b"\x0a" + b"\xff" * 11, "a number has more than 10 bytes"),
    "empty messages": (b"\x12\x00" * MILLION, "too many fields besides scenarios"),
    "empty scenes": (field(1, ID + b"\x12\x00" * MILLION), "too many fields before"),
    "empty agents": (
        field(1, ID + field(2, b"\x0a\x00" * MILLION)),
        "too many fields before",
    ),
    "many scenes": (field(1, ID + SCENE + b"\x12\x00" * MILLION), "too many joint"),
    "many agents": (
        field(1, ID + field(2, AGENT + b"\x0a\x00" * MILLION)),
        "center_x: no values",
    ),
    "long line": (HEAD + b"a" * 10_000_000, "line 2: too long"),
    "no finite number": (HEAD + b"a,7,11,1e999,0,0\n", "x: not a finite number"),
    "few rows": (
        HEAD + SPARSE + b"a,0,999,0,0,19\na,0,1,0,0,0\n",
        "too few rows for its modes",
    ),
    "formula": (HEAD + b"a,7,11,=1+1,0,0\n", "x: not a finite number"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_refused_soon_and_in_little_memory(name, program, tmp_path):
    content, expected = FILES[name]
    path = tmp_path / "m.npz"
    path.write_bytes(content)
    status, said = measured(program, "futures", path)
    if status == 0:  # only what is read of a scenario is hostile
        scenario = "m/1" if name.startswith("interpret") else "a"
        status, said = measured(program, "futures", path, "--scenario", scenario)
    assert status != 0
    assert said.startswith(f"bevscope: {path}: ")
    with pytest.raises(Error, match=expected) as refused:
        list(open_submission(path).values())
    assert str(refused.value) in said


@pytest.mark.parametrize("protocol", range(6))
def test_pickles_run_nothing(protocol, program, tmp_path):
    trace = tmp_path / "trace"
    file = tmp_path / "m.pkl"
    file.write_bytes(pickle.dumps(Trace(trace), protocol))
    arrays = tmp_path / "m.npz"
    hostile = np.array([[Trace(trace)]], dtype=object)
    arrays.write_bytes(npz(track_id=hostile))
    for path, expected in ((file, "m.pkl: "), (arrays, "array of objects is a pickle")):
        status, said = measured(program, "futures", path)
        assert status != 0
        assert expected in said
        with pytest.raises(Error, match=expected):
            open_submission(path)
    assert not trace.exists()


@pytest.mark.parametrize(
    "text",
    ["[" * MILLION, '{"format":' * 400_000, "{" + " " * 2**22, '{"scenarios":[["",0,0]']
    + ['{"scenarios":[' + '["",0,0],' * 460_000],
    ids=["arrays", "objects", "too large", "cut", "many scenarios"],
)
def test_a_hostile_side_file_is_ignored(text, program, tmp_path):
    path = tmp_path / "m.binproto"
    path.write_bytes(field(1, ID + SCENE))
    (tmp_path / "m.binproto.index.json").write_text(text)
    status, said = measured(program, "futures", path)
    assert status == 0
    assert f"warning: {path}.index.json: ignored: " in said
