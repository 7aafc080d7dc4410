// @ts-check
// Before a game: an army is set up by dragging, by keyboard, from the book, or from layouts saved in this browser.

import { h, labelled, s, select, show, toast } from "../../dom.js";
import { keep, setting } from "../../settings.js";
import { number, text } from "../../texts.js";
import {
  aimOf,
  cellOf,
  dragging,
  edgesOf,
  focusOn,
  groundName,
  groundOf,
  pieceOf,
  rowsOf,
  stepped,
  viewBox,
} from "./board.js";
import { NAMINGS, nameIn, nameOf, namesIn } from "./names.js";

const EMPTY = ".";
const OWN = 6; // the first of the own rows
const MOST = 50; // layouts that are kept
const LONGEST = 40; // characters of a name

/** The layouts that were saved for such an army, by name. */
function saved(army) {
  return setting("luzhanqi.layouts", []).filter((each) => each.army === army);
}

function store(change) {
  keep("luzhanqi.layouts", change(setting("luzhanqi.layouts", [])).slice(-MOST));
}

export function setup(element, scene, context) {
  const army = new Army(element, { ...scene, bottom: 0 }, context);
  army.take(scene.layout);
}

class Army {
  constructor(element, scene, context) {
    this.element = element;
    this.scene = scene;
    this.context = context;
    this.chosen = null;
    this.cursor = "G2";
    this.at = -1;
    this.name = "";
    this.names = Object.keys(scene.slots);
    this.shown = scene.points.filter((name) => name[0] >= "G");
  }

  letter(name) {
    const slot = this.scene.slots[name];
    return slot ? this.layout[slot.slot] : EMPTY;
  }

  /** Whether two points may exchange what stands on them. */
  fits(from, to) {
    const { slots } = this.scene;
    const stands = (letter, name) => letter === EMPTY || slots[name].may.includes(letter);
    return from !== to && Boolean(slots[to]) && stands(this.letter(from), to) && stands(this.letter(to), from);
  }

  exchanged(from, to) {
    const letters = [...this.layout];
    const [a, b] = [this.scene.slots[from].slot, this.scene.slots[to].slot];
    [letters[a], letters[b]] = [letters[b], letters[a]];
    return letters.join("");
  }

  take(layout) {
    this.layout = layout;
    this.chosen = null;
    this.context.done(layout);
    this.draw();
  }

  /** Exchange two points; the server says why if it is against the rules. */
  async swap(from, to) {
    this.choose(null);
    if (!this.scene.slots[to]) return this.refuse(text("luzhanqi.setup.camp"));
    try {
      this.take((await this.context.ask(this.exchanged(from, to))).layout);
      this.say(text("luzhanqi.setup.moved", nameOf(this.letter(to)), to));
    } catch (error) {
      this.refuse(error.message);
    }
    return undefined;
  }

  refuse(words) {
    toast(words);
    this.say(words);
  }

  say(words) {
    show(this.status, words);
  }

  async any() {
    this.scene = { ...(await this.context.ask("")), bottom: 0 };
    this.take(this.scene.random);
  }

  page(by) {
    const { book } = this.scene;
    this.at = (this.at + by + book.length) % book.length;
    this.take(book[this.at]);
    this.say(text("luzhanqi.setup.page", this.at + 1, book.length));
  }

  press(name) {
    this.cursor = name;
    if (this.chosen && this.chosen !== name) this.swap(this.chosen, name);
    else this.choose(this.chosen === name || this.letter(name) === EMPTY ? null : name);
  }

  choose(name) {
    this.chosen = name;
    for (const cell of this.element.querySelectorAll("[data-point]")) {
      const point = cell.dataset.point;
      const fits = Boolean(name) && this.fits(name, point);
      cell.querySelector(".aim")?.remove();
      if (fits) cell.append(aimOf(this.letter(point) !== EMPTY));
      cell.classList.toggle("chosen", point === name);
      cell.setAttribute("aria-selected", point === name);
      cell.setAttribute("aria-label", this.label(point, fits));
    }
    if (name) this.say(text("luzhanqi.setup.picked", nameOf(this.letter(name)), name));
  }

  label(name, fits = false) {
    const letter = this.letter(name);
    return [
      name,
      groundName(name, this.scene),
      letter === EMPTY ? text("luzhanqi.empty") : nameOf(letter),
      fits ? text("luzhanqi.aim") : "",
    ]
      .filter(Boolean)
      .join(", ");
  }

