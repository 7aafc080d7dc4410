"""Arrays on disk: safetensors, which hold numbers and no code, each with a digest kept elsewhere."""

import hashlib
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from apprenti.core.data import Arrays
from apprenti.core.errors import BadFile
from apprenti.store.files import read_bytes


def digest_of(blob: bytes) -> str:
    """The digest of a file."""
    return hashlib.blake2b(blob, digest_size=16).hexdigest()


def is_digest(text: object) -> bool:
    """Whether it is what `digest_of` gives, and so safe in the name of a file."""
    return isinstance(text, str) and re.fullmatch(r"[0-9a-f]{32}", text) is not None


def packed(arrays: Arrays) -> bytes:
    """Arrays as the bytes of a file."""
    return bytes(save({name: np.asarray(array, order="C") for name, array in arrays.items()}))


def unpacked(blob: bytes) -> dict[str, NDArray[np.generic]]:
    """The arrays of a file from its bytes."""
    return dict(load(blob))


def read_arrays(path: Path, digest: str) -> dict[str, NDArray[np.generic]]:
    """Read arrays back; refuse others than the digest was made of."""
    blob = read_bytes(path)
    if digest_of(blob) != digest:
        raise BadFile(f"{path} has been altered or cut.")
    try:
        return unpacked(blob)
    except (SafetensorError, ValueError, KeyError) as error:  # a type that numpy does not have is a KeyError
        raise BadFile(f"{path} is not a file of arrays ({error}).") from None
