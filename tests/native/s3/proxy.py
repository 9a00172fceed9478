"""A proxy in front of an S3 server that injects faults and counts requests."""

import random
import socket
import socketserver
import threading
import time

FAULTS = ("503", "500", "cut", "half", "lost")


def read_message(stream):
    """Returns the first line, the raw head and the body of a request or an answer."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            return None
        head += line
    names = [line.partition(b":") for line in head.lower().split(b"\r\n")[1:]]
    fields = {name: value.strip() for name, _, value in names}
    length = int(fields.get(b"content-length", 0))
    return head.split(b"\r\n")[0].decode(), head, length, fields


class Proxy:
    """Forwards requests to a port. `choose(line)` returns a fault or None:

    503, 500: an error without forwarding. cut: the request's body is not read to its
    end. half: the server gets half of the body. lost: the server gets the request, its
    answer is lost. stall: the request is never answered.
    """

    def __init__(self, port, choose=lambda line: None, delay=0.0):
        self._port, self._choose, self._delay = port, choose, delay
        self.lines, self.faults = [], []
        self.now = self.most = 0
        self._lock = threading.Lock()
        proxy = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                try:
                    while proxy._exchange(self.rfile, self.wfile, self.connection):
                        pass
                except OSError:
                    pass

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            request_queue_size = 128

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def _exchange(self, reader, writer, connection):
        message = read_message(reader)
        if message is None:
            return False
        line, head, length, fields = message
        with self._lock:
            self.lines.append(line)
            self.now += 1
            self.most = max(self.most, self.now)
            fault = self._choose(line)
            if fault:
                self.faults.append((fault, line))
        try:
            return self._answer(fault, message, reader, writer, connection)
        finally:
            with self._lock:
                self.now -= 1

    def _answer(self, fault, message, reader, writer, connection):
        line, head, length, fields = message
        if b"100-continue" in fields.get(b"expect", b""):
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            head = b"\r\n".join(
                one for one in head.split(b"\r\n") if not one.lower().startswith(b"expect:")
            )
        if fault == "cut":
            reader.read(min(length, 10))
            return False
        body = reader.read(length)
        time.sleep(self._delay)
        if fault == "stall":
            connection.settimeout(None)
            reader.read(1)  # until the client gives up
            return False
        if fault in ("500", "503"):
            writer.write(f"HTTP/1.1 {fault} Fault\r\nContent-Length: 0\r\n\r\n".encode())
            return True
        with socket.create_connection(("127.0.0.1", self._port), 60) as server:
            if fault == "half":
                server.sendall(head + body[: length // 2])
                return False
            server.sendall(head + body)
            with server.makefile("rb") as stream:
                _, answer, size, _ = read_message(stream)
                content = b"" if line.startswith("HEAD ") else stream.read(size)
        if fault == "lost":
            return False
        writer.write(answer + content)
        return True

    def puts(self):
        return [line for line in self.lines if line.startswith("PUT ")]


def some_puts_fail(seed, share=0.2, faults=FAULTS):
    """Returns a choice of faults: a share of PUT and POST requests, by a fixed seed."""
    chance = random.Random(seed)

    def choose(line):
        if not line.startswith(("PUT ", "POST ")) or chance.random() >= share:
            return None
        return chance.choice(faults)

    return choose
