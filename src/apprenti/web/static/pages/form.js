// @ts-check
// The form of a game: its options as the server describes them, and fields that several pages share.

import { h, labelled, select, show } from "../dom.js";
import { agentsOf, post } from "../server.js";
import { text, worded } from "../texts.js";

const NUMBERS = ["int", "float"];

/** Fields for the options of a game; `values()` has those that were changed. */
export function optionFields(game, given = {}) {
  const fields = game.options.map((option) => [option, input(option, given[option.name])]);
  const values = () => {
    const changed = {};
    for (const [option, field] of fields) {
      const value =
        option.kind === "bool"
          ? field.checked
          : NUMBERS.includes(option.kind)
            ? Number(field.value)
            : field.value.trim();
      if (value !== option.default && !Number.isNaN(value)) changed[option.name] = value;
    }
    return changed;
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
  return { element, values };
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

/**
 * Follows the rules that are chosen: `description` has them in words, and who is proposed changes to who can play them,
 * unless another one was chosen. `settled()` waits for the last answer.
 */
export async function followRules(game, options, fields) {
  const agents = await agentsOf(game.name);
  const place = h("p", { class: "dim small", id: "rules-said", role: "status" });
  let usual = fullName(agents, game, game.opponent);
  let last = Promise.resolve();
  const follow = async () => {
    const { description, opponent } = await post("/api/rules", { game: game.name, options: options.values() });
    show(place, description);
    const next = fullName(agents, game, opponent);
    for (const field of fields) if (field.value === usual) field.value = next;
    usual = next;
  };
  const change = () => {
    last = last.then(follow).catch((error) => {
      show(place, error.message);
    });
  };
  options.element.addEventListener("change", change);
  change();
  return { description: place, settled: () => last };
}

/** A field for a seed; empty to have one drawn. */
export function seedField(value = "") {
  return h("input", { type: "number", min: 0, step: 1, value, placeholder: text("seed.drawn"), id: "seed" });
}

/** The seed that a field says; null to have one drawn. */
export function seedOf(field) {
  return field.value === "" ? null : Math.max(0, Math.floor(Number(field.value)));
}
