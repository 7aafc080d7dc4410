// @ts-check
// One experiment: its question, what it came to here, ours beside the published value; run it from here.

import { h, show, toast } from "../dom.js";
import { badge, commandLine, duration, pupil } from "../lab/common.js";
import { get, post } from "../server.js";
import { number, text } from "../texts.js";
import { costOf, doneWords, stateOf } from "./reproduce.js";

const EVERY = 2000;

export async function open(main, { rest }) {
  const path = `/api/experiments/${encodeURIComponent(rest[0] ?? "")}`;
  let shown = "";
  let closed = false;
  let timer = 0;
  const refresh = async () => {
    const experiment = await get(path);
    if (closed || shown === JSON.stringify(experiment)) return;
    shown = JSON.stringify(experiment);
    draw(main, path, experiment, refresh);
  };
  const again = async () => {
    await refresh().catch(() => {}); // the server is gone: what is shown stays, and it is asked again
    if (!closed) timer = setTimeout(again, EVERY);
  };
  await refresh();
  timer = setTimeout(again, EVERY);
  return () => {
    closed = true;
    clearTimeout(timer);
  };
}

function draw(main, path, experiment, refresh) {
  const act = (address, data) => async () => {
    try {
      await post(address, { who: pupil(), ...data });
    } catch (error) {
      toast(error.message);
    }
    refresh();
  };
  const active = ["running", "waiting"].includes(experiment.job?.state);
  show(
    main,
    h(
      "div",
      { class: "lab" },
      h(
        "section",
        { class: "card" },
        h("h1", {}, experiment.title),
        h("p", {}, experiment.question),
        h(
          "div",
          { class: "tools-row", id: "head", role: "status" },
          badge(stateOf(experiment)),
          experiment.job?.state === "running"
            ? h(
                "span",
                { class: "dim" },
                doneWords(experiment.job.command.includes("--short") ? experiment.short : experiment.whole),
              )
            : null,
        ),
        experiment.job?.state === "failed"
          ? h("p", { class: "sentence", role: "alert" }, experiment.job.sentence)
          : null,
        h(
          "div",
          { class: "tools-row" },
          !active &&
            h(
              "button",
              { id: "short", class: "primary", onclick: act(`${path}/run`, { short: true }) },
              text("reproduce.short"),
            ),
          !active &&
            h("button", { id: "whole", onclick: act(`${path}/run`, { short: false }) }, text("reproduce.whole")),
          active &&
            h(
              "button",
              { id: "stop", onclick: act(`/api/jobs/${experiment.job.id}/stop`, {}) },
              text("queue.stop", experiment.name),
            ),
        ),
        cost(experiment),
        commandLine(experiment.commands.whole).element,
      ),
      ["whole", "short"].map((which) => result(path, experiment, which)),
      h(
        "section",
        { class: "card" },
        h("details", {}, h("summary", {}, text("reproduce.file")), h("pre", { class: "words" }, experiment.source)),
      ),
    ),
  );
}

/** What the whole of it costs, and what it is made of; what a short run took here says that it works. */
function cost(experiment) {
  const { parts, short } = experiment;
  const tried = short.complete && short.seconds ? ` · ${text("reproduce.tried", duration(short.seconds))}` : "";
  return h(
    "details",
    { id: "cost" },
    h(
      "summary",
      {},
      `${text("reproduce.cost", costOf(experiment))} · ${text("reproduce.parts", number(parts.length))}${tried}`,
    ),
    h(
      "ul",
      { class: "dim small" },
      parts.slice(0, 200).map((part) => h("li", {}, part)),
    ),
  );
}

function result(path, experiment, which) {
  const tables = experiment.tables[which];
  if (!tables.length) return null;
  return h(
    "section",
    { class: "card", id: `${which}-result` },
    h("h2", {}, text(`reproduce.${which}.result`)),
    h("p", { class: "dim" }, doneWords(experiment[which])),
    tables.map((table) =>
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          { class: "grid-table" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              table.headings.map((cell) => h("th", {}, cell)),
            ),
          ),
          h(
            "tbody",
            {},
            table.rows.map((row) =>
              h(
                "tr",
                {},
                row.map((cell) => h("td", {}, cell)),
              ),
            ),
          ),
        ),
      ),
    ),
    experiment[which].picture
      ? h("img", {
          class: "own-picture",
          alt: experiment.title,
          src: `${path}/picture?short=${which === "short" ? 1 : 0}&at=${experiment[which].time}`,
        })
      : null,
  );
}
