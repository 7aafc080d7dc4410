// Tetris: the board, the piece in play and its shadow; keys that repeat as players expect; real time or turn by turn.

import { h, s, show } from "../dom.js";

const KNOWN = "IOTSZJL";

/** One path for all cells of a colour: a wall of boards has few elements. */
function cells(list, rows, kind, inset = 0.05) {
  const size = 1 - 2 * inset;
  return s("path", { class: kind, d: list.map(([row, column]) => `M${column + inset} ${rows - 1 - row + inset}h${size}v${size}h${-size}z`).join("") });
}

function pile(scene) {
  const found = {};
  scene.rows.forEach((cellsOfRow, row) => [...cellsOfRow].forEach((letter, column) => {
    if (letter !== ".") (found[KNOWN.includes(letter) ? letter : "other"] ??= []).push([row, column]);
  }));
  return Object.entries(found).map(([letter, list]) => cells(list, scene.shown, `block ${letter}`));
}

function kindOf(letter) {
  return KNOWN.includes(letter) ? letter : "other";
}

export function draw(element, scene, context) {
  const width = scene.rows[0].length;
  const parts = [
    s("rect", { class: "well", width, height: scene.height, y: scene.shown - scene.height, rx: 0.15 }),
    ...pile(scene),
    scene.falling.length ? cells(scene.falling, scene.shown, `block falling ${kindOf(scene.piece)}`) : null,
  ];
  show(element, s("svg", { class: "board tetris", viewBox: `-0.1 -0.1 ${width + 0.2} ${scene.shown + 0.2}`, role: "img", "aria-label": context.text("board") }, parts));
}
