// @ts-check
// Agents play: at any speed, back and forth, open or through one player's eyes, with what they think.

import { boardModule, still } from "../boards.js";
import { h, icon, labelled, select, show, toast } from "../dom.js";
import { Live, game as gameOf, games, post } from "../server.js";
import { number, text, worded } from "../texts.js";
import { agentField, followRules, optionFields, seedField, seedOf } from "./form.js";
import { ending, explained, keysOf, measuresOf, meantElsewhere, movesOf, playersOf, table, titleOf } from "./table.js";

const SPEEDS = [0.5, 1, 2, 5, 10, 20, 50, 0]; // moves a second; 0: as fast as can be drawn
const KEPT = 5000; // positions one can go back

export async function open(main, { query }) {
  if (query.has("players")) return watch(main, query);
  return form(main, query.get("game"));
}

async function form(main, asked) {
  const all = await games();
  const game = await gameOf(asked ?? all[0].name);
  const { name } = game;
  const options = optionFields(game);
  const seed = seedField();
  const agents = await Promise.all(Array.from({ length: game.players }, () => agentField(game, game.adviser)));
  agents.forEach((field, side) => {
    field.id = `agent-${side}`;
  });
  const rules = await followRules(game, options, agents, () => agents[0].value);
  const begin = async () => {
    await rules.settled();
    const query = new URLSearchParams({
      game: name,
      players: JSON.stringify(agents.map((field) => field.value)),
      options: JSON.stringify(options.values()),
      seed: String(seedOf(seed) ?? Math.floor(Math.random() * 1e6)),
    });
    location.hash = `#/watch?${query}`;
  };
  show(
    main,
    h(
      "section",
      { class: "card form" },
      h("h1", {}, text("watch.title")),
      h(
        "div",
        { class: "fields" },
        labelled(
          text("watch.game"),
          select(
            all.map((each) => [each.name, worded(`game.${each.name}`, each.name)]),
            name,
            (value) => {
              location.hash = `#/watch?game=${encodeURIComponent(value)}`;
            },
            { id: "game" },
          ),
        ),
        agents.map((field, side) =>
          labelled(
            game.players > 1 ? game.sides[side] : text("watch.agent"),
            field,
          ),
        ),
        labelled(text("seed"), seed),
      ),
      h("details", {}, h("summary", {}, text("new.rules")), options.element),
      rules.description,
      h(
        "div",
        { class: "row end" },
        h("button", { class: "primary", id: "begin", onclick: begin }, text("watch.begin")),
      ),
    ),
  );
}

function fromLink(words) {
  try {
    return JSON.parse(words);
  } catch {
    throw new Error(text("replay.cut"));
  }
}

async function watch(main, query) {
  const asked = {
    game: query.get("game"),
    players: fromLink(query.get("players")),
    options: fromLink(query.get("options") ?? "{}"),
    seed: Number(query.get("seed") ?? 1),
  };
  const { id } = await post("/api/new", asked);
  const watched = new Watched(main, id, await gameOf(asked.game));
  return () => watched.close();
}

class Watched {
  constructor(main, id, game) {
    this.main = main;
    this.id = id;
    this.game = game;
    this.at = -1;
    this.speed = 3;
    this.playing = true;
    this.explain = false;
    this.waiting = true;
    this.views = [];
    this.first = 0; // how many positions have been forgotten
    this.board = h("div", { class: "board-holder" });
    this.context = still(null, { number, element: this.board });
    this.onkey = (event) => this.key(event);
    addEventListener("keydown", this.onkey);
    this.live = new Live(id, (message) => this.hear(message));
  }

  close() {
    this.live.close();
    clearTimeout(this.timer);
    clearTimeout(this.patience);
    removeEventListener("keydown", this.onkey);
  }

  get head() {
    return this.views.at(-1);
  }

  async hear(message) {
    if (message.type === "refused" || message.type === "gone") {
      this.waiting = false;
      if (message.type === "gone") this.live.close();
      toast(worded(`refusal.${message.why}`, message.message));
    }
    if (message.type === "hint") return this.advise(message);
    if (message.type !== "position") return undefined;
    if (!this.module) {
      this.module = await boardModule(message.module);
      this.build(message);
    }
    const atHead = this.at === this.views.length - 1;
    if (this.head?.number === message.number) this.views[this.views.length - 1] = { ...message, hint: this.head.hint };
    else this.views.push(message);
    if (this.views.length > KEPT) {
      this.views.shift();
      this.first += 1;
      this.at -= 1;
    }
    if (atHead || this.at < 0) this.at = this.views.length - 1;
    if (this.explain && !message.outcome) return this.ask();
    return this.arrived();
  }

  ask() {
    this.live.send({ type: "hint", agent: this.head.players[Math.max(0, this.head.turn)] });
  }

  advise(hint) {
    const view = this.views.find((each) => each.number === hint.number);
    if (view) view.hint = hint;
    return this.arrived();
  }

  arrived() {
    this.waiting = false;
    this.drawn = performance.now();
    this.draw();
    this.schedule();
  }

