// @ts-check
// An agent plays the same pieces on a board beside.

import { still } from "../../boards.js";
import { h, show } from "../../dom.js";
import { Live, post } from "../../server.js";
import { text } from "../../texts.js";
import { draw } from "./board.js";

/** An agent plays the same pieces on a board beside. */
export class Race {
  constructor(context) {
    this.context = context;
    this.closed = false;
    this.asked = 0;
    this.begin();
  }

  async begin() {
    const { view, places } = this.context;
    const { rival, pace } = view.page;
    const { id } = await post("/api/new", { like: view.id, players: [rival] });
    if (this.closed) return;
    const board = h("div", {});
    const score = h("p", { class: "rival-score", id: "rival-score" });
    this.end = h("p", { class: "race-end", id: "race-end" });
    show(places.beside, h("div", { class: "rival" }, h("h2", {}, rival), board, score, this.end));
    this.live = new Live(id, (message) => {
      if (message.type !== "position") return;
      this.view = message;
      draw(board, message.scene, still(message, { number: this.context.number }));
      const { points, lines } = message.scene;
      const reached = points === null ? text("tetris.lines", lines) : text("tetris.points", points);
      show(score, message.outcome ? `${reached} · ${text("tetris.dead")}` : reached);
      this.compare();
    });
    if (pace !== "piece")
      this.clock = setInterval(
        () => this.context.memory.player.playing && !this.view?.outcome && this.step(1),
        1000 / Number(pace || 1),
      );
    this.followed(view, true);
  }

  step(moves) {
    this.asked += moves;
    this.live?.send({ type: "step", moves });
  }

  /** One piece for one piece; after a refresh the other catches up. */
  followed(view, first = false) {
    const behind = view.scene.pieces - this.asked;
    if (behind > 0 && (first || view.page.pace === "piece")) this.step(behind);
  }

  /** Who is ahead once the person's game is over. */
  compare() {
    const { view, say } = this.context;
    if (!view.outcome || !this.view) return;
    const ahead =
      ["points", "lines"]
        .map((each) => (view.scene[each] ?? 0) - (this.view.scene[each] ?? 0))
        .find((by) => by !== 0) ?? 0;
    const words = text(
      ahead > 0 ? "tetris.race.won" : ahead < 0 ? "tetris.race.lost" : "tetris.race.even",
      view.page.rival,
    );
    if (this.end.textContent !== words) {
      show(this.end, words);
      say(words);
    }
  }

  close() {
    this.closed = true;
    clearInterval(this.clock);
    this.live?.close();
  }
}
