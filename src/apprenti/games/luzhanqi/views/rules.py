"""The rules of Luzhanqi on one page of a terminal."""

from apprenti.games.luzhanqi.rules import Rules
from apprenti.games.luzhanqi.views.pieces import LEGEND

_FLAG = {
    "wins": "Take the enemy's flag: that wins.",
    "carried": "Take the enemy's flag and carry it into a headquarters of your own: that wins.",
    "mines": "Take the enemy's flag: that wins. It can be taken only when its mines are gone.",
}


def told(rules: Rules) -> tuple[str, ...]:
    """How it is played under these rules, and what the signs mean; lines of up to 80 columns."""
    mine = "whoever else runs into it dies" + (", and it too" if rules.mine == "dies" else "")
    turning = "Engineers and Bombs turn" if rules.bombs_turn else "Engineers turn"
    stay = "stays there" if rules.headquarters == "lock" else "may leave again"
    return (
        f"{_FLAG[rules.flag]} You do not see what the enemy's pieces are.",
        "",
        "9 Marshal, 8 General, 7 Major General, 6 Brigadier, 5 Colonel, 4 Major,",
        "3 Captain, 2 Lieutenant, 1 Engineer: the higher rank wins, equals die both.",
        "A Bomb and whatever it meets die both. A Mine does not move, nor does the Flag.",
        f"An Engineer clears a Mine; {mine}.",
        "One step along any line; along a railway (═ ║) straight on while it is free.",
        f"{turning} corners there. ^^^ are mountains: no way through.",
        f"( ) camp: nobody is attacked there. {{ }} headquarters: who goes in {stay}.",
        *(["When a Marshal dies, everybody is shown where the flag of its army is."] if rules.reveal_flag else []),
        *_ends(rules),
        "",
        f"{LEGEND}.",
        "Points are named by row and column, G2; a move by two of them, G2F2.",
    )


def _ends(rules: Rules) -> tuple[str, ...]:
    """How a game ends without the flag."""
    lost = "Who has no move left loses."
    if not rules.quiet_limit:
        return (lost,)
    what = "ends the game in a draw" if rules.quiet_draw else "loses the game for who made it"
    return (f"{lost} Quiet move number {rules.quiet_limit} in a row, without an attack,", f"{what}.")
