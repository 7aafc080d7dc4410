// @ts-check
// Luzhanqi: the board, the piece that is picked up, what is known of a piece, and what stands beside the board.

import { h, labelled, s, select, show, toast } from "../../dom.js";
import {
  aimOf,
  arrowOf,
  cellOf,
  dragging,
  edgesOf,
  focusOn,
  groundName,
  groundOf,
  pieceOf,
  placeOf,
  rowsOf,
  stepped,
  viewBox,
} from "./board.js";
import { NAMINGS, historyOf, knownOf, nameIn, nameOf, namesIn, namesOf, shortOf, spanOf } from "./names.js";
import { openRules } from "./rules.js";
import { number, raised, text } from "../../texts.js";

export const controls = [
  ["← ↑ → ↓", "keys.cursor"],
  ["Enter", "luzhanqi.key.pick"],
  ["Esc", "luzhanqi.key.drop"],
];

const ROOM = 190; // pixels beside the board that do for a box
const NEAR = 6; // quiet moves before the limit from which on a warning is given

/** Set up an army; what is needed for it is loaded then. */
export async function setup(...given) {
  return (await import("./army.js")).setup(...given);
}

/** What an agent believes, a piece a line and types by their names: the terminal has letters. */
export function words(lines) {
  const pieces = (line) => (/^[A-L]\d /.test(line) ? line.trim().split(/ {3,}/) : [line]);
  return lines
    .split("\n")
    .flatMap(pieces)
    .map((line) => line.replace(/\b([a-l]) +(\d+%)/g, (_, letter, share) => `${shortOf(letter)} ${share}`))
    .join("\n");
}

export function moveName(move) {
  return move.length === 4 ? `${move.slice(0, 2)}–${move.slice(2)}` : move;
}

/** The last move for a screen reader: with what became of the piece. */
export function spoken(view) {
  const last = view.scene.last.at(-1);
  return last ? `${moveName(last.from + last.to)}, ${text(`luzhanqi.result.${last.result}`)}` : "";
}

function aims(context) {
  const { memory, view } = context;
  return memory.chosen ? view.legal.filter((move) => move.startsWith(memory.chosen)).map((move) => move.slice(2)) : [];
}

function movable(name, view) {
  return view.your_turn && view.legal.some((move) => move.startsWith(name));
}

