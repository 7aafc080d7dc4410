// @ts-check
// Every experiment, with its question and its state here.

import { h, show } from "../dom.js";
import { badge, duration } from "../lab/common.js";
import { get } from "../server.js";
import { moment, number, text } from "../texts.js";

/** What was done of an experiment, in words. */
export function doneWords(done) {
  if (!done.experiment) return text("reproduce.never");
  const when = moment(done.time);
  if (!done.complete) {
    const left =
      done.part > 0 && done.seconds
        ? ` · ${text("run.left", duration((done.seconds * (1 - done.part)) / done.part))}`
        : "";
    const part = text("reproduce.part", number(Math.round(100 * (done.part ?? 0))), done.doing ?? "");
    return `${text("reproduce.left")} · ${part}${left}`;
  }
  const took = done.seconds ? ` · ${text("reproduce.took", duration(done.seconds))}` : "";
  return text("reproduce.done", when, done.version, done.commit ? text("reproduce.commit", done.commit) : "") + took;
}

/** The state of an experiment as a badge. */
export function stateOf(experiment) {
  if (experiment.job) return experiment.job.state;
  return experiment.whole.complete ? "done" : experiment.whole.experiment ? "paused" : "never";
}

/** What the whole of it costs: as it took here, else as it took us, else that it is not known. */
export function costOf({ cost, whole }) {
  const here = whole.complete ? whole : {};
  const known = here.core_seconds || here.seconds ? here : cost;
  if (!known.core_seconds && !known.seconds) return text("reproduce.unknown");
  const words = known.core_seconds
    ? text("reproduce.cores", duration(known.core_seconds), duration(known.seconds))
    : text("reproduce.took", duration(known.seconds));
  if (known === here) return text("reproduce.here", words);
  const day = moment(Date.parse(known.date) / 1000, {});
  return text("reproduce.us", words, number(known.cores), known.processor, day);
}

export async function open(main) {
  const { experiments } = await get("/api/experiments");
  const place = h("tbody", {});
  const draw = (find) =>
    show(
      place,
      experiments
        .filter((each) => `${each.name} ${each.title} ${each.question}`.toLowerCase().includes(find.toLowerCase()))
        .map(line),
    );
  const find = h("input", {
    type: "text",
    id: "find",
    placeholder: text("reproduce.find"),
    "aria-label": text("reproduce.find"),
    oninput: () => draw(find.value),
  });
  show(
    main,
    h(
      "div",
      { class: "lab" },
      h("h1", {}, text("reproduce.title")),
      h("p", { class: "dim" }, text("reproduce.about")),
      h(
        "section",
        { class: "card" },
        h("div", { class: "tools-row" }, find),
        h("div", { class: "scroll" }, h("table", { class: "grid-table", id: "experiments" }, place)),
      ),
    ),
  );
  draw("");
}

function line(each) {
  return h(
    "tr",
    {},
    h(
      "td",
      {},
      h("a", { href: `#/experiment/${encodeURIComponent(each.name)}` }, each.title),
      h("div", { class: "dim small" }, each.question),
      h("div", { class: "dim small" }, text("reproduce.cost", costOf(each))),
    ),
    h(
      "td",
      {},
      badge(stateOf(each)),
      h("div", { class: "dim small" }, each.whole.experiment ? doneWords(each.whole) : ""),
    ),
  );
}
