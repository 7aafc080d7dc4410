// @ts-check
// Names of curves: at their ends where they are few, else in a list below the chart, which scrolls; never on a curve.

import { h, s, show } from "../dom.js";

const FEW = 4; // curves that are named at their ends
const WIDE = 640; // pixels of a chart that has room for names at its right
const LETTER = 7.2; // pixels, about
const LINE = 15; // pixels between two names
/** The dashes of plotly's lines, in pixels. */
const STROKES = { dash: "6 4", dot: "2 3", dashdot: "6 3 2 3", longdash: "10 4" };

/**
 * Whether curves are named at their ends, and the room that this needs at the right.
 * @param {any[]} traces
 * @param {number} width of the chart
 */
export function direct(traces, width) {
  const longest = Math.max(0, ...traces.map((trace) => trace.name.length));
  const room = Math.ceil(longest * LETTER) + 16;
  return traces.length <= FEW && width >= WIDE && room < width / 3 ? room : 0;
}

/**
 * The names at the ends of curves, moved apart where two would meet.
 * @param {any} axis plotly's vertical axis, drawn
 * @param {any[]} traces
 */
export function names(axis, traces) {
  const place = (value) => axis.l2p(axis.d2l(value));
  const ends = traces
    .map((trace) => ({ trace, at: place(trace.y.findLast((value) => Number.isFinite(place(value)))) }))
    .filter(({ at }) => Number.isFinite(at)) // a logarithmic axis has no place for 0
    .sort((one, other) => one.at - other.at);
  apart(ends, axis._length);
  return ends.map(({ trace, at }) => ({
    x: 1,
    y: 1 - at / axis._length,
    xref: "paper",
    yref: "paper",
    xanchor: "left",
    xshift: 6,
    showarrow: false,
    text: trace.name,
    font: { color: trace.line.color },
  }));
}

/** Move places apart, from the top down, and those that are now too low up again. */
function apart(ends, height) {
  ends.forEach((end, index) => {
    end.at = Math.max(end.at, index ? ends[index - 1].at + LINE : 0);
  });
  ends.reduceRight((lowest, end) => {
    end.at = Math.min(end.at, lowest);
    return end.at - LINE;
  }, height);
}

/** The list of all curves below a chart: each can be hidden and shown again. */
export function legend() {
  const element = h("ul", { class: "legend" });
  const hidden = new Set();
  let drawn = "";
  /** @type {(traces: any[], redraw: () => void) => void} */
  const tell = (traces, redraw) => {
    const now = JSON.stringify(traces.map(({ name, line }) => [name, line, hidden.has(name)]));
    if (now === drawn) return; // a button that is drawn anew while it is pressed does nothing
    drawn = now;
    const toggle = (name) => () => {
      if (!hidden.delete(name)) hidden.add(name);
      redraw();
    };
    show(
      element,
      traces.map(({ name, line }, at) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              class: "quiet",
              id: `${element.id}-${at}`,
              "aria-pressed": String(!hidden.has(name)),
              onclick: toggle(name),
            },
            sample(line),
            name,
          ),
        ),
      ),
    );
  };
  return { element, hidden, tell };
}

function sample(line) {
  return s(
    "svg",
    { viewBox: "0 0 26 8", class: "sample", "aria-hidden": "true" },
    s("line", {
      x1: 1,
      x2: 25,
      y1: 4,
      y2: 4,
      stroke: line.color,
      "stroke-width": line.width,
      "stroke-dasharray": STROKES[line.dash],
    }),
  );
}
