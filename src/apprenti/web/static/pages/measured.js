// @ts-check
// A measurement while its interval narrows, and what it came to.

import { h, show, toast } from "../dom.js";
import { download } from "../lab/charts.js";
import { badge, commandLine, follow } from "../lab/common.js";
import { matchCharts, residuals, scoreCharts } from "../lab/measures.js";
import { forfeits, matchTable, scoreTable, solvedTable, standings } from "../lab/tables.js";
import { get, getText, post } from "../server.js";
import { text } from "../texts.js";

export async function open(main, { rest }) {
  const key = rest[0] ?? "";
  const first = await get(`/api/measures/${encodeURIComponent(key)}`);
  const head = h("div", { class: "tools-row", id: "head", role: "status" });
  const bar = h("progress", { class: "progress", max: 1, value: 0, "aria-label": text("run.progress", "", "") });
  const sentence = h("p", { class: "sentence", role: "alert" });
  const actions = h("div", { class: "tools-row" });
  const table = h("div", { class: "scroll" });
  const charts =
    first.kind === "solve" ? [residuals(first.name)] : [...matchCharts(first.name), ...scoreCharts(first.name)];
  show(
    main,
    h(
      "div",
      { class: "lab" },
      h("section", { class: "card" }, h("h1", {}, first.name), head, bar, sentence, actions, table),
      charts.map((each) => each.section),
      h("section", { class: "card" }, h("h2", {}, text("train.command")), commandLine(first.command).element),
    ),
  );
  const tell = (measure) => {
    show(head, badge(measure.state), h("span", { class: "dim" }, measure.results[0]?.description ?? measure.sentence));
    bar.value = measure.part;
    sentence.textContent = measure.state === "failed" ? measure.sentence : "";
    show(actions, buttons(key, measure));
    show(
      table,
      measure.curve
        ? solvedTable(measure)
        : !measure.results.length
          ? null
          : measure.is_match
            ? [standings(measure), matchTable(measure), forfeits(measure)]
            : [scoreTable(measure), forfeits(measure)],
    );
    for (const each of charts) each.tell(measure);
  };
  tell(first);
  return follow(`/api/stream/measures/${encodeURIComponent(key)}`, tell);
}

function buttons(key, measure) {
  const active = measure.state === "running" || measure.state === "waiting";
  const stop = () => post(`/api/jobs/${encodeURIComponent(key)}/stop`).catch((error) => toast(error.message));
  const every = async () =>
    download(`${measure.name}.csv`, "text/csv", await getText(`/api/measures/${encodeURIComponent(key)}/csv`));
  return [
    active && h("button", { id: "stop", class: "primary", onclick: stop }, text("measure.stop")),
    !active &&
      measure.solved?.agent &&
      h(
        "a",
        { class: "button", id: "agent", href: `#/agent/${encodeURIComponent(measure.solved.agent)}` },
        measure.solved.agent,
      ),
    !active &&
      measure.results.some((each) => each.scores?.length || measure.is_match) &&
      h(
        "button",
        { id: "every", onclick: () => every().catch((error) => toast(error.message)) },
        text("measure.every"),
      ),
    h("a", { class: "button", href: "#/measure" }, text("measure.again")),
  ];
}
