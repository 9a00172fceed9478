"""A benchmark program that waits for lines and tells how long each took."""

import statistics
import subprocess


class Program:
    def __init__(self, *words):
        self.process = subprocess.Popen(
            list(map(str, words)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, line, times=5):
        """The mean of several, for one is short beside a turn of L5Kit's."""
        self.process.stdin.write((line + "\n") * times)
        self.process.stdin.flush()
        return statistics.mean(float(self.process.stdout.readline()) for _ in range(times))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
