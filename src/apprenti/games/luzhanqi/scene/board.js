// @ts-check
// The board of Luzhanqi as people know it: roads and railways, camps, headquarters, mountains, and pieces that point at
// the enemy.

import { s } from "../../dom.js";
import { text } from "../../texts.js";
import { namesIn, rankOf, shortOf, spanOf } from "./names.js";

const X = 64;
const Y = 46;
const RIVER = 30; // between the two halves, where the mountains are
const EDGE = 17;
const WIDTH = 55;
const HEIGHT = 36;
const TIP = 6;
const ICONS = {
  j:
    "M0 -5.5a5.5 5.5 0 1 0 .01 0zM0 -9v4M0 5.5v3.5M-9 0h4M5.5 0H9" +
    "M-6.4 -6.4l2.8 2.8M6.4 -6.4l-2.8 2.8M-6.4 6.4l2.8 -2.8M6.4 6.4l-2.8 -2.8",
  k: "M-1 -4a6 6 0 1 0 .01 0zM2.5 -3l3 -4q2 -2 4 0",
  l: "M-5 9v-18M-5 -8.5l12 4.5l-12 4.5z",
};

/** Row and column of a point on the screen; who looks sits at the bottom. */
export function spotOf(name, scene) {
  const [row, column] = [name.charCodeAt(0) - 65, Number(name[1])];
  return scene.bottom === 1 ? [11 - row, 4 - column] : [row, column];
}

/** The point on a row and a column of the screen. */
export function pointAt(row, column, scene) {
  const [r, c] = scene.bottom === 1 ? [11 - row, 4 - column] : [row, column];
  return `${String.fromCharCode(65 + r)}${c}`;
}

/**
 * Where a point is drawn.
 * @returns {[number, number]}
 */
export function placeOf(name, scene) {
  const [row, column] = spotOf(name, scene);
  return [EDGE + (column + 0.5) * X, EDGE + (row + 0.5) * Y + (row > 5 ? RIVER : 0)];
}

function link(pair, scene) {
  const [[x, y], [u, v]] = [placeOf(pair.slice(0, 2), scene), placeOf(pair.slice(2), scene)];
  return `M${x} ${y}L${u} ${v}`;
}

/** Between the halves: mountains where no way leads across. */
function mountains(scene) {
  const links = [...scene.rails, ...scene.roads];
  return ["F1", "F3"]
    .filter((name) => !links.includes(`${name}G${name[1]}`))
    .map((name) => {
      const [[x, y], [, v]] = [placeOf(name, scene), placeOf(`G${name[1]}`, scene)];
      const foot = (y + v) / 2 + 12;
      return s("path", { class: "mountain", d: `M${x - 22} ${foot}l13 -21l7 10l6 -8l16 19z` });
    });
}

function stations(scene, names) {
  return names.map((name) => {
    const [x, y] = placeOf(name, scene);
    if (scene.camps.includes(name)) return s("circle", { class: "camp", cx: x, cy: y, r: 21.5 });
    if (!scene.headquarters.includes(name))
      return s("rect", { class: "post", x: x - 20, y: y - 11, width: 40, height: 22, rx: 4 });
    return s("path", { class: "headquarters", d: `M${x - 31} ${y + 21}v-36q31 -13 62 0v36z` });
  });
}

/** Ground without any piece; `names` are the points that are shown. */
export function groundOf(scene, names) {
  const within = (pair) => names.includes(pair.slice(0, 2)) && names.includes(pair.slice(2));
  const rails = scene.rails
    .filter(within)
    .map((pair) => link(pair, scene))
    .join("");
  return [
    s("path", {
      class: "road",
      d: scene.roads
        .filter(within)
        .map((pair) => link(pair, scene))
        .join(""),
    }),
    s("path", { class: "rail", d: rails }),
    s("path", { class: "sleepers", d: rails }),
    names.includes("F1") ? mountains(scene) : null,
    stations(scene, names),
  ];
}

