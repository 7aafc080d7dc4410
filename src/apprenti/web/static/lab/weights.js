// @ts-check
// Weights of players: as a table, and those of many players beside each other.

import { h, s } from "../dom.js";
import { number, text } from "../texts.js";

/** A weight by the name of its criterion; of several of one, with its number. */
function criterion(name) {
  const [, whole, rest] = /^([^[]*)(.*)$/.exec(name);
  return whole.replaceAll("_", " ") + rest;
}

/** Parallel coordinates: an axis for each weight, a line for each player; the first one is thick. */
export function parallel(axes, players) {
  const width = Math.max(300, 90 * axes.length);
  const ranges = axes.map((_, at) => {
    const all = players.map((player) => player[at]);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return [low, high > low ? high : low + 1];
  });
  const x = (at) => (width * (at + 0.5)) / axes.length;
  const y = (value, at) => 170 - (150 * (value - ranges[at][0])) / (ranges[at][1] - ranges[at][0]);
  const lines = players.map((player, rank) =>
    s("polyline", {
      class: rank ? "" : "first",
      points: player.map((value, at) => `${x(at).toFixed(1)},${y(value, at).toFixed(1)}`).join(" "),
    }),
  );
  return s(
    "svg",
    { viewBox: `0 0 ${width} 200`, class: "parallel", role: "img", "aria-label": text("run.population") },
    axes
      .map((axis, at) => [
        s("line", { class: "axis", x1: x(at), x2: x(at), y1: 20, y2: 170 }),
        s("text", { x: x(at), y: 194 }, criterion(axis).slice(0, 24)),
        s("text", { x: x(at), y: 14 }, number(ranges[at][1])),
        s("text", { x: x(at), y: 182 }, number(ranges[at][0])),
      ])
      .flat(),
    lines.reverse(),
  );
}

/** Weights as numbers and bars; those below zero are striped. */
export function weightTable(weights) {
  const flat = Object.entries(weights).flatMap(([name, weight]) =>
    Array.isArray(weight) ? weight.map((one, at) => [`${name}[${at + 1}]`, one]) : [[name, weight]],
  );
  const top = Math.max(...flat.map(([, weight]) => Math.abs(weight))) || 1;
  return h(
    "table",
    { class: "weights" },
    h(
      "tbody",
      {},
      flat.map(([name, weight]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, criterion(name)),
          h("td", { class: "number" }, number(weight)),
          h(
            "td",
            { class: "bar" },
            h("span", { class: weight < 0 ? "bad" : "", style: { width: `${(100 * Math.abs(weight)) / top}%` } }),
          ),
        ),
      ),
    ),
  );
}
