// @ts-check
// Before a game: who, under which rules, from which seed; armies are set up here.

import { boardModule, still } from "../boards.js";
import { h, labelled, select, show, toast } from "../dom.js";
import { pupil } from "../lab/common.js";
import { game as gameOf, post } from "../server.js";
import { keep, setting } from "../settings.js";
import { text, worded } from "../texts.js";
import { agentField, followRules, optionFields, seedField, seedOf } from "./form.js";

export async function open(main, { rest, query }) {
  const game = await gameOf(rest[0] ?? "");
  const module = await boardModule(game.module);
  const chosen = setting(`new.${game.name}`, {});
  const options = optionFields(game, chosen.options);
  const seed = seedField();
  const undo = h("input", {
    type: "checkbox",
    id: "undo",
    checked: chosen.undo ?? (game.players > 1 && !game.has_setup),
  });
  const minutes = h("input", { type: "number", id: "minutes", min: 0, max: 1000, step: 1, value: chosen.minutes ?? 0 });
  let side = chosen.side ?? "0";
  const opponent =
    game.players > 1 ? await agentField(game, query.get("against") ?? chosen.opponent ?? game.opponent) : null;
  const rival = game.players === 1 && query.get("against") ? { rival: query.get("against") } : {};
  const extra = module.newFields
    ? await module.newFields(game, { ...chosen.page, ...rival }, { agentField, text })
    : null;
  const rated = game.players === 2 ? ratedField(undo) : null;
  let setup = null;

  const asked = () => {
    const own = side === "random" ? Math.floor(Math.random() * game.players) : Number(side);
    const players = Array.from({ length: game.players }, (_, at) => (at === own ? "" : opponent.value));
    return {
      game: game.name,
      options: options.values(),
      players,
      seed: seedOf(seed),
      undo: undo.checked,
      minutes: Number(minutes.value) || 0,
      page: extra?.values() ?? {},
      setup: setup?.value() ?? "",
      rated: rated?.value() ?? "",
    };
  };
  const rules = await followRules(game, options, opponent ? [opponent] : []);
  const begin = async () => {
    await Promise.all([rules.settled(), setup?.settled()]);
    if (rated?.missing()) return toast(text("rated.nameless"));
    const wanted = asked();
    keep(`new.${game.name}`, {
      options: wanted.options,
      undo: wanted.undo,
      minutes: wanted.minutes,
      side,
      opponent: opponent?.value,
      page: wanted.page,
    });
    try {
      location.hash = `#/play/${(await post("/api/new", wanted)).id}`;
    } catch (error) {
      toast(error.message);
    }
    return undefined;
  };
  const armies = h("section", { class: "setup" });
  if (game.has_setup && module.setup) setup = await armyOf(armies, module, game, asked);
  options.element.addEventListener("change", () => setup?.refresh());

  show(
    main,
    h(
      "section",
      { class: "card form" },
      h("h1", {}, worded(`game.${game.name}`, game.name)),
      h("p", { class: "dim sentence" }, game.about),
      h(
        "div",
        { class: "fields" },
        opponent && wide(labelled(text("new.opponent"), opponent)),
        game.players > 1 &&
          labelled(
            text("new.side"),
            select(
              [
                ...game.sides.map((name, at) => [
                  String(at),
                  `${name}${at === 0 ? ` (${text("new.first")})` : ""}`,
                ]),
                ["random", text("new.random")],
              ],
              side,
              (value) => {
                side = value;
              },
              { id: "side" },
            ),
          ),
        extra?.element,
      ),
      armies,
      h(
        "details",
        { ...(Object.keys(chosen.options ?? {}).length ? { open: true } : {}) },
        h("summary", {}, text("new.rules")),
        options.element,
        rules.description,
      ),
      h(
        "details",
        {},
        h("summary", {}, text("new.more")),
        h(
          "div",
          { class: "fields" },
          labelled(text("seed"), seed, text("seed.help")),
          !game.steered && labelled(text("new.undo"), undo),
          game.players > 1 && labelled(text("new.minutes"), minutes, text("new.minutes.help")),
        ),
      ),
      rated?.element,
      h("div", { class: "row end" }, h("button", { class: "primary", id: "begin", onclick: begin }, text("new.begin"))),
    ),
  );
  document.getElementById("begin").focus({ preventScroll: true });
}

/** A field of two columns: what is chosen there is long. */
function wide(field) {
  field.classList.add("wide-field");
  return field;
}

/** Whether the game is to be counted, and under which name: never unless it is ticked. No move is taken back then. */
function ratedField(undo) {
  const tick = h("input", { type: "checkbox", id: "rated", onchange: () => follow() });
  const name = h("input", {
    type: "text",
    id: "rated-name",
    maxlength: 80,
    autocomplete: "off",
    value: pupil() || setting("rated.name", ""),
    oninput: () => keep("rated.name", name.value.trim()),
  });
  const field = labelled(text("rated.name"), name, text("rated.help"));
  let before = undo.checked;
  const follow = () => {
    field.hidden = !tick.checked;
    if (tick.checked) {
      before = undo.checked;
      undo.checked = false;
    } else undo.checked = before;
    undo.disabled = tick.checked;
  };
  field.hidden = true;
  const value = () => (tick.checked ? name.value.trim() : "");
  return {
    element: h("div", { class: "fields rated" }, h("label", { class: "tick" }, tick, text("rated.tick")), field),
    value,
    missing: () => tick.checked && !value(),
  };
}

/** The module's own field for an army: the server says what it needs, and checks what was set up. `settled()` waits
    until the army is one of the rules that were chosen last. */
async function armyOf(element, module, game, asked) {
  let value = "";
  const ask = async (layout) => {
    const wanted = asked();
    return (
      await post("/api/setup", {
        game: game.name,
        options: wanted.options,
        side: wanted.players.indexOf(""),
        setup: layout,
      })
    ).scene;
  };
  const context = {
    ...still({}),
    ask,
    done: (layout) => {
      value = layout;
    },
  };
  const seat = async (layout) => module.setup(element, await ask(layout), context);
  await seat("");
  let last = Promise.resolve();
  const refresh = () => {
    last = last
      .then(() => seat(value))
      .catch(() => seat(""))
      .catch((error) => toast(error.message));
  }; // the rules have changed
  return { value: () => value, refresh, settled: () => last };
}
