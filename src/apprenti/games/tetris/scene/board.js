// @ts-check
// The board: the pile, the piece in play and its shadow, and what a pointer means on it.

import { h, s, show } from "../../dom.js";
import { text } from "../../texts.js";

const KNOWN = "IOTSZJL";

/** Cells as one path. */
export function path(cells, rows, inset = 0.05) {
  const size = 1 - 2 * inset;
  return cells
    .map(([row, column]) => `M${column + inset} ${rows - 1 - row + inset}h${size}v${size}h${-size}z`)
    .join("");
}

/** The class of a colour. */
export function kindOf(letter) {
  return KNOWN.includes(letter) ? letter : "other";
}

/** One path for all cells of a colour: a wall of boards has few elements. */
function pile(scene) {
  const colours = {};
  scene.rows.forEach((cells, row) =>
    [...cells].forEach((letter, column) => {
      if (letter !== ".") (colours[kindOf(letter)] ??= []).push([row, column]);
    }),
  );
  return Object.entries(colours).map(([kind, cells]) =>
    s("path", { class: `block ${kind}`, d: path(cells, scene.shown) }),
  );
}

/** How good the placements are that cover a cell: 1 for the best one's, near 0 for the worst one's. */
function tints(scene, hint) {
  const ranked = Object.entries(hint?.worth ?? {})
    .filter(([move]) => scene.placements[move])
    .sort((a, b) => (b[1] ?? -Infinity) - (a[1] ?? -Infinity));
  const best = new Map();
  ranked.forEach(([move], rank) => {
    for (const [row, column] of scene.placements[move]) {
      const key = `${row},${column}`;
      if (!best.has(key)) best.set(key, [row, column, 1 - rank / ranked.length]);
    }
  });
  return [...best.values()].map(([row, column, good]) =>
    s("rect", {
      class: "tint",
      x: column,
      y: scene.shown - 1 - row,
      width: 1,
      height: 1,
      "fill-opacity": 0.08 + 0.5 * good * good,
    }),
  );
}

function outline(cells, rows, kind) {
  return s("path", { class: kind, d: path(cells, rows, 0.1) });
}

function grid(width, scene) {
  let d = "";
  for (let column = 1; column < width; column += 1) d += `M${column} ${scene.shown - scene.height}v${scene.height}`;
  for (let row = 1; row < scene.height; row += 1) d += `M0 ${scene.shown - row}h${width}`;
  return s("path", { class: "lines", d });
}

/** Draw a position anew. */
export function draw(element, scene, context) {
  const { hint, memory, view } = context;
  const width = scene.rows[0].length;
  const kind = kindOf(scene.piece);
  const advised = scene.placements[hint?.chosen ?? hint?.move];
  const pointed = context.interactive && view.your_turn && memory.pointed ? scene.placements[memory.pointed] : null;
  const svg = s(
    "svg",
    {
      class: "board tetris",
      viewBox: `-0.1 -0.1 ${width + 0.2} ${scene.shown + 0.2}`,
      role: "img",
      "aria-label": described(scene, context),
    },
    s("rect", { class: "well", width, height: scene.height, y: scene.shown - scene.height, rx: 0.1 }),
    context.small ? null : grid(width, scene),
    pile(scene),
    tints(scene, hint),
    pointed
      ? outline(pointed, scene.shown, `ghost pointed ${kind}`)
      : scene.ghost.length && !context.small
        ? outline(scene.ghost, scene.shown, `ghost ${kind}`)
        : null,
    scene.falling.length ? s("path", { class: `block falling ${kind}`, d: path(scene.falling, scene.shown) }) : null,
    advised ? outline(advised, scene.shown, "advised") : null,
  );
  if (!context.interactive) return show(element, svg);
  listenToPointer(svg, scene, context, width);
  const stopped = view.outcome
    ? null
    : memory.paused
      ? h("button", { class: "overlay", onclick: () => memory.player?.pause() }, text("tetris.paused"))
      : null;
  return show(element, h("div", { class: "tetris-holder" }, svg, stopped));
}

/** A position for a screen reader. */
export function described(scene, context) {
  return scene.piece ? context.text("tetris.said", scene.piece, scene.column + 1, scene.lines) : context.text("board");
}

/** The placement of the pointed column, turned as the piece is or as the wheel says. */
function pointedMove(scene, column, turns) {
  const moves = Object.keys(scene.placements);
  const rotations = [...new Set(moves.map((move) => Number(move.split(":")[2])))].sort();
  if (!rotations.length) return null;
  const rotation = rotations[(Math.max(0, rotations.indexOf(scene.rotation)) + turns) % rotations.length];
  const middle = (move) => {
    const columns = scene.placements[move].map((cell) => cell[1]);
    return (Math.min(...columns) + Math.max(...columns) + 1) / 2;
  };
  const own = moves.filter((move) => Number(move.split(":")[2]) === rotation);
  return own.reduce(
    (best, move) => (best === null || Math.abs(middle(move) - column) < Math.abs(middle(best) - column) ? move : best),
    null,
  );
}

function listenToPointer(svg, scene, context, width) {
  const { memory, view } = context;
  if (!view.your_turn || memory.paused) return;
  const columnOf = (event) => {
    const box = svg.getScreenCTM();
    return (event.clientX - box.e) / box.a;
  };
  const point = (event) => {
    const column = columnOf(event);
    const move = column >= -0.5 && column <= width + 0.5 ? pointedMove(scene, column, memory.turns ?? 0) : null;
    if (move !== memory.pointed) {
      memory.pointed = move;
      context.redraw();
    }
  };
  const turn = (event) => {
    event.preventDefault();
    memory.turns = ((memory.turns ?? 0) + 1) % 4;
    memory.pointed = pointedMove(scene, columnOf(event), memory.turns);
    context.redraw();
  };
  svg.addEventListener("pointermove", point);
  svg.addEventListener("pointerleave", () => {
    if (memory.pointed) {
      memory.pointed = null;
      context.redraw();
    }
  });
  svg.addEventListener("wheel", turn, { passive: false });
  svg.addEventListener("contextmenu", turn);
  svg.addEventListener("pointerdown", (event) => {
    memory.pressed = event.button === 0;
  });
  svg.addEventListener("pointerup", (event) => {
    // no click: the board may be drawn anew between the two
    if (!memory.pressed || event.button !== 0) return;
    const move = pointedMove(scene, columnOf(event), memory.turns ?? 0);
    Object.assign(memory, { pressed: false, pointed: null, turns: 0 });
    if (move) context.play(move);
  });
}
