"""A benchmark program that reads lines and replies with the time each took."""

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
        """Returns the mean of several runs: a single one is short compared with L5Kit's."""
        self.process.stdin.write((line + "\n") * times)
        self.process.stdin.flush()
        return statistics.mean(float(self.process.stdout.readline()) for _ in range(times))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
