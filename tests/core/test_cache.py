"""Compiled code is kept where nobody else can write, or not at all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from apprenti.core.machine import find_cache

SAY = "from apprenti.core import compiled; print(compiled._CACHE.folder, compiled._CACHE.folder is not None)"
AS_ROOT = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can become somebody else")
SOURCES = Path(__file__).parents[2] / "src"


@pytest.fixture
def cache(monkeypatch):
    """Where a program would keep compiled code, with this cache folder."""

    def in_folder(folder):
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
        monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
        find_cache.cache_clear()
        try:
            return find_cache()
        finally:
            find_cache.cache_clear()

    return in_folder


def start(**environment):
    """A new process that says where it keeps compiled code."""
    words = [sys.executable, "-c", SAY]
    environment = {"PYTHONPATH": str(SOURCES), "PATH": os.environ["PATH"], **environment}
    return subprocess.run(words, capture_output=True, text=True, env=environment, check=True)


def test_the_folder_is_ours_alone(cache, tmp_path):
    place = cache(tmp_path / "new")
    assert place.trouble == ""
    for folder in (place.folder, place.folder.parent):
        assert folder.lstat().st_mode & 0o777 == 0o700
    assert cache(tmp_path / "new") == place


def test_a_folder_of_an_earlier_version_is_closed_to_others(cache, tmp_path):
    (tmp_path / "apprenti").mkdir(mode=0o755)
    assert cache(tmp_path).folder
    assert (tmp_path / "apprenti").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
def test_a_folder_that_others_can_write_to_is_not_used(cache, tmp_path, mode):
    (tmp_path / "apprenti").mkdir()
    (tmp_path / "apprenti").chmod(mode)
    place = cache(tmp_path)
    assert place.folder is None and "remove it" in place.trouble


def test_a_link_is_not_followed(cache, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "apprenti").symlink_to(tmp_path / "elsewhere")
    assert cache(tmp_path).folder is None
    assert not list((tmp_path / "elsewhere").iterdir())


@AS_ROOT
def test_a_folder_of_somebody_else_is_not_used(cache, tmp_path):
    (tmp_path / "apprenti").mkdir(mode=0o700)
    os.chown(tmp_path / "apprenti", 12345, 12345)
    assert cache(tmp_path).folder is None


def test_a_folder_in_one_that_everybody_can_change_is_not_used(cache, tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    assert "other users can change" in cache(tmp_path / "open").trouble
    (tmp_path / "open").chmod(0o1777)  # as /tmp: others cannot rename what is ours
    assert cache(tmp_path / "open").folder


def test_nothing_is_kept_in_the_temporary_folder_and_it_is_said_once(tmp_path):
    (tmp_path / "file").write_text("")
    done = start(XDG_CACHE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    assert done.stdout.split() == ["None", "False"]
    assert done.stderr.count("\n") == 1 and "compiled code is not kept" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


NOBODY = """
import pwd

def unknown(uid):
    raise KeyError(uid)

pwd.getpwuid = unknown
from apprenti.core.compiled import kernel

@kernel
def double(x):
    return 2 * x

print(double(21))
"""


def test_a_user_without_a_name_and_a_home_can_compile(tmp_path):
    (tmp_path / "script.py").write_text(NOBODY)  # as a user id of a container: no entry in the password file, no HOME
    environment = {"PYTHONPATH": str(SOURCES), "PATH": os.environ["PATH"]}
    words = [sys.executable, str(tmp_path / "script.py")]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (0, "42\n"), done.stderr
    assert "there is no home folder" in done.stderr


TWICE = """
import sys
from pathlib import Path
from time import sleep
from apprenti.core.compiled import kernel

@kernel
def total(numbers):
    found = numbers[0]
    for number in numbers:
        found += number
    return found

Path(sys.argv[1]).touch()
while len(list(Path(sys.argv[1]).parent.glob("here-*"))) < 2:
    sleep(0.001)
print(total((1, 1, 1)), sum(total.stats.cache_misses.values()))
"""


def test_of_programs_that_start_at_once_one_compiles_and_the_others_load_what_it_stored(tmp_path):
    (tmp_path / "script.py").write_text(TWICE)
    environment = {**os.environ, "PYTHONPATH": str(SOURCES), "NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    words = [sys.executable, str(tmp_path / "script.py")]
    started = [
        subprocess.Popen([*words, str(tmp_path / f"here-{number}")], stdout=subprocess.PIPE, text=True, env=environment)
        for number in range(2)
    ]
    assert sorted(one.communicate(timeout=60)[0].split() for one in started) == [["4", "0"], ["4", "1"]]
