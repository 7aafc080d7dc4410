// Tetris: the board, the piece in play and its shadow; keys that repeat as players expect; real time or turn by turn.

import { boardModule, still } from "../../boards.js";
import { h, labelled, s, select, show } from "../../dom.js";
import { Live, post } from "../../server.js";
import { keep, setting } from "../../settings.js";
import { text } from "../../texts.js";

const KNOWN = "IOTSZJL";
const ACTIONS = { left: "L", right: "R", soft: "N", clockwise: "H", back: "T", drop: "D" };
const USUAL = {
  left: ["ArrowLeft", "a"],
  right: ["ArrowRight", "d"],
  soft: ["ArrowDown", "s"],
  clockwise: ["ArrowUp", "x"],
  back: ["z", "y"],
  drop: [" ", "Enter"],
  pause: ["p", "Escape"],
};
const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "␣" };
const LOCK = 500; // milliseconds a piece may lie before it comes to rest
const RESETS = 15; // how often a move gives a lying piece this time again

// ------------------------------------------------------------------------------------------------ the board

function path(cells, rows, inset = 0.05) {
  const size = 1 - 2 * inset;
  return cells
    .map(([row, column]) => `M${column + inset} ${rows - 1 - row + inset}h${size}v${size}h${-size}z`)
    .join("");
}

function kindOf(letter) {
  return KNOWN.includes(letter) ? letter : "other";
}

/** One path for all cells of a colour: a wall of boards has few elements. */
function pile(scene) {
  const found = {};
  scene.rows.forEach((cells, row) =>
    [...cells].forEach((letter, column) => {
      if (letter !== ".") (found[kindOf(letter)] ??= []).push([row, column]);
    }),
  );
  return Object.entries(found).map(([kind, cells]) =>
    s("path", { class: `block ${kind}`, d: path(cells, scene.shown) }),
  );
}

/** How good the placements are that cover a cell: 1 for the best one's, near 0 for the worst one's. */
function tints(scene, hint) {
  const ranked = Object.entries(hint?.worth ?? {})
    .filter(([move]) => scene.placements[move])
    .sort((a, b) => (b[1] ?? -Infinity) - (a[1] ?? -Infinity));
  const best = new Map();
  ranked.forEach(([move], rank) => {
    for (const [row, column] of scene.placements[move]) {
      const key = `${row},${column}`;
      if (!best.has(key)) best.set(key, [row, column, 1 - rank / ranked.length]);
    }
  });
  return [...best.values()].map(([row, column, good]) =>
    s("rect", {
      class: "tint",
      x: column,
      y: scene.shown - 1 - row,
      width: 1,
      height: 1,
      "fill-opacity": 0.08 + 0.5 * good * good,
    }),
  );
}

function outline(cells, rows, kind) {
  return s("path", { class: kind, d: path(cells, rows, 0.1) });
}

function grid(width, scene) {
  let d = "";
  for (let column = 1; column < width; column += 1) d += `M${column} ${scene.shown - scene.height}v${scene.height}`;
  for (let row = 1; row < scene.height; row += 1) d += `M0 ${scene.shown - row}h${width}`;
  return s("path", { class: "lines", d });
}

export function draw(element, scene, context) {
  const { hint, memory, view } = context;
  const width = scene.rows[0].length;
  const kind = kindOf(scene.piece);
  const advised = scene.placements[hint?.chosen ?? hint?.move];
  const pointed = context.interactive && view.your_turn && memory.pointed ? scene.placements[memory.pointed] : null;
  const svg = s(
    "svg",
    {
      class: "board tetris",
      viewBox: `-0.1 -0.1 ${width + 0.2} ${scene.shown + 0.2}`,
      role: "img",
      "aria-label": said(scene, context),
    },
    s("rect", { class: "well", width, height: scene.height, y: scene.shown - scene.height, rx: 0.1 }),
    context.small ? null : grid(width, scene),
    pile(scene),
    tints(scene, hint),
    pointed
      ? outline(pointed, scene.shown, `ghost pointed ${kind}`)
      : scene.ghost.length && !context.small
        ? outline(scene.ghost, scene.shown, `ghost ${kind}`)
        : null,
    scene.falling.length ? s("path", { class: `block falling ${kind}`, d: path(scene.falling, scene.shown) }) : null,
    advised ? outline(advised, scene.shown, "advised") : null,
  );
  if (!context.interactive) return show(element, svg);
  listenToPointer(svg, scene, context, width);
  const stopped = view.outcome
    ? null
    : memory.paused
      ? h("button", { class: "overlay", onclick: () => memory.player?.pause() }, text("tetris.paused"))
      : null;
  return show(element, h("div", { class: "tetris-holder" }, svg, stopped));
}

function said(scene, context) {
  return scene.piece ? context.text("tetris.said", scene.piece, scene.column + 1, scene.lines) : context.text("board");
}

