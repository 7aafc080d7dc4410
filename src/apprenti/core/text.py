"""Text that may come from strangers."""


def printable(text: str) -> str:
    """Text without control characters: a stranger's words must not command the terminal."""
    return "".join(character for character in text if character.isprintable())