  point(name) {
    const letter = this.letter(name);
    return cellOf(
      name,
      this.scene,
      {
        class: letter === EMPTY ? "" : "movable",
        "aria-label": this.label(name),
        tabindex: this.cursor === name ? 0 : -1,
      },
      letter === EMPTY ? null : pieceOf({ side: 0, can: letter, did: [] }, this.scene),
    );
  }

  draw() {
    const focused = this.element.querySelector("svg")?.contains(document.activeElement);
    const svg = s(
      "svg",
      {
        class: "board luzhanqi army",
        viewBox: viewBox(OWN),
        role: "grid",
        "aria-label": text("luzhanqi.setup"),
        onkeydown: (event) => this.key(event),
      },
      groundOf(this.scene, this.shown),
      edgesOf(this.scene, OWN),
      rowsOf(this.shown, this.scene, (name) => this.point(name)),
    );
    dragging(svg, {
      tap: (name) => this.press(name),
      pick: (name) => {
        const can = this.letter(name) !== EMPTY;
        if (can) this.choose(name);
        return can;
      },
      drop: (from, to) => this.swap(from, to),
    });
    const words = this.status?.textContent ?? "";
    this.status = h("p", { class: "dim", role: "status", id: "setup-status" }, words || text("luzhanqi.setup.how"));
    show(
      this.element,
      h("h2", {}, text("luzhanqi.setup")),
      h("div", { class: "army-place" }, svg, h("div", { class: "army-tools" }, this.status, this.tools())),
    );
    if (focused) focusOn(this.element, this.cursor);
  }

  tools() {
    const { book, army } = this.scene;
    const button = (key, act, id) => h("button", { type: "button", id, onclick: act }, text(key));
    const mine = saved(army);
    const field = h("input", {
      type: "text",
      id: "layout-name",
      maxlength: LONGEST,
      value: this.name,
      autocomplete: "off",
      oninput: () => {
        this.name = field.value;
      },
    });
    return [
      h(
        "div",
        { class: "row" },
        book.length
          ? [
              button("luzhanqi.setup.back", () => this.page(-1), "book-back"),
              button("luzhanqi.setup.book", () => this.page(1), "book"),
            ]
          : null,
        button("luzhanqi.setup.any", () => this.any(), "any-layout"),
      ),
      mine.length
        ? h(
            "div",
            { class: "row" },
            labelled(
              text("luzhanqi.setup.saved", number(mine.length)),
              select(
                [["", text("luzhanqi.setup.choose")], ...mine.map(({ name }) => [name, name])],
                this.name,
                (name) => this.load(name),
                { id: "saved" },
              ),
            ),
            mine.some(({ name }) => name === this.name)
              ? button("luzhanqi.setup.delete", () => this.remove(), "delete-layout")
              : null,
          )
        : null,
      h(
        "div",
        { class: "row" },
        labelled(text("luzhanqi.setup.name"), field),
        button("luzhanqi.setup.save", () => this.save(), "save-layout"),
      ),
      labelled(
        text("luzhanqi.names"),
        select(
          NAMINGS,
          namesIn(),
          (value) => {
            nameIn(value);
            this.draw();
          },
          { id: "names" },
        ),
      ),
    ];
  }

  load(name) {
    const layout = saved(this.scene.army).find((each) => each.name === name);
    this.name = name;
    if (!layout) return this.draw();
    return this.context.ask(layout.layout).then(
      () => this.take(layout.layout),
      (error) => this.refuse(error.message),
    );
  }

  save() {
    const name = this.name.trim();
    if (!name) return this.refuse(text("luzhanqi.setup.nameless"));
    store((all) => [
      ...all.filter((each) => each.name !== name || each.army !== this.scene.army),
      { name, army: this.scene.army, layout: this.layout },
    ]);
    this.name = name;
    this.draw();
    return this.say(text("luzhanqi.setup.kept", name));
  }

  remove() {
    store((all) => all.filter((each) => each.name !== this.name || each.army !== this.scene.army));
    this.name = "";
    this.draw();
  }

  key(event) {
    const next = stepped(this.cursor, event.key, this.shown, this.scene);
    if (next) focusOn(this.element, (this.cursor = next));
    else if (event.key === "Enter" || event.key === " ") this.press(this.cursor);
    else if (event.key === "Escape") this.choose(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
