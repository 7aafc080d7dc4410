// @ts-check
// Who came from whom: the generation before above, today's below, the fittest on the left.

import { h, s } from "../dom.js";
import { text } from "../texts.js";

const ROW = [24, 150];

function titled(ranks, rank) {
  const words =
    ranks.length === 2
      ? text("family.child", rank, ...ranks)
      : ranks.length
        ? text("family.same", rank, ranks[0])
        : text("family.drawn", rank);
  return s("title", {}, words);
}

/** A line from every individual to its two parents, or a dashed one to its own place before if it lived on. */
export function family(parents) {
  const step = Math.max(9, Math.min(34, 900 / parents.length));
  const x = (rank) => (rank - 0.5) * step;
  const line = (from, rank, kind) => s("line", { class: kind, x1: x(from), y1: ROW[0], x2: x(rank), y2: ROW[1] });
  const lines = parents.flatMap((ranks, at) =>
    ranks.map((from) => line(from, at + 1, ranks.length === 2 ? "child" : "same")),
  );
  const dot = (rank, row, kind, title = null) =>
    s("circle", { class: kind, cx: x(rank), cy: ROW[row], r: Math.min(6, step / 2.6) }, title);
  const used = new Set(parents.filter((ranks) => ranks.length === 2).flat());
  const width = step * parents.length;
  return h(
    "div",
    { class: "scroll" },
    s(
      "svg",
      {
        class: "family",
        viewBox: `0 0 ${width} 172`,
        style: { "min-width": `${Math.min(width, 600)}px` },
        role: "img",
        "aria-label": text("run.parents"),
      },
      lines,
      parents.map((_, at) => dot(at + 1, 0, used.has(at + 1) ? "parent" : "")),
      parents.map((ranks, at) => dot(at + 1, 1, ranks.length === 2 ? "new" : "", titled(ranks, at + 1))),
      s("text", { x: 0, y: 12 }, text("family.before")),
      s("text", { x: 0, y: 170 }, text("family.now")),
    ),
  );
}
