// @ts-check
// What was measured, as charts.

import { h, toast } from "../dom.js";
import { number, text, worded } from "../texts.js";
import { COLOURS, chart, powersOfTen } from "./charts.js";
import { isCut } from "./tables.js";

const reasonOf = (code, results) =>
  results.find((each) => each.words?.[code])?.words[code] ?? code;

/** How far Bellman's equation is from holding, iteration by iteration. */
export function residuals(name) {
  let rows = [];
  const made = chart(`${name}-residual`, text("solve.curve"), () => rows);
  const tell = ({ curve }) => {
    rows = curve;
    const known = curve.filter((row) => row.residual > 0);
    const axis = (key) => known.map((row) => row[key]);
    if (known.length)
      made
        .draw(
          [{ x: axis("iteration"), y: axis("residual"), type: "scatter", mode: "lines", line: { color: COLOURS[0] } }],
          { xaxis: { title: { text: text("run.by.generation") } }, yaxis: powersOfTen(axis("residual")) },
        )
        .catch((error) => toast(error.message));
  };
  return { section: h("section", { class: "card" }, h("h2", {}, text("solve.curve")), made.element), tell };
}

/** A section with a chart: `make(measure)` gives its traces, its layout and its numbers; none, and it is not shown. */
function section(name, title, make, isMatch = false) {
  let rows = [];
  const made = chart(name, title, () => rows);
  const element = h("section", { class: "card" }, h("h2", {}, title), made.element);
  element.hidden = true;
  const tell = (measure) => {
    const drawn = measure.results.length && measure.is_match === isMatch ? make(measure) : null;
    element.hidden = !drawn;
    if (!drawn) return;
    rows = drawn.rows;
    made.draw(drawn.traces, drawn.layout).catch((error) => toast(error.message));
  };
  return { section: element, tell };
}

/** The bounds of a 95 % interval, as an exported line has them. */
const bounds = (ci95, before = "") => ({
  [`${before}ci95_low`]: ci95?.[0] ?? null,
  [`${before}ci95_high`]: ci95?.[1] ?? null,
});

/** A box of the five numbers that the server knows: its quartiles are those of the table and of the picture. */
function boxOf({ agent, five_numbers: [low, first, median, third, high], mean }) {
  return {
    y: [agent],
    orientation: "h",
    lowerfence: [low],
    q1: [first],
    median: [median],
    q3: [third],
    upperfence: [high],
    mean: [mean],
    boxmean: true,
  };
}

/** Points in rows with the bars of their intervals: [row, where, low, high]; what has no end is not drawn. */
function bars(points, color, symbol) {
  return {
    y: points.map(([row]) => row),
    x: points.map(([, where]) => where),
    type: "scatter",
    mode: "markers",
    marker: { size: 11, color, symbol },
    error_x: {
      type: "data",
      symmetric: false,
      array: points.map(([, where, , high]) => (high ?? where) - where),
      arrayminus: points.map(([, where, low]) => where - (low ?? where)),
      thickness: 3,
      width: 9,
    },
  };
}

/** The charts of agents of a game for one. */
export function scoreCharts(name) {
  const means = section(`${name}-means`, text("measure.mean"), ({ results }) => {
    const known = results.filter((each) => each.ci95 && each.mean !== null);
    if (!known.length) return null;
    const estimated = known.filter((each) => isCut(each) && each.estimated_mean !== null);
    const unit = worded(`measure.${known[0].unit}`, known[0].unit);
    const points = (all, mean, ci95) => all.map((each) => [each.agent, each[mean], ...each[ci95]]);
    return {
      traces: [
        { name: text("measure.played"), ...bars(points(known, "mean", "ci95"), COLOURS[0], "circle") },
        estimated.length && {
          name: text("measure.estimated"),
          ...bars(points(estimated, "estimated_mean", "estimated_ci95"), COLOURS[1], "diamond-open"),
        },
      ].filter(Boolean),
      layout: {
        height: (estimated.length ? 130 : 90) + 36 * known.length,
        showlegend: estimated.length > 0,
        xaxis: { title: { text: text("measure.bars", unit) }, rangemode: "tozero" },
      },
      rows: known.map((each) => ({
        agent: each.agent,
        unit: each.unit,
        mean: each.mean,
        ...bounds(each.ci95),
        estimated_mean: each.estimated_mean,
        ...bounds(each.estimated_ci95, "estimated_"),
        games: each.games,
        deaths: each.deaths,
      })),
    };
  });
  const perGame = (results) => results.filter((each) => each.scores?.length > 1);
  const rowsOf = (known) =>
    known.flatMap((each) => each.scores.map((score, game) => ({ agent: each.agent, game, score })));
  const histogram = section(`${name}-scores`, text("measure.histogram"), ({ results }) => {
    const known = perGame(results);
    if (!known.length) return null;
    return {
      traces: known.flatMap((each, at) => [
        {
          x: each.scores,
          type: "histogram",
          histnorm: "probability",
          name: each.agent,
          opacity: 0.55,
          marker: { color: COLOURS[at % COLOURS.length] },
          xaxis: "x",
          yaxis: "y",
        },
        {
          ...boxOf(each),
          type: "box",
          name: each.agent,
          showlegend: false,
          marker: { color: COLOURS[at % COLOURS.length] },
          xaxis: "x",
          yaxis: "y2",
        },
      ]),
      layout: {
        height: 340 + 30 * known.length,
        barmode: "overlay",
        xaxis: { title: { text: known[0].unit } },
        yaxis: { domain: [0, 0.62] },
        yaxis2: { domain: [0.68, 1], automargin: true },
      },
      rows: rowsOf(known),
    };
  });
  const survival = section(`${name}-survival`, text("measure.survival"), ({ results }) => {
    const known = perGame(results);
    if (!known.length) return null;
    const curve = (scores) => [...scores].sort((a, b) => a - b).map((score, at) => [score, 1 - at / scores.length]);
    return {
      traces: known.map((each, at) => ({
        x: curve(each.scores).map(([x]) => x),
        y: curve(each.scores).map(([, y]) => y),
        type: "scatter",
        mode: "lines",
        name: each.agent,
        line: {
          shape: "hv",
          color: COLOURS[at % COLOURS.length],
          dash: ["solid", "dash", "dot"][Math.floor(at / COLOURS.length) % 3],
        },
      })),
      layout: { xaxis: { title: { text: known[0].unit } }, yaxis: { type: "log", dtick: 1 } },
      rows: known.flatMap((each) => curve(each.scores).map(([score, share]) => ({ agent: each.agent, score, share }))),
    };
  });
  return [means, histogram, survival, reasons(name, (each) => each.agent)];
}

