// @ts-check
// The runs of this folder and the queue.

import { h, labelled, select, show, toast } from "../dom.js";
import { badge, duration, pupil } from "../lab/common.js";
import { get, post } from "../server.js";
import { number, text } from "../texts.js";

const EVERY = 1500;

export async function open(main) {
  const asked = { find: "", first: 0 };
  const chosen = new Set();
  const place = h("div", { class: "scroll" });
  const queue = h("section", { class: "card", id: "queue" });
  const find = h("input", {
    type: "text",
    id: "find",
    placeholder: text("runs.find"),
    "aria-label": text("runs.find"),
    oninput: () => {
      asked.find = find.value.trim();
      asked.first = 0;
      refresh();
    },
  });
  const over = h("button", { id: "over", disabled: true, onclick: () => together(chosen) }, text("runs.over"));
  let shown = "";
  let timer = 0;
  let closed = false;
  const refresh = async () => {
    const query = new URLSearchParams({ find: asked.find, first: String(asked.first), who: pupil() });
    const all = await get(`/api/runs?${query}`);
    if (closed || shown === JSON.stringify(all)) return;
    shown = JSON.stringify(all);
    if (!queue.contains(document.activeElement)) show(queue, queueOf(all, refresh));
    show(place, listOf(all, asked, chosen, over, refresh));
  };
  const again = async () => {
    try {
      await refresh();
    } catch {
      // the server is gone: what is shown stays, and it is asked again
    }
    if (!closed) timer = setTimeout(again, EVERY);
  };
  show(
    main,
    h(
      "div",
      { class: "lab" },
      h(
        "div",
        { class: "lab-head" },
        h("h1", {}, text("runs.title")),
        h("a", { class: "button primary", id: "new-run", href: "#/train" }, text("runs.new")),
      ),
      queue,
      h("section", { class: "card" }, h("div", { class: "tools-row" }, find, over), place),
    ),
  );
  await refresh();
  timer = setTimeout(again, EVERY);
  return () => {
    closed = true;
    clearTimeout(timer);
  };
}

function together(chosen) {
  const [first, ...others] = chosen;
  location.hash = `#/run/${encodeURIComponent(first)}?with=${others.map(encodeURIComponent).join(",")}`;
}

function listOf(all, asked, chosen, over, refresh) {
  const rows = [
    ...all.queued
      .filter((job) => job.state === "waiting")
      .map((job) => ({ run: job.name, method: job.method, state: "waiting" })),
    ...all.runs,
  ];
  if (!rows.length) return h("p", { class: "dim" }, text("runs.none"));
  const turn = (by) => () => {
    asked.first += by;
    refresh();
  };
  return [
    h(
      "table",
      { class: "grid-table", id: "runs" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", {}),
          ["runs.run", "runs.state", "runs.method", "runs.rules"].map((key) => h("th", {}, text(key))),
          ["runs.steps", "runs.best", "runs.time"].map((key) => h("th", { class: "number" }, text(key))),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) => line(row, chosen, over)),
      ),
    ),
    h(
      "div",
      { class: "row" },
      h("span", { class: "dim", id: "count" }, text("runs.count", number(all.count))),
      asked.first > 0 && h("button", { onclick: turn(-all.listed) }, text("runs.newer")),
      asked.first + all.listed < all.count &&
        h("button", { id: "older", onclick: turn(all.listed) }, text("runs.older")),
    ),
  ];
}

function line(row, chosen, over) {
  const box = h("input", {
    type: "checkbox",
    checked: chosen.has(row.run),
    "aria-label": text("runs.chosen", row.run),
  });
  box.onchange = () => {
    if (box.checked) chosen.add(row.run);
    else chosen.delete(row.run);
    over.disabled = chosen.size < 2;
  };
  return h(
    "tr",
    { "data-run": row.run },
    h("td", {}, row.damaged ? null : box),
    h("td", {}, h("a", { href: `#/run/${encodeURIComponent(row.run)}` }, row.run)),
    h("td", { title: row.sentence ?? "" }, badge(row.state)),
    h("td", {}, row.method ?? ""),
    h("td", {}, row.rules ?? "", row.criteria ? ` · ${row.criteria}` : ""),
    h(
      "td",
      { class: "number" },
      row.generation === undefined ? "" : `${number(row.generation)} / ${row.of === null ? "?" : number(row.of)}`,
    ),
    h("td", { class: "number" }, row.best === null || row.best === undefined ? "" : number(row.best)),
    h("td", { class: "number" }, duration(row.seconds)),
  );
}

/** What goes on and waits, and how much at once. */
export function queueOf({ jobs, at_once: atOnce, most }, refresh) {
  const stop = (job) => async () => {
    await post(`/api/jobs/${job.id}/stop`);
    refresh();
  };
  const choose = async (value) => {
    try {
      await post("/api/jobs/at-once", { number: Number(value) });
    } catch (error) {
      toast(error.message);
    }
    refresh();
  };
  const places = {
    train: (job) => `#/run/${encodeURIComponent(job.name)}`,
    measure: (job) => `#/measured/${job.id}`,
    solve: (job) => `#/measured/${job.id}`,
    reproduce: (job) => `#/experiment/${encodeURIComponent(job.name)}`,
  };
  return [
    h(
      "div",
      { class: "lab-head" },
      h("h2", {}, text("queue.title")),
      h(
        "div",
        { class: "tools-row" },
        labelled(
          text("queue.at_once"),
          select(
            ["1", "2", "3", "4", "6", "8"].filter((count) => Number(count) <= most).map((count) => [count, count]),
            String(atOnce),
            choose,
            { id: "at-once", title: text("queue.help") },
          ),
        ),
      ),
    ),
    jobs.length
      ? h(
          "ul",
          { class: "queue" },
          jobs.map((job) =>
            h(
              "li",
              {},
              badge(job.state),
              h("a", { href: places[job.kind]?.(job) ?? "#/runs" }, `${text(`kind.${job.kind}`)} ${job.name}`),
              h("span", { class: "grow dim" }, job.sentence),
              h("button", { class: "quiet", onclick: stop(job) }, text("queue.stop", job.name)),
            ),
          ),
        )
      : h("p", { class: "dim" }, text("queue.none")),
  ];
}
