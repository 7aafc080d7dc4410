// @ts-check
// A run while it learns: how far it is, its curves, what its learner has in mind, and what can be done with it.

import { h, labelled, select, show, toast } from "../dom.js";
import { chart } from "../lab/charts.js";
import { badge, commandLine, duration, follow, pupil, watchPlace } from "../lab/common.js";
import { heightsOf, label, traces } from "../lab/curves.js";
import { gaussianChart, picturesOf, populationOf, weightsOf } from "../lab/inside.js";
import { get, post } from "../server.js";
import { keep, setting } from "../settings.js";
import { number, text } from "../texts.js";

const SCORES = ["best", "elite", "mean", "worst", "test"];
const SHARES = (name) => name.startsWith("against_") || ["optimal", "can_lose"].includes(name);
const CHOOSERS = ["elite", "worst", "spread"]; // learners that choose the best of many candidates tell one of these
const AXES = ["generation", "games", "seconds"];
const REDRAWN = 400;
const OWN_EVERY = 4000;

export async function open(main, { rest, query }) {
  const others = (query.get("with") ?? "").split(",").filter(Boolean);
  const names = [...new Set([rest[0] ?? "", ...others])];
  const name = names.includes(query.get("of")) ? query.get("of") : names[0];
  const about = await get(`/api/runs/${encodeURIComponent(name)}`);
  const page = new RunPage(name, names, about);
  show(main, page.element());
  page.begin();
  return () => page.close();
}

/** The address of some runs over each other, with all about one of them. */
function placeOf(names, name) {
  const [first, ...others] = names;
  const query = new URLSearchParams();
  if (others.length) query.set("with", others.join(","));
  if (name !== first) query.set("of", name);
  return `#/run/${encodeURIComponent(first)}${query.size ? `?${query}` : ""}`;
}

/** The curves of all runs that are named, and all about one of them. */
class RunPage {
  constructor(name, names, about) {
    this.name = name;
    this.names = names;
    this.about = about;
    this.rows = new Map(names.map((run) => [run, []]));
    this.state = { state: about.state, of: about.of, left: null, sentence: about.sentence };
    this.view = setting("curves", { by: "generation", log: false, smooth: 0 });
    this.drawing = 0;
    this.ownTimer = 0;
    this.ownOf = -1;
    this.small = new Map();
    this.gaussian = null;
    this.closed = false;
    this.step = ""; // whose agent is watched: of the newest step, or of one before
  }

  element() {
    this.head = h("div", { class: "tools-row", id: "head", role: "status" });
    this.sentence = h("p", { class: "sentence", id: "sentence", role: "alert" });
    this.bar = h("progress", { class: "progress", max: 1, value: 0, "aria-label": text("runs.steps") });
    this.actions = h("div", { class: "tools-row", id: "actions" });
    this.gap = h("p", { class: "dim", id: "gap" });
    this.own = h("section", { class: "card", id: "own" });
    this.own.hidden = true;
    this.smallPlace = h("div", { class: "small-charts" });
    const rows = () => [...this.rows].flatMap(([run, all]) => all.map((row) => ({ run, ...row })));
    const title = this.names.join(" · ");
    this.curves = chart(this.names.join("-"), `${text("run.curves")}: ${title}`, rows);
    this.shares = chart(`${this.names.join("-")}-shares`, `${text("run.curves")}: ${title}`, rows);
    this.shares.element.hidden = true;
    const options = Object.entries(this.about.config ?? {}).map(([key, value]) =>
      h("tr", {}, h("th", {}, key), h("td", {}, String(value))),
    );
    const versions = Object.entries(this.about.versions ?? {}).map(([key, value]) =>
      h("tr", {}, h("th", {}, key), h("td", {}, value)),
    );
    return h(
      "div",
      { class: "lab" },
      h(
        "section",
        { class: "card" },
        h(
          "div",
          { class: "lab-head" },
          h("h1", {}, title),
          h("span", { class: "dim" }, `${this.about.method} · ${this.about.rules ?? ""}`),
        ),
        this.chooser(),
        this.head,
        this.bar,
        this.sentence,
        this.actions,
      ),
      h(
        "section",
        { class: "card" },
        this.tools(),
        this.curves.element,
        this.gap,
        this.shares.element,
        this.smallPlace,
      ),
      this.own,
      h(
        "section",
        { class: "card" },
        h("h2", {}, this.titled(text("train.command"))),
        commandLine(this.about.command ?? []).element,
        h(
          "details",
          {},
          h("summary", {}, text("run.options")),
          h("div", { class: "scroll" }, h("table", { class: "grid-table" }, h("tbody", {}, options, versions))),
        ),
      ),
    );
  }

