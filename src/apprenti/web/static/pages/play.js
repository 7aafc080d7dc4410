// @ts-check
// A person's game.

import { boardModule, moveName } from "../boards.js";
import { announce, h, show, toast } from "../dom.js";
import { uses } from "../lab/common.js";
import { Live, game as gameOf, post } from "../server.js";
import { number, text, worded } from "../texts.js";
import { agentField } from "./form.js";
import {
  clock,
  ending,
  explained,
  keysOf,
  measuresOf,
  meantElsewhere,
  movesOf,
  playersOf,
  table,
  titleOf,
} from "./table.js";

export async function open(main, { rest }) {
  const played = new Played(main, rest[0] ?? "");
  return () => played.close();
}

class Played {
  constructor(main, id) {
    this.main = main;
    this.id = id;
    this.view = null;
    this.building = null;
    this.hint = null;
    this.chosen = null;
    this.asking = false;
    this.context = { interactive: true, small: false, hint: null, details: null, memory: {}, text, number, id };
    this.context.play = (move) => this.live.send({ type: "move", move });
    this.context.say = announce;
    this.context.send = (message) => this.live.send(message);
    this.context.redraw = () => this.draw();
    this.live = new Live(id, (message) => this.hear(message));
    this.onkey = (event) => this.key(event);
    addEventListener("keydown", this.onkey);
    // after a click on a button the next key is meant for the board
    main.addEventListener("click", (event) => event.detail && event.target.closest("button")?.blur());
    this.timer = setInterval(() => this.tick(), 250);
  }

  close() {
    this.live.close();
    this.running?.close?.();
    clearInterval(this.timer);
    removeEventListener("keydown", this.onkey);
  }

  async hear(message) {
    if (message.type === "position") await this.seat(message);
    else if (message.type === "hint") this.advise(message);
    else if (message.type === "details") {
      this.context.details = message.details;
      this.draw();
    } else if (message.type === "refused") {
      this.asking = false;
      toast(message.message);
      announce(message.message);
      if (this.module) this.draw();
    } else if (message.type === "gone") {
      this.live.close();
      show(
        this.main,
        h(
          "section",
          { class: "card notice" },
          h("h1", {}, text("error")),
          h("p", {}, worded(`refusal.${message.why}`, message.message)),
          h("a", { href: "#/" }, text("nav.play")),
        ),
      );
    }
  }

  /** The first position builds the page, the next ones change it. */
  async seat(view) {
    const before = this.view;
    this.view = view;
    this.context.view = view;
    this.since = performance.now();
    if (!this.module) {
      this.building ??= this.build(view);
      await this.building;
      view = this.view;
    }
    if (before && (!this.same(before, view) || view.outcome)) {
      this.hint = null;
      this.context.hint = null;
      this.context.details = null;
      this.chosen = null;
    }
    this.draw();
    this.running?.update?.(view);
    this.tell(before, view);
  }

  /** Whether what was said of one position still holds: where a move is made of many, until it is done. */
  same(before, view) {
    return before.number === view.number || Boolean(this.module.sameMove?.(before.scene, view.scene));
  }

  async build(view) {
    const [module, game] = await Promise.all([boardModule(view.module), gameOf(view.game)]);
    this.game = game;
    this.board = h("div", { class: "board-holder" });
    this.context.element = this.board;
    this.places = Object.fromEntries(
      ["head", "panel", "actions", "explain", "moves", "below", "beside"].map((name) => [
        name,
        h("div", { class: `place-${name}` }),
      ]),
    );
    this.adviser = await agentField(
      game,
      module.adviser?.(view.scene) ?? view.players.find((name) => name) ?? game.adviser,
      () => {},
    );
    this.adviser.id = "adviser";
    this.adviser.setAttribute("aria-label", text("explain.who"));
    this.buildActions();
    show(
      this.main,
      titleOf(game.name),
      table(
        h("div", { class: "boards" }, this.board, this.places.beside),
        [
          this.places.head,
          this.places.panel,
          this.places.actions,
          this.places.explain,
          this.places.moves,
          keysOf(module),
        ],
        this.places.below,
      ),
    );
    this.module = module;
    this.context.places = this.places;
    this.running = module.open?.(this.context) ?? null;
  }

