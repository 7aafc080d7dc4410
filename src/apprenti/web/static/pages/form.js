// @ts-check
// The form of a game: its options as the server describes them, and fields that several pages share.

import { h, labelled, select, show } from "../dom.js";
import { agentsOf, post } from "../server.js";
import { text, worded } from "../texts.js";

const NUMBERS = ["int", "float"];

/**
 * Fields for the options of a game; `values()` has those that were changed. `follow(on)` ticks what the rules say where
 * nobody has ticked or unticked it.
 */
export function optionFields(game, given = {}) {
  const fields = game.options.map((option) => [option, input(option, given[option.name])]);
  const ticked = new Set(Object.keys(given));
  for (const [option, field] of fields) field.addEventListener("change", () => ticked.add(option.name));
  const values = () => {
    const changed = {};
    for (const [option, field] of fields) {
      if (option.kind === "bool") {
        if (ticked.has(option.name)) changed[option.name] = field.checked;
        continue;
      }
      const value = NUMBERS.includes(option.kind) ? Number(field.value) : field.value.trim();
      if (value !== option.default && !Number.isNaN(value)) changed[option.name] = value;
    }
    return changed;
  };
  const follow = (on) => {
    for (const [option, field] of fields)
      if (option.name in on && !ticked.has(option.name)) field.checked = on[option.name];
  };
  const element = h(
    "div",
    { class: "fields" },
    fields.map(([option, field]) => [
      labelled(
        worded(`option.${option.name}`, option.name.replaceAll("_", " ")),
        field,
        option.help,
      ),
      option.choices.length
        ? h(
            "datalist",
            { id: `option-${option.name}-choices` },
            option.choices.map((choice) => h("option", { value: choice })),
          )
        : null,
    ]),
  );
  return { element, values, follow };
}

function input(option, value = option.default) {
  const id = `option-${option.name}`;
  if (option.kind === "bool") return h("input", { id, type: "checkbox", checked: value });
  if (NUMBERS.includes(option.kind))
    return h("input", { id, type: "number", step: option.kind === "int" ? 1 : "any", value });
  return h("input", {
    id,
    type: "text",
    list: option.choices.length ? `${id}-choices` : null,
    value,
    placeholder: text("option.usual"),
    autocomplete: "off",
    maxlength: 200,
  });
}

/** An agent of a game by its full name; a game may call it by its short one. */
function fullName(agents, game, value) {
  return (
    agents.find((each) => each.name === value || each.short === value || each.name === `${game.family}-${value}`)
      ?.name ?? value
  );
}

/** A choice among the agents of a game. */
export async function agentField(game, value, onchange = () => {}, extra = []) {
  const agents = await agentsOf(game.name);
  const known = agents.some((each) => each.name === value);
  const usual = fullName(agents, game, value);
  const options = agents.map((each) => [
    each.name,
    each.title && each.title !== each.name ? `${each.short ?? each.name} · ${each.title}` : each.name,
  ]);
  return select(
    [...extra, ...(known || usual !== value || !value ? [] : [[value, value]]), ...options],
    usual,
    onchange,
  );
}

/** What an agent's own rules change, in words. */
function changed(agent, changes) {
  const word = (value) => (typeof value === "boolean" ? text(value ? "rules.yes" : "rules.no") : value);
  const shown = (value) => (value === null || typeof value === "object" ? JSON.stringify(value) : String(word(value)));
  const name = (rule) => worded(`option.${rule === "name" ? "rules" : rule}`, rule.replaceAll("_", " "));
  const words = changes.map(([rule, before, after]) => `${name(rule)} ${shown(before)} → ${shown(after)}`);
  return h("span", { id: "rules-changed" }, text("rules.changed", agent, words.join(", ")), h("br"));
}

/**
 * Follows the rules that are chosen: `description` has them in words, and what the agent's own rules change (`whose()`
 * names it where the game will be played by them). Who is proposed changes to who can play them, unless another one was
 * chosen. `settled()` waits for the last answer, `again()` asks once more.
 */
export async function followRules(game, options, fields, whose = () => "") {
  const agents = await agentsOf(game.name);
  const place = h("p", { class: "dim small", id: "rules-said", role: "status" });
  let usual = fullName(agents, game, game.opponent);
  let last = Promise.resolve();
  const follow = async () => {
    const agent = whose();
    const asked = { game: game.name, options: options.values(), agent };
    const { description, opponent, on, changes } = await post("/api/rules", asked);
    options.follow(on);
    show(place, changes.length ? changed(agent, changes) : null, description);
    const next = fullName(agents, game, opponent);
    for (const field of fields) if (field.value === usual) field.value = next;
    usual = next;
  };
  const change = () => {
    last = last.then(follow).catch((error) => {
      show(place, error.message);
    });
  };
  for (const each of [options.element, ...fields]) each.addEventListener("change", change);
  change();
  return { description: place, settled: () => last, again: change };
}

/** A field for a seed; empty to have one drawn. */
export function seedField(value = "") {
  return h("input", { type: "number", min: 0, step: 1, value, placeholder: text("seed.drawn"), id: "seed" });
}

/** The seed that a field says; null to have one drawn. */
export function seedOf(field) {
  return field.value === "" ? null : Math.max(0, Math.floor(Number(field.value)));
}