  /** Of several runs the one that is told of, made longer, copied or removed. */
  chooser() {
    if (this.names.length === 1) return null;
    const chosen = select(
      this.names.map((name) => [name, name]),
      this.name,
      (name) => {
        location.hash = placeOf(this.names, name);
      },
      { id: "which" },
    );
    return h("div", { class: "tools-row" }, labelled(text("run.chosen"), chosen));
  }

  /** A title with the name of the run, where there are several. */
  titled(title) {
    return this.names.length > 1 ? `${title} · ${this.name}` : title;
  }

  tools() {
    const change = (what) => (value) => {
      this.view[what] = value;
      keep("curves", this.view);
      this.redraw();
    };
    const log = h("input", {
      type: "checkbox",
      id: "log",
      checked: this.view.log,
      onchange: () => change("log")(log.checked),
    });
    const smooth = h("input", {
      type: "range",
      id: "smooth",
      min: 0,
      max: 20,
      value: this.view.smooth,
      oninput: () => change("smooth")(Number(smooth.value)),
    });
    const other = h("input", {
      type: "text",
      id: "with",
      size: 12,
      placeholder: text("runs.run"),
      onchange: () => {
        if (!other.value.trim()) return;
        location.hash = placeOf([...this.names, other.value.trim()], this.name);
      },
    });
    return h(
      "div",
      { class: "tools-row" },
      labelled(
        text("run.by"),
        select(
          AXES.map((axis) => [axis, text(`run.by.${axis}`)]),
          this.view.by,
          change("by"),
          { id: "by" },
        ),
      ),
      labelled(text("run.log"), log),
      labelled(text("run.smooth"), smooth),
      labelled(text("run.over"), other),
    );
  }

  begin() {
    this.tell();
    const names = this.names.map(encodeURIComponent).join(",");
    this.stop = follow(`/api/stream/runs?runs=${names}`, (event) => this.hear(event));
  }

  hear(event) {
    const rows = this.rows.get(event.run);
    if (event.rows.length) {
      const last = rows.at(-1)?.generation ?? 0;
      rows.push(...event.rows.filter((row) => row.generation > last));
      this.redraw();
    }
    if (event.run === this.name && event.state) {
      this.state = event;
      this.tell();
    }
    if (event.run === this.name) this.lookInside();
  }

  /** How far it is, and what can be done now. */
  tell() {
    const { state, of, left, sentence, doing } = this.state;
    const done = this.rows.get(this.name).at(-1)?.generation ?? this.about.generation ?? 0;
    show(
      this.head,
      badge(state),
      of ? h("span", { id: "steps" }, text("run.progress", number(done), number(of))) : null,
      left ? h("span", { class: "dim" }, text("run.left", duration(left))) : null,
      doing && !done ? h("span", { class: "dim" }, doing) : null,
    );
    this.bar.value = of ? done / of : 0;
    this.sentence.textContent = sentence || "";
    if (!this.actions.contains(document.activeElement) || this.actionsOf !== state)
      show(this.actions, this.buttons(state, done));
    this.actionsOf = state;
  }

