"""A site is the old one or the new one, whenever the command that publishes is killed."""

import hashlib
import os
import pathlib
import random
import re
import signal
import subprocess
import tempfile
import time
import unittest

BEVSCOPE = os.environ["BEVSCOPE"]
KILLS = 20
PAGE = (
    "<!--site:head--><!--site:title--><!--site:description--><!--site:counts-->"
    "<!--site:about--><!--site:picture-->"
)


def files_of(folder):
    """Returns the hash of each file by its path."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def seen(site):
    """Returns what a visitor sees: the page, and the folders that it names."""
    page = site / "index.html"
    if not page.exists():
        return {}
    text = page.read_text()
    out = {"index.html": text}
    for name in set(re.findall(r"\b(?:data|viewer|results)-[0-9a-f]{16}\b", text)):
        assert (site / name).is_dir(), name
        out |= {f"{name}/{path}": hash for path, hash in files_of(site / name).items()}
    return out


class Kills(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.site = self.folder / "site"
        app = self.folder / "app"
        app.mkdir()
        (app / "site.html").write_text(PAGE)
        self.town("old", 3)
        self.town("new", 4)

    def town(self, name, seed):
        words = f"--scenes 3 --frames 60 --agents-max 60 --no-aerial --seed {seed}"
        subprocess.run(
            [BEVSCOPE, "town", str(self.folder / name), *words.split()],
            check=True,
            capture_output=True,
        )

    def words(self, name, site):
        source = str(self.folder / name)
        return [BEVSCOPE, "publish", source, "-o", str(site), "--app", self.folder / "app"]

    def publish(self, name, site):
        done = subprocess.run(self.words(name, site), capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_old_or_new_at_20_random_moments(self):
        fresh = self.folder / "fresh"
        begin = time.monotonic()
        self.publish("new", fresh)
        whole = time.monotonic() - begin
        self.publish("old", self.site)
        old = seen(self.site)
        new = seen(fresh)
        self.assertNotEqual(old, new)
        moments = random.Random(5)
        killed = 0
        for _ in range(KILLS):
            process = subprocess.Popen(
                self.words("new", self.site),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            time.sleep(whole * moments.uniform(0, 1.2))
            process.send_signal(signal.SIGKILL)
            killed += process.wait(60) != 0
            self.assertIn(seen(self.site), (old, new))
        self.assertGreater(killed, 0)
        self.publish("new", self.site)
        self.assertEqual(files_of(self.site), files_of(fresh))
        self.assertFalse(pathlib.Path(f"{self.site}.partial").exists())

    def test_control_c_leaves_the_old_site(self):
        self.publish("old", self.site)
        before = files_of(self.site)
        process = subprocess.Popen(self.words("new", self.site), stdout=subprocess.DEVNULL)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), -signal.SIGINT)
        self.assertEqual(files_of(self.site), before)


if __name__ == "__main__":
    unittest.main()