  buildActions() {
    const button = (key, act, more = {}) =>
      h("button", { onclick: act, id: `act-${key}`, ...more }, text(`act.${key}`));
    this.actions = {
      hint: button("hint", () => this.ask()),
      undo: button("undo", () => this.live.send({ type: "undo" })),
      resign: button("resign", () => this.live.send({ type: "resign" })),
      rematch: button("rematch", () => this.again(`/api/rematch/${this.id}`), { class: "primary" }),
      replay: h("a", { class: "button", href: `#/replay/${this.id}`, id: "act-replay" }, text("act.replay")),
      other: h(
        "a",
        { class: "button", href: `#/new/${encodeURIComponent(this.game.name)}`, id: "act-other" },
        text("act.other"),
      ),
    };
    show(
      this.places.actions,
      h(
        "div",
        { class: "row" },
        this.actions.undo,
        this.actions.resign,
        this.actions.rematch,
        this.actions.replay,
        this.actions.other,
      ),
      h("div", { class: "row advice-row" }, this.adviser, this.actions.hint),
    );
  }

  ask() {
    this.asked = this.view;
    this.asking = true;
    this.live.send({ type: "hint", agent: this.adviser.value });
    this.draw();
  }

  async again(path, asked = {}) {
    location.hash = `#/play/${(await post(path, asked)).id}`;
  }

  draw() {
    const { view, module } = this;
    module.draw(this.board, view.scene, this.context);
    if (module.panel) module.panel(this.places.panel, view.scene, this.context);
    else show(this.places.panel, measuresOf(view.measures));
    this.drawHead();
    const { actions } = this;
    actions.undo.hidden = !view.undo || !view.number;
    actions.resign.hidden = Boolean(view.outcome) || view.sides.length === 1;
    actions.rematch.hidden = !view.outcome;
    actions.other.hidden = !view.outcome;
    actions.replay.hidden = !view.outcome || !uses("replays");
    actions.hint.disabled = !view.your_turn;
    actions.hint.parentElement.hidden = Boolean(view.rated);
    this.drawAdvice();
    show(this.places.moves, movesOf(view, module));
  }

  /** Only when it has changed: a button that is drawn anew while it is pressed does nothing. */
  drawAdvice() {
    const now = [this.hint, this.chosen, this.asking];
    if (now.every((each, at) => each === this.advised?.[at])) return;
    this.advised = now;
    show(
      this.places.explain,
      this.asking
        ? h("p", { class: "dim", id: "asking" }, text("explain.thinking", this.adviser.value))
        : explained(this.hint, this.module, this.view.scene, this.chosen, (move) => {
            this.chosen = move;
            this.context.hint = { ...this.hint, chosen: move };
            this.draw();
          }),
    );
  }

  drawHead() {
    const { view } = this;
    const [won, drawn, lost] = view.standing;
    const state = view.outcome
      ? ending(view)
      : view.thinking
        ? text("thinking")
        : view.your_turn && view.names.length > 1
          ? text("your.turn")
          : "";
    show(
      this.places.head,
      h("p", { class: `state${view.outcome ? " over" : ""}`, id: "state" }, state),
      view.names.length > 1 ? playersOf(view) : null,
      won + drawn + lost ? h("p", { class: "standing", id: "standing" }, text("standing", won, drawn, lost)) : null,
      view.rated
        ? h(
            "p",
            { class: "small", id: "rated-as" },
            text(view.outcome ? "rated.counted" : "rated.counts", view.rated),
            " ",
            h("a", { href: "#/people" }, text("rated.ladder")),
          )
        : null,
      h("p", { class: "dim small" }, view.description, view.seed === null ? "" : ` · ${text("seed")} ${view.seed}`),
    );
  }

  advise(hint) {
    this.asking = false;
    const late = hint.number !== this.view.number && !this.module.sameMove?.(this.asked.scene, this.view.scene);
    if (!late) this.hint = this.context.hint = hint;
    this.draw();
    if (late) return;
    announce(text("explain.plays", hint.agent, moveName(this.module, hint.move, this.view.scene)));
  }

  /** Tell a screen reader what happened. */
  tell(before, view) {
    if (!before || (before.number === view.number && Boolean(before.outcome) === Boolean(view.outcome))) return;
    if (view.outcome) announce(ending(view));
    else if (view.sides.length > 1 && view.movers.length) {
      const name = view.names[view.movers.at(-1)];
      const move = this.module.spoken?.(view) ?? moveName(this.module, view.last, view.scene);
      announce(`${worded(`player.${name}`, name)}: ${move}${view.your_turn ? `. ${text("your.turn")}` : ""}`);
    }
  }

  key(event) {
    if (!this.module?.key || !this.view || meantElsewhere(event)) return;
    if (this.module.key(event, this.view.scene, this.context)) event.preventDefault();
  }

  tick() {
    const place = document.getElementById("clock");
    if (!place || !this.view || this.view.left === null) return;
    const left = this.view.left - (this.view.your_turn ? (performance.now() - this.since) / 1000 : 0);
    place.textContent = clock(left);
    if (left <= 0 && !this.view.outcome && !this.flagged) {
      this.flagged = true;
      this.live.send({ type: "flag" });
    }
  }
}
