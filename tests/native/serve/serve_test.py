"""The server as a process: its addresses, signals, log, and counters under load."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest

BEVSCOPE = os.environ["BEVSCOPE"]
SIZE = 16 << 20
BUCKETS = re.compile(
    r'^bevscope_http_request_duration_seconds_bucket\{le="\+Inf"\} (\d+)$', re.M
)


class Server:
    """`bevscope serve` of a folder, until the end of a `with`."""

    def __init__(self, folder, *options):
        # Any folder is a viewer, so that none is missed on standard error.
        words = [BEVSCOPE, "serve", str(folder), "--app", str(folder), *options]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True)
        self.url = self.process.stdout.readline().strip()
        self.port = int(self.url.rstrip("/").rsplit(":", 1)[-1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGKILL)

    def end(self, number=signal.SIGTERM):
        """Sends a signal; returns the exit status and standard error."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors

    def ask(self, path, method="GET", host="127.0.0.1", **headers):
        connection = http.client.HTTPConnection(host, self.port, timeout=60)
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body

    def metric(self, name):
        _, body = self.ask("/metrics")
        return int(re.search(rf"^{re.escape(name)} (\d+)$", body.decode(), re.M)[1])


class Serve(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name)
        self.data = self.root / "data"
        self.data.mkdir()
        (self.data / "f").write_bytes(b"0123456789")
        (self.data / "big").write_bytes(bytes(SIZE))

    def await_lines(self, log, count):
        while len(lines := log.read_text().splitlines()) < count:
            time.sleep(0.01)
        self.assertEqual(len(lines), count)
        return lines

    def test_a_signal_ends_it_with_status_0(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Server(self.data) as server:
                self.assertEqual(server.ask("/data/f"), (200, b"0123456789"))
                self.assertEqual(server.end(number), (0, ""))

    def test_an_answer_in_progress_is_finished_and_no_connection_accepted(self):
        with Server(self.data) as server:
            slow = socket.create_connection(("127.0.0.1", server.port))
            slow.sendall(b"GET /data/big HTTP/1.0\r\n\r\n")
            heard = len(slow.recv(1 << 12))
            server.process.send_signal(signal.SIGTERM)
            while True:
                try:
                    socket.create_connection(("127.0.0.1", server.port)).close()
                except ConnectionRefusedError:
                    break
            while part := slow.recv(1 << 20):
                heard += len(part)
            slow.close()
            self.assertGreater(heard, SIZE)
            self.assertEqual(server.end()[0], 0)

    def test_other_machines_are_mentioned_only_if_they_can_read(self):
        for address, said in (("127.0.0.1", 0), ("0.0.0.0", 1), ("::", 1)):
            with self.subTest(address=address):
                try:
                    server = Server(self.data, "--bind", address)
                except ValueError:  # it has not started
                    self.assertEqual(address, "::", "only IPv6 may be missing")
                    self.skipTest("no IPv6")
                with server:
                    self.assertEqual(server.ask("/data/f")[0], 200)
                    _, errors = server.end()
                    self.assertEqual(errors.count("other machines can read"), said)
                    self.assertEqual(errors.count("\n"), said)

    def test_health_follows_the_folder(self):
        with Server(self.data) as server:
            status, body = server.ask("/healthz")
            self.assertEqual((status, json.loads(body)["status"]), (200, "ready"))
            self.data.rename(self.root / "elsewhere")
            status, body = server.ask("/healthz")
            self.assertEqual((status, json.loads(body)["status"]), (503, "unavailable"))
            (self.root / "elsewhere").rename(self.data)
            self.assertEqual(server.ask("/healthz")[0], 200)
        with Server(self.data, "--no-healthz", "--no-metrics") as server:
            self.assertEqual(server.ask("/healthz")[0], 404)
            self.assertEqual(server.ask("/metrics")[0], 404)

    def test_counters_and_log_agree_with_what_many_clients_did(self):
        log = self.root / "log"
        clients, rounds = 12, 20

        def visit(client):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            for number in range(rounds):
                kinds = {
                    ("GET", "/data/f?sig=planted", ""): b"0123456789",
                    ("GET", "/data/f", "bytes=2-4"): b"234",
                    ("HEAD", "/data/f", ""): b"",
                    ("GET", f"/data/none{client}-{number}", ""): b"not found\n",
                }
                for (method, path, part), expected in kinds.items():
                    connection.request(
                        method, path, headers={"Range": part} if part else {}
                    )
                    if connection.getresponse().read() != expected:
                        raise AssertionError(path)
            connection.close()
            leaves = socket.create_connection(("127.0.0.1", server.port))
            leaves.sendall(b"GET /data/big HTTP/1.0\r\n\r\n")
            leaves.recv(1)
            leaves.close()

        options = ("--log", str(log), "--log-format", "json")
        with Server(self.data, *options) as server:
            with concurrent.futures.ThreadPoolExecutor(clients) as pool:
                list(pool.map(visit, range(clients)))
            while server.metric("bevscope_http_aborted_total") < clients:
                time.sleep(0.01)
            count = 'bevscope_http_requests_total{method="%s",status="%s"}'
            _, text = server.ask("/metrics")
            self.assertGreaterEqual(int(BUCKETS.search(text.decode())[1]), 81 * clients)
            self.assertEqual(server.metric(count % ("HEAD", "2xx")), clients * rounds)
            self.assertEqual(server.metric(count % ("GET", "4xx")), clients * rounds)
            self.assertEqual(server.end()[0], 0)
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        data = [line for line in lines if line["path"].startswith("/data/")]
        self.assertEqual(len(data), clients * (4 * rounds + 1))
        self.assertEqual(sum(not line["complete"] for line in lines), clients)
        sent = sum(line["bytes"] for line in data if line["complete"])
        self.assertEqual(sent, clients * rounds * (10 + 3 + 0 + 10))
        self.assertNotIn("planted", log.read_text())

    def test_a_log_that_was_renamed_is_opened_anew(self):
        log = self.root / "log"
        with Server(self.data, "--log", str(log)) as server:
            server.ask("/data/f", Referer="http://localhost/?planted")
            (line,) = self.await_lines(log, 1)
            self.assertRegex(
                line,
                r'^127\.0\.0\.1 - - \[.* \+0000\] "GET /data/f HTTP/1\.1" 200 10 '
                r'"http://localhost/" "-" \d+\.\d{6}$',
            )
            log.rename(self.root / "log.1")
            server.process.send_signal(signal.SIGUSR1)
            while not log.exists():
                time.sleep(0.01)
            server.ask("/data/f")
            self.await_lines(log, 1)
            self.assertEqual(server.end(), (0, ""))

    def test_without_a_log_that_signal_is_ignored(self):
        with Server(self.data) as server:
            server.process.send_signal(signal.SIGUSR1)
            self.assertEqual(server.ask("/data/f")[0], 200)
            self.assertEqual(server.end()[0], 0)

    def test_a_log_on_standard_error_that_nobody_reads_delays_no_answer(self):
        with Server(self.data, "--log", "-") as server:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            for _ in range(3000):  # several times what a pipe holds
                connection.request("GET", "/data/f")
                self.assertEqual(connection.getresponse().read(), b"0123456789")
            connection.close()
            code, errors = server.end()
            self.assertEqual(code, 0)
            lost = re.search(r"^bevscope: -: (\d+) lines were not written$", errors, re.M)
            written = errors.count('"GET /data/f HTTP/1.1" 200 10')
            self.assertEqual(written + int(lost[1] if lost else 0), 3000)


if __name__ == "__main__":
    unittest.main()
