// @ts-check
// Who plays by keys: they repeat as players expect; real time or turn by turn.

import { h, show } from "../../dom.js";
import { post } from "../../server.js";
import { setting } from "../../settings.js";
import { text } from "../../texts.js";
import { described } from "./board.js";
import { actionOf, openSettings } from "./keys.js";
import { Race } from "./race.js";

const ACTIONS = { left: "L", right: "R", soft: "N", clockwise: "H", back: "T", drop: "D" };
const LOCK = 500; // milliseconds a piece may lie before it comes to rest
const RESETS = 15; // how often a move gives a lying piece this time again

/** The level that a number of lines leads to. */
export function level(scene) {
  return 1 + Math.floor(scene.lines / 10);
}

/** Milliseconds for a row at a level. */
function interval(scene) {
  return Math.max(30, 800 * 0.86 ** (level(scene) - 1));
}

/** A person at the keys. */
export class Player {
  constructor(context) {
    this.context = context;
    const { memory, view } = context;
    memory.real = view.page.mode === "real";
    memory.paused = memory.real && view.number > 0 && !view.outcome;
    memory.player = this;
    this.held = new Map();
    this.fallen = performance.now();
    this.resets = 0;
    this.piece = view.scene.pieces;
    this.keyup = (event) => {
      const action = actionOf(event);
      if (action) this.release(action);
    };
    this.blur = () => {
      this.releaseAll();
      if (memory.real && !memory.paused) this.pause();
    };
    addEventListener("keyup", this.keyup);
    addEventListener("blur", this.blur);
    this.clock = setInterval(() => this.tick(), 10);
    this.buildPad();
    this.buildButtons();
    if (view.page.rival) this.race = new Race(context);
  }

  close() {
    clearInterval(this.clock);
    this.releaseAll();
    this.race?.close();
    removeEventListener("keyup", this.keyup);
    removeEventListener("blur", this.blur);
  }

  get playing() {
    const { memory, view } = this.context;
    return !memory.paused && !view.outcome && view.your_turn;
  }

  press(action) {
    if (!this.playing || this.held.has(action)) return;
    this.act(action);
    if (!["left", "right", "soft"].includes(action)) {
      this.held.set(action, 0);
      return;
    }
    if (action !== "soft") this.release(action === "left" ? "right" : "left");
    const first = action === "soft" ? setting("tetris.arr", 40) : setting("tetris.das", 170);
    const again = () => {
      this.act(action);
      this.held.set(action, setTimeout(again, Math.max(15, setting("tetris.arr", 40))));
    };
    this.held.set(action, setTimeout(again, Math.max(15, first)));
  }

  act(action) {
    if (!this.playing) return;
    const { memory, view } = this.context;
    const free = memory.real && view.scene.falls && ["left", "right", "clockwise", "back"].includes(action);
    if (action === "soft" || action === "drop") this.fallen = performance.now();
    else if (view.scene.grounded && this.resets < RESETS) {
      this.resets += 1;
      this.fallen = performance.now();
    }
    memory.pointed = null;
    this.context.play(ACTIONS[action] + (free ? "0" : ""));
  }

  release(action) {
    clearTimeout(this.held.get(action));
    this.held.delete(action);
  }

  releaseAll() {
    for (const action of [...this.held.keys()]) this.release(action);
  }

  pause() {
    const { memory, view } = this.context;
    if (view.outcome) return;
    memory.paused = !memory.paused;
    this.releaseAll();
    this.fallen = performance.now();
    this.context.say(text(memory.paused ? "tetris.paused" : "tetris.goes.on"));
    this.context.redraw();
  }

  /** In real time the clock presses N; where pieces wait above the board it lets them go after a while. */
  tick() {
    const { memory, view } = this.context;
    if (!memory.real || !this.playing) return;
    const { scene } = view;
    const wait = scene.falls
      ? scene.grounded
        ? Math.max(LOCK, interval(scene))
        : interval(scene)
      : 12 * interval(scene);
    if (performance.now() - this.fallen < wait || this.waiting === view.number) return;
    this.waiting = view.number; // one at a time: the answer comes before the next
    this.fallen = performance.now();
    this.context.play(scene.falls ? "N" : "D");
  }

  update(view) {
    if (view.scene.pieces !== this.piece) {
      this.piece = view.scene.pieces;
      this.resets = 0;
      this.fallen = performance.now();
      this.release("soft");
      this.context.memory.turns = 0;
      this.context.memory.pointed = null;
      if (!view.outcome) this.context.say(described(view.scene, this.context));
    }
    if (view.outcome) this.releaseAll();
    this.race?.followed(view);
    this.race?.compare();
  }

  /** Made once: a button that is drawn anew while it is pressed does nothing. */
  buildButtons() {
    this.pauseButton = h("button", { id: "pause", onclick: () => this.pause() });
    this.context.places.panel.after(
      h(
        "div",
        { class: "row" },
        this.pauseButton,
        h("button", { id: "restart", onclick: () => this.restart() }, text("tetris.restart")),
        h("button", { id: "controls", onclick: () => this.changeKeys() }, text("tetris.controls")),
      ),
    );
    this.label();
  }

  label() {
    const { memory, view } = this.context;
    this.pauseButton.hidden = Boolean(view.outcome) || !memory.real;
    this.pauseButton.textContent = text(memory.paused ? "tetris.go.on" : "tetris.pause");
  }

  async restart() {
    const { view } = this.context;
    const { id } = await post("/api/new", { like: view.id, players: [""], page: view.page, undo: view.undo });
    location.hash = `#/play/${id}`;
  }

  changeKeys() {
    if (this.context.memory.real && !this.context.memory.paused) this.pause();
    openSettings();
  }

  /** Buttons for fingers. */
  buildPad() {
    const pad = [
      ["left", "←"],
      ["back", "↺"],
      ["clockwise", "↻"],
      ["right", "→"],
      ["soft", "↓"],
      ["drop", "⤓"],
    ].map(([action, sign]) =>
      h(
        "button",
        {
          class: `pad ${action}`,
          "aria-label": text(`tetris.action.${action}`),
          onpointerdown: (event) => {
            event.preventDefault();
            this.press(action);
          },
          onpointerup: () => this.release(action),
          onpointerleave: () => this.release(action),
          onclick: (event) => {
            if (!event.detail) {
              this.press(action);
              this.release(action);
            }
          },
        },
        sign,
      ),
    );
    show(
      this.context.places.below,
      h("div", { class: "pads", role: "group", "aria-label": text("tetris.controls") }, pad),
    );
  }
}