function labelOf(name, scene, context) {
  const piece = scene.pieces[name];
  return [
    name,
    groundName(name, scene),
    piece ? knownOf(piece, scene) : text("luzhanqi.empty"),
    aims(context).includes(name) ? text("luzhanqi.aim") : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function pointOf(name, scene, context) {
  const { memory, view, small, interactive } = context;
  const piece = scene.pieces[name];
  const given = small
    ? { role: undefined }
    : {
        "aria-label": labelOf(name, scene, context),
        tabindex: !interactive ? undefined : memory.cursor === name ? 0 : -1,
      };
  return cellOf(
    name,
    scene,
    { ...given, class: interactive && movable(name, view) ? "movable" : "" },
    piece ? pieceOf(piece, scene, { small }) : null,
  );
}

function arrows(scene, context) {
  const last = scene.last.map(({ from, to, result }, at) =>
    arrowOf(from, to, scene, at === scene.last.length - 1 ? "last" : "before", result),
  );
  const advised = context.hint?.chosen ?? context.hint?.move;
  return [...last, advised?.length === 4 ? arrowOf(advised.slice(0, 2), advised.slice(2), scene, "advised") : null];
}

export function draw(element, scene, context) {
  const { memory, small } = context;
  const focused = element.contains(document.activeElement);
  // the piece that was picked up has moved
  if (memory.made !== scene.made) Object.assign(memory, { made: scene.made, asked: false, chosen: null });
  if (!context.view.your_turn) memory.chosen = null;
  context.element ??= element;
  memory.cursor ??= scene.bottom ? "F2" : "G2";
  const svg = s(
    "svg",
    {
      class: `board luzhanqi${small ? " tiny" : ""}`,
      viewBox: viewBox(0, small),
      role: small ? "img" : "grid",
      "aria-label": text("board"),
    },
    groundOf(scene, scene.points),
    small ? null : edgesOf(scene),
    rowsOf(scene.points, scene, (name) => pointOf(name, scene, context)),
    arrows(scene, context),
  );
  if (small) return show(element, svg);
  show(
    element,
    h("div", { class: "luzhanqi-holder" }, svg, h("div", { class: "luzhanqi-tip", hidden: true, id: "known" })),
  );
  mark(element, scene, context);
  listen(element, svg, scene, context);
  if (focused) focusOn(element, memory.cursor);
  return tip(element, scene, context);
}

/** Show what is picked up and where it can go, without drawing everything anew: a drag goes on. */
function mark(element, scene, context) {
  const targets = aims(context);
  for (const cell of element.querySelectorAll("[data-point]")) {
    const name = cell.dataset.point;
    cell.querySelector(".aim")?.remove();
    if (targets.includes(name)) cell.append(aimOf(scene.pieces[name]));
    cell.classList.toggle("target", targets.includes(name));
    cell.classList.toggle("chosen", context.memory.chosen === name);
    cell.setAttribute("aria-selected", context.memory.chosen === name);
    cell.setAttribute("aria-label", labelOf(name, scene, context));
  }
}

function choose(name, scene, context) {
  context.memory.chosen = name;
  mark(context.element, scene, context);
  if (name) context.say(`${nameOf(scene.pieces[name].can)} ${name}: ${aims(context).join(", ")}`);
}

/** A point is pressed: first an own piece is picked up, then where it goes. */
function press(name, scene, context) {
  const { memory, view } = context;
  const own = scene.pieces[name]?.side === view.you;
  memory.cursor = name;
  point(own ? null : name, scene, context);
  if (!context.interactive || !view.your_turn) return;
  if (memory.chosen === name) choose(null, scene, context);
  else if (own && movable(name, view)) choose(name, scene, context);
  else if (memory.chosen && !own)
    context.play(memory.chosen + name); // the server says why it cannot be played
  else if (own) {
    const words = text("luzhanqi.stuck", nameOf(scene.pieces[name].can));
    toast(words);
    context.say(words);
  }
}

function listen(element, svg, scene, context) {
  dragging(svg, {
    tap: (name) => press(name, scene, context),
    pick: (name) => {
      const can = context.interactive && movable(name, context.view);
      if (can) {
        point(null, scene, context);
        choose(name, scene, context);
      }
      return can;
    },
    drop: (from, to) =>
      context.view.legal.includes(from + to) || scene.pieces[to]?.side !== context.view.you
        ? context.play(from + to)
        : choose(null, scene, context),
  });
  svg.addEventListener("focusin", (event) => {
    context.memory.cursor = event.target.closest("[data-point]")?.dataset.point ?? context.memory.cursor;
  });
  svg.addEventListener(
    "pointermove",
    (event) =>
      event.pointerType === "mouse" &&
      !event.buttons &&
      point(event.target.closest("[data-point]")?.dataset.point ?? null, scene, context),
  );
  // a finger leaves whenever it is lifted
  svg.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && point(null, scene, context));
}

/** Look at a point: who looks at an enemy piece is told what counting makes of it. */
function point(name, scene, context) {
  const { memory } = context;
  if (memory.pointed === name) return;
  memory.pointed = name;
  const piece = scene.pieces[name];
  if (piece && piece.side !== scene.bottom && piece.can.length > 1 && !context.details && !memory.asked) {
    memory.asked = true;
    context.send?.({ type: "details" });
  }
  tip(context.element, scene, context);
}

function shares(name, context) {
  const known = Object.entries(context.details?.shares?.[name] ?? {}).sort((a, b) => b[1] - a[1]);
  if (known.length < 2) return null;
  const row = ([letter, share]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, nameOf(letter)),
      h("td", { class: "number" }, `${number(Math.round(100 * share))} %`),
      h("td", { class: "bar" }, h("span", { style: { width: `${100 * share}%` } })),
    );
  return h(
    "table",
    {},
    h("caption", {}, text("luzhanqi.counting", count(context.details.layouts))),
    h("tbody", {}, known.slice(0, 6).map(row)),
  );
}

/** A large number, short: 7 × 10¹⁷. */
function count(value) {
  if (value < 1e6) return number(value);
  const power = Math.floor(Math.log10(value));
  return `${number(Math.round(value / 10 ** power))} × 10${raised(power)}`;
}

/** What is known of the piece that is pointed at, beside it. */
function tip(element, scene, context) {
  const box = element?.querySelector(".luzhanqi-tip");
  if (!box) return;
  const name = context.memory.pointed;
  const piece = scene.pieces[name];
  box.hidden = !piece;
  if (!piece) return;
  const known = piece.can.length === 1 ? namesOf(piece.can) : text("luzhanqi.canbe", namesOf(piece.can));
  show(box, h("strong", {}, name, " · ", known), h("p", {}, historyOf(piece, scene)), shares(name, context));
  beside(box, element.querySelector("svg"), placeOf(name, scene));
}

/** Put a box beside the board where there is room, else above or below the point that it speaks of. */
function beside(box, svg, [x, y]) {
  const [inside, outside] = [svg.getBoundingClientRect(), box.parentNode.getBoundingClientRect()];
  const { width, height } = svg.viewBox.baseVal;
  const scale = Math.min(inside.width / width, inside.height / height);
  const [left, top] = [
    inside.left - outside.left + (inside.width - scale * width) / 2,
    inside.top - outside.top + (inside.height - scale * height) / 2,
  ];
  const apart = outside.right - inside.right >= ROOM;
  box.classList.toggle("apart", apart);
  const [wide, high] = [box.offsetWidth, box.offsetHeight];
  const over = y < height / 2 ? top + (y + 25) * scale : top + (y - 25) * scale - high;
  const place = apart
    ? [inside.right - outside.left + 8, Math.max(0, Math.min(outside.height - high, top + y * scale - high / 2))]
    : [Math.max(4, Math.min(outside.width - wide - 4, left + x * scale - (x / width) * wide)), over];
  box.style.setProperty("left", `${place[0]}px`);
  box.style.setProperty("top", `${place[1]}px`);
}

