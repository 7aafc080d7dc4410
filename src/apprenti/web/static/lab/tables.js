// @ts-check
// What was measured, as tables.

import { h } from "../dom.js";
import { number, scientific, text, worded } from "../texts.js";
import { duration } from "./common.js";

const interval = (ci95) => (ci95 ? `${number(ci95[0])} – ${ci95[1] === null ? "∞" : number(ci95[1])}` : "");

/** Whether games of a result were cut short, so that a whole one scores more than the mean. */
export const isCut = ({ deaths, games, estimated_ci95 }) => Boolean(estimated_ci95) && deaths < games;

/** What whole games are estimated to score. */
const estimate = ({ estimated_mean, estimated_ci95 }) =>
  `${estimated_mean === null ? "∞" : number(estimated_mean)} (${interval(estimated_ci95)})`;

/** Agents of a game for one. */
export function scoreTable({ results }) {
  const unit = results[0].unit;
  const cut = results.some(isCut);
  return h(
    "table",
    { class: "grid-table", id: "results" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", {}, text("measure.agent")),
        [
          text("measure.mean_of", worded(`measure.${unit}`, unit)),
          text("measure.interval"),
          cut && text("measure.estimated"),
          text("measure.median"),
          text("measure.games"),
          text("measure.seconds"),
        ].map((words) => words && h("th", { class: "number" }, words)),
      ),
    ),
    h(
      "tbody",
      {},
      results.map((each) =>
        h(
          "tr",
          { "data-agent": each.agent },
          h("td", {}, each.agent),
          h("td", { class: "number mean-value" }, each.mean === null ? "" : number(each.mean)),
          h("td", { class: "number" }, interval(each.ci95)),
          cut && h("td", { class: "number estimated" }, isCut(each) ? estimate(each) : ""),
          h("td", { class: "number" }, number(median(each.scores))),
          h("td", { class: "number" }, number(each.games ?? each.repetitions)),
          h("td", { class: "number" }, duration(each.seconds)),
        ),
      ),
    ),
  );
}

/** Who forfeited games, how many, and why at first; nothing where all were played to their end. */
export function forfeits({ results }) {
  const lost = new Map();
  for (const { agent, games, why } of results.flatMap((each) => each.forfeits ?? []))
    lost.set(agent, { games: games + (lost.get(agent)?.games ?? 0), why: lost.get(agent)?.why ?? why });
  if (!lost.size) return null;
  const line = ([agent, { games, why }]) => h("li", {}, text("measure.forfeited", agent, number(games), why));
  return h("ul", { id: "forfeits" }, [...lost].map(line));
}

/** Who has how many points so far, the best first. */
export function standings({ results }) {
  const points = new Map();
  const add = (name, own, games) => {
    const [before, played] = points.get(name) ?? [0, 0];
    points.set(name, [before + own, played + games]);
  };
  for (const { agent, against, won, drawn, lost, games } of results) {
    add(agent, won + drawn / 2, games);
    add(against, lost + drawn / 2, games);
  }
  if (points.size < 3) return null;
  const sorted = [...points].sort(([, [a, played]], [, [b, other]]) => b / other - a / played);
  return h(
    "table",
    { class: "grid-table", id: "standings" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", {}, text("measure.agent")),
        ["measure.points", "measure.games", "measure.share"].map((key) => h("th", { class: "number" }, text(key))),
      ),
    ),
    h(
      "tbody",
      {},
      sorted.map(([name, [own, games]], at) =>
        h(
          "tr",
          {},
          h("td", {}, `${at + 1}. ${name}`),
          h("td", { class: "number" }, number(own)),
          h("td", { class: "number" }, number(games)),
          h("td", { class: "number" }, number(own / games)),
        ),
      ),
    ),
  );
}

/** What the solver knows: the last row of its curve, then its answer. */

/** A game that was solved. */
export function solvedTable({ curve, solved }) {
  const known = { ...curve.at(-1), ...solved };
  const rows = ["value", "residual", "iteration", "states", "reachable_walls", "seconds"].filter(
    (name) => known[name] !== undefined,
  );
  return h(
    "table",
    { class: "grid-table", id: "results" },
    h(
      "tbody",
      {},
      rows.map((name) =>
        h("tr", {}, h("td", {}, text(`solve.${name}`)), h("td", { class: "number" }, exact(known[name]))),
      ),
    ),
  );
}

const exact = (value) => (value !== 0 && Math.abs(value) < 0.001 ? scientific(value) : number(value));

/** Agents against each other. */
export function matchTable({ results }) {
  return h(
    "table",
    { class: "grid-table", id: "results" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", {}, text("measure.agent")),
        h("th", {}, text("measure.against")),
        [text("measure.share"), text("measure.interval"), text("measure.result"), text("measure.games")].map((words) =>
          h("th", { class: "number" }, words),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      results.map((each) =>
        h(
          "tr",
          {},
          h("td", {}, each.agent),
          h("td", {}, each.against),
          h("td", { class: "number" }, number(each.share)),
          h("td", { class: "number" }, interval(each.ci95)),
          h("td", { class: "number" }, `${each.won} – ${each.drawn} – ${each.lost}`),
          h("td", { class: "number" }, number(each.games)),
        ),
      ),
    ),
  );
}

function median(scores) {
  if (!scores?.length) return Number.NaN;
  const sorted = [...scores].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}
