// @ts-check
// Choose who is measured, and see what has been measured.

import { h, labelled, select, show, toast } from "../dom.js";
import { badge, pupil } from "../lab/common.js";
import { agentsOf, game as gameOf, games, get, post } from "../server.js";
import { moment, text, worded } from "../texts.js";
import { agentField, followRules, optionFields } from "./form.js";

export async function open(main, { query }) {
  const all = await games();
  const name = query.get("game") ?? all[0].name;
  const [game, offered, former] = await Promise.all([
    gameOf(name),
    agentsOf(name),
    get(`/api/measures?who=${encodeURIComponent(pupil())}`),
  ]);
  const named = (query.get("agents") ?? "").split(",");
  // runs as they were then
  const past = named.filter((each) => offered.some((agent) => each.startsWith(`${agent.name}@`)));
  const agents = [...past.map((each) => ({ name: each, title: each })), ...offered];
  const chosen = new Set(named.filter((each) => agents.some((agent) => agent.name === each)));
  const options = optionFields(game);
  const count = h("input", { type: "number", id: "games", min: 1, max: 100000, value: 100 });
  const seed = h("input", { type: "number", id: "seed", min: 0, value: 1 });
  const precision = h("input", { type: "number", id: "precision", min: 0, max: 99, step: "any", value: 0 });
  const rare = h("input", { type: "checkbox", id: "rare" });
  const against = game.players > 1 ? await agentField(game, game.opponent) : null;
  const rules = await followRules(game, options, [], () => [...chosen][0] ?? "");
  const list = h(
    "div",
    { class: "agent-list", role: "group", "aria-label": text("measure.agents") },
    agents.map((agent) => choice(agent, chosen, () => rules.again())),
  );
  const filter = h("input", {
    type: "text",
    id: "filter",
    placeholder: text("measure.filter"),
    "aria-label": text("measure.filter"),
    oninput: () => {
      for (const each of list.children)
        each.hidden = !each.textContent.toLowerCase().includes(filter.value.toLowerCase());
    },
  });
  const begin = async () => {
    const asked = {
      game: name,
      agents: [...chosen],
      against: against?.value ?? "",
      games: Number(count.value),
      seed: Number(seed.value),
      precision: Number(precision.value) / 100,
      rare: rare.checked,
      options: options.values(),
      who: pupil(),
    };
    try {
      location.hash = `#/measured/${(await post("/api/measure", asked)).id}`;
    } catch (error) {
      toast(error.message);
    }
  };
  show(
    main,
    h(
      "div",
      { class: "lab" },
      h(
        "section",
        { class: "card form wide" },
        h("h1", {}, text("measure.title")),
        h("p", { class: "dim" }, text("measure.about")),
        h(
          "div",
          { class: "fields" },
          labelled(
            text("watch.game"),
            select(
              all.map((each) => [each.name, worded(`game.${each.name}`, each.name)]),
              name,
              (value) => {
                location.hash = `#/measure?game=${encodeURIComponent(value)}`;
              },
              { id: "game" },
            ),
          ),
          labelled(text("measure.filter"), filter),
        ),
        list,
        h(
          "div",
          { class: "fields" },
          against && labelled(text("measure.against"), against),
          labelled(text("measure.games"), count, text("measure.games.each")),
          labelled(text("seed"), seed),
          game.players === 1 && labelled(text("measure.precision"), precision, text("measure.precision.help")),
          game.players === 1 && labelled(text("measure.rare"), rare, worded("measure.rare.help", "")),
        ),
        h("details", {}, h("summary", {}, text("new.rules")), options.element),
        rules.description,
        h(
          "div",
          { class: "row end" },
          h(
            "a",
            {
              class: "button",
              id: "solve",
              href: `#/solve${game.players === 1 ? `?game=${encodeURIComponent(name)}` : ""}`,
            },
            text("solve.title"),
          ),
          h("button", { class: "primary", id: "begin", onclick: begin }, text("measure.begin")),
        ),
      ),
      h(
        "section",
        { class: "card" },
        h("h2", {}, text("measure.done")),
        former.measures.length ? measuresTable(former.measures) : h("p", { class: "dim" }, text("measure.none")),
      ),
    ),
  );
}

function choice(agent, chosen, onchange) {
  const box = h("input", {
    type: "checkbox",
    value: agent.name,
    checked: chosen.has(agent.name),
    onchange: () => {
      if (box.checked) chosen.add(agent.name);
      else chosen.delete(agent.name);
      onchange();
    },
  });
  return h(
    "label",
    { class: "choice" },
    box,
    h("strong", {}, agent.name),
    h("span", { class: "dim" }, agent.title === agent.name ? "" : agent.title),
  );
}

/** Measurements as a table. */
export function measuresTable(measures) {
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "grid-table" },
      h(
        "tbody",
        {},
        measures.map((each) =>
          h(
            "tr",
            {},
            h("td", {}, badge(each.state)),
            h("td", {}, h("a", { href: `#/measured/${each.id}` }, each.name)),
            h("td", {}, h("code", {}, each.command.join(" "))),
            h("td", { class: "dim" }, moment(each.made)),
          ),
        ),
      ),
    ),
  );
}
