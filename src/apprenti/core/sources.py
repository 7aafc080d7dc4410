"""Which sources of ours are running: two processes with the same digest run the same code."""

import hashlib
from functools import cache
from pathlib import Path


@cache
def source_digest() -> str:
    """A digest of every source file of the package."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(package.rglob("*.py")):
        digest.update(f"{source.relative_to(package)}\n".encode() + source.read_bytes())
    return digest.hexdigest()
