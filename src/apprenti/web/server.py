"""Start the server of the page, on this machine and for this machine only."""

import contextlib
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

from apprenti.core.data import JsonData
from apprenti.core.errors import ApprentiError, BadOption, MissingExtra

try:
    import uvicorn

    from apprenti.web.app import Page
    from apprenti.web.guard import Guard, Keys
    from apprenti.web.school import School, read_school
except ModuleNotFoundError as error:  # another missing module is a mistake of ours
    if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "websockets", "anyio"):
        raise
    raise MissingExtra("the pages of apprenti web", "web") from None

LONGEST_MESSAGE = 16_384
"""Bytes of one message of a page."""


def bound(port: int) -> list[socket.socket]:
    """Sockets on 127.0.0.1 and, where there is one, on ::1."""
    if not 0 <= port <= 65535:
        raise BadOption(f"--port is 0 (any that is free) to 65535, not {port}.")
    sockets = [_bound(socket.AF_INET, "127.0.0.1", port)]
    with contextlib.suppress(OSError, BadOption):
        sockets.append(_bound(socket.AF_INET6, "::1", sockets[0].getsockname()[1]))
    return sockets


def _bound(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, so that asyncio sends without delay
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((address, port))
        made.listen(128)
    except OSError as error:
        made.close()
        raise BadOption(f"port {port} cannot be used ({error.strerror}): choose another with --port.") from None
    return made


class Server:
    """The page's server; `address` is what a browser is opened with."""

    def __init__(
        self,
        folder: Path,
        port: int = 0,
        on_used: Callable[["Server"], None] | None = None,
        school: School = School(),  # noqa: B008, it is frozen
    ) -> None:
        self.sockets = bound(port)
        self.port: int = self.sockets[0].getsockname()[1]
        self.page = Page(folder, school)
        keys = Keys(once=not school.is_class)
        self.guard = Guard(self.page.app(), self.port, keys, on_used=lambda: on_used(self) if on_used else None)
        config: JsonData = {
            "log_level": "warning",
            "access_log": False,
            "server_header": False,
            "lifespan": "off",
        }
        limits: JsonData = {
            "ws_max_size": LONGEST_MESSAGE,
            "ws": "websockets-sansio",
            "ws_per_message_deflate": False,  # nothing leaves this machine
            "timeout_graceful_shutdown": 1,
        }
        self._server = uvicorn.Server(uvicorn.Config(self.guard, **config, **limits))

    @property
    def address(self) -> str:
        """Where the page is, with the token of the next browser."""
        return f"http://127.0.0.1:{self.port}/?token={self.guard.keys.token}"

    def run(self) -> None:
        """Serve until somebody stops it."""
        sys.setswitchinterval(0.001)  # a thinking agent in plain Python gives way to the page often
        self.page.laboratory.jobs.open()
        threading.Thread(target=self._prepare, name="examples", daemon=True).start()
        try:
            self._server.run(sockets=self.sockets)
        finally:
            self.page.laboratory.jobs.close()
            self.page.games.close()

    def _prepare(self) -> None:
        """Have ready what the browser will ask for; what is wrong with a game is said when it does."""
        with contextlib.suppress(ApprentiError):
            self.page.offered()

    def stop(self) -> None:
        """Stop serving."""
        self._server.should_exit = True


def serve(folder: Path, port: int, browser: bool, class_file: Path | None = None) -> None:
    """Serve the page and open it."""
    school = read_school(class_file) if class_file else School()
    another = None if school.is_class else lambda each: print(f"another browser: {each.address}", flush=True)
    server = Server(folder, port, another, school)
    good = "every browser of the class may open it" if school.is_class else "this address is good for once"
    print(f"apprenti is at {server.address}", flush=True)
    print(f"{good}; Ctrl-C ends the server: games go on when it runs again, and runs all the time.", flush=True)
    if browser:
        threading.Timer(0.5, webbrowser.open, [server.address]).start()
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
    sys.stdout.flush()
    os._exit(0)  # games are on disk; an agent that still thinks, perhaps for ever, must not keep the server alive
