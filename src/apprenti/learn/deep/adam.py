"""Adam's memory as arrays, so that learning goes on to the bit where it was."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

_MOMENTS = ("exp_avg", "exp_avg_sq")


def adam_arrays(optimiser: torch.optim.Adam, prefix: str) -> dict[str, NDArray[Any]]:
    """What an optimiser remembers of each parameter, under names that begin with the prefix."""
    arrays: dict[str, NDArray[Any]] = {}
    for number, parameter in enumerate(optimiser.param_groups[0]["params"]):
        kept = optimiser.state.get(parameter)
        if kept:
            arrays |= {f"{prefix}/{number}/{name}": kept[name].numpy().copy() for name in _MOMENTS}
            arrays[f"{prefix}/{number}/step"] = np.array([float(kept["step"])])
    return arrays


def restore_adam(optimiser: torch.optim.Adam, arrays: dict[str, NDArray[Any]], prefix: str) -> None:
    """Let an optimiser remember what `adam_arrays` wrote, and nothing else."""
    optimiser.state.clear()
    for number, parameter in enumerate(optimiser.param_groups[0]["params"]):
        if f"{prefix}/{number}/step" in arrays:
            kept = {name: torch.tensor(arrays[f"{prefix}/{number}/{name}"], dtype=torch.float32) for name in _MOMENTS}
            step = torch.tensor(float(arrays[f"{prefix}/{number}/step"][0]))
            optimiser.state[parameter] = {"step": step, **kept}
