// @ts-check
// The rules of Luzhanqi on one screen: those of this very game.

import { h } from "../../dom.js";
import { text } from "../../texts.js";

const KEYS = ["aim", "turn", "road", "rail", "engineer", "camp", "headquarters", "fight", "bomb"];

function sentences(rules) {
  const word = (name) => text(`luzhanqi.rule.${name}`);
  return [
    ...KEYS.map(word),
    word(rules.mine === "stays" ? "mine.stays" : "mine.dies"),
    word(`flag.${rules.flag}`),
    word(rules.headquarters),
    word(rules.show_fights ? "shown" : "secret"),
    rules.reveal_flag ? word("marshal") : "",
    rules.quiet_limit
      ? text(rules.quiet_draw ? "luzhanqi.quiet.draws" : "luzhanqi.quiet.loses", rules.quiet_limit)
      : text("luzhanqi.quiet.none"),
    rules.max_moves ? text("luzhanqi.most", rules.max_moves) : "",
    word("end"),
  ].filter(Boolean);
}

/** Show the rules until they are closed. */
export function openRules(rules, description) {
  const dialog = h(
    "dialog",
    { class: "card settings", id: "rules-shown", "aria-label": text("luzhanqi.rules"), onclose: () => dialog.remove() },
    h("h2", { tabindex: -1, autofocus: true }, text("luzhanqi.rules")),
    h(
      "ul",
      {},
      sentences(rules).map((words) => h("li", {}, words)),
    ),
    h("p", { class: "dim small" }, description),
    h(
      "div",
      { class: "row end" },
      h("button", { class: "primary", onclick: () => dialog.close() }, text("luzhanqi.close")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
