"""A real server in a thread, and a client that carries its cookie."""

import http.client
import json
import threading
from contextlib import contextmanager

import pytest


class Client:
    """Speaks to a server as the page does."""

    def __init__(self, server):
        self.server, self.port = server, server.port
        self.host = f"127.0.0.1:{server.port}"
        self.cookie = ""
        status, headers, _ = self.ask("GET", server.address.partition(self.host)[2])
        assert status == 303
        self.cookie = headers["set-cookie"].partition(";")[0]

    def ask(self, method, path, data=None, **headers):
        """An answer: its status, its headers and its body. A header that is None is not sent."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        said = {"Host": self.host, "Origin": f"http://{self.host}", "Cookie": self.cookie} | headers
        body = data if isinstance(data, bytes | type(None)) else json.dumps(data).encode()
        line.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in said.items():
            if value is not None:
                line.putheader(name, value)
        if body is not None:
            line.putheader("Content-Length", str(len(body)))
        line.endheaders(body)
        answer = line.getresponse()
        body = answer.read()
        line.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body

    def get(self, path):
        return json.loads(self.ask("GET", path)[2])

    def post(self, path, data):
        return json.loads(self.ask("POST", path, data)[2])

    @contextmanager
    def live(self, key, origin=None, cookie=None):
        """A game under way."""
        from websockets.sync.client import connect

        headers = {"Cookie": self.cookie if cookie is None else cookie}
        origin = f"http://{self.host}" if origin is None else origin
        with connect(f"ws://{self.host}/live/{key}", origin=origin, additional_headers=headers) as socket:
            yield Line(socket)


class Line:
    """The messages of one game."""

    def __init__(self, socket):
        self.socket, self.heard = socket, []

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def hear(self, kind="position", until=lambda message: True, timeout=30):
        """The next message of a kind that is as it should be; all others are kept."""
        while True:
            message = json.loads(self.socket.recv(timeout))
            self.heard.append(message)
            if message["type"] == kind and until(message):
                return message


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("replays")


@contextmanager
def served(folder):
    """A server while it is needed."""
    from apprenti.web.server import Server

    server = Server(folder)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(20)


@pytest.fixture(scope="module")
def client(folder):
    with served(folder) as server:
        yield Client(server)
