"""Lessons 1 to 3: pieces and grids as data, the engine, algorithms on arrays. Row 0 is the top one, as it is written."""

from itertools import pairwise
from typing import Any

from apprenti.core.plugins import GAMES
from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream
from apprenti.lab.exercises import Exercise, Mistake, Part, Words, spread

Grid = list[list[int]]
Cells = list[tuple[int, int]]


def grid_of(*rows: str) -> Grid:
    """A grid from its drawing."""
    return [[int(cell == "#") for cell in row] for row in rows]


L, T, PAIR, BAR = [(0, 0), (1, 0), (1, 1), (1, 2)], [(0, 1), (1, 0), (1, 1), (1, 2)], [(0, 0), (0, 1)], [(0, 0)]
GRIDS = [
    grid_of("....", "....", "...."),
    grid_of("....", "#...", "#.##", "####"),
    grid_of("##..", ".#..", "##.#", "#..#", "####"),
    grid_of("#..", "...", "...", "###", ".##"),
    grid_of(".", "#", "."),
]
"""The empty one, one without a hole, overhangs and holes one above the other, full lines in the middle, one column."""


# 1 --------------------------------------------------------------------------------------------------------------------


def cells(drawing: list[str]) -> Cells:
    """The full cells."""
    return [(r, c) for r, row in enumerate(drawing) for c, sign in enumerate(row) if sign == "#"]


def turned(piece: Cells) -> Cells:
    """A quarter turn clockwise."""
    lowest = max(r for r, _ in piece)
    return sorted((c, lowest - r) for r, c in piece)


def _written(grid: Grid) -> tuple[Grid, Grid]:
    """A grid, and what it becomes when one cell is written: rows must not be the same list."""
    before = [list(row) for row in grid]
    grid[0][0] = 7
    return before, grid


PIECES = Exercise(
    1,
    Words("Les pièces et la grille", "Pieces and grid"),
    (
        Part(
            "cells(drawing)",
            Words("la liste des couples (ligne, colonne) des cases '#' d'un dessin, ligne 0 en haut",
                  "the list of pairs (row, column) of the '#' cells of a drawing, row 0 at the top"),
            cells,
            [(["#..", "###"],), ([".#.", "###"],), (["####"],), (["##", "##"],), (["#", "#", "##"],)],
            (
                Mistake(lambda d: [(c, r) for r, c in cells(d)],
                        Words("les couples sont à l'envers : d'abord la ligne, puis la colonne.",
                              "the pairs are the wrong way round: first the row, then the column.")),
                Mistake(lambda d: [(r + 1, c + 1) for r, c in cells(d)],
                        Words("les indices commencent à 0, pas à 1.", "indices begin with 0, not with 1.")),
            ),
            seen=sorted,
        ),
        Part(
            "turned(cells)",
            Words("les cases de la pièce tournée d'un quart de tour dans le sens horaire, le coin en haut à gauche en (0, 0)",
                  "the cells of the piece after a quarter turn clockwise, its top left corner at (0, 0)"),
            turned,
            [(L,), (T,), (PAIR,), (turned(L),), ([(0, 0), (0, 1), (1, 1), (1, 2)],)],
            (
                Mistake(lambda p: turned(turned(turned(p))),
                        Words("la pièce tourne dans le sens trigonométrique ; on demande le sens horaire.",
                              "the piece turns anticlockwise; clockwise is asked for.")),
                Mistake(lambda p: sorted((c, r) for r, c in p),
                        Words("échanger lignes et colonnes est une symétrie, pas une rotation : il faut encore retourner.",
                              "to exchange rows and columns is a reflection, not a turn: one more flip is needed.")),
                Mistake(lambda p: sorted((c, -r) for r, c in p),
                        Words("la rotation est bonne mais la pièce sort de la grille : ramenez son coin en (0, 0).",
                              "the turn is right but the piece leaves the grid: bring its corner back to (0, 0).")),
            ),
            seen=sorted,
        ),
        Part(
            "empty_grid(width, height)",
            Words("une grille de height lignes et width colonnes remplie de 0, une liste de listes",
                  "a grid of height rows and width columns full of 0, a list of lists"),
            lambda width, height: [[0] * width for _ in range(height)],
            [(3, 2), (10, 22), (1, 4), (4, 1)],
            (
                Mistake(lambda w, h: [[0] * w] * h,
                        Words("toutes les lignes sont une seule et même liste : écrire dans une case change toute la colonne.",
                              "all rows are one and the same list: to write one cell changes the whole column.")),
                Mistake(lambda w, h: [[0] * h for _ in range(w)],
                        Words("largeur et hauteur sont échangées : il faut height lignes de width cases.",
                              "width and height are exchanged: there are height rows of width cells.")),
            ),
            seen=_written,
        ),
    ),
)  # fmt: skip


