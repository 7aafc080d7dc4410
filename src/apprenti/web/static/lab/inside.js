// @ts-check
// What a learner has in mind: its generation, its Gaussian, its weights, and pictures that it draws itself.

import { h } from "../dom.js";
import { text } from "../texts.js";
import { COLOURS, chart } from "./charts.js";
import { family } from "./family.js";
import { parallel, weightTable } from "./weights.js";

/** The players of a generation, and who came from whom. */
export function populationOf({ players, axes, gaussian, parents }) {
  const parts = [];
  if (players?.length) {
    const lines = gaussian ? [gaussian.mean, ...players] : players;
    parts.push(h("h3", {}, text("run.population")), parallel(axes, lines));
  }
  if (parents?.some((ranks) => ranks.length)) parts.push(h("h3", {}, text("run.parents")), family(parents));
  return parts;
}

/** The weights of the agent, where it has some. */
export function weightsOf(weights) {
  return Object.keys(weights).length ? [h("h3", {}, text("run.weights")), weightTable(weights)] : [];
}

/** Pictures that the learner draws, as they are after a step. */
export function picturesOf(run, pictures, step) {
  return pictures.flatMap((name) => [
    h("h3", {}, text(`run.${name}`)),
    h("img", {
      class: "own-picture",
      alt: text(`run.${name}`),
      src: `/api/runs/${encodeURIComponent(run)}/picture/${name}?${step}`,
    }),
  ]);
}

/** A chart of a Gaussian: the mean and the deviation of every weight. */
export function gaussianChart(run) {
  let rows = [];
  const { element, draw } = chart(`${run}-gaussian`, text("run.gaussian"), () => rows);
  return {
    element,
    draw({ axes, gaussian: { mean, deviation } }) {
      rows = axes.map((weight, at) => ({ weight, mean: mean[at], deviation: deviation[at] }));
      const bars = { type: "data", array: deviation, thickness: 2.5, width: 8 };
      const layout = { height: 260, yaxis: { title: { text: text("run.gaussian.bars") } } };
      const marker = { size: 9, color: COLOURS[0] };
      draw([{ x: axes, y: mean, type: "scatter", mode: "markers", marker, error_y: bars }], layout);
    },
  };
}