  /** The next move when it is time for it: never before the last one has been drawn. */
  schedule() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    const pause = SPEEDS[this.speed] ? 1000 / SPEEDS[this.speed] : 0;
    const wait = Math.max(0, pause - (performance.now() - (this.drawn ?? 0)));
    this.timer = setTimeout(() => requestAnimationFrame(() => this.next()), wait);
  }

  next() {
    if (!this.playing) return;
    if (this.at < this.views.length - 1) {
      this.at += 1;
      this.arrived();
    } else this.step();
  }

  step() {
    if (this.waiting || this.head.outcome) return;
    this.waiting = true;
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.waiting && show(this.count, text("thinking")), 700);
    this.live.send({ type: "step", moves: 1 });
  }

  go(at) {
    this.setPlaying(false);
    if (at >= this.views.length) return this.step();
    this.at = Math.max(0, at);
    return this.draw();
  }

  setPlaying(playing) {
    this.playing = playing;
    show(this.playButton, icon(playing ? "pause" : "play"));
    clearTimeout(this.timer);
    if (playing) this.schedule();
  }

  setSpeed(speed) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, speed));
    this.slider.value = this.speed;
    const words = SPEEDS[this.speed] ? text("watch.persecond", number(SPEEDS[this.speed])) : text("watch.fastest");
    show(this.pace, words);
    this.slider.setAttribute("aria-valuetext", words);
    this.schedule();
  }

  build(view) {
    const button = (label, act, name) =>
      h("button", { onclick: act, "aria-label": text(name), title: text(name), id: name.replace(".", "-") }, label);
    this.playButton = button(icon("pause"), () => this.setPlaying(!this.playing), "replay.play");
    this.count = h("span", { class: "count", id: "count" });
    this.pace = h("output", { id: "pace" });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: SPEEDS.length - 1,
      step: 1,
      value: this.speed,
      id: "speed",
      oninput: () => this.setSpeed(Number(this.slider.value)),
    });
    this.places = Object.fromEntries(
      ["head", "panel", "explain", "moves"].map((name) => [name, h("div", { class: `place-${name}` })]),
    );
    const explain = h("input", {
      type: "checkbox",
      id: "explain",
      onchange: () => {
        this.explain = explain.checked;
        if (this.explain && !this.head.outcome) this.ask();
        else this.draw();
      },
    });
    const eyes =
      view.sides.length > 1
        ? labelled(
            text("watch.eyes"),
            select(
              [
                ["", text("watch.open")],
                ...view.sides.map((name, side) => [String(side), name]),
              ],
              "",
              (value) => this.live.send({ type: "eyes", eyes: value === "" ? null : Number(value) }),
              { id: "eyes" },
            ),
          )
        : null;
    const scrub = h(
      "div",
      { class: "scrub" },
      h(
        "div",
        { class: "row" },
        button(icon("first"), () => this.go(0), "replay.first"),
        button(icon("back"), () => this.go(this.at - 1), "replay.back"),
        this.playButton,
        button(icon("forth"), () => this.go(this.at + 1), "replay.forth"),
        button(
          icon("last"),
          () => {
            this.go(this.views.length - 1);
          },
          "replay.last",
        ),
        this.count,
      ),
      h("label", { class: "pace" }, h("span", {}, text("watch.speed")), this.slider, this.pace),
    );
    show(
      this.main,
      titleOf(this.game.name),
      table(
        this.board,
        [
          this.places.head,
          this.places.panel,
          eyes,
          h("label", { class: "row" }, explain, text("watch.explain")),
          this.places.explain,
          h(
            "div",
            { class: "row" },
            h("a", { class: "button", href: `#/replay/${this.id}`, id: "keep" }, text("watch.keep")),
          ),
          this.places.moves,
          keysOf({}, [
            ["← →", "keys.step"],
            ["␣", "keys.pause"],
            ["− +", "keys.speed"],
          ]),
        ],
        scrub,
      ),
    );
    this.setSpeed(this.speed);
  }

  draw() {
    const view = this.views[this.at];
    if (!view) return;
    this.context.view = view;
    this.context.hint = this.explain ? (view.hint ?? null) : null;
    this.module.draw(this.board, view.scene, this.context);
    if (this.module.panel) this.module.panel(this.places.panel, view.scene, this.context);
    else show(this.places.panel, measuresOf(view.measures));
    show(
      this.places.head,
      view.outcome ? h("p", { class: "state over", id: "state" }, ending(view)) : null,
      playersOf(view),
      h("p", { class: "dim small" }, view.description, ` · ${text("seed")} ${view.seed}`),
    );
    show(this.places.explain, this.explain ? explained(view.hint, this.module, view.scene) : null);
    show(this.places.moves, movesOf(view, this.module));
    show(
      this.count,
      `${view.number} · ${this.at === this.views.length - 1 ? text("watch.live") : this.at - this.views.length + 1}`,
    );
  }

  key(event) {
    if (meantElsewhere(event)) return;
    const act = {
      ArrowLeft: () => this.go(this.at - 1),
      ArrowRight: () => this.go(this.at + 1),
      Home: () => this.go(0),
      End: () => this.go(this.views.length - 1),
      " ": () => this.setPlaying(!this.playing),
      "+": () => this.setSpeed(this.speed + 1),
      "=": () => this.setSpeed(this.speed + 1),
      "-": () => this.setSpeed(this.speed - 1),
    }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  }
}
