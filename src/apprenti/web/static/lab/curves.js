// @ts-check
// The curves of runs, metric by metric.

import { text, worded } from "../texts.js";
import { COLOURS, DASHES } from "./charts.js";

/** The name of a metric. */
export const label = (name) => worded(`metric.${name}`, name.replaceAll("_", " "));

/**
 * The traces of some metrics of one run, or of several with their names.
 * @param {Map<string, any[]>} runs the rows of each run
 * @param {string[]} metrics
 * @param {{ by: string, smooth: number }} view
 */
export function traces(runs, metrics, view) {
  const several = runs.size > 1;
  return [...runs].flatMap(([run, rows], at) =>
    metrics.map((metric, which) => {
      const known = rows.filter((row) => typeof row[metric] === "number");
      const [low, high] = [`${metric}_low`, `${metric}_high`];
      const bars = !view.smooth && known.some((row) => low in row) && {
        error_y: {
          type: "data",
          symmetric: false,
          array: known.map((row) => (row[high] === null ? 0 : row[high] - row[metric])),
          arrayminus: known.map((row) => row[metric] - row[low]),
        },
      };
      return {
        x: known.map((row) => row[view.by] ?? row.generation),
        y: smoothed(
          known.map((row) => row[metric]),
          view.smooth,
        ),
        name: several ? `${run}: ${label(metric)}` : label(metric),
        type: "scatter",
        mode: known.length < 60 ? "lines+markers" : "lines",
        marker: { size: 5 },
        line: {
          color: COLOURS[(several ? at : which) % COLOURS.length],
          dash: DASHES[(several ? which : at) % DASHES.length],
          width: metric === "test" ? 3 : 1.8,
        },
        ...bars,
      };
    }),
  );
}

/** The axis of some traces: it says what their bars are. */
export const heightsOf = (drawn) => (drawn.some((each) => each.error_y) ? { title: { text: text("chart.bars") } } : {});

/** The mean of each value and those before it. */
function smoothed(values, width) {
  return width
    ? values.map((_, at) => {
        const part = values.slice(Math.max(0, at - width), at + 1);
        return part.reduce((sum, value) => sum + value, 0) / part.length;
      })
    : values;
}