/** The names of rows and columns at the edge. */
export function edgesOf(scene, first = 0) {
  const letter = (row) =>
    s("text", { class: "edge", x: 8, y: placeOf(pointAt(row, 0, scene), scene)[1] + 4 }, pointAt(row, 0, scene)[0]);
  const digit = (column) =>
    s(
      "text",
      { class: "edge", x: placeOf(pointAt(11, column, scene), scene)[0], y: EDGE * 2 + 12 * Y + RIVER - 5 },
      pointAt(11, column, scene)[1],
    );
  return [...Array.from({ length: 12 - first }, (_, row) => letter(row + first)), ...[0, 1, 2, 3, 4].map(digit)];
}

/** What is seen: the whole board, or the rows from `first` on. */
export function viewBox(first = 0, small = false) {
  const top = first ? EDGE + first * Y + RIVER - 4 : 0;
  const edge = small ? EDGE - 4 : 0;
  return `${edge} ${top + edge} ${EDGE * 2 + 5 * X - 2 * edge} ${EDGE * 2 + 12 * Y + RIVER - top - 2 * edge}`;
}

function outline(up) {
  const [w, half] = [WIDTH / 2, HEIGHT / 2];
  const sign = up ? 1 : -1;
  return `M${-w} ${sign * half}H${w}V${sign * (TIP - half)}L0 ${-sign * half}L${-w} ${sign * (TIP - half)}z`;
}

function icon(letter, x, y, size = 1) {
  return s("path", { class: `icon-${letter}`, d: ICONS[letter], transform: `translate(${x} ${y}) scale(${size})` });
}

/** The face of a piece whose type is known: rank or sign, and its name. */
function faceOf(letter, low, small) {
  const rank = rankOf(letter);
  if (small) return rank ? s("text", { class: "rank large", y: low + 9 }, rank) : icon(letter, 0, low, 1.3);
  return [
    rank ? s("text", { class: "rank", y: low - 2 }, rank) : icon(letter, 0, low - 7, 0.75),
    s("text", { class: `name ${namesIn()}`, lang: namesIn(), y: low + 12 }, shortOf(letter)),
  ];
}

/** The face of a piece that is not known: what it can still be where that is not nearly everything. */
function backOf(can, low, small) {
  if (can.length >= 9 || small) return s("text", { class: "rank large", y: low + 7 }, "?");
  const special = [...can].filter((letter) => ICONS[letter]);
  const span = spanOf(can);
  return [
    span ? s("text", { class: "rank", y: low + (special.length ? -1 : 5) }, span) : null,
    special.map((letter, at) => icon(letter, 13 * (at - (special.length - 1) / 2), low + (span ? 8 : 1), 0.55)),
  ];
}

/** A piece: its point says whose it is, a wake that it has moved. */
export function pieceOf(piece, scene, { small = false } = {}) {
  const own = piece.side === scene.bottom;
  const low = own ? 2 : -2;
  const tail = (own ? 1 : -1) * (HEIGHT / 2 + 3.5);
  const known = piece.can.length === 1;
  return s(
    "g",
    { class: `piece ${own ? "own" : "enemy"}${known ? "" : " unknown"}` },
    s("path", { class: "body", d: outline(own) }),
    known ? faceOf(piece.can, low, small) : backOf(piece.can, low, small),
    piece.did.includes("moved") && !small ? s("path", { class: "wake", d: `M-22 ${tail}h15M7 ${tail}h15` }) : null,
    piece.did.includes("carries") ? icon("l", WIDTH / 2 - 7, -low * 4, 0.7) : null,
  );
}

/** Where something can go: a dot on free ground, corners around an enemy. */
export function aimOf(taken) {
  if (!taken) return s("circle", { class: "aim", r: 8 });
  const [w, half] = [WIDTH / 2 + 3, HEIGHT / 2 + 3];
  const corner = (x, y) => `M${x * w} ${y * (half - 9)}V${y * half}H${x * (w - 11)}`;
  return s("path", {
    class: "aim taken",
    d: [
      [-1, -1],
      [1, -1],
      [-1, 1],
      [1, 1],
    ]
      .map(([x, y]) => corner(x, y))
      .join(""),
  });
}

