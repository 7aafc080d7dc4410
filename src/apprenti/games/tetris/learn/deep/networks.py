"""The networks in torch, to be trained. What plays is their numpy twin: `agents/board_network.py` and neighbours."""

import warnings
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.autograd.function import FunctionCtx

from apprenti.core.data import Arrays
from apprenti.games.tetris.agents.board_network import SCALE, BoardNetwork
from apprenti.games.tetris.agents.network import CriteriaNetwork
from apprenti.games.tetris.agents.q_network import ActionNetwork
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.windows import FEATURES, Windows

SMALL = 0.1
"""The last layers begin with small weights: at first every board is worth about the same."""


def _layer(inputs: int, outputs: int, bias: bool = True) -> nn.Linear:
    """A linear layer with random weights; one without units is allowed, and has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch finds no weights worth a warning
        return nn.Linear(inputs, outputs, bias)


class _WindowSums(torch.autograd.Function):  # type: ignore[misc]
    """The sums of a table over the windows of boards; the table holds only the patterns that occur."""

    @staticmethod
    def forward(
        ctx: FunctionCtx,
        rows: torch.Tensor,
        windows: Windows,
        table: NDArray[np.float64],
        seen: NDArray[np.int64],
        columns: NDArray[np.int32],
    ) -> torch.Tensor:
        table[seen] = rows.detach().numpy()
        sums, patterns = windows.sums_of(columns, table)
        ctx.windows, ctx.patterns, ctx.seen, ctx.size = windows, patterns, seen, len(table)
        return torch.from_numpy(sums.astype(np.float32))

    @staticmethod
    def backward(ctx: FunctionCtx, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        of_table = np.zeros((ctx.size, FEATURES))
        ctx.windows.add_gradients(ctx.patterns, gradients[0].numpy().astype(np.float64), of_table)
        return torch.from_numpy(of_table[ctx.seen].astype(np.float32)), None, None, None, None


class BoardModule(nn.Module):  # type: ignore[misc]
    """`BoardNetwork`, to be trained."""

    def __init__(self, windows: Windows, hidden: int, head: int) -> None:
        super().__init__()
        self.windows = windows
        self.cells = [torch.from_numpy(cells) for cells in windows.cells()]
        self.mirrored = [torch.from_numpy(mirror) for mirror in windows.mirrored()]
        self.ends = np.cumsum(windows.sizes)
        self.local = nn.ModuleList(
            nn.Sequential(nn.Linear(rows * columns, hidden), nn.ReLU(), nn.Linear(hidden, FEATURES))
            for rows, columns in windows.shapes
        )
        self.linear, self.first = nn.Linear(windows.sums, 1), _layer(windows.sums, head)
        self.second = _layer(head, 1, bias=False)
        with torch.no_grad():
            self.linear.weight *= SMALL
            self.second.weight *= SMALL
        self._table = np.zeros((sum(windows.sizes), FEATURES))

    def _rows(self, kind: int, patterns: torch.Tensor) -> torch.Tensor:
        """What is rows of some patterns of a kind, the same of each as of its mirror image."""
        rows = self.local[kind](self.cells[kind][patterns]) + self.local[kind](
            self.cells[kind][self.mirrored[kind][patterns]]
        )
        return 0.5 * SCALE * rows

    def forward(self, columns: NDArray[np.int32]) -> torch.Tensor:
        """The output for boards."""
        boards = np.concatenate([columns, self.windows.empty_board()])
        _, patterns = self.windows.sums_of(boards, self._table)
        marks = np.zeros(len(self._table), np.bool_)
        marks[patterns.ravel()] = True
        seen = np.flatnonzero(marks)
        cuts = np.searchsorted(seen, [0, *self.ends])
        rows = [
            self._rows(kind, torch.from_numpy(seen[low:high] - self.ends[kind] + self.windows.sizes[kind]))
            for kind, (low, high) in enumerate(pairwise(cuts))
        ]
        sums = _WindowSums.apply(torch.cat(rows), self.windows, self._table, seen, boards)
        counted = sums[:-1] - sums[-1]
        return (self.linear(counted) + self.second(torch.relu(self.first(counted)))).squeeze(1)

    def network(self) -> BoardNetwork:
        """The same network as it plays."""
        with torch.no_grad():
            parts = []
            for local, cells, mirror in zip(self.local, self.cells, self.mirrored, strict=True):
                rows = local(cells)
                parts.append(0.5 * SCALE * (rows + rows[mirror]))
            table = torch.cat(parts).numpy().astype(np.float64)
        return BoardNetwork(self.windows, weights_of(self), table)


class CriteriaModule(nn.Module):  # type: ignore[misc]
    """`CriteriaNetwork`, to be trained."""

    def __init__(self, measures: Measures, hidden: int) -> None:
        super().__init__()
        self.measures = measures
        self.shift = nn.Parameter(torch.zeros(measures.size), requires_grad=False)
        self.scale = nn.Parameter(torch.ones(measures.size), requires_grad=False)
        self.linear, self.first = nn.Linear(measures.size, 1), _layer(measures.size, hidden)
        self.second = _layer(hidden, 1, bias=False)
        with torch.no_grad():
            self.linear.weight *= SMALL
            self.second.weight *= SMALL

    def standardise(self, values: NDArray[np.float32]) -> None:
        """Count each criterion from its mean, in units of its deviation."""
        with torch.no_grad():
            self.shift[:] = torch.from_numpy(values.mean(axis=0))
            self.scale[:] = torch.from_numpy(1 / np.maximum(values.std(axis=0), 1e-3))

    def forward(self, values: NDArray[np.float32]) -> torch.Tensor:
        """The output for rows of criteria, counted from those of an empty board."""
        x = (torch.from_numpy(values) - self.shift) * self.scale
        return (self.linear(x) + self.second(torch.relu(self.first(x)))).squeeze(1)

    def network(self) -> CriteriaNetwork:
        """The same network as it plays."""
        return CriteriaNetwork(self.measures, weights_of(self))


class ActionModule(nn.Module):  # type: ignore[misc]
    """`ActionNetwork`, to be trained: two layers of rectified units, and an output for every action."""

    def __init__(self, inputs: int, hidden: int, actions: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(inputs, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, actions)])
        with torch.no_grad():
            self.layers[-1].weight *= SMALL

    def forward(self, seen: NDArray[np.float32]) -> torch.Tensor:
        """What every action is worth."""
        x = torch.from_numpy(seen)
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)

    def network(self) -> ActionNetwork:
        """The same network as it plays."""
        return ActionNetwork(weights_of(self))


def weights_of(module: nn.Module) -> dict[str, NDArray[np.float32]]:
    """The weights of a module under the names, and in the shapes, that players use."""
    weights: dict[str, NDArray[np.float32]] = {}
    for name, parameter in module.named_parameters():
        weights[_name(name)] = _shaped(_name(name), parameter.detach().numpy().copy())
    return weights


def _name(torch_name: str) -> str:
    """`local.0.2.weight` is `0.second`, `first.weight` `first`, `linear.bias` `bias`, `layers.0.weight` `0`."""
    parts = torch_name.split(".")
    if parts[0] == "layers":
        return parts[1] + ("_bias" if parts[2] == "bias" else "")
    if parts[0] == "local":
        return f"{parts[1]}.{'first' if parts[2] == '0' else 'second'}" + ("_bias" if parts[3] == "bias" else "")
    if len(parts) == 1 or parts[1] == "weight":
        return parts[0]
    return "bias" if parts[0] == "linear" else f"{parts[0]}_bias"


def _shaped(name: str, array: NDArray[np.float32]) -> NDArray[np.float32]:
    """Torch has a row for each output, players a column; the last layers have one output."""
    if array.ndim < 2:
        return array
    return np.ascontiguousarray(array[0] if name in ("linear", "second") else array.T)


def load_weights(module: nn.Module, weights: Arrays) -> None:
    """Put weights back under the names that players use."""
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            array = weights[_name(name)]
            shaped = array[None] if _name(name) in ("linear", "second") else array.T if array.ndim == 2 else array
            parameter[...] = torch.from_numpy(np.ascontiguousarray(shaped))
