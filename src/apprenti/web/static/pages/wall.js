// @ts-check
// Many games at once, with the running mean.

import { boardModule, still } from "../boards.js";
import { h, labelled, s, select, show, toast } from "../dom.js";
import { LineLost, lineError } from "../line.js";
import { game as gameOf, games, opened, runsOf } from "../server.js";
import { number, text, worded } from "../texts.js";
import { agentField, followRules, optionFields } from "./form.js";

const AGAIN = 3000; // until a lost line is tried again
const WIDE = 820; // pixels from which on all boards are seen at once
const [GAP, CAPTION, LEAST] = [10, 36, 44]; // pixels between boards, for what is below one, and of the smallest

export async function open(main, { query }) {
  if (query.has("agent") || query.has("run")) return stream(main, query);
  return form(main, query.get("game"));
}

async function form(main, asked) {
  const all = await games();
  const game = await gameOf(asked ?? all[0].name);
  const { name } = game;
  const options = optionFields(game);
  const runs = (await runsOf(name)).map((run) => [`run:${run}`, text("wall.run", run)]);
  const agent = await agentField(game, game.adviser, () => {}, runs);
  agent.id = "agent";
  const against = game.players > 1 ? await agentField(game, "", () => {}, [["", text("wall.usual")]]) : null;
  const field = { games: "16", speed: "10" };
  const seed = h("input", { type: "number", min: 0, value: 1, id: "seed" });
  const rules = await followRules(game, options, [agent], () => agent.value.replace(/^run:/, ""));
  const begin = async () => {
    await rules.settled();
    const who = agent.value.startsWith("run:") ? { run: agent.value.slice(4) } : { agent: agent.value };
    const query = new URLSearchParams({
      game: name,
      ...who,
      against: against?.value ?? "",
      ...field,
      seed: seed.value,
    });
    query.set("options", JSON.stringify(options.values()));
    location.hash = `#/wall?${query}`;
  };
  show(
    main,
    h(
      "section",
      { class: "card form" },
      h("h1", {}, text("wall.title")),
      h("p", { class: "dim" }, text("wall.about")),
      h(
        "div",
        { class: "fields" },
        labelled(
          text("watch.game"),
          select(
            all.map((each) => [each.name, worded(`game.${each.name}`, each.name)]),
            name,
            (value) => {
              location.hash = `#/wall?game=${encodeURIComponent(value)}`;
            },
            { id: "game" },
          ),
        ),
        labelled(text("watch.agent"), agent),
        against && labelled(text("wall.against"), against),
        labelled(
          text("wall.games"),
          select(
            ["4", "9", "16", "36", "64"].map((count) => [count, count]),
            field.games,
            (value) => {
              field.games = value;
            },
            { id: "games" },
          ),
        ),
        labelled(
          text("watch.speed"),
          select(
            [
              ["1", "1 / s"],
              ["10", "10 / s"],
              ["0", text("watch.fastest")],
            ],
            field.speed,
            (value) => {
              field.speed = value;
            },
            { id: "speed" },
          ),
        ),
        labelled(text("seed"), seed),
      ),
      h("details", {}, h("summary", {}, text("new.rules")), options.element),
      rules.description,
      h(
        "div",
        { class: "row end" },
        h("button", { class: "primary", id: "begin", onclick: begin }, text("wall.begin")),
      ),
    ),
  );
}

/** On a wide screen as many columns as make the boards largest while all of them are seen at once. */
function fit(wall, count) {
  const shape = wall.querySelector("svg")?.viewBox.baseVal;
  if (innerWidth < WIDE || !shape) return;
  const room = Math.max(300, innerHeight - wall.getBoundingClientRect().top - scrollY);
  const width = (columns) =>
    Math.min(
      wall.clientWidth / columns - GAP,
      ((room / Math.ceil(count / columns) - CAPTION) * shape.width) / shape.height,
    );
  const best = Array.from({ length: count }, (_, at) => at + 1).reduce((one, other) =>
    width(other) > width(one) ? other : one,
  );
  wall.classList.add("fitted");
  wall.style.setProperty("--columns", best);
  wall.style.setProperty("--board", `${Math.max(LEAST, width(best))}px`);
}

/** What a browser throws where a stream ends with its server. */
async function lost(error) {
  throw error instanceof TypeError ? ((await lineError()) ?? new LineLost()) : error;
}

/** The events of a stream, one after the other. */
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(lost);
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const data = part.split("\n").find((line) => line.startsWith("data: "));
      if (data) yield JSON.parse(data.slice(6));
    }
  }
}

