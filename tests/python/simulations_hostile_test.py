"""Hostile simulations and files of scores are refused soon and in little memory."""

import lzma
import pickle

import pytest
from measured import measured

from bevscope import Error
from bevscope.results import read_scores
from bevscope.simulations import open_simulation

MILLION = 1_000_000
SCENE = b"\x83\xactimestamp_us\x01\xa3ego\x81\xa4pose\x93\x00\x00\x00\xa4more"
TEXT = b'{"timestamp_us":1,"ego":{"pose":[0,0,0]},"more":['
BACKWARDS = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 0}]


def packed(content: bytes) -> bytes:
    """A binary value of MessagePack, as nuPlan wraps pickles."""
    return b"\xc6" + len(content).to_bytes(4, "big") + content


def doubled(times: int) -> list:
    """Refers to itself so often that a copy would have 2 to this power of lists."""
    out: list = []
    for _ in range(times):
        out = [out, out]
    return out


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


XZ = {
    "zeros": bytes(2**28),
    "values in a scene": SCENE + b"\xdd\x00\xf0\x00\x00" + b"\x90" * 0xF00000,
    "scenes": b"\xdd\x00\xf0\x00\x00" + b"\x90" * 0xF00000,
    "nested": b"\x91" * MILLION,
    "declared": b"\xdd\xff\xff\xff\xff",
    "text": TEXT + b"[]," * 5 * MILLION + b"0]}",
    "text, nested": b'{"a":' * MILLION,
    "pickle": packed(b"\x80\x04" + b"}0" * 8 * MILLION + b"N."),
    "pickle, lists": packed(b"\x80\x04]" + (b"(" + b"}" * 99_999 + b"e") * 160 + b"."),
    "pickle, doubled": pickle.dumps({"timestamp_us": doubled(60)}, 4),
    "pickle, declared": packed(b"\x80\x04\x8e" + (2**62).to_bytes(8, "little")),
    "pickle, texts": pickle.dumps([{"a": ["a" * MILLION] * 10_000}], 4),
}
MESSAGES = {
    "zeros": "inflates too much",
    "values in a scene": "too many values",
    "scenes": r"\[0\]: wrong type",
    "nested": "nested too deeply",
    "declared": "too few bytes",
    "text": "too many values in a scene",
    "text, nested": "too many values in a scene",
    "pickle": "too many opcodes",
    "pickle, lists": "too many opcodes",
    "pickle, doubled": "too many values",
    "pickle, declared": "too few bytes",
    "pickle, texts": "too many values",
}


@pytest.mark.parametrize("name", XZ)
def test_bombs_are_refused_soon_and_in_little_memory(name, program, tmp_path):
    path = tmp_path / "b.msgpack.xz"
    path.write_bytes(lzma.compress(XZ[name], preset=0))
    check_refused(path, MESSAGES[name], program)


@pytest.mark.parametrize("preset", [6, 9])
def test_large_dictionaries_are_refused_or_fit(preset, program, tmp_path):
    path = tmp_path / "b.pkl.xz"
    path.write_bytes(lzma.compress(bytes(2**28), preset=preset))
    check_refused(path, "inflates too much|dictionary|limit", program)


def test_filters_and_damaged_files_are_refused(program, tmp_path):
    path = tmp_path / "b.pkl.xz"
    whole = lzma.compress(bytes(2**20), preset=0)
    for content in (
        lzma.compress(b"x" * 1000, filters=BACKWARDS),
        cut(whole),
        whole[:-20] + bytes(20),
        whole + b"more",
    ):
        path.write_bytes(content)
        check_refused(path, "xz|not a simulation", program)


def check_refused(path, expected, program):
    status, said = measured(program, "score", path)
    assert status != 0
    assert said.startswith(f"bevscope: {path}")
    with pytest.raises(Error, match=expected) as refused:
        open_simulation(path)
    assert str(refused.value).startswith(str(path))


SCORES = b"scenario_id,ade,"
PLANNERS = b"planner_name,scenario_id,score\n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            SCORES + b",".join(b"c%d" % i for i in range(9000)) + b"\n"
            b"" + b"".join(b"%d" % i + b"," * 9001 + b"\n" for i in range(1900)),
            "too many values",
        ),
        (PLANNERS + b"a," + b"b" * MILLION + b",1\n", "too long a name"),
        (PLANNERS + b"a,b,1\na,b,2\n", "is repeated"),
        (PLANNERS + b"a,b,1e999\n", "not a number"),
        (PLANNERS + b"a,b,=1+1\n", "not a number"),
        (PLANNERS + b"a,b\n", "wrong number of fields"),
        (PLANNERS + b'"' * 5 * MILLION, "wrong number of fields|too long"),
    ],
)
def test_hostile_scores_are_refused(content, expected, program, tmp_path):
    path = tmp_path / "s.csv"
    path.write_bytes(content)
    with pytest.raises(Error, match=expected) as refused:
        read_scores(path)
    assert str(refused.value).startswith(f"{path}: ")
    if content.startswith(PLANNERS):
        status, said = measured(program, "score", path)
        assert status != 0
        assert str(refused.value) in said
