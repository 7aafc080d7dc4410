// @ts-check
// The zoo as a table: who, from where, what was published and what we measured.

import { h, select, show } from "../dom.js";
import { get } from "../server.js";
import { number, text, worded } from "../texts.js";

/** A score in a few words: its mean, its interval, its rules. */
export function score(each) {
  const value = each.mean ?? each.share ?? each.elo;
  const between = each.ci95 ? ` (${number(each.ci95[0])} – ${each.ci95[1] === null ? "∞" : number(each.ci95[1])})` : "";
  const cut = each.deaths < each.games ? `, ${text("measure.estimated")}` : "";
  const under = [each.unit, each.against && `– ${each.against}`, each.rules, each.size]
    .filter((word) => typeof word === "string" && word)
    .join(" ");
  return `${value === undefined ? "" : number(value)}${between} ${under}${cut}`;
}

const rulesOf = (agent) => (typeof agent.rules === "string" ? agent.rules : Object.values(agent.rules).join(" "));

export async function open(main) {
  const { agents } = await get("/api/zoo");
  const asked = { game: "", rules: "", find: "" };
  const place = h("div", { class: "scroll" });
  const draw = () => {
    const wanted = agents.filter(
      (agent) =>
        (!asked.game || agent.game === asked.game) &&
        (!asked.rules || rulesOf(agent).includes(asked.rules)) &&
        `${agent.name} ${agent.title} ${agent.source}`.toLowerCase().includes(asked.find.toLowerCase()),
    );
    show(
      place,
      h(
        "table",
        { class: "grid-table zoo", id: "zoo" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["measure.agent", "zoo.game", "zoo.published", "zoo.measured", "zoo.source"].map((key) =>
              h("th", {}, text(key)),
            ),
          ),
        ),
        h("tbody", {}, wanted.map(line)),
      ),
    );
  };
  const list = (values, every) => [["", every], ...[...new Set(values)].sort().map((value) => [value, value])];
  const find = h("input", {
    type: "text",
    id: "find",
    placeholder: text("zoo.find"),
    "aria-label": text("zoo.find"),
    oninput: () => {
      asked.find = find.value;
      draw();
    },
  });
  show(
    main,
    h(
      "div",
      { class: "lab" },
      h("h1", {}, text("zoo.title")),
      h("p", { class: "dim" }, text("zoo.about")),
      h(
        "section",
        { class: "card" },
        h(
          "div",
          { class: "tools-row" },
          find,
          select(
            list(
              agents.map((agent) => agent.game),
              text("zoo.every"),
            ),
            "",
            (value) => {
              asked.game = value;
              draw();
            },
            { id: "game", "aria-label": text("zoo.game") },
          ),
          select(
            list(agents.map(rulesOf), text("zoo.all_rules")),
            "",
            (value) => {
              asked.rules = value;
              draw();
            },
            { id: "rules", "aria-label": text("runs.rules") },
          ),
        ),
        place,
      ),
    ),
  );
  draw();
}

function line(agent) {
  const scores = (all) =>
    h(
      "ul",
      { class: "scores" },
      all.slice(0, 4).map((each) => h("li", {}, score(each))),
    );
  return h(
    "tr",
    {},
    h(
      "td",
      {},
      h("a", { href: `#/agent/${encodeURIComponent(agent.name)}` }, agent.name),
      h("div", { class: "dim small" }, agent.title),
    ),
    h("td", {}, worded(`game.${agent.game}`, agent.game), h("div", { class: "dim small" }, rulesOf(agent))),
    h("td", {}, scores(agent.published)),
    h("td", {}, scores(agent.measured)),
    h("td", { class: "dim small", lang: "en" }, agent.source),
  );
}
