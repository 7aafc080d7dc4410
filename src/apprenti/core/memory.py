"""Memory: how much is free, and how much something takes, in words."""

import os
from pathlib import Path

GB = 10**9


def free_memory() -> int:
    """Bytes that can be taken without harm, as far as the system says; a container may allow less than the machine."""
    limits = [_of_machine(), *_of_container()]
    return min(limit for limit in limits if limit is not None) if any(limits) else 2**63


def _of_machine() -> int | None:
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None


def _of_container() -> list[int]:
    """What a control group leaves, if there is one with a limit."""
    folder = Path("/sys/fs/cgroup")
    try:
        limit = (folder / "memory.max").read_text().strip()
        return [] if limit == "max" else [int(limit) - int((folder / "memory.current").read_text())]
    except (OSError, ValueError):
        return []


def in_words(size: int) -> str:
    """A size in gigabytes, or in megabytes if it is small."""
    if size < GB // 10:
        return f"{size / 10**6:.3g} MB"
    return f"{size / GB:.3g} GB" if size < 10**300 else f"10^{len(str(size // GB)) - 1} GB"
