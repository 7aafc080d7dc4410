// @ts-check
// Tetris: the board, what stands beside it, keys and time, and a race against an agent.

import { h, labelled, s, select, show } from "../../dom.js";
import { text } from "../../texts.js";
import { kindOf, path } from "./board.js";
import { actionOf } from "./keys.js";
import { Player, level } from "./player.js";
import { GOALS } from "./race.js";

export { draw } from "./board.js";
export { controls } from "./keys.js";

/** Whether two positions are of the same piece: an advice for it holds while it falls. */
export function sameMove(before, scene) {
  return before.pieces === scene.pieces;
}

export function moveName(move) {
  const [, column, rotation] = /^P:(\d+):(\d+)$/.exec(move) ?? [];
  return column === undefined ? move : text("tetris.placement", Number(column) + 1, rotation);
}

function nextPiece(scene) {
  if (!scene.next) return null;
  const rows = 1 + Math.max(...scene.next_cells.map((cell) => cell[0]));
  const columns = 1 + Math.max(...scene.next_cells.map((cell) => cell[1]));
  return h(
    "div",
    { class: "next" },
    h("span", { class: "dim small" }, text("tetris.next")),
    s(
      "svg",
      {
        viewBox: `0 0 ${columns} ${rows}`,
        class: "next-piece",
        role: "img",
        "aria-label": scene.next,
        style: { width: `${columns * 1.4}rem` },
      },
      s("path", { class: `block ${kindOf(scene.next)}`, d: path(scene.next_cells, rows) }),
    ),
  );
}

export function panel(element, scene, context) {
  const rows = [
    ["measure.lines", scene.lines],
    scene.points === null ? null : ["measure.points", scene.points],
    ["measure.pieces", scene.pieces],
    context.memory.real ? ["tetris.level", level(scene)] : null,
  ];
  show(
    element,
    h(
      "div",
      { class: "tetris-panel" },
      nextPiece(scene),
      h(
        "dl",
        { class: "measures" },
        rows
          .filter(Boolean)
          .map(([key, value]) =>
            h("div", {}, h("dt", {}, text(key)), h("dd", { id: key.replace(".", "-") }, context.number(value))),
          ),
      ),
    ),
  );
  context.memory.player?.label();
}

export function key(event, scene, context) {
  const action = actionOf(event);
  const { player } = context.memory;
  if (!action || !player) return false;
  if (!event.repeat) {
    if (action === "pause") player.pause();
    else player.press(action);
  }
  return true;
}

export function open(context) {
  return new Player(context);
}

/** Real time or turn by turn, whom to race, and who wins then. */
export async function newFields(game, given, { agentField }) {
  let mode = given.mode ?? "real";
  let pace = given.pace ?? "1";
  let goal = given.goal ?? GOALS[0];
  const paces = select(
    [
      ["piece", text("tetris.pace.piece")],
      ["0.5", "½ / s"],
      ["1", "1 / s"],
      ["2", "2 / s"],
      ["5", "5 / s"],
    ],
    pace,
    (value) => {
      pace = value;
    },
    { id: "pace", disabled: !given.rival },
  );
  const goals = select(
    GOALS.map((name) => [name, text(`tetris.race.goal.${name}`)]),
    goal,
    (value) => {
      goal = value;
    },
    { id: "goal", disabled: !given.rival },
  );
  const rival = await agentField(
    game,
    given.rival ?? "",
    (value) => {
      paces.disabled = !value;
      goals.disabled = !value;
    },
    [["", text("tetris.nobody")]],
  );
  rival.id = "rival";
  const element = [
    labelled(
      text("tetris.mode"),
      select(
        [
          ["real", text("tetris.real")],
          ["turns", text("tetris.turns")],
        ],
        mode,
        (value) => {
          mode = value;
        },
        { id: "mode" },
      ),
      text("tetris.mode.help"),
    ),
    labelled(text("tetris.race"), rival, text("tetris.race.help")),
    labelled(text("tetris.pace"), paces),
    labelled(text("tetris.race.goal"), goals, text("tetris.race.goal.help")),
  ];
  return { element, values: () => ({ mode, ...(rival.value ? { rival: rival.value, pace, goal } : {}) }) };
}