export function key(event, scene, context) {
  const { memory } = context;
  if (document.querySelector("dialog[open]")) return false;
  const next = stepped(memory.cursor, event.key, scene.points, scene);
  if (next) {
    memory.cursor = next;
    focusOn(context.element, next);
    point(next, scene, context);
    return true;
  }
  if (event.key === "Escape" && (memory.chosen || memory.pointed)) {
    point(null, scene, context);
    choose(null, scene, context);
    return true;
  }
  if (event.key !== "Enter" && event.key !== " ") return false;
  press(memory.cursor, scene, context);
  return true;
}

/** The counter of quiet moves, and what it means. */
function quiet(scene) {
  const { quiet_limit: limit, quiet_draw: drawn, max_moves: most } = scene.rules;
  const left = limit - scene.quiet;
  const meaning = limit
    ? text(drawn ? "luzhanqi.quiet.draws" : "luzhanqi.quiet.loses", limit)
    : text("luzhanqi.quiet.none");
  return h(
    "section",
    { class: `quiet-moves${limit && left <= NEAR ? " near" : ""}` },
    h(
      "label",
      {},
      h(
        "span",
        { id: "quiet" },
        limit ? text("luzhanqi.quiet", scene.quiet, limit) : text("luzhanqi.quiet.count", scene.quiet),
      ),
      limit ? h("progress", { max: limit, value: scene.quiet }) : null,
    ),
    limit && left <= NEAR
      ? h("p", { class: "warning" }, "⚠ ", left === 1 ? text("luzhanqi.quiet.now") : text("luzhanqi.quiet.near", left))
      : null,
    h("p", { class: "dim small" }, meaning, most ? ` ${text("luzhanqi.most", most)}` : ""),
  );
}

/** The last two moves with what became of them. */
function lastMoves(scene, view) {
  const first = scene.made - scene.last.length;
  const who = (at) =>
    view.you === null || view.you === undefined
      ? text((first + at) % 2 ? "luzhanqi.north" : "luzhanqi.south")
      : text((first + at) % 2 === view.you ? "luzhanqi.you" : "luzhanqi.enemy");
  return h(
    "ul",
    { class: "told" },
    scene.last.map(({ from, to, result }, at) =>
      h("li", {}, h("strong", {}, `${who(at)} `), `${from}–${to}: `, text(`luzhanqi.result.${result}`)),
    ),
  );
}

/** What a lost piece was, or can have been, in short. */
function chipOf(can) {
  if (can.length === 1) return shortOf(can);
  return can.length < 9
    ? [spanOf(can), ...[..."jkl"].filter((letter) => can.includes(letter)).map(shortOf)].filter(Boolean).join("/")
    : "?";
}

/** The pieces a side has lost: what they were, or what they can have been. */
function lost(scene, side) {
  const fallen = scene.lost.filter((piece) => piece.side === side);
  const own = side === scene.bottom;
  const title = scene.open
    ? text("luzhanqi.lost.side", text(side ? "luzhanqi.north" : "luzhanqi.south"), fallen.length)
    : text(own ? "luzhanqi.lost.own" : "luzhanqi.lost.enemy", fallen.length);
  const counts = new Map();
  for (const { can } of fallen) counts.set(can, (counts.get(can) ?? 0) + 1);
  const chip = ([can, times]) =>
    h(
      "li",
      { class: own ? "own" : "enemy", title: namesOf(can), "aria-label": `${times} × ${namesOf(can)}` },
      chipOf(can),
      times > 1 ? h("small", {}, ` ×${times}`) : null,
    );
  return h(
    "section",
    { class: "lost" },
    h("h2", {}, title),
    fallen.length ? h("ul", {}, [...counts].sort().map(chip)) : null,
  );
}

function flags(scene) {
  return scene.flags.map((at, side) =>
    at && !scene.open
      ? h(
          "p",
          { class: "flag-known" },
          "⚑ ",
          text(side === scene.bottom ? "luzhanqi.flag.own" : "luzhanqi.flag.enemy", at),
        )
      : null,
  );
}

export function panel(element, scene, context) {
  const { view } = context;
  const again =
    context.redraw ??
    (() => {
      draw(context.element, context.view.scene, context);
      panel(element, context.view.scene, context);
    });
  const over = view.outcome && view.you !== null && view.you !== undefined;
  show(
    element,
    h(
      "div",
      { class: "luzhanqi-panel" },
      over ? h("p", { class: "shown", id: "army-shown" }, text("luzhanqi.shown")) : null,
      lastMoves(scene, view),
      flags(scene),
      quiet(scene),
      lost(scene, 1 - scene.bottom),
      lost(scene, scene.bottom),
      h(
        "div",
        { class: "row" },
        labelled(
          text("luzhanqi.names"),
          select(
            NAMINGS,
            namesIn(),
            (value) => {
              nameIn(value);
              again();
            },
            { id: "names" },
          ),
        ),
        h("button", { id: "rules", onclick: () => openRules(scene.rules, view.description) }, text("luzhanqi.rules")),
      ),
    ),
  );
}
