"""Small decision processes for lessons, as the laboratory finds them."""

from apprenti.core.plugins import Entry, Plugin

_HERE = "apprenti.games.mdp"

PLUGIN = Plugin(
    place=4,
    games={
        "gridworld": Entry(f"{_HERE}.game:GRIDWORLD", "a walk on a slippery grid, for lessons"),
        "mdp": Entry(f"{_HERE}.game:MDP", "small decision processes: a robot, a river"),
    },
    views={"gridworld": Entry(f"{_HERE}.views.view:VIEW", "a map")},
    page=f"{_HERE}.scene",
    french=_HERE,
)
