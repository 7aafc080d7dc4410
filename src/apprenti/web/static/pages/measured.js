// @ts-check
// A measurement while its interval narrows, and what it came to.

import { h, show, toast } from "../dom.js";
import { COLOURS, chart, download, powersOfTen } from "../lab/charts.js";
import { badge, commandLine, duration, follow } from "../lab/common.js";
import { get, getText, post } from "../server.js";
import { number, text, worded } from "../texts.js";

const interval = (ci95) => (ci95 ? `${number(ci95[0])} – ${ci95[1] === null ? "∞" : number(ci95[1])}` : "");
const reasonOf = (code, results) =>
  worded(`reason.${code}`, results.find((each) => each.words?.[code])?.words[code] ?? code);

export async function open(main, { rest }) {
  const key = rest[0] ?? "";
  const first = await get(`/api/measures/${encodeURIComponent(key)}`);
  const head = h("div", { class: "tools-row", id: "head", role: "status" });
  const bar = h("progress", { class: "progress", max: 1, value: 0, "aria-label": text("run.progress", "", "") });
  const sentence = h("p", { class: "sentence", role: "alert" });
  const actions = h("div", { class: "tools-row" });
  const table = h("div", { class: "scroll" });
  const charts =
    first.kind === "solve" ? [residuals(first.name)] : [...matchCharts(first.name), ...scoreCharts(first.name)];
  show(
    main,
    h(
      "div",
      { class: "lab" },
      h("section", { class: "card" }, h("h1", {}, first.name), head, bar, sentence, actions, table),
      charts.map((each) => each.section),
      h("section", { class: "card" }, h("h2", {}, text("train.command")), commandLine(first.command).element),
    ),
  );
  const tell = (found) => {
    show(head, badge(found.state), h("span", { class: "dim" }, found.results[0]?.description ?? found.sentence));
    bar.value = found.part;
    sentence.textContent = found.state === "failed" ? found.sentence : "";
    show(actions, buttons(key, found));
    show(
      table,
      found.curve
        ? solvedTable(found)
        : !found.results.length
          ? null
          : found.is_match
            ? [standings(found), matchTable(found)]
            : scoreTable(found),
    );
    for (const each of charts) each.tell(found);
  };
  tell(first);
  return follow(`/api/stream/measures/${encodeURIComponent(key)}`, tell, (alive) =>
    toast(text(alive ? "line.found" : "run.line")),
  );
}

function buttons(key, found) {
  const active = found.state === "running" || found.state === "waiting";
  const stop = () => post(`/api/jobs/${encodeURIComponent(key)}/stop`).catch((error) => toast(error.message));
  const every = async () =>
    download(`${found.name}.csv`, "text/csv", await getText(`/api/measures/${encodeURIComponent(key)}/csv`));
  return [
    active && h("button", { id: "stop", class: "primary", onclick: stop }, text("measure.stop")),
    !active &&
      found.solved?.agent &&
      h(
        "a",
        { class: "button", id: "agent", href: `#/agent/${encodeURIComponent(found.solved.agent)}` },
        found.solved.agent,
      ),
    !active &&
      found.results.some((each) => each.scores?.length || found.is_match) &&
      h(
        "button",
        { id: "every", onclick: () => every().catch((error) => toast(error.message)) },
        text("measure.every"),
      ),
    h("a", { class: "button", href: "#/measure" }, text("measure.again")),
  ];
}

function scoreTable({ results }) {
  const unit = results[0].unit;
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
          worded(`measure.${unit}`, unit),
          text("measure.interval"),
          text("measure.median"),
          text("measure.games"),
          text("measure.seconds"),
        ].map((words) => h("th", { class: "number" }, words)),
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
          h("td", { class: "number" }, number(median(each.scores))),
          h("td", { class: "number" }, number(each.games ?? each.repetitions)),
          h("td", { class: "number" }, duration(each.seconds)),
        ),
      ),
    ),
  );
}

/** Who has how many points so far, the best first. */
function standings({ results }) {
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
function solvedTable({ curve, solved }) {
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

const exact = (value) => (value !== 0 && Math.abs(value) < 0.001 ? value.toExponential(1) : number(value));

/** How far Bellman's equation is from holding, iteration by iteration. */
function residuals(name) {
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

function matchTable({ results }) {
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

/** A section with a chart: `make(found)` gives its traces, its layout and its numbers; none, and it is not shown. */
function section(name, title, make, isMatch = false) {
  let rows = [];
  const made = chart(name, title, () => rows);
  const element = h("section", { class: "card" }, h("h2", {}, title), made.element);
  element.hidden = true;
  const tell = (found) => {
    const drawn = found.results.length && found.is_match === isMatch ? make(found) : null;
    element.hidden = !drawn;
    if (!drawn) return;
    rows = drawn.rows;
    made.draw(drawn.traces, drawn.layout).catch((error) => toast(error.message));
  };
  return { section: element, tell };
}

function scoreCharts(name) {
  const means = section(`${name}-means`, text("measure.mean"), ({ results }) => {
    const known = results.filter((each) => each.ci95 && each.mean !== null);
    if (!known.length) return null;
    const high = (each) => each.ci95[1] ?? each.mean;
    return {
      traces: [
        {
          y: known.map((each) => each.agent),
          x: known.map((each) => each.mean),
          type: "scatter",
          mode: "markers",
          marker: { size: 11, color: COLOURS[0] },
          error_x: {
            type: "data",
            symmetric: false,
            array: known.map((each) => high(each) - each.mean),
            arrayminus: known.map((each) => each.mean - each.ci95[0]),
            thickness: 3,
            width: 9,
          },
        },
      ],
      layout: { height: 90 + 36 * known.length, xaxis: { title: { text: known[0].unit }, rangemode: "tozero" } },
      rows: known.map((each) => ({
        agent: each.agent,
        unit: each.unit,
        mean: each.mean,
        low: each.ci95[0],
        high: each.ci95[1],
        games: each.games,
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
          x: each.scores,
          type: "box",
          boxmean: true,
          boxpoints: false,
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

function matchCharts(name) {
  const matrix = section(
    `${name}-matrix`,
    text("measure.matrix"),
    ({ results }) => {
      const names = [...new Set(results.flatMap((each) => [each.agent, each.against]))];
      const share = (row, column) => {
        const found = results.find((each) => each.agent === row && each.against === column);
        const other = results.find((each) => each.agent === column && each.against === row);
        return found ? found.share : other ? 1 - other.share : null;
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
          low: each.ci95[0],
          high: each.ci95[1],
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
          {
            y: sorted.map((each) => each.agent),
            x: sorted.map((each) => each.elo),
            type: "scatter",
            mode: "markers",
            marker: { size: 11, color: COLOURS[0] },
            error_x: { type: "data", array: sorted.map((each) => each.error), thickness: 3, width: 9 },
          },
        ],
        layout: { height: 90 + 36 * sorted.length, xaxis: { title: { text: "Elo" } } },
        rows: sorted,
      };
    },
    true,
  );
  return [matrix, ladder, reasons(name, (each) => `${each.agent} – ${each.against}`, true)];
}