/** The placement of the pointed column, turned as the piece is or as the wheel says. */
function pointedMove(scene, column, turns) {
  const moves = Object.keys(scene.placements);
  const rotations = [...new Set(moves.map((move) => Number(move.split(":")[2])))].sort();
  if (!rotations.length) return null;
  const rotation = rotations[(Math.max(0, rotations.indexOf(scene.rotation)) + turns) % rotations.length];
  const middle = (move) => {
    const columns = scene.placements[move].map((cell) => cell[1]);
    return (Math.min(...columns) + Math.max(...columns) + 1) / 2;
  };
  const own = moves.filter((move) => Number(move.split(":")[2]) === rotation);
  return own.reduce(
    (best, move) => (best === null || Math.abs(middle(move) - column) < Math.abs(middle(best) - column) ? move : best),
    null,
  );
}

function listenToPointer(svg, scene, context, width) {
  const { memory, view } = context;
  if (!view.your_turn || memory.paused) return;
  const columnOf = (event) => {
    const box = svg.getScreenCTM();
    return (event.clientX - box.e) / box.a;
  };
  const point = (event) => {
    const column = columnOf(event);
    const move = column >= -0.5 && column <= width + 0.5 ? pointedMove(scene, column, memory.turns ?? 0) : null;
    if (move !== memory.pointed) {
      memory.pointed = move;
      context.redraw();
    }
  };
  const turn = (event) => {
    event.preventDefault();
    memory.turns = ((memory.turns ?? 0) + 1) % 4;
    memory.pointed = pointedMove(scene, columnOf(event), memory.turns);
    context.redraw();
  };
  svg.addEventListener("pointermove", point);
  svg.addEventListener("pointerleave", () => {
    if (memory.pointed) {
      memory.pointed = null;
      context.redraw();
    }
  });
  svg.addEventListener("wheel", turn, { passive: false });
  svg.addEventListener("contextmenu", turn);
  svg.addEventListener("pointerdown", (event) => {
    memory.pressed = event.button === 0;
  });
  svg.addEventListener("pointerup", (event) => {
    // no click: the board may be drawn anew between the two
    if (!memory.pressed || event.button !== 0) return;
    const move = pointedMove(scene, columnOf(event), memory.turns ?? 0);
    Object.assign(memory, { pressed: false, pointed: null, turns: 0 });
    if (move) context.play(move);
  });
}

/** Whether two positions are of the same piece: an advice for it holds while it falls. */
export function sameMove(before, scene) {
  return before.pieces === scene.pieces;
}

export function moveName(move) {
  const [, column, rotation] = /^P:(\d+):(\d+)$/.exec(move) ?? [];
  return column === undefined ? move : text("tetris.placement", Number(column) + 1, rotation);
}

// ------------------------------------------------------------------------------------------------ beside the board

export function level(scene) {
  return 1 + Math.floor(scene.lines / 10);
}

function nextPiece(scene) {
  if (!scene.next) return null;
  const rows = 1 + Math.max(...scene.next_cells.map((cell) => cell[0]));
  const columns = 1 + Math.max(...scene.next_cells.map((cell) => cell[1]));
  return h(
    "div",
    { class: "next" },
    h("span", { class: "dim small" }, text("tetris.next")),
    s(
      "svg",
      {
        viewBox: `0 0 ${columns} ${rows}`,
        class: "next-piece",
        role: "img",
        "aria-label": scene.next,
        style: { width: `${columns * 1.4}rem` },
      },
      s("path", { class: `block ${kindOf(scene.next)}`, d: path(scene.next_cells, rows) }),
    ),
  );
}

export function panel(element, scene, context) {
  const rows = [
    ["measure.lines", scene.lines],
    scene.points === null ? null : ["measure.points", scene.points],
    ["measure.pieces", scene.pieces],
    context.memory.real ? ["tetris.level", level(scene)] : null,
  ];
  show(
    element,
    h(
      "div",
      { class: "tetris-panel" },
      nextPiece(scene),
      h(
        "dl",
        { class: "measures" },
        rows
          .filter(Boolean)
          .map(([key, value]) =>
            h("div", {}, h("dt", {}, text(key)), h("dd", { id: key.replace(".", "-") }, context.number(value))),
          ),
      ),
    ),
  );
  context.memory.player?.label();
}

// ------------------------------------------------------------------------------------------------ keys and time

function bindings() {
  return { ...USUAL, ...setting("tetris.keys", {}) };
}

function actionOf(event) {
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return Object.entries(bindings()).find(([, keys]) => keys.includes(name))?.[0];
}

function shown(keys) {
  return keys.map((name) => SIGNS[name] ?? name).join(" ");
}

