// @ts-check
// What stands beside a board wherever there is one: who plays, the moves, what an agent says, the keys.

import { moveName } from "../boards.js";
import { h, show } from "../dom.js";
import { number, text, worded } from "../texts.js";

/** A title for screen readers: everybody else sees what is played. */
export function titleOf(name) {
  return h("h1", { class: "unseen" }, worded(`game.${name}`, name));
}

/** Board and side, in the order of the reading; `side` is a list of elements. */
export function table(board, side, below = null) {
  return h(
    "div",
    { class: "table" },
    h("div", { class: "board-place" }, board, below),
    h("aside", { class: "side" }, side),
  );
}

/** Who plays, whose turn it is, the clock. */
export function playersOf(view) {
  return h(
    "ul",
    { class: "players" },
    view.names.map((name, side) =>
      h(
        "li",
        { class: `${view.turn === side ? "turn" : ""}` },
        h("span", { class: "dot", "aria-hidden": "true" }),
        view.sides.length > 1
          ? h("span", { class: "side-name" }, view.sides[side])
          : null,
        h("strong", {}, worded(`player.${name}`, name)),
        view.thinking && view.turn === side ? h("span", { class: "thinking" }, text("thinking")) : null,
        view.left !== null && view.left !== undefined && view.you === side
          ? h("span", { class: "clock", id: "clock" }, clock(view.left))
          : null,
      ),
    ),
  );
}

/** Seconds as minutes and seconds. */
export function clock(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** How a game ended, in the language of the page. */
export function ending(view) {
  const { outcome } = view;
  if (!outcome) return "";
  const reason = outcome.words;
  if (view.names.length === 1) return reason;
  if (outcome.winner === null) return text("end.because", text("end.draw"), reason);
  if (view.you === null || view.you === undefined)
    return text(
      "end.because",
      text("end.wins", worded(`player.${view.names[outcome.winner]}`, view.names[outcome.winner])),
      reason,
    );
  return text("end.because", text(outcome.winner === view.you ? "end.won" : "end.lost"), reason);
}

/** What is counted, by name. */
export function measuresOf(measures) {
  const rows = Object.entries(measures).filter(([, value]) => typeof value === "number");
  if (!rows.length) return null;
  return h(
    "dl",
    { class: "measures" },
    rows.map(([name, value]) => h("div", {}, h("dt", {}, worded(`measure.${name}`, name)), h("dd", {}, number(value)))),
  );
}

/** The list of moves, the last one in sight. */
export function movesOf(view, module, at = null, onclick = null) {
  if (!view.moves.length) return null;
  const first = (view.number ?? view.moves.length) - view.moves.length;
  const list = h(
    "ol",
    { class: "moves", start: first + 1, "aria-label": text("moves") },
    view.moves.map((move, index) =>
      h(
        "li",
        {
          class: at === first + index + 1 ? "here" : "",
          ...(onclick ? { onclick: () => onclick(first + index + 1) } : {}),
        },
        moveName(module, move, view.scene),
      ),
    ),
  );
  requestAnimationFrame(() => {
    const here = list.querySelector(".here");
    list.scrollTop = here ? here.offsetTop - list.offsetTop - 60 : list.scrollHeight;
  });
  return list;
}

/**
 * What an agent said of a position: its move, the values, what a value is made of, its words.
 * @param {any} hint
 * @param {any} module
 * @param {any} scene
 * @param {string | null} chosen
 * @param {(move: string) => void} choose
 */
export function explained(hint, module, scene, chosen = null, choose = () => {}) {
  if (!hint) return null;
  const worth = Object.entries(hint.worth ?? {}).sort((a, b) => (b[1] ?? -Infinity) - (a[1] ?? -Infinity));
  const move = chosen ?? hint.move;
  const parts = hint.parts?.[move];
  return h(
    "section",
    { class: "explained", "aria-label": text("explain") },
    h("p", {}, text("explain.plays", hint.agent, moveName(module, hint.move, scene))),
    worth.length
      ? h(
          "ol",
          { class: "worths" },
          worth
            .slice(0, 6)
            .map(([name, value]) =>
              h(
                "li",
                {},
                h(
                  "button",
                  { class: `quiet${name === move ? " here" : ""}`, "data-move": name, onclick: () => choose(name) },
                  moveName(module, name, scene),
                ),
                h("span", { class: "number" }, value === null ? "−∞" : number(value)),
              ),
            ),
        )
      : null,
    parts ? partsTable(parts, moveName(module, move, scene)) : null,
    hint.text && !parts
      ? h(
          "pre",
          { class: "words", tabindex: 0, role: "group", "aria-label": text("explain") },
          module.words?.(hint.text) ?? hint.text,
        )
      : null,
    !worth.length && !hint.text ? h("p", { class: "dim" }, text("explain.nothing")) : null,
  );
}

function partsTable(parts, name) {
  const rows = Object.entries(parts).sort((a, b) => Math.abs(b[1] ?? 0) - Math.abs(a[1] ?? 0));
  const most = Math.max(...rows.map(([, value]) => Math.abs(value ?? 0)), 1e-9);
  const sum = rows.reduce((total, [, value]) => total + (value ?? 0), 0);
  return h(
    "table",
    { class: "parts" },
    h("caption", {}, text("explain.parts", name)),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, text("explain.criterion")),
        h("th", { scope: "col" }, text("explain.contributes")),
        h("td", {}),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(([term, value]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, term.replaceAll("_", " ")),
          h("td", { class: "number" }, number(value)),
          h(
            "td",
            { class: "bar" },
            h("span", {
              class: (value ?? 0) < 0 ? "bad" : "good",
              style: { width: `${(100 * Math.abs(value ?? 0)) / most}%` },
            }),
          ),
        ),
      ),
    ),
    h(
      "tfoot",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "row" }, text("explain.sum")),
        h("td", { class: "number" }, number(sum)),
        h("td", {}),
      ),
    ),
  );
}

/** The keys of a board. */
export function keysOf(module, more = []) {
  const rows = [...(typeof module.controls === "function" ? module.controls() : (module.controls ?? [])), ...more];
  return rows.length
    ? h(
        "details",
        { class: "keys" },
        h("summary", {}, text("keys")),
        h(
          "dl",
          {},
          rows.map(([keys, key]) => h("div", {}, h("dt", {}, h("kbd", {}, keys)), h("dd", {}, text(key)))),
        ),
      )
    : null;
}

/** Copy to the clipboard, and say so. */
export async function copy(words, button) {
  await navigator.clipboard.writeText(words);
  const before = button.textContent;
  show(button, text("copied"));
  setTimeout(() => show(button, before), 1500);
}

/** Whether a key was pressed for a field or a button and not for the board. */
export function meantElsewhere(event) {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (target.type === "checkbox") return event.key === " ";
  if (target.type === "range") return event.key !== " " && event.key.length > 1;
  if (["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return true;
  return ["BUTTON", "A", "SUMMARY"].includes(target.tagName) && ["Enter", " "].includes(event.key);
}
