"""Requests and memory of readers whose consumer stalls or leaves the loop."""

import gc
import subprocess
import sys

import numpy as np
import pytest

import bevscope
from bevscope.l5kit.data import AGENT_DTYPE, FRAME_DTYPE, SCENE_DTYPE, TL_FACE_DTYPE


def arrays_of(scenes, frames, agents):
    """Scenes of as many frames, each of as many agents."""
    made = {
        "scenes": np.zeros(scenes, SCENE_DTYPE),
        "frames": np.zeros(scenes * frames, FRAME_DTYPE),
        "agents": np.zeros(scenes * frames * agents, AGENT_DTYPE),
        "traffic_light_faces": np.zeros(0, TL_FACE_DTYPE),
    }
    for name, field, size in (
        ("scenes", "frame_index_interval", frames),
        ("frames", "agent_index_interval", agents),
    ):
        begin = np.arange(len(made[name])) * size
        made[name][field] = np.stack([begin, begin + size], -1)
    made["frames"]["timestamp"] = np.arange(scenes * frames) * 100_000_000
    made["agents"]["track_id"] = np.tile(np.arange(agents), scenes * frames)
    made["agents"]["centroid"][:, 0] = np.arange(scenes * frames * agents)
    return made


class Counted:
    """Ten scenes of 100 agents, a chunk each; notes the chunks of agents it was asked
    for."""

    class Source(bevscope.MemorySource):
        CHUNK = 100

    def __init__(self):
        self.source = self.Source(arrays_of(10, 10, 10))
        self.chunks = []

    def read(self, key, range):
        table, _, name = key.partition("/")
        if table == "agents" and name.isdigit():
            self.chunks.append(int(name))
        return self.source.read(key, range)


def left_by_break(batches):
    for _ in batches:
        break


def left_by_close(batches):
    next(batches)
    batches.close()


def left_by_error(batches):
    with pytest.raises(ZeroDivisionError):
        for _ in batches:
            raise ZeroDivisionError


@pytest.mark.parametrize("leave", [left_by_break, left_by_close, left_by_error])
def test_a_loop_that_was_left_requests_nothing_more(leave):
    source = Counted()
    dataset = bevscope.open(source)
    reader = dataset.reader("agents", fields=["yaw"], batch=100)
    assert source.chunks == []
    leave(iter(reader))
    assert source.chunks == [0]
    # Nor do other reads of the data set continue it.
    assert (
        sum(len(batch["row"]) for batch in dataset.reader("frames", fields=["row"])) == 100
    )
    del reader
    gc.collect()
    assert source.chunks == [0]


def test_a_consumer_that_stalls_has_read_its_batches_only():
    source = Counted()
    reader = bevscope.open(source).reader("agents", fields=["yaw"], batch=100)
    for i, _ in enumerate(reader):
        assert source.chunks == list(range(i + 1))
    assert len(source.chunks) == 10


MEASURED = """
import sys
sys.path.insert(0, sys.argv[1])
import bevscope
from reader_requests_test import arrays_of

BUDGET = 160 << 20


class Source(bevscope.MemorySource):
    CHUNK = 10_000


def status(name):
    for line in open("/proc/self/status"):
        if line.startswith(name):
            return int(line.split()[1]) << 10


arrays = arrays_of(250, 100, 100)
assert arrays["agents"].nbytes > 1.5 * BUDGET
dataset = bevscope.open(Source(arrays), byte_budget=BUDGET)
for order in ("none", "blocks"):
    fields = ["row", "yaw", "centroid"]
    reader = dataset.reader("agents", fields=fields, order=order, where="track_id != 3")
    if order == "none":
        before = status("VmRSS")
        open("/proc/self/clear_refs", "w").write("5")  # the peak is now the size
    items = sum(len(batch["row"]) for batch in reader)
    assert items == 2_475_000, items
    grown = status("VmHWM") - before
    assert BUDGET / 2 < grown < 1.1 * BUDGET, (order, grown)
"""


def test_the_process_grows_by_at_most_the_byte_budget_and_a_tenth():
    folder = __file__.rpartition("/")[0]
    subprocess.run([sys.executable, "-c", MEASURED, folder], check=True)
