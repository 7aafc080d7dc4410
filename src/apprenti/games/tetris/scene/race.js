// @ts-check
// A race: an agent plays the same pieces on a board beside, until both have ended.

import { still } from "../../boards.js";
import { h, show } from "../../dom.js";
import { Live, post } from "../../server.js";
import { number, plural, text } from "../../texts.js";
import { draw } from "./board.js";

/** What a race can be about: who has more lines, or who lasts longer, which is to place more pieces. */
export const GOALS = ["lines", "pieces"];
const TICK = 50; // milliseconds
const MOST_AT_ONCE = 1000; // moves of one message
const ALONE = 2; // pieces a second, at least, when the person has ended
const FASTEST = 256;

/** So many lines or pieces, in words. */
const amount = (goal, count) => text(plural(`tetris.${goal}`, count), number(count));

/**
 * How a race stands: a name for it, and a sentence. It is decided as soon as one has ended and the other has more.
 * @param {string} goal one of GOALS
 * @param {string} name the agent's
 * @param {{ count: number, over: boolean }} mine
 * @param {{ count: number, over: boolean }} its
 */
export function standing(goal, name, mine, its) {
  const by = mine.count - its.count;
  const words = (kind) => ({
    kind,
    sentence: text(
      `tetris.race.${kind}`,
      name,
      amount(goal, Math.abs(by)),
      amount(goal, mine.count),
      amount(goal, its.count),
    ),
  });
  if (mine.over && its.over) return words(by > 0 ? "won" : by < 0 ? "lost" : "draw");
  if (mine.over) return words(by < 0 ? "lost.already" : "it.goes.on");
  if (its.over) return words(by > 0 ? "won.already" : "you.go.on");
  return { kind: "", sentence: "" };
}

/** The agent's board and its clock. */
export class Race {
  constructor(context) {
    this.context = context;
    this.closed = false;
    this.wanted = context.view.scene.pieces; // pieces it should have placed by now; after a refresh it catches up
    this.due = 0;
    this.faster = 1;
    this.build();
    this.begin();
    this.last = performance.now();
    this.clock = setInterval(() => this.tick(), TICK);
  }

  build() {
    const { view, places } = this.context;
    this.board = h("div", {});
    this.score = h("p", { class: "rival-score", id: "rival-score" });
    this.end = h("p", { class: "race-end", id: "race-end" });
    this.hurry = h("button", { id: "race-faster", onclick: () => this.hurryUp() }, text("tetris.race.faster"));
    this.hurry.hidden = true;
    show(
      places.beside,
      h("div", { class: "rival" }, h("h2", {}, view.page.rival), this.board, this.score, this.end, this.hurry),
    );
  }

  async begin() {
    const { view } = this.context;
    this.waiting = true;
    const { id } = await post("/api/new", { like: view.id, players: [view.page.rival] });
    if (this.closed) return;
    this.live = new Live(id, (message) => this.hear(message));
  }

  hear(message) {
    if (message.type === "position") {
      this.waiting = false;
      this.view = message;
      this.draw();
      this.ask();
    } else if (message.type === "gone") {
      this.live.close(); // another server has taken over, which never saw this game: it is played again up to here
      this.begin();
    } else if (message.type !== "found") this.waiting = false;
  }

  draw() {
    const { scene, outcome } = this.view;
    draw(this.board, scene, still(this.view, { number: this.context.number }));
    const reached = GOALS.map((goal) => amount(goal, scene[goal]));
    if (scene.points !== null) reached.push(text("tetris.points", number(scene.points)));
    show(this.score, [...reached, ...(outcome ? [text("tetris.dead")] : [])].join(" · "));
    this.compare();
  }

  /** Ask for the pieces that are missing, one message at a time. */
  ask() {
    const missing = this.wanted - (this.view?.scene.pieces ?? this.wanted);
    if (this.waiting || this.view?.outcome || missing <= 0) return;
    this.waiting = true;
    this.live.send({ type: "step", moves: Math.min(missing, MOST_AT_ONCE) });
  }

  /** Pieces a second: as chosen while the person plays, and then on to its end. */
  get pace() {
    const { view, memory } = this.context;
    const chosen = view.page.pace === "piece" ? 0 : Number(view.page.pace || 1);
    if (view.outcome) return this.faster * Math.max(chosen, ALONE);
    return memory.player?.playing ? chosen : 0;
  }

  tick() {
    const now = performance.now();
    this.due += (this.pace * (now - this.last)) / 1000;
    this.last = now;
    if (this.waiting || !this.view || this.view.outcome) return;
    const whole = Math.min(Math.floor(this.due), Math.max(1, Math.ceil(this.pace / 4)));
    this.due = whole ? 0 : this.due;
    this.wanted += whole;
    this.ask();
  }

  hurryUp() {
    this.faster = Math.min(4 * this.faster, FASTEST);
    this.hurry.disabled = this.faster === FASTEST;
  }

  /** One piece for one piece. */
  followed(view) {
    if (view.page.pace === "piece") this.wanted = Math.max(this.wanted, view.scene.pieces);
    this.ask();
  }

  /** Who wins, and by how much, as far as it is known. */
  compare() {
    const { view, say } = this.context;
    if (!this.view) return;
    const goal = GOALS.includes(view.page.goal) ? view.page.goal : GOALS[0];
    const of = ({ scene, outcome }) => ({ count: scene[goal], over: Boolean(outcome) });
    const { kind, sentence } = standing(goal, view.page.rival, of(view), of(this.view));
    show(this.end, sentence);
    this.hurry.hidden = !view.outcome || Boolean(this.view.outcome);
    if (kind && kind !== this.kind) say(sentence);
    this.kind = kind;
  }

  close() {
    this.closed = true;
    clearInterval(this.clock);
    this.live?.close();
  }
}