/** An arrow from point to point; a cross where a piece has died. */
export function arrowOf(from, to, scene, kind, result = "moved") {
  const [[x, y], [u, v]] = [placeOf(from, scene), placeOf(to, scene)];
  const length = Math.hypot(u - x, v - y);
  const [dx, dy] = [(u - x) / length, (v - y) / length];
  const end = [u - dx * 15, v - dy * 15];
  const wing = (side) => `${end[0] - dx * 9 - side * dy * 6} ${end[1] - dy * 9 + side * dx * 6}`;
  const cross = result === "both_died" ? [u, v] : [(x + u) / 2, (y + v) / 2];
  return s(
    "g",
    { class: `arrow ${kind}`, "data-arrow": from + to },
    s("path", { class: "shaft", d: `M${x + dx * 6} ${y + dy * 6}L${end[0] - dx * 7} ${end[1] - dy * 7}` }),
    s("path", { class: "head", d: `M${end.join(" ")}L${wing(1)}L${wing(-1)}z` }),
    result.endsWith("died")
      ? s("path", { class: "died", d: `M${cross[0] - 7} ${cross[1] - 7}l14 14m0 -14l-14 14` })
      : null,
  );
}

/** One point with what stands on it; `given` are more attributes. */
export function cellOf(name, scene, given, ...inside) {
  const [x, y] = placeOf(name, scene);
  const { class: kind = "", ...rest } = given;
  return s(
    "g",
    { class: `point ${kind}`, role: "gridcell", "data-point": name, transform: `translate(${x} ${y})`, ...rest },
    s("rect", { class: "ground", x: -X / 2, y: -Y / 2, width: X, height: Y, rx: 8 }),
    inside,
  );
}

/** Cells by rows of the screen, as a grid has them. */
export function rowsOf(names, scene, cell) {
  const rows = new Map();
  for (const name of names) {
    const row = spotOf(name, scene)[0];
    rows.set(row, [...(rows.get(row) ?? []), name]);
  }
  return [...rows.entries()]
    .sort((a, b) => a[0] - b[0])
    .map(([, row]) => s("g", { role: "row" }, row.sort((a, b) => spotOf(a, scene)[1] - spotOf(b, scene)[1]).map(cell)));
}

/** What a point is besides its name. */
export function groundName(name, scene) {
  if (scene.camps.includes(name)) return text("luzhanqi.camp");
  return scene.headquarters.includes(name) ? text("luzhanqi.headquarters") : "";
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** The next point of the board in the direction of a key; at the edge the same; null for another key. */
export function stepped(name, pressed, names, scene) {
  const step = STEPS[pressed];
  if (!step) return null;
  let [row, column] = spotOf(name, scene);
  for (;;) {
    [row, column] = [row + step[0], column + step[1]];
    if (row < 0 || row > 11 || column < 0 || column > 4) return name;
    const next = pointAt(row, column, scene);
    if (names.includes(next)) return next;
  }
}

/** Give the keyboard to a point. */
export function focusOn(element, name) {
  for (const cell of element.querySelectorAll("[data-point]")) {
    const here = cell.dataset.point === name;
    cell.setAttribute("tabindex", here ? 0 : -1);
    if (here) cell.focus({ preventScroll: true });
  }
}

const FAR = 6; // pixels before a press becomes a drag

/** Pieces by pointer: `tap(name)` for a press, `pick(name)` says whether a drag may begin, `drop(from, to)` ends it. */
export function dragging(svg, { tap, pick, drop }) {
  let held = null;
  const under = (event) =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-point]")?.getAttribute("data-point");
  const release = () => {
    held?.piece?.setAttribute("transform", "");
    held?.piece?.classList.remove("dragged");
    held = null;
  };
  svg.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest("[data-point]");
    if (!cell || event.button) return;
    held = { from: cell.dataset.point, cell, x: event.clientX, y: event.clientY, piece: null };
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.piece && Math.hypot(dx, dy) > FAR && pick(held.from)) {
      held.cell = svg.querySelector(`[data-point="${held.from}"]`);
      held.cell.parentNode.parentNode.append(held.cell.parentNode); // its row above all others
      held.cell.parentNode.append(held.cell);
      held.piece = held.cell.querySelector(".piece");
      held.piece.classList.add("dragged");
    }
    const scale = 1 / svg.getScreenCTM().a;
    held.piece?.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
  });
  svg.addEventListener("pointerup", (event) => {
    if (!held) return;
    const [{ from, piece }, to] = [held, under(event)];
    release();
    if (!piece) {
      if (to === from) tap(from);
    } else if (to && to !== from) drop(from, to);
  });
  svg.addEventListener("pointercancel", release);
}
