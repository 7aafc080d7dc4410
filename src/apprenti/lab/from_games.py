"""An agent that goes on learning from the games it plays with people, and is stored after each."""

from dataclasses import replace
from pathlib import Path

from apprenti.core.errors import BadOption
from apprenti.core.protocols import Game, HasArrays, Move, Observation, Storable
from apprenti.core.text import printable
from apprenti.lab.agents import NamedAgent, from_file
from apprenti.lab.session import Session
from apprenti.learn.methods import FROM_GAMES
from apprenti.store.agentfile import AgentFile, write_agent

FOLDER = Path("learned")
"""Beside the folder of runs. The zoo and the runs stay as they are."""
PEOPLE = "; then from games with people"


def learned_path(name: str) -> Path:
    """Where what an agent has learned from people is."""
    return FOLDER / f"{printable(name).replace('/', '-')}.json"


def learning(found: NamedAgent) -> NamedAgent:
    """The agent as its last game with people has left it; BadOption if it is none that learns from games."""
    if not isinstance(found.agent, Storable) or found.agent.describe()[0] not in FROM_GAMES:
        raise BadOption(f"--learn is for agents with a table, like sarsa-tictactoe, and {found.name} has none.")
    path = learned_path(found.name)
    return replace(from_file(path), game=found.game) if path.exists() else found


def after(found: NamedAgent, session: Session, side: int) -> NamedAgent:
    """The agent after a game in which it had a side; it is stored. A game that was left early teaches nothing."""
    if session.outcome is None or not isinstance(found.agent, Storable):
        return found
    learn = FROM_GAMES.load(found.agent.describe()[0])
    agent = learn(found.agent, decisions(session.game, session, side), session.outcome.scores[side])
    _store(found, agent)
    return replace(found, agent=agent)


def decisions(game: Game, session: Session, side: int) -> list[tuple[Observation, Move]]:
    """What a side knew at each of its moves, and the move; from the record, for agents remember nothing."""
    state, found = game.reopen(session.rules, session.opening), []
    for text in session.moves:
        move = game.read_move(state, text)
        if state.turn == side:
            found.append((state.observation(side), move))
        state = state.play(move)
    return found


def _store(found: NamedAgent, agent: Storable) -> None:
    kind, options = agent.describe()
    arrays = agent.arrays() if isinstance(agent, HasArrays) else {}
    before = found.file.source if found.file else found.name
    source, title = before.removesuffix(PEOPLE) + PEOPLE, found.file.title if found.file else found.name
    rules = found.game.rules_to_json(found.rules)
    path = learned_path(found.name)
    path.parent.mkdir(exist_ok=True)
    write_agent(path, AgentFile(found.name, title, found.game.family, kind, options, rules, source, arrays=arrays))
