"""The network that plays Luzhanqi: messages between the sixty points, a policy over moves and a value.

Every layer mixes the points by a few learned 60 × 60 matrices, which begin as what the board is made of (roads,
railways, the point itself, everything), and then the channels of each point. A move's logit is a product of what its
origin offers and what its target asks for, so that moves share what they have learned. With a memory, a recurrent cell
(GRU or LSTM) is told every move of the game, and what it remembers is shown to the rest as a few more planes. As a
residual policy, the points that a one-ply player gives to a move (advice) are added to its logit, times a number that
is learned: the network begins as that player and learns where it is wrong (Silver et al. 2018). With features, it is
also shown what counting says of each enemy piece, and hears of each move what its fight is worth and whether it takes
back the last one.
`games/luzhanqi/agents/network.py` computes the same with numpy.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from apprenti.games.luzhanqi.agents.network import RECALLED
from apprenti.games.luzhanqi.agents.scores_kernel import POINT_FEATURES
from apprenti.games.luzhanqi.board import EDGES, LINES, MOVES, POINTS
from apprenti.games.luzhanqi.fast.primitives import at
from apprenti.games.luzhanqi.learn.deep.rollout import Rollout
from apprenti.games.luzhanqi.planes import MOVE_INPUTS, PLANES, move_inputs

WON, DRAWN, LOST = range(3)
"""Classes of the value head that has three."""
MIXES = 4
KEYS = 16
HIDDEN = 64
ADVICE = 0.5
"""What a point of advice counts in a logit, at first."""


def ground() -> NDArray[np.float32]:
    """What the mixing matrices begin as: the point itself, its roads, its railway lines, and everything."""
    roads, rails = np.zeros((POINTS, POINTS)), np.zeros((POINTS, POINTS))
    for first, second in EDGES:
        roads[first, second] = roads[second, first] = 1
    for line in LINES:
        for first in line:
            for second in line:
                rails[first, second] = first != second
    mixes = [np.eye(POINTS), roads, rails, np.ones((POINTS, POINTS))]
    return np.stack([mix / np.maximum(1.0, mix.sum(axis=1, keepdims=True)) for mix in mixes]).astype(np.float32)


class PolicyNetwork(nn.Module):  # type: ignore[misc]  # mypy does not read torch
    """(games, planes, 12, 5) → (games, actions) logits, and what the value head says, (games, 1) or (games, 3).

    `games/luzhanqi/agents/network.py` makes a value of it (`value_of`).
    """

    def __init__(
        self, channels: int, layers: int, actions: int, gru_units: int = 0, residual: bool = False,
        features: bool = False, lstm_units: int = 0, win_draw_loss: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.channels, self.units, self.residual = channels, gru_units or lstm_units, residual
        self.shown = PLANES + (POINT_FEATURES if features else 0)
        self.stem = nn.Linear(self.shown + (RECALLED if self.units else 0), channels)
        self.place = nn.Parameter(torch.zeros(POINTS, channels))
        self.mixes = nn.ParameterList(nn.Parameter(torch.from_numpy(ground())) for _ in range(layers))
        self.joins = nn.ModuleList(nn.Linear(MIXES * channels, channels) for _ in range(layers))
        self.offer = nn.Linear(channels, KEYS + 1)
        self.ask = nn.Linear(channels, KEYS + 1)
        self.squeeze = nn.Linear(channels, 4)
        self.judge = nn.Linear(4 * POINTS, HIDDEN)
        self.value = nn.Linear(HIDDEN, 3 if win_draw_loss else 1)
        if self.units:
            self.remember = (nn.LSTMCell if lstm_units else nn.GRUCell)(MOVE_INPUTS, self.units)
            self.recall = nn.Linear(self.units, RECALLED * POINTS)
        if residual:
            self.advice = nn.Parameter(torch.tensor([ADVICE, 0.0, 0.0] if features else [ADVICE]))
        moves = torch.tensor(MOVES[:actions])
        self.register_buffer("pairs", moves[:, 0] * POINTS + moves[:, 1], persistent=False)
        self._begin()

    def _begin(self) -> None:
        """He's initialisation; a policy that begins almost uniform, a value that begins at 0."""
        for layer in (self.stem, *self.joins, self.judge):
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)
        for layer in self.joins:
            layer.weight.data *= 0.5
        nn.init.normal_(self.place, std=0.1)
        for layer in (self.offer, self.ask, self.value):
            layer.weight.data *= 0.3
            nn.init.zeros_(layer.bias)

    def forward(
        self, planes: torch.Tensor, hidden: torch.Tensor | None = None, advice: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of all moves, legal or not, and the value head's numbers; features it lacks are ignored."""
        games = len(planes)
        x = planes.reshape(games, -1, POINTS)[:, : self.shown]
        if self.units and hidden is not None:
            x = torch.cat([x, self.recall(hidden[:, : self.units]).reshape(games, RECALLED, POINTS)], dim=1)
        h = torch.relu(
            self.stem(x.permute(2, 0, 1)) + self.place[:, None]
        )  # (points, games, channels): a mix is a product
        for mix, join in zip(self.mixes, self.joins, strict=True):
            h = h + torch.relu(self._mixed(h, mix, join))
        h = h.transpose(0, 1)
        offer, ask = self.offer(h), self.ask(h)
        logits = torch.matmul(offer[..., :KEYS], ask[..., :KEYS].transpose(1, 2)) / KEYS**0.5
        logits = logits + offer[..., KEYS:] + ask[..., KEYS:].transpose(1, 2)
        logits = logits.reshape(games, POINTS * POINTS)[:, self.pairs]
        if advice is not None and self.residual:
            logits = logits + advice[..., : len(self.advice)] @ self.advice
        judged = torch.relu(self.judge(torch.relu(self.squeeze(h)).reshape(games, 4 * POINTS)))
        return logits, self.value(judged)

    def _mixed(self, h: torch.Tensor, mix: torch.Tensor, join: nn.Linear) -> torch.Tensor:
        """Σ over the mixes: the channels of every point joined, then the points mixed; no copy is made."""
        points, games, channels = h.shape
        total = join.bias
        for matrix, weights in zip(mix, join.weight.split(channels, dim=1), strict=True):
            part = h.reshape(points * games, channels) @ weights.T
            total = total + (matrix @ part.view(points, games * channels)).view(points, games, channels)
        return total

    def next_hidden(self, hidden: torch.Tensor, moves: NDArray[np.int64], ended: NDArray[np.bool_]) -> torch.Tensor:
        """(games, 2, units): what both players remember after a move in every game; nothing where one has ended."""
        after = [self._cell(torch.from_numpy(move_inputs(moves, player)), hidden[:, player]) for player in (0, 1)]
        return torch.stack(after, dim=1) * torch.from_numpy(~ended)[:, None, None]

    def _cell(self, moves: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """What a player remembers after a move; an LSTM's state stands behind what it shows."""
        if isinstance(self.remember, nn.GRUCell):
            return self.remember(moves, hidden)
        return torch.cat(self.remember(moves, hidden.split(self.units, dim=1)), dim=1)

    def unroll(self, rollout: Rollout, chosen: NDArray[np.int64]) -> torch.Tensor:
        """What was remembered at some moves, with its gradient back to the beginning of the rollout."""
        rows = rollout.rows
        time, game = np.divmod(chosen, len(rows["mover"][0]))
        games = np.unique(game)
        hidden, states = rollout.hidden[games], []
        for mover, moves, ended in zip(rows["mover"], rows["moves"], rows["ended"], strict=True):
            states.append(hidden[torch.arange(len(games)), torch.from_numpy(mover[games])])
            hidden = self.next_hidden(hidden, moves[games], ended[games])
        return torch.stack(states)[torch.from_numpy(time), torch.from_numpy(np.searchsorted(games, game))]


def last_moves(states: NDArray[np.int64], ended: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(games, 4): origin, target, result and mover of the last move in every game; zeros where one has ended."""
    rows = np.stack([states[:, at.FROM], states[:, at.TO], states[:, at.RESULT], 1 - states[:, at.TO_MOVE]], axis=1)
    rows[ended] = 0
    return rows


def values_of(judged: torch.Tensor) -> torch.Tensor:
    """(games,) values from −1 to 1: of a head of one number, or P(win) − P(loss) of one of three."""
    if judged.shape[1] == 1:
        return torch.tanh(judged).squeeze(1)
    chances = torch.softmax(judged, dim=1)
    return chances[:, WON] - chances[:, LOST]


def value_loss(judged: torch.Tensor, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """The squared error of the value; or, with three classes, the cross-entropy of win, draw and loss."""
    if "outcomes" in batch:
        return -(batch["outcomes"] * torch.log_softmax(judged, dim=1)).sum(dim=1).mean()
    return (values_of(judged) - batch["returns"]).pow(2).mean()


def policy_loss(log_policy: torch.Tensor, batch: dict[str, torch.Tensor], clip: float) -> torch.Tensor:
    """PPO's clipped loss; or, with a teacher, the distance to a policy that is e^(what it says) for each move.

    What the teacher says enters as a mean over the policy: so targets that differ by what is hidden average out.
    """
    if "targets" in batch:
        return (log_policy.exp() * (log_policy - batch["targets"])).sum(dim=1).mean()
    taken = log_policy.gather(1, batch["actions"][:, None]).squeeze(1)
    ratio = torch.exp(taken - batch["log_probabilities"])
    bounded = torch.clamp(ratio, 1 - clip, 1 + clip)
    return -torch.min(ratio * batch["advantages"], bounded * batch["advantages"]).mean()


def widened(weights: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Weights of a network without features as those of one that has them and does not use them yet."""
    more = like.shape[-1] - weights.shape[-1]
    return torch.cat([weights, torch.zeros(*weights.shape[:-1], max(0, more))], dim=-1)


def of_three(weights: torch.Tensor) -> torch.Tensor:
    """Weights or bias of a value head of one number, v = tanh, as those of a head of win, draw and loss.

    P(win) − P(loss) is v but for draws, whose probability begins at 0.06 in an even game.
    """
    draw = torch.full_like(weights, -2.0) if weights.dim() == 1 else torch.zeros_like(weights)
    return torch.cat([weights, draw, -weights])