# 2 --------------------------------------------------------------------------------------------------------------------


def fits(grid: Grid, piece: Cells, row: int, column: int) -> bool:
    """Whether all cells are inside and empty."""
    return all(
        0 <= row + r < len(grid) and 0 <= column + c < len(grid[0]) and not grid[row + r][column + c] for r, c in piece
    )


def dropped(grid: Grid, piece: Cells, column: int) -> int:
    """The row at which it comes to rest."""
    row = 0
    while fits(grid, piece, row + 1, column):
        row += 1
    return row


def _inside_only(grid: Grid, piece: Cells, row: int, column: int) -> bool:
    return all(0 <= row + r < len(grid) and 0 <= column + c < len(grid[0]) for r, c in piece)


def _python_wraps(grid: Grid, piece: Cells, row: int, column: int) -> bool:
    return all(row + r < len(grid) and column + c < len(grid[0]) and not grid[row + r][column + c] for r, c in piece)


def final_state(state: Any, choose: Any, rng: Any) -> Any:
    """Play to the end."""
    while state.outcome is None:
        if state.turn == CHANCE:
            state = state.deal(rng)
        else:
            state = state.play(choose(state.observation(state.turn), state.legal_moves(), rng))
    return state


def _one_move(state: Any, choose: Any, rng: Any) -> Any:
    return state.play(choose(state.observation(state.turn), state.legal_moves(), rng))


def _first(observation: Any, legal: Any, rng: Any) -> Any:
    return legal[0]


def _any(observation: Any, legal: Any, rng: Any) -> Any:
    return rng.choice(legal)


def _starts() -> list[tuple[Any, ...]]:
    other = {"tictactoe": {}, "gridworld": {"max_moves": 30}}  # the loop is the same in every game
    games = [(GAMES.load(name), options) for name, options in other.items() if name in GAMES]
    begun = [game.start(game.rules(**options), Stream(1)) for game, options in games]
    return [(state, choose, Stream(seed)) for state in begun for choose in (_first, _any) for seed in (1, 2)]


CORNERS = [(grid, piece, row, column) for grid in GRIDS[:3] for piece in (L, T, PAIR)
           for row in (-1, 0, 1, 2) for column in (-1, 0, 1, 2, 3)]  # fmt: skip

ENGINE = Exercise(
    2,
    Words("Le moteur de jeu", "The engine"),
    (
        Part(
            "fits(grid, cells, row, column)",
            Words("vrai si la pièce, posée en (row, column), est dans la grille et sur des cases vides (0)",
                  "true if the piece, put at (row, column), is inside the grid and on empty cells (0)"),
            fits,
            CORNERS,
            (
                Mistake(_inside_only, Words("les bords sont testés, mais pas les cases déjà occupées.",
                                            "the edges are checked, but not the cells that are taken.")),
                Mistake(_python_wraps, Words("un indice négatif ne provoque pas d'erreur en Python : testez aussi >= 0.",
                                             "a negative index is no error in Python: check >= 0, too.")),
            ),
            seen=bool,
        ),
        Part(
            "dropped(grid, cells, column)",
            Words("la ligne où s'arrête une pièce lâchée de la ligne 0 dans cette colonne",
                  "the row at which a piece comes to rest that is dropped from row 0 in this column"),
            dropped,
            [(GRIDS[0], L, 0), (GRIDS[0], PAIR, 2), (GRIDS[1], PAIR, 1), (GRIDS[1], BAR, 1), (GRIDS[2], BAR, 2),
             (grid_of("....", ".#..", "....", "####"), BAR, 1)],
            (
                Mistake(lambda g, p, c: dropped(g, p, c) + 1,
                        Words("la pièce descend un cran trop bas : arrêtez-vous avant la collision, pas après.",
                              "the piece goes one row too far: stop before the collision, not after it.")),
                Mistake(lambda g, p, c: max(r for r in range(len(g)) if fits(g, p, r, c)),
                        Words("la pièce traverse les obstacles : elle s'arrête au premier, même s'il y a de la place dessous.",
                              "the piece passes through obstacles: it stops at the first, even with room below.")),
            ),
        ),
        Part(
            "final_state(state, choose, rng)",
            Words("l'état final d'une partie : le hasard distribue (state.deal) ou choose(observation, legal, rng) décide",
                  "the last state of a game: chance deals (state.deal) or choose(observation, legal, rng) decides"),
            final_state,
            _starts(),
            (
                Mistake(_one_move, Words("un seul coup est joué : il faut une boucle, tant que state.outcome est None.",
                                         "only one move is played: a loop is needed, while state.outcome is None.")),
            ),
        ),
    ),
)  # fmt: skip