  buttons(state, done) {
    const path = `/api/runs/${encodeURIComponent(this.name)}`;
    const act =
      (what, data = {}) =>
      async () => {
        try {
          await post(`${path}/${what}`, { who: pupil(), ...data });
        } catch (error) {
          toast(error.message);
        }
      };
    const active = state === "running" || state === "waiting";
    const begun = Boolean(this.about.versions || this.state.of); // one that was stopped while it waited has no folder
    const game = this.about.game;
    return [
      active && h("button", { id: "pause", onclick: act("pause") }, text("run.pause")),
      !active &&
        begun &&
        state !== "done" &&
        state !== "damaged" &&
        h("button", { id: "go-on", class: "primary", onclick: act("go-on") }, text("run.on")),
      !active && begun && h("button", { id: "extend", onclick: () => this.askLonger(act) }, text("run.extend")),
      h(
        "a",
        {
          class: "button",
          id: "copy",
          href: `#/train/${encodeURIComponent(this.about.method)}?like=${encodeURIComponent(this.name)}`,
        },
        text("run.copy"),
      ),
      done > 0 &&
        game && [
          this.agentLinks(game),
          this.own.querySelector(".parallel") &&
            h(
              "a",
              {
                class: "button",
                href: `#/wall?${new URLSearchParams({ game, run: this.name, games: "16", speed: "10", seed: "1" })}`,
              },
              text("run.wall"),
            ),
        ],
      !active && begun && h("button", { id: "remove", onclick: () => this.askRemove(path) }, text("run.remove")),
    ];
  }

  /** Its agent as it is now, or as it was after a step that was chosen: to watch, to play, to measure. */
  agentLinks(game) {
    const watch = h("a", { class: "button", id: "watch" }, text("run.watch"));
    const play = h("a", { class: "button", id: "play" }, text("run.play"));
    const measure = h("a", { class: "button", id: "measure" }, text("run.measure"));
    const point = (step) => {
      this.step = step;
      const agent = step ? `${this.name}@${step}` : this.name;
      watchPlace(game, agent).then((place) => (place ? watch.setAttribute("href", place) : watch.remove()));
      play.setAttribute("href", `#/new/${encodeURIComponent(game)}?against=${encodeURIComponent(agent)}`);
      measure.setAttribute("href", `#/measure?${new URLSearchParams({ game, agents: agent })}`);
    };
    const past = (this.about.past ?? []).toReversed();
    if (!past.includes(Number(this.step))) this.step = "";
    point(this.step);
    const steps = [["", text("run.newest")], ...past.map((step) => [String(step), text("run.after", number(step))])];
    return [
      past.length > 1 && select(steps, this.step, point, { id: "step", "aria-label": text("run.which") }),
      watch,
      play,
      measure,
    ];
  }

  askLonger(act) {
    const steps = h("input", { type: "number", id: "longer", min: 1, value: Math.round(1.5 * (this.state.of ?? 100)) });
    ask(labelled(this.titled(text("run.extend.ask")), steps), text("run.on"), () =>
      act("go-on", { iterations: Number(steps.value) })(),
    );
  }

  askRemove(path) {
    ask(h("p", {}, text("run.remove.ask", this.name)), text("run.yes"), async () => {
      try {
        await post(`${path}/remove`);
        const left = this.names.filter((name) => name !== this.name);
        location.hash = left.length ? placeOf(left, left[0]) : "#/runs";
      } catch (error) {
        toast(error.message);
      }
    });
  }

  redraw() {
    if (this.drawing || this.closed) return;
    this.drawing = setTimeout(() => {
      this.drawing = 0;
      this.draw().catch((error) => toast(error.message));
    }, REDRAWN);
  }

