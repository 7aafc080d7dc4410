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
  let told = "";
  let closed = false;
  let timer = 0;
  const refresh = async () => {
    const found = await get(path);
    if (closed || told === JSON.stringify(found)) return;
    told = JSON.stringify(found);
    draw(main, path, found, refresh);
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

function draw(main, path, found, refresh) {
  const act = (address, data) => async () => {
    try {
      await post(address, { who: pupil(), ...data });
    } catch (error) {
      toast(error.message);
    }
    refresh();
  };
  const active = ["running", "waiting"].includes(found.job?.state);
  show(
    main,
    h(
      "div",
      { class: "lab" },
      h(
        "section",
        { class: "card" },
        h("h1", {}, found.title),
        h("p", {}, found.question),
        h(
          "div",
          { class: "tools-row", id: "head", role: "status" },
          badge(stateOf(found)),
          found.job?.state === "running"
            ? h("span", { class: "dim" }, doneWords(found.job.command.includes("--short") ? found.short : found.whole))
            : null,
        ),
        found.job?.state === "failed" ? h("p", { class: "sentence", role: "alert" }, found.job.sentence) : null,
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
              { id: "stop", onclick: act(`/api/jobs/${found.job.id}/stop`, {}) },
              text("queue.stop", found.name),
            ),
        ),
        cost(found),
        commandLine(found.commands.whole).element,
      ),
      ["whole", "short"].map((which) => result(path, found, which)),
      h(
        "section",
        { class: "card" },
        h("details", {}, h("summary", {}, text("reproduce.file")), h("pre", { class: "words" }, found.source)),
      ),
    ),
  );
}

/** What the whole of it costs, and what it is made of; what a short run took here says that it works. */
function cost(found) {
  const { parts, short } = found;
  const tried = short.complete && short.seconds ? ` · ${text("reproduce.tried", duration(short.seconds))}` : "";
  return h(
    "details",
    { id: "cost" },
    h(
      "summary",
      {},
      `${text("reproduce.cost", costOf(found))} · ${text("reproduce.parts", number(parts.length))}${tried}`,
    ),
    h(
      "ul",
      { class: "dim small" },
      parts.slice(0, 200).map((part) => h("li", {}, part)),
    ),
  );
}

function result(path, found, which) {
  const tables = found.tables[which];
  if (!tables.length) return null;
  return h(
    "section",
    { class: "card", id: `${which}-result` },
    h("h2", {}, text(`reproduce.${which}.result`)),
    h("p", { class: "dim" }, doneWords(found[which])),
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
    found[which].picture
      ? h("img", {
          class: "own-picture",
          alt: found.title,
          src: `${path}/picture?short=${which === "short" ? 1 : 0}&at=${found[which].time}`,
        })
      : null,
  );
}
