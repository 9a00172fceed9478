"""Runs the program, and measures what it takes."""

import json
import os
import subprocess
import sys

#: Runs a command; prints its status and message, and what it took. From a small process,
#: whose memory counts as that of its child.
MEASURE = """
import json, resource, subprocess, sys
ran = subprocess.run(sys.argv[1:], capture_output=True, text=True)
took = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = took.ru_utime + took.ru_stime
print(json.dumps([ran.returncode, ran.stderr, seconds, took.ru_maxrss * 1024]))
"""


def measured(program, *words) -> tuple[int, str]:
    """Runs the program; returns status and message."""
    command = [sys.executable, "-IS", "-c", MEASURE, str(program), *map(str, words)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    status, said, seconds, memory = json.loads(ran.stdout)
    # 0.1 s where nothing else runs; on any machine, not with the square of the file.
    assert seconds <= (0.1 if os.environ.get("BEV_IDLE") else 5)
    assert memory <= 64 * 10**6
    return status, said