  async draw() {
    const names = [...new Set([...this.rows.values()].flatMap((rows) => Object.keys(rows.at(-1) ?? {})))];
    const metrics = names.filter((name) => !AXES.includes(name) && !/_(low|high)$/.test(name));
    const scores = metrics.filter((name) => SCORES.includes(name));
    const shares = metrics.filter(SHARES);
    this.tell();
    const main = scores.length ? scores : shares.length ? [] : metrics.slice(0, 1);
    this.curves.element.hidden = !main.length;
    if (main.length) {
      const drawn = traces(this.rows, main, this.view);
      await this.curves.draw(drawn, this.layout(drawn));
    }
    this.shares.element.hidden = !shares.length;
    if (shares.length) {
      const drawn = traces(this.rows, shares, this.view);
      const yaxis = { ...heightsOf(drawn), range: [0, 1] };
      await this.shares.draw(drawn, { ...this.layout(drawn), height: 260, yaxis });
    }
    await this.drawSmall(metrics.filter((name) => !main.includes(name) && !shares.includes(name)));
    const last = this.rows.get(this.name).at(-1);
    if (last?.test !== undefined && last.best !== undefined)
      show(
        this.gap,
        CHOOSERS.some((name) => name in last) ? text("run.curse") : "",
        " ",
        h("strong", {}, text("run.gap", number(last.best), number(last.test))),
      );
  }

  /** Every other metric in a small chart of its own: loss, values, spread, Elo, entries of a table. */
  async drawSmall(metrics) {
    for (const name of metrics) {
      if (!this.small.has(name)) {
        const made = chart(`${this.name}-${name}`, label(name), () =>
          this.rows.get(this.name).map((row) => ({ generation: row.generation, [name]: row[name] })),
        );
        this.small.set(name, made);
        this.smallPlace.append(h("div", {}, h("h3", {}, label(name)), made.element));
      }
      const drawn = traces(this.rows, [name], this.view);
      await this.small.get(name).draw(drawn, {
        height: 200,
        showlegend: false, // its colours are those of the curves above
        margin: { l: 48, r: 8, t: 8, b: 28 },
        yaxis: heightsOf(drawn),
      });
    }
  }

  layout(drawn) {
    return {
      xaxis: { title: { text: text(`run.by.${this.view.by}`) } },
      yaxis: { ...heightsOf(drawn), ...(this.view.log && { type: "log", dtick: 1 }) },
    };
  }

  /** What its learner has in mind, now and then while it goes on. */
  lookInside() {
    const done = this.rows.get(this.name).at(-1)?.generation ?? 0;
    if (this.ownTimer || this.closed || done === this.ownOf || !done) return;
    this.ownTimer = setTimeout(
      async () => {
        this.ownTimer = 0;
        this.ownOf = this.rows.get(this.name).at(-1)?.generation ?? 0;
        try {
          const [own, about] = await Promise.all([
            get(`/api/runs/${encodeURIComponent(this.name)}/own`),
            get(`/api/runs/${encodeURIComponent(this.name)}`),
          ]);
          if (!this.closed) this.showInside(own, about);
        } catch {
          // a step was being written, or the run was removed: the next look will tell
        }
        this.lookInside();
      },
      this.ownOf < 0 ? 0 : OWN_EVERY,
    );
  }

  showInside(own, about) {
    this.about = {
      ...this.about,
      rules: about.rules,
      versions: about.versions,
      game: about.game,
      weights: about.weights,
      past: about.past,
    };
    if (own.gaussian) this.gaussian ??= gaussianChart(this.name);
    const parts = [
      ...populationOf(own),
      ...(own.gaussian ? [h("h3", {}, text("run.gaussian")), this.gaussian.element] : []),
      ...weightsOf(about.weights ?? {}),
      ...picturesOf(this.name, own.pictures, this.ownOf),
    ];
    this.own.hidden = !parts.length;
    show(this.own, h("h2", {}, this.titled(text("run.own"))), parts);
    this.tell();
    if (own.gaussian) this.gaussian.draw(own);
  }

  close() {
    this.closed = true;
    this.stop?.();
    clearTimeout(this.drawing);
    clearTimeout(this.ownTimer);
  }
}

/** Ask before something is done. */
function ask(question, yes, then) {
  const dialog = h(
    "dialog",
    { class: "ask" },
    question,
    h(
      "div",
      { class: "row end" },
      h("button", { onclick: () => dialog.close() }, text("run.no")),
      h(
        "button",
        {
          class: "primary",
          id: "yes",
          onclick: () => {
            dialog.close();
            then();
          },
        },
        yes,
      ),
    ),
  );
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
}