# 3 --------------------------------------------------------------------------------------------------------------------


def heights(grid: Grid) -> list[int]:
    """The height of each column."""
    return [max((len(grid) - r for r in range(len(grid)) if grid[r][c]), default=0) for c in range(len(grid[0]))]


def holes(grid: Grid) -> int:
    """Empty cells with a full one somewhere above."""
    return sum(
        len(grid) - r <= height and not grid[r][c] for c, height in enumerate(heights(grid)) for r in range(len(grid))
    )


def without_lines(grid: Grid) -> Grid:
    """The grid after full lines are removed."""
    kept = [list(row) for row in grid if not all(row)]
    return [[0] * len(grid[0]) for _ in range(len(grid) - len(kept))] + kept


def _one_pass(grid: Grid) -> Grid:
    """Removes while it goes on: misses a line below one that went."""
    rows, r = [list(row) for row in grid], len(grid) - 1
    while r >= 0:
        if all(rows[r]):
            del rows[r]
            rows.insert(0, [0] * len(grid[0]))
        r -= 1
    return rows


ARRAYS = Exercise(
    3,
    Words("Algorithmes sur les tableaux", "Algorithms on arrays"),
    (
        Part(
            "heights(grid)",
            Words("la liste des hauteurs des colonnes : une colonne vide a la hauteur 0",
                  "the list of the heights of the columns: an empty column has height 0"),
            heights,
            [(grid,) for grid in GRIDS],
            (
                Mistake(lambda g: [sum(column) for column in zip(*g, strict=True)],
                        Words("vous comptez les cases pleines ; la hauteur va du sol à la case pleine la plus haute, trous compris.",
                              "you count full cells; the height goes from the floor to the highest full cell, holes included.")),
                Mistake(lambda g: [len(g) - height for height in heights(g)],
                        Words("vous renvoyez la ligne de la case la plus haute : la hauteur se mesure depuis le bas.",
                              "you return the row of the highest cell: height is measured from the bottom.")),
            ),
        ),
        Part(
            "holes(grid)",
            Words("le nombre de trous : les cases vides qui ont une case pleine plus haut dans leur colonne",
                  "the number of holes: empty cells with a full cell higher up in their column"),
            holes,
            [(grid,) for grid in GRIDS],
            (
                Mistake(lambda g: sum(bool(g[r - 1][c]) and not g[r][c] for r in range(1, len(g)) for c in range(len(g[0]))),
                        Words("vous ne regardez que la case juste au-dessus : un trou peut avoir un autre trou sur la tête.",
                              "you look only at the cell just above: a hole may have another hole above it.")),
                Mistake(lambda g: sum(not cell for row in g for cell in row),
                        Words("vous comptez toutes les cases vides ; un trou a une case pleine plus haut dans sa colonne.",
                              "you count all empty cells; a hole has a full cell higher up in its column.")),
            ),
        ),
        Part(
            "bumpiness(heights)",
            Words("la somme des écarts (en valeur absolue) entre colonnes voisines",
                  "the sum of the differences (absolute values) between neighbouring columns"),
            lambda heights: int(spread(heights)),
            [([0, 0, 0],), ([3, 1, 4],), ([1, 2, 3, 2],), ([5],), ([0, 4, 0, 4],)],
            (
                Mistake(lambda h: sum(b - a for a, b in pairwise(h)),
                        Words("sans la valeur absolue, montées et descentes se compensent.",
                              "without the absolute value, ups and downs cancel out.")),
                Mistake(lambda h: sum(abs(h[i] - h[i - 1]) for i in range(len(h))),
                        Words("avec i = 0, h[i - 1] est la dernière colonne : les bords ne sont pas voisins.",
                              "with i = 0, h[i - 1] is the last column: the edges are no neighbours.")),
            ),
        ),
        Part(
            "without_lines(grid)",
            Words("une nouvelle grille de même taille, sans les lignes pleines, des lignes vides ajoutées en haut",
                  "a new grid of the same size without its full lines, with empty lines added at the top"),
            without_lines,
            [(grid,) for grid in GRIDS] + [(grid_of("#.", "##", "##", ".#"),)],
            (
                Mistake(_one_pass, Words("deux lignes pleines qui se touchent : après une suppression, re-testez la même ligne.",
                                         "two full lines in a row: after a removal look at the same row again.")),
                Mistake(lambda g: [list(row) for row in g if not all(row)],
                        Words("la grille rétrécit : ajoutez autant de lignes vides en haut.",
                              "the grid shrinks: add as many empty lines at the top.")),
            ),
        ),
    ),
)  # fmt: skip

EXERCISES = (PIECES, ENGINE, ARRAYS)
