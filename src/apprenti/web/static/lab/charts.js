// @ts-check
// Charts with plotly's own JavaScript, which the installed package has; it is loaded when the first chart is shown.

import { h, show, toast } from "../dom.js";
import { raised, separators, text } from "../texts.js";
import { direct, legend, names } from "./legend.js";

const MOST_POWERS = 8; // powers of ten that an axis names

let loading = null;
let charts = 0;

/** plotly, loaded once. */
export function plotly() {
  loading ??= load();
  return loading;
}

function load() {
  const createElement = document.createElement.bind(document);
  // While it is read, the bundle adds styles of maps, which we do not show and the page's policy forbids.
  document.createElement = (name, ...rest) => createElement(name === "style" ? "template" : name, ...rest);
  return new Promise((done, failed) => {
    const script = createElement("script");
    script.src = "/plotly/plotly.min.js";
    script.onload = () => {
      delete document.createElement;
      done(/** @type {any} */ (window).Plotly);
    };
    script.onerror = () => {
      delete document.createElement;
      loading = null;
      failed(new Error("plotly"));
    };
    document.head.append(script);
  });
}

/** Colours of Okabe and Ito, which colour-blind people tell apart; lines differ by their dashes too. */
export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d00", "#666666"];
export const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function layoutOf(own) {
  const axis = {
    gridcolor: colour("--line"),
    zerolinecolor: colour("--line"),
    linecolor: colour("--line"),
    automargin: true,
  };
  const { xaxis = {}, yaxis = {}, ...rest } = own;
  return {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: colour("--ink"), family: "system-ui, sans-serif", size: 13 },
    margin: { l: 48, r: 12, t: 12, b: 40 },
    autosize: true,
    hovermode: "closest",
    separators: separators(),
    legend: { orientation: "h", y: innerWidth < 600 ? -0.4 : 1.14 },
    xaxis: { ...axis, ...xaxis },
    yaxis: { ...axis, ...yaxis },
    ...rest,
  };
}

/**
 * A logarithmic axis with names at powers of ten: plotly's own names have styles that the page's policy forbids.
 * @param {number[]} values
 */
export function powersOfTen(values) {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.ceil(Math.log10(Math.max(...values)));
  const step = Math.max(1, Math.ceil((last - first) / MOST_POWERS));
  const powers = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => last - at * step);
  const name = (power) => ["1", "10"][power] ?? `10${raised(power)}`;
  return { type: "log", tickvals: powers.map((power) => 10 ** power), ticktext: powers.map(name) };
}

/**
 * A chart: `draw(traces, layout)` shows it anew; buttons below export it as it is. `rows()` are its numbers. Curves
 * have their names beside them or below (`legend.js`), unless the layout says `showlegend: false`.
 */
export function chart(name, label, rows) {
  const place = h(
    "div",
    { class: "chart", role: "img", "aria-label": label },
    h("p", { class: "dim" }, text("chart.wait")),
  );
  const save = (kind) => () => exported(place, name, kind, rows).catch((error) => toast(error.message));
  const list = legend();
  list.element.id = `legend-${(charts += 1)}`;
  const element = h(
    "figure",
    { class: "chart-figure" },
    place,
    list.element,
    h(
      "figcaption",
      { class: "row exports" },
      h("span", { class: "dim" }, text("chart.export")),
      ["svg", "png", "csv", "json"].map((kind) =>
        h("button", { class: "quiet", "data-export": kind, onclick: save(kind) }, kind.toUpperCase()),
      ),
    ),
  );
  let drawn = false;
  /** @type {(traces: object[], layout?: Record<string, any>) => Promise<void>} */
  const draw = async (traces, { height = 340, ...layout } = {}) => {
    const library = await plotly();
    place.style.height = `${height}px`;
    if (!place.isConnected) return;
    if (!drawn) show(place);
    drawn = true;
    await named(library, place, list, traces, layoutOf(layout));
  };
  return { element, draw };
}

/** Draw curves with their names outside: at their ends where they are few, else in the list. */
async function named(library, place, list, traces, layout) {
  const curves = traces.length > 1 && layout.showlegend !== false && traces.every(({ name, line }) => name && line);
  const room = curves ? direct(traces, place.clientWidth) : 0;
  list.element.hidden = !curves || Boolean(room);
  const redraw = () => named(library, place, list, traces, layout);
  if (!list.element.hidden) list.tell(traces, redraw);
  const seen = traces.map((trace) => ({ ...trace, visible: room || !list.hidden.has(trace.name) }));
  const margin = { ...layout.margin, r: Math.max(layout.margin.r, room) };
  const settings = { displayModeBar: false, responsive: true };
  const annotations = layout.annotations ?? [];
  const own = curves ? { showlegend: false, margin, annotations } : { annotations };
  await library.react(place, seen, { ...layout, ...own }, settings);
  if (room) await library.relayout(place, { annotations: names(place._fullLayout.yaxis, traces) });
}

async function exported(place, name, kind, rows) {
  if (kind === "json") return download(`${name}.json`, "application/json", JSON.stringify(rows(), null, 1));
  if (kind === "csv") return download(`${name}.csv`, "text/csv", csvOf(rows()));
  const library = await plotly();
  const { width, height } = place.getBoundingClientRect();
  const { data, layout } = place;
  const beside = data.length > 1 && layout.showlegend === false && !layout.annotations?.length; // the list is not in it
  const figure = beside ? { data, layout: { ...layout, showlegend: true, legend: { x: 1.02, y: 1 } } } : place;
  const size = { width: Math.round(width), height: Math.round(height) };
  const svg = await library.toImage(figure, { format: "svg", ...size });
  const words = decodeURIComponent(svg.slice(svg.indexOf(",") + 1));
  return kind === "svg"
    ? download(`${name}.svg`, "image/svg+xml", words)
    : download(`${name}.png`, "image/png", await painted(words, width, height));
}

/** A picture in SVG as PNG, twice as fine, on the page's own ground. */
async function painted(svg, width, height) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = h("canvas", { width: Math.round(2 * width), height: Math.round(2 * height) });
  const paper = canvas.getContext("2d");
  paper.fillStyle = colour("--card");
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => {
    canvas.toBlob(done, "image/png");
  });
}

function csvOf(rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value) =>
    /[",\n]/.test(String(value ?? "")) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? "");
  return [names.join(","), ...rows.map((row) => names.map((name) => cell(row[name])).join(","))].join("\n") + "\n";
}

/** Let the browser keep a file. */
export function download(name, type, data) {
  const url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
