// @ts-check
// A game that was played: verified, back and forth, copied, linked, and gone on with from any position.

import { boardModule, still } from "../boards.js";
import { h, icon, labelled, select, show, toast } from "../dom.js";
import { packed, unpacked } from "../link.js";
import { game as gameOf, get, getText, post } from "../server.js";
import { number, text } from "../texts.js";
import { agentField } from "./form.js";
import { copy, ending, keysOf, measuresOf, meantElsewhere, movesOf, playersOf, table, titleOf } from "./table.js";

const AT_ONCE = 100;
const LINK = "z:";

/** Show a replay that was dropped: its whole game goes into the address. */
export async function openFile(words) {
  location.hash = `#/replay/${LINK}${await packed(words)}`;
}

async function opened(what) {
  if (!what.startsWith(LINK)) return post("/api/open", { id: what });
  let words = "";
  try {
    words = await unpacked(what.slice(LINK.length));
  } catch {
    throw new Error(text("replay.cut"));
  }
  return post("/api/open", { text: words });
}

export async function open(main, { rest }) {
  const replay = await opened(rest[0] ?? "");
  const shown = new Shown(main, replay, await boardModule(replay.module), await gameOf(replay.game));
  await shown.build();
  return () => shown.close();
}

class Shown {
  constructor(main, replay, module, game) {
    this.main = main;
    this.replay = replay;
    this.module = module;
    this.game = game;
    this.at = 0;
    this.eyes = "";
    this.speed = 4;
    this.playing = 0;
    this.pages = new Map();
    this.context = still(null, { number });
    this.board = h("div", { class: "board-holder" });
    this.context.element = this.board;
    this.onkey = (event) => this.key(event);
    addEventListener("keydown", this.onkey);
  }

  close() {
    this.pause();
    removeEventListener("keydown", this.onkey);
  }

  get last() {
    return this.replay.positions - 1;
  }

  async position(at) {
    const page = Math.floor(at / AT_ONCE);
    const key = `${this.eyes}:${page}`;
    if (!this.pages.has(key))
      this.pages.set(key, get(`/api/positions/${this.replay.id}?from=${page * AT_ONCE}&eyes=${this.eyes}`));
    return (await this.pages.get(key)).positions[at % AT_ONCE];
  }