async function stream(main, query) {
  const stopping = new AbortController();
  const first = await opened(`/api/wall?${query}`, { signal: stopping.signal });
  const count = Number(query.get("games") ?? 16);
  const boards = Array.from({ length: count }, () => ({
    element: h("div", { class: "wall-board" }),
    caption: h("span", { class: "caption" }),
    memory: {},
  }));
  const title = h("h1", {}, `${query.get("run") ?? query.get("agent")} × ${count}`);
  const statistics = h("p", { class: "state", id: "statistics", role: "status" });
  const chart = h("div", { class: "wall-chart" });
  const history = [];
  const wall = h(
    "div",
    { class: "wall" },
    boards.map((board) => h("figure", {}, board.element, h("figcaption", {}, board.caption))),
  );
  show(
    main,
    h(
      "section",
      { class: "wall-head card" },
      h(
        "div",
        {},
        title,
        statistics,
        h("p", { class: "dim small" }, text(query.has("run") ? "wall.caption.run" : "wall.caption")),
      ),
      chart,
      h(
        "div",
        { class: "row" },
        h("button", { id: "stop", onclick: () => stopping.abort() }, text("wall.stop")),
        h("a", { class: "button", href: `#/wall?game=${encodeURIComponent(query.get("game"))}` }, text("act.other")),
      ),
    ),
    wall,
  );
  const refit = () => fit(wall, wall.querySelectorAll("figure:not([hidden])").length);
  addEventListener("resize", refit);
  const on = (response) => follow(query, response, boards, { title, statistics, chart, refit }, history);
  following(query, stopping.signal, first, on, statistics).catch((error) => {
    show(statistics, error.message);
    toast(error.message);
  });
  return () => {
    stopping.abort();
    removeEventListener("resize", refit);
  };
}

/** Follow a stream to its end. One that was lost is asked for again: its games are the same. */
async function following(query, signal, first, on, statistics) {
  let response = first;
  while (!signal.aborted) {
    try {
      response ??= await opened(`/api/wall?${query}`, { signal });
      return await on(response);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof LineLost)) throw error; // the server says why not
      response = null;
      show(statistics, text("wall.line"));
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }
  return undefined;
}

async function follow(query, response, boards, head, history) {
  let generation = null;
  let count = 0;
  history.length = 0;
  show(head.chart);
  for await (const event of events(response)) {
    if (!event.boards) break;
    const module = await boardModule(event.module);
    if (event.generation !== generation) {
      generation = event.generation;
      history.length = 0;
      show(head.chart);
      show(head.title, `${query.get("run")} · ${text("wall.generation", generation)}`);
    }
    boards.forEach((place, at) => {
      place.element.parentElement.hidden = at >= event.count;
    });
    for (const { board, name, scene, over, score } of event.boards) {
      const place = boards[board];
      module.draw(
        place.element,
        scene,
        still(
          { legal: [], your_turn: false, last: "", outcome: over || null },
          { small: true, memory: place.memory, number },
        ),
      );
      place.element.classList.toggle("over", over);
      const points = score === null ? "" : ` · ${number(score)}`;
      show(place.caption, `${generation === null ? "" : "№ "}${name}${points}${over ? " ■" : ""}`);
    }
    if (count !== event.count) head.refit();
    count = event.count;
    tell(event.statistics, event.count, head.statistics, history, head.chart);
  }
}

function tell({ ended, mean, low, high, unit, cut, estimated }, count, place, history, chart) {
  const between = [number(low), high === null ? "∞" : number(high)];
  const whole = cut ? `, ${text("measure.estimated")} ${estimated === null ? "∞" : number(estimated)}` : "";
  const average = () => text("wall.mean", number(mean), ...between, worded(`measure.${unit}`, unit)) + whole;
  const words = `${text("wall.ended", ended, count)}${mean === null ? "" : ` · ${average()}`}`;
  if (place.textContent !== words) show(place, words);
  if (mean !== null && history.at(-1)?.ended !== ended) {
    history.push({ ended, mean, low, high: high ?? mean * 2 });
    show(chart, picture(history, count));
  }
}

/** The mean as a line in the band of its interval. */
function picture(history, count) {
  const most = Math.max(...history.slice(-40).map((each) => each.high)) || 1;
  const x = (each) => (200 * each.ended) / count;
  const y = (value) => 48 - 44 * Math.min(1, value / most);
  const line = (name) => history.map((each) => `${x(each)},${y(each[name])}`);
  return s(
    "svg",
    { viewBox: "0 0 200 50", class: "mean", role: "img", "aria-label": text("wall.chart") },
    s("polygon", { class: "band", points: [...line("low"), ...line("high").reverse()].join(" ") }),
    s("polyline", { class: "line", points: line("mean").join(" ") }),
    s("text", { x: 2, y: 9 }, number(most)),
  );
}
