"""The moments of Adam as arrays, so that learning goes on to the bit where it was."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.core.data import Arrays, Numbers, Shape

_MOMENTS = ("exp_avg", "exp_avg_sq")


def _keys(optimiser: torch.optim.Adam, prefix: str, names: Sequence[str]) -> list[tuple[str, torch.Tensor]]:
    """What each parameter is stored under, by its name or by its number, and the parameter."""
    parameters = optimiser.param_groups[0]["params"]
    return list(zip((f"{prefix}/{name}" for name in names or range(len(parameters))), parameters, strict=True))


def adam_arrays(optimiser: torch.optim.Adam, prefix: str, names: Sequence[str] = ()) -> dict[str, NDArray[np.generic]]:
    """The state of an optimiser for each parameter, under names that begin with the prefix."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for key, parameter in _keys(optimiser, prefix, names):
        if state := optimiser.state.get(parameter):
            arrays |= {f"{key}/{name}": state[name].numpy().copy() for name in _MOMENTS}
            arrays[f"{key}/step"] = state["step"].numpy().reshape(1).copy()
    return arrays


def adam_shapes(optimiser: torch.optim.Adam, prefix: str, names: Sequence[str] = ()) -> dict[str, Shape]:
    """What `adam_arrays` writes, once there is something to write."""
    shapes: dict[str, Shape] = {}
    for key, parameter in _keys(optimiser, prefix, names):
        shapes |= {f"{key}/{name}": Numbers("float32", tuple(parameter.shape)) for name in _MOMENTS}
        shapes |= {f"{key}/{_MOMENTS[1]}": Numbers("float32", tuple(parameter.shape), low=0)}
        shapes |= {f"{key}/step": Numbers("float32", (1,), low=0)}
    return shapes


def restore_adam(optimiser: torch.optim.Adam, arrays: Arrays, prefix: str, names: Sequence[str] = ()) -> None:
    """Give an optimiser the state that `adam_arrays` wrote, and no other."""
    optimiser.state.clear()
    for key, parameter in _keys(optimiser, prefix, names):
        if f"{key}/step" in arrays:
            moments = {name: torch.tensor(arrays[f"{key}/{name}"], dtype=torch.float32) for name in _MOMENTS}
            optimiser.state[parameter] = {"step": torch.tensor(float(arrays[f"{key}/step"][0])), **moments}
