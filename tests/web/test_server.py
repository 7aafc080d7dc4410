"""The command: where the page is served, and what is said when it cannot be."""

import socket
import subprocess
import sys

import pytest

from apprenti.cli.main import main
from apprenti.core.errors import BadOption
from apprenti.web.server import bound


def test_a_taken_port_is_named_on_one_line(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["web", "--no-browser", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert f"port {port}" in said and "--port" in said
    assert said.count("\n") == 1


def test_what_cannot_be_measured_is_named(capsys):
    assert main(["bench", "nothing"]) == 2
    assert "bench web" in capsys.readouterr().err


def test_only_this_machine_is_served():
    sockets = bound(0)
    try:
        addresses = [each.getsockname()[:2] for each in sockets]
        assert addresses[0][0] == "127.0.0.1"
        assert {address for address, _ in addresses} <= {"127.0.0.1", "::1"}
        assert len({port for _, port in addresses}) == 1
    finally:
        for each in sockets:
            each.close()


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_is_none_is_refused(port):
    with pytest.raises(BadOption, match="--port"):
        bound(port)


def test_without_the_extra_it_is_one_sentence(tmp_path):
    hidden = "import sys; sys.modules['starlette'] = None; from apprenti.cli.main import main; sys.exit(main(['web']))"
    found = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 2
    assert "pip install 'apprenti[web]'" in found.stderr
    assert found.stderr.count("\n") == 1
