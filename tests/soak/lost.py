"""How soon a lost core, node or head is noticed: `python -m tests.soak.lost` kills them on this machine and says so."""

import os
from pathlib import Path
from signal import SIGKILL
from tempfile import TemporaryDirectory
from time import monotonic

from apprenti.arena.executors import cluster
from apprenti.arena.many import CompiledGames, Series
from apprenti.games.tetris import Rules
from apprenti.games.tetris.game import GAME
from apprenti.lab.agents import find
from apprenti.lab.cluster import on_cluster
from tests.clusters import apprenti, playing, real_nodes, wait_until

ENDLESS = Rules.preset("simplified", "10x20")
TIMES = 3


def seconds_until(what):
    """Until this becomes true."""
    began = monotonic()
    wait_until(what)
    return monotonic() - began


def core(nodes):
    """Until the chunk of a killed process is with another one."""
    wait_until(lambda: cluster().cores == 2 and len(playing(nodes.processes())) == 2)
    before = {id(one) for node in cluster().nodes.values() for one in node.cores}
    os.kill(playing(nodes.processes())[0], SIGKILL)
    return seconds_until(lambda: len(before & {id(o) for n in [*cluster().nodes.values()] for o in n.cores}) == 1)


def node(nodes, said):
    """Until a killed node is said to be lost; another takes its place."""
    wait_until(lambda: cluster().cores == 2)
    name = min(nodes.nodes)
    nodes.kill(name)
    found = seconds_until(lambda: any(f"node {name} was lost" in line for line in said))
    nodes.nodes[f"{name}+"] = nodes.add(f"{name}+")
    return found


def head(nodes, folder):
    """Until the command of a killed head has ended with its sentence."""
    words = ("evaluate", "dellacherie", "--size", "10x20", "--cluster", nodes.address)
    driver = apprenti(*words, folder=folder)
    wait_until(lambda: playing(nodes.processes()))
    nodes.kill_head()
    began = monotonic()
    assert "the head of the cluster" in driver.communicate()[1] and driver.returncode == 2
    return monotonic() - began


def main():
    """Each a few times."""
    with real_nodes(2) as nodes, TemporaryDirectory() as folder:
        said = []
        with on_cluster(nodes.address, say=said.append):
            games = CompiledGames(Series(GAME, ENDLESS, (find("dellacherie").agent,)))
            for number in range(20):  # more than are lost, each as long as it takes
                cluster().submit(games, (number, 1))
            for what, times in (("core", lambda: core(nodes)), ("node", lambda: node(nodes, said))):
                print(f"a killed {what} is noticed after", *[f"{times():.1f} s" for _ in range(TIMES)], flush=True)
            cluster().close()
        print(f"a killed head, the command has ended after {head(nodes, Path(folder)):.1f} s", flush=True)


if __name__ == "__main__":
    main()