  async build() {
    const { replay } = this;
    const button = (label, act, name) =>
      h("button", { onclick: act, "aria-label": text(name), title: text(name), id: name.replace(".", "-") }, label);
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: this.last,
      value: 0,
      id: "scrubber",
      "aria-label": text("replay.position"),
      oninput: () => {
        this.pause();
        this.go(Number(this.slider.value));
      },
    });
    this.count = h("span", { class: "count" });
    this.playButton = button(icon("play"), () => (this.playing ? this.pause() : this.play()), "replay.play");
    this.places = Object.fromEntries(
      ["head", "panel", "moves"].map((name) => [name, h("div", { class: `place-${name}` })]),
    );
    const eyes =
      replay.players > 1
        ? labelled(
            text("watch.eyes"),
            select(
              [
                ["", text("watch.open")],
                ...replay.sides.map((name, side) => [String(side), name]),
              ],
              "",
              (value) => {
                this.eyes = value;
                this.go(this.at);
              },
              { id: "eyes" },
            ),
          )
        : null;
    const scrub = h(
      "div",
      { class: "scrub" },
      this.slider,
      h(
        "div",
        { class: "row" },
        button(icon("first"), () => this.go(0), "replay.first"),
        button(icon("back"), () => this.step(-1), "replay.back"),
        this.playButton,
        button(icon("forth"), () => this.step(1), "replay.forth"),
        button(icon("last"), () => this.go(this.last), "replay.last"),
        this.count,
      ),
    );
    const badge = replay.verified
      ? h("span", { class: "badge good", id: "verified" }, "✓ ", text("replay.verified"))
      : h("span", { class: "badge bad", id: "not-verified" }, "✗ ", text("replay.wrong"));
    show(
      this.main,
      titleOf(replay.game),
      table(
        this.board,
        [
          h("div", { class: "row" }, badge, replay.wrong ? h("p", { class: "dim small" }, replay.wrong) : null),
          this.places.head,
          this.places.panel,
          eyes,
          this.actions(),
          await this.goOn(),
          this.places.moves,
          keysOf({}, [
            ["← →", "keys.step"],
            ["␣", "keys.pause"],
          ]),
        ],
        scrub,
      ),
    );
    await this.go(replay.verified && replay.reason ? this.last : 0);
  }

  actions() {
    const link = h(
      "button",
      {
        id: "copy-link",
        onclick: async () =>
          copy(
            `${location.origin}/#/replay/${LINK}${await packed(await getText(`/api/replay/${this.replay.id}`))}`,
            link,
          ),
      },
      text("replay.link"),
    );
    const words = h(
      "button",
      { id: "copy-position", onclick: async () => copy((await this.position(this.at)).text, words) },
      text("replay.copy"),
    );
    const save = h("button", { id: "save", onclick: () => this.save() }, text("replay.save"));
    return h("div", { class: "row" }, link, words, save);
  }

  async save() {
    const words = await getText(`/api/replay/${this.replay.id}`);
    const address = URL.createObjectURL(new Blob([words], { type: "application/json" }));
    h("a", { href: address, download: `${this.replay.game}-${this.replay.id}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  async goOn() {
    const { game, replay } = this;
    const other = game.players > 1 ? await agentField(game, game.opponent) : null;
    let side = "turn";
    const begin = async () => {
      const { turn } = await this.position(this.at);
      const own = side === "turn" ? Math.max(0, turn) : Number(side);
      const players = Array.from({ length: game.players }, (_, at) => (at === own ? "" : other.value));
      try {
        const { id } = await post(`/api/continue/${replay.id}`, { move: this.at, players, undo: true });
        location.hash = `#/play/${id}`;
      } catch (error) {
        toast(error.message);
      }
    };
    return h(
      "details",
      {},
      h("summary", {}, text("replay.continue")),
      h(
        "div",
        { class: "fields" },
        other && labelled(text("new.opponent"), other),
        game.players > 1 &&
          labelled(
            text("new.side"),
            select(
              [
                ["turn", text("replay.turn")],
                ...replay.sides.map((name, at) => [String(at), name]),
              ],
              "turn",
              (value) => {
                side = value;
              },
            ),
          ),
      ),
      h("button", { class: "primary", id: "continue", onclick: begin }, text("replay.here")),
    );
  }

  async go(at) {
    this.at = Math.max(0, Math.min(this.last, at));
    const here = this.at;
    const position = await this.position(here);
    if (here !== this.at) return; // another position was chosen meanwhile
    const { replay } = this;
    const over = here === this.last && replay.reason;
    const view = {
      ...replay,
      ...position,
      players: replay.names,
      you: null,
      number: replay.moves.length,
      last: replay.moves[here - 1] ?? "",
      legal: [],
      your_turn: false,
      outcome: over ? { reason: replay.reason, words: replay.words, winner: replay.winner } : null,
    };
    this.context.view = view;
    this.module.draw(this.board, position.scene, this.context);
    if (this.module.panel) this.module.panel(this.places.panel, position.scene, this.context);
    else show(this.places.panel, measuresOf(position.measures));
    show(
      this.places.head,
      h("p", { class: "state over", id: "state" }, over ? ending(view) : ""),
      playersOf(view),
      h("p", { class: "dim small" }, replay.description),
    );
    show(
      this.places.moves,
      movesOf(view, this.module, here, (index) => {
        this.pause();
        this.go(index);
      }),
    );
    this.slider.value = here;
    this.slider.setAttribute("aria-valuetext", `${here} / ${this.last}`);
    show(this.count, `${here} / ${this.last}`);
  }

  step(by) {
    this.pause();
    return this.go(this.at + by);
  }

  play() {
    if (this.at === this.last) this.at = -1;
    show(this.playButton, icon("pause"));
    this.playing = setInterval(
      () => (this.at >= this.last ? this.pause() : this.go(this.at + 1)),
      1000 / Math.max(this.speed, this.last / 60),
    );
  }

  pause() {
    clearInterval(this.playing);
    this.playing = 0;
    if (this.playButton) show(this.playButton, icon("play"));
  }

  key(event) {
    if (meantElsewhere(event)) return;
    const act = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      " ": () => (this.playing ? this.pause() : this.play()),
    }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  }
}
