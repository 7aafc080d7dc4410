// @ts-check
// Any game that has no board of its own: the position as text, and the legal moves as buttons.

import { h, show } from "../../dom.js";

const NAMED = 200;

export function draw(element, scene, context) {
  const { view, hint } = context;
  const board = h(
    "pre",
    { class: "generic-board", "aria-label": context.text("board") },
    scene.text.replaceAll("/", "\n"),
  );
  if (context.small || !context.interactive) return show(element, board);
  const worth = hint?.worth ?? {};
  const moves = view.legal
    .slice(0, NAMED)
    .map((move) =>
      h(
        "button",
        { class: `move${hint?.move === move ? " best" : ""}`, "data-move": move, onclick: () => context.play(move) },
        move,
        worth[move] === undefined ? null : h("small", {}, ` ${context.number(worth[move])}`),
      ),
    );
  const field = h("input", {
    type: "text",
    class: "typed",
    autocomplete: "off",
    "aria-label": context.text("typed.move"),
    placeholder: context.text("typed.move"),
  });
  const typed = h(
    "form",
    {
      class: "row",
      onsubmit: (event) => {
        event.preventDefault();
        context.play(field.value.trim());
      },
    },
    field,
    h("button", {}, context.text("typed.play")),
  );
  const { memory } = context;
  if (element.contains(document.activeElement))
    memory.focused = document.activeElement === element.querySelector(".typed") ? ".typed" : ".move";
  show(
    element,
    board,
    h("div", { class: "moves-to-choose", role: "group", "aria-label": context.text("moves.legal") }, moves),
    view.legal.length ? typed : null,
  );
  const lost = document.activeElement === document.body || document.activeElement === null;
  // on with the next move
  if (lost && memory.focused) element.querySelector(memory.focused)?.focus({ preventScroll: true });
}
