"""A secret of the user on this machine: what it seals was written here by the same user, and not by a stranger."""

import contextlib
import hashlib
import hmac
import json
import os
import secrets
from functools import cache

from apprenti.core.cache import private_folder
from apprenti.core.data import JsonObject
from apprenti.core.errors import BadFile

LENGTH = 32


@cache
def _key() -> bytes:
    """The secret, in a folder that nobody else can read; for this process alone where there is no such folder."""
    try:
        path = private_folder("XDG_STATE_HOME", "~/.local/state") / "secret"
        with contextlib.suppress(FileExistsError):
            made = path.with_name(f".secret-{os.getpid()}")
            made.touch(mode=0o600)
            made.write_bytes(secrets.token_bytes(LENGTH))
            try:
                os.link(made, path)  # whole or not at all, and the first one stays
            finally:
                made.unlink()
        known = path.read_bytes()
    except (OSError, BadFile):
        known = b""
    return known if len(known) == LENGTH else secrets.token_bytes(LENGTH)


def seal_of(place: str, data: JsonObject) -> str:
    """What only this user can write beside this data at this place."""
    text = json.dumps([place, data], sort_keys=True, ensure_ascii=True)
    return hmac.new(_key(), text.encode(), hashlib.sha256).hexdigest()


def is_sealed(place: str, data: JsonObject, seal: object) -> bool:
    """Whether the seal is that of this data at this place."""
    return isinstance(seal, str) and hmac.compare_digest(seal.encode(), seal_of(place, data).encode())
