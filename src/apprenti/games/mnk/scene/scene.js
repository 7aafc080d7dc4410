// @ts-check
// Boards of m,n,k-games: a grid of cells, a mark for each side, the values of free cells where they were asked for.

import { s, show } from "../../dom.js";

const CELL = 40;
const EDGE = 22;

export const controls = [
  ["← ↑ → ↓", "keys.cursor"],
  ["Enter", "keys.mark"],
];

export function moveName(move, scene) {
  const cell = Number(move);
  return `${String.fromCharCode(97 + (cell % scene.columns))}${Math.floor(cell / scene.columns) + 1}`;
}

function mark(kind, x, y) {
  const r = CELL * 0.29;
  if (kind === "X")
    return s("path", {
      class: "mark x",
      d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`,
    });
  return s("circle", { class: "mark o", cx: x, cy: y, r: r * 1.06 });
}

/** From −1 (bad) to 1 (good), whatever the agent's scale is. */
function scaled(worth) {
  const values = Object.values(worth).filter((value) => value !== null);
  const most = Math.max(...values.map(Math.abs), 1e-9);
  return (value) => (value ?? -most) / most;
}

function heat(value, x, y, best, number) {
  const kind = value > 0.02 ? "good" : value < -0.02 ? "bad" : "even";
  return [
    s("rect", {
      class: `heat ${kind}`,
      x: x - CELL / 2,
      y: y - CELL / 2,
      width: CELL,
      height: CELL,
      "fill-opacity": 0.12 + 0.5 * Math.abs(value),
    }),
    s("text", { class: `worth${best ? " best" : ""}`, x, y: y + 4, "text-anchor": "middle" }, number),
  ];
}

function cellOf(cell, scene, context, scale) {
  const { view, hint, memory } = context;
  const row = Math.floor(cell / scene.columns);
  const x = EDGE + (cell % scene.columns) * CELL + CELL / 2;
  const y = EDGE + row * CELL + CELL / 2;
  const kind = scene.cells[cell];
  const free = kind === ".";
  const playable = context.interactive && view.your_turn && free;
  const name = moveName(cell, scene);
  const worth = hint?.worth?.[cell];
  const best = String(hint?.move) === String(cell);
  const content = free ? context.text("cell.free") : kind;
  const last = String(view?.last) === String(cell);
  const kinds = { cell: true, playable, last, won: scene.won.includes(cell), advised: best };
  return s(
    "g",
    {
      class: Object.keys(kinds)
        .filter((name) => kinds[name])
        .join(" "),
      role: context.interactive ? "gridcell" : undefined,
      "data-move": cell,
      tabindex: context.interactive ? (memory.cursor === cell ? 0 : -1) : undefined,
      "aria-label": !context.interactive
        ? undefined
        : `${name}, ${content}${worth === undefined ? "" : `, ${context.number(worth)}`}`,
      onfocus: context.interactive
        ? () => {
            memory.cursor = cell;
          }
        : undefined, // a screen reader goes where it likes
      onclick: playable
        ? () => {
            memory.cursor = cell;
            context.play(String(cell));
          }
        : undefined,
    },
    s("rect", { class: "ground", x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL }),
    free && worth !== undefined ? heat(scale(worth), x, y, best, context.number(worth)) : null,
    free && best && worth === undefined ? s("circle", { class: "advice", cx: x, cy: y, r: CELL * 0.2 }) : null,
    free ? null : mark(kind, x, y),
  );
}

function edges(scene) {
  const names = [];
  for (let column = 0; column < scene.columns; column += 1)
    names.push(
      s(
        "text",
        { class: "edge", x: EDGE + (column + 0.5) * CELL, y: EDGE - 7, "text-anchor": "middle" },
        String.fromCharCode(97 + column),
      ),
    );
  for (let row = 0; row < scene.rows; row += 1)
    names.push(
      s(
        "text",
        { class: "edge", x: EDGE - 6, y: EDGE + (row + 0.5) * CELL + 4, "text-anchor": "end" },
        String(row + 1),
      ),
    );
  return names;
}

function grid(scene) {
  let d = "";
  for (let column = 1; column < scene.columns; column += 1)
    d += `M${EDGE + column * CELL} ${EDGE}v${scene.rows * CELL}`;
  for (let row = 1; row < scene.rows; row += 1) d += `M${EDGE} ${EDGE + row * CELL}h${scene.columns * CELL}`;
  return s("path", { class: "grid", d });
}

function wonLine(scene) {
  if (!scene.won.length) return null;
  const [a, b] = [scene.won[0], scene.won.at(-1)].map((cell) => [
    EDGE + ((cell % scene.columns) + 0.5) * CELL,
    EDGE + (Math.floor(cell / scene.columns) + 0.5) * CELL,
  ]);
  return s("line", { class: "won-line", x1: a[0], y1: a[1], x2: b[0], y2: b[1] });
}

/** Who is proposed to be asked: the perfect player where the solver is soon done. */
export function adviser(scene) {
  return scene.solved ? "mnk-perfect" : null;
}

export function draw(element, scene, context) {
  const focused = element.contains(document.activeElement);
  context.memory.cursor ??= Math.floor(scene.rows / 2) * scene.columns + Math.floor(scene.columns / 2);
  const scale = scaled(context.hint?.worth ?? {});
  const rows = [];
  for (let row = 0; row < scene.rows; row += 1) {
    const cells = [];
    for (let column = 0; column < scene.columns; column += 1)
      cells.push(cellOf(row * scene.columns + column, scene, context, scale));
    rows.push(s("g", { role: context.interactive ? "row" : undefined }, cells));
  }
  const pad = context.small ? EDGE - 2 : 0;
  const width = EDGE + scene.columns * CELL + 2;
  const height = EDGE + scene.rows * CELL + 2;
  show(
    element,
    s(
      "svg",
      {
        class: "board mnk",
        style: context.small ? {} : { "max-width": `${Math.max(320, scene.columns * 130)}px` },
        viewBox: `${pad} ${pad} ${width - pad} ${height - pad}`,
        role: context.interactive ? "grid" : "img",
        "aria-label": context.text("board"),
      },
      rows,
      grid(scene),
      context.small ? null : edges(scene),
      wonLine(scene),
    ),
  );
  if (focused) focus(element, context);
}

function focus(element, context) {
  for (const cell of element.querySelectorAll(".cell")) {
    const here = Number(cell.dataset.move) === context.memory.cursor;
    cell.setAttribute("tabindex", here ? 0 : -1);
    if (here) cell.focus();
  }
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export function key(event, scene, context) {
  const step = STEPS[event.key];
  if (step) {
    const row = (Math.floor(context.memory.cursor / scene.columns) + step[0] + scene.rows) % scene.rows;
    const column = ((context.memory.cursor % scene.columns) + step[1] + scene.columns) % scene.columns;
    context.memory.cursor = row * scene.columns + column;
    focus(context.element, context);
    return true;
  }
  if (
    (event.key === "Enter" || event.key === " ") &&
    context.view.your_turn &&
    scene.cells[context.memory.cursor] === "."
  ) {
    context.play(String(context.memory.cursor));
    return true;
  }
  return false;
}
