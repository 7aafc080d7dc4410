"""The types of plain data: what a JSON file can hold, and arrays by name."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
"""What JSON can say."""
JsonObject: TypeAlias = Mapping[str, Json]
"""What JSON can say, by name: options, rules, results."""
Arrays: TypeAlias = Mapping[str, NDArray[np.generic]]
"""Arrays by name, each of numbers of its own type."""
SavedState: TypeAlias = Mapping[str, Json | Arrays]
"""What a learner stores: plain data and, under `arrays`, what is large."""