export function controls() {
  const keys = bindings();
  return [
    [shown([...keys.left, ...keys.right]), "tetris.key.move"],
    [shown(keys.clockwise), "tetris.key.clockwise"],
    [shown(keys.back), "tetris.key.back"],
    [shown(keys.soft), "tetris.key.soft"],
    [shown(keys.drop), "tetris.key.drop"],
    [shown(keys.pause), "tetris.key.pause"],
  ];
}

export function key(event, scene, context) {
  const action = actionOf(event);
  const { player } = context.memory;
  if (!action || !player) return false;
  if (!event.repeat) {
    if (action === "pause") player.pause();
    else player.press(action);
  }
  return true;
}

/** Milliseconds for a row at a level. */
function interval(scene) {
  return Math.max(30, 800 * 0.86 ** (level(scene) - 1));
}

class Player {
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
      if (!view.outcome) this.context.say(said(view.scene, this.context));
      this.race?.followed(view);
    }
    if (view.outcome) {
      this.releaseAll();
      this.race?.followed(view);
      this.race?.compare();
    }
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
        h("button", { id: "controls", onclick: () => this.openSettings() }, text("tetris.controls")),
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

  openSettings() {
    const dialog = h("dialog", { class: "card settings", onclose: () => dialog.remove() });
    const slider = (name, usual, most) => {
      const out = h("output", {}, `${setting(name, usual)} ms`);
      return labelled(
        text(name),
        h(
          "span",
          { class: "row" },
          h("input", {
            type: "range",
            min: 0,
            max: most,
            step: 5,
            value: setting(name, usual),
            oninput: (event) => {
              keep(name, Number(event.target.value));
              out.textContent = `${event.target.value} ms`;
            },
          }),
          out,
        ),
      );
    };
    const rows = Object.keys(USUAL).map((action) => {
      const button = h(
        "button",
        { id: `key-${action}`, onclick: () => this.listen(action, button) },
        shown(bindings()[action]),
      );
      return labelled(text(`tetris.action.${action}`), button);
    });
    show(
      dialog,
      h("h2", {}, text("tetris.controls")),
      h("div", { class: "fields" }, slider("tetris.das", 170, 400), slider("tetris.arr", 40, 200)),
      h("p", { class: "dim" }, text("tetris.rebind")),
      h("div", { class: "fields" }, rows),
      h(
        "div",
        { class: "row end" },
        h(
          "button",
          {
            onclick: () => {
              keep("tetris.keys", {});
              dialog.close();
            },
          },
          text("tetris.usual"),
        ),
        h("button", { class: "primary", onclick: () => dialog.close() }, text("tetris.done")),
      ),
    );
    document.body.append(dialog);
    if (this.context.memory.real && !this.context.memory.paused) this.pause();
    dialog.showModal();
  }

  /** The next key that is pressed is the one for an action. */
  listen(action, button) {
    show(button, "…");
    addEventListener(
      "keydown",
      (event) => {
        event.preventDefault();
        event.stopPropagation();
        const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const others = Object.fromEntries(
          Object.entries(bindings()).map(([each, keys]) => [each, keys.filter((known) => known !== name)]),
        );
        keep("tetris.keys", { ...others, [action]: [name] });
        show(button, shown([name]));
      },
      { once: true, capture: true },
    );
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

/** An agent plays the same pieces on a board beside. */
class Race {
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
    this.live = new Live(id, async (message) => {
      if (message.type !== "position") return;
      this.view = message;
      (await boardModule("tetris")).draw(board, message.scene, still(message, { number: this.context.number }));
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

export function open(context) {
  return new Player(context);
}

/** Real time or turn by turn, and whom to race. */
export async function newFields(game, given, { agentField }) {
  let mode = given.mode ?? "real";
  let pace = given.pace ?? "1";
  const paces = select(
    [
      ["piece", text("tetris.pace.piece")],
      ["0.5", "½ / s"],
      ["1", "1 / s"],
      ["2", "2 / s"],
      ["5", "5 / s"],
    ],
    pace,
    (value) => {
      pace = value;
    },
    { id: "pace", disabled: !given.rival },
  );
  const rival = await agentField(
    game,
    given.rival ?? "",
    (value) => {
      paces.disabled = !value;
    },
    [["", text("tetris.nobody")]],
  );
  rival.id = "rival";
  const element = [
    labelled(
      text("tetris.mode"),
      select(
        [
          ["real", text("tetris.real")],
          ["turns", text("tetris.turns")],
        ],
        mode,
        (value) => {
          mode = value;
        },
        { id: "mode" },
      ),
      text("tetris.mode.help"),
    ),
    labelled(text("tetris.race"), rival, text("tetris.race.help")),
    labelled(text("tetris.pace"), paces),
  ];
  return { element, values: () => ({ mode, ...(rival.value ? { rival: rival.value, pace } : {}) }) };
}
