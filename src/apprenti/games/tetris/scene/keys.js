// @ts-check
// The keys: which one does what, how fast they repeat, and a dialog to change that.

import { h, labelled, show } from "../../dom.js";
import { keep, setting } from "../../settings.js";
import { text } from "../../texts.js";

const USUAL = {
  left: ["ArrowLeft", "a"],
  right: ["ArrowRight", "d"],
  soft: ["ArrowDown", "s"],
  clockwise: ["ArrowUp", "x"],
  back: ["z", "y"],
  drop: [" ", "Enter"],
  pause: ["p", "Escape"],
};
const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "␣" };

function bindings() {
  return { ...USUAL, ...setting("tetris.keys", {}) };
}

/** What a key is meant for. */
export function actionOf(event) {
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return Object.entries(bindings()).find(([, keys]) => keys.includes(name))?.[0];
}

function shown(keys) {
  return keys.map((name) => SIGNS[name] ?? name).join(" ");
}

/** Keys and the texts that say what they do. */
export function controls() {
  const keys = bindings();
  return [
    [shown([...keys.left, ...keys.right]), "tetris.key.move"],
    [shown(keys.clockwise), "tetris.key.clockwise"],
    [shown(keys.back), "tetris.key.back"],
    [shown(keys.soft), "tetris.key.soft"],
    [shown(keys.drop), "tetris.key.drop"],
    [shown(keys.pause), "tetris.key.pause"],
  ];
}

/** Show keys and their speed until they are closed. */
export function openSettings() {
  const dialog = h("dialog", { class: "card settings", onclose: () => dialog.remove() });
  const slider = (name, usual, most) => {
    const out = h("output", {}, `${setting(name, usual)} ms`);
    return labelled(
      text(name),
      h(
        "span",
        { class: "row" },
        h("input", {
          type: "range",
          min: 0,
          max: most,
          step: 5,
          value: setting(name, usual),
          oninput: (event) => {
            keep(name, Number(event.target.value));
            out.textContent = `${event.target.value} ms`;
          },
        }),
        out,
      ),
    );
  };
  const rows = Object.keys(USUAL).map((action) => {
    const button = h(
      "button",
      { id: `key-${action}`, onclick: () => listen(action, button) },
      shown(bindings()[action]),
    );
    return labelled(text(`tetris.action.${action}`), button);
  });
  show(
    dialog,
    h("h2", {}, text("tetris.controls")),
    h("div", { class: "fields" }, slider("tetris.das", 170, 400), slider("tetris.arr", 40, 200)),
    h("p", { class: "dim" }, text("tetris.rebind")),
    h("div", { class: "fields" }, rows),
    h(
      "div",
      { class: "row end" },
      h(
        "button",
        {
          onclick: () => {
            keep("tetris.keys", {});
            dialog.close();
          },
        },
        text("tetris.usual"),
      ),
      h("button", { class: "primary", onclick: () => dialog.close() }, text("tetris.done")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** The next key that is pressed is the one for an action. */
function listen(action, button) {
  show(button, "…");
  addEventListener(
    "keydown",
    (event) => {
      event.preventDefault();
      event.stopPropagation();
      const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const others = Object.fromEntries(
        Object.entries(bindings()).map(([each, keys]) => [each, keys.filter((known) => known !== name)]),
      );
      keep("tetris.keys", { ...others, [action]: [name] });
      show(button, shown([name]));
    },
    { once: true, capture: true },
  );
}