function reasons(name, who, isMatch = false) {
  return section(
    `${name}-reasons`,
    text("measure.reasons"),
    ({ results }) => {
      const codes = [...new Set(results.flatMap((each) => Object.keys(each.reasons ?? {})))];
      if (!codes.length) return null;
      return {
        traces: codes.map((code, at) => ({
          y: results.map(who),
          x: results.map((each) => (each.reasons?.[code] ?? 0) / Math.max(1, each.games)),
          type: "bar",
          orientation: "h",
          name: reasonOf(code, results),
          marker: { color: COLOURS[at % COLOURS.length], pattern: { shape: ["", "/", "x", "-", "."][at % 5] } },
        })),
        layout: { barmode: "stack", showlegend: true, height: 110 + 34 * results.length, xaxis: { range: [0, 1] } },
        rows: results.flatMap((each) =>
          Object.entries(each.reasons ?? {}).map(([reason, games]) => ({ who: who(each), reason, games })),
        ),
      };
    },
    isMatch,
  );
}

/** The charts of agents against each other. */
export function matchCharts(name) {
  const matrix = section(
    `${name}-matrix`,
    text("measure.matrix"),
    ({ results }) => {
      const names = [...new Set(results.flatMap((each) => [each.agent, each.against]))];
      const share = (row, column) => {
        const cell = results.find((each) => each.agent === row && each.against === column);
        const other = results.find((each) => each.agent === column && each.against === row);
        return cell ? cell.share : other ? 1 - other.share : null;
      };
      const shares = names.map((row) => names.map((column) => share(row, column)));
      return {
        traces: [
          {
            type: "heatmap",
            x: names,
            y: names,
            z: shares,
            zmin: 0,
            zmax: 1,
            colorscale: [
              [0, "#d55e00"],
              [0.5, "#ffffff"],
              [1, "#0072b2"],
            ],
            text: shares.map((row) => row.map((value) => (value === null ? "" : number(value)))),
            texttemplate: "%{text}",
            textfont: { color: "#111111" },
            showscale: false,
            xgap: 2,
            ygap: 2,
          },
        ],
        layout: { height: 160 + 44 * names.length, yaxis: { autorange: "reversed" } },
        rows: results.map((each) => ({
          agent: each.agent,
          against: each.against,
          share: each.share,
          ...bounds(each.ci95),
          won: each.won,
          drawn: each.drawn,
          lost: each.lost,
          games: each.games,
        })),
      };
    },
    true,
  );
  const ladder = section(
    `${name}-elo`,
    text("measure.ladder"),
    ({ ratings }) => {
      if (!ratings.length) return null;
      const sorted = [...ratings].sort((a, b) => a.elo - b.elo);
      return {
        traces: [
          bars(
            sorted.map((each) => [each.agent, each.elo, each.ci95_low, each.ci95_high]),
            COLOURS[0],
            "circle",
          ),
        ],
        layout: { height: 90 + 36 * sorted.length, xaxis: { title: { text: text("measure.bars", "Elo") } } },
        rows: sorted,
      };
    },
    true,
  );
  return [matrix, ladder, reasons(name, (each) => `${each.agent} – ${each.against}`, true)];
}
