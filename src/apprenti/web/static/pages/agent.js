// @ts-check
// One agent: what it is, its weights, its results, and what can be done with it.

import { h, show } from "../dom.js";
import { watchPlace } from "../lab/common.js";
import { weightTable } from "../lab/weights.js";
import { get } from "../server.js";
import { text } from "../texts.js";
import { measuresTable } from "./measure.js";

import { score } from "./zoo.js";

export async function open(main, { rest }) {
  const agent = await get(`/api/agent/${encodeURIComponent(rest[0] ?? "")}`);
  const watch = await watchPlace(agent.game, agent.name);
  const { weights, ...config } = agent.config;
  const isWeights =
    weights &&
    Object.values(weights)
      .flat()
      .every((weight) => typeof weight === "number");
  const rules = typeof agent.rules === "string" ? agent.rules : JSON.stringify(agent.rules);
  const other = Object.entries(isWeights ? config : agent.config);
  const scores = (all) =>
    h(
      "ul",
      {},
      all.map((each) =>
        h(
          "li",
          {},
          score(each),
          each.note ? ` · ${each.note}` : "",
          each.experiment
            ? [" · ", h("a", { href: `#/experiment/${encodeURIComponent(each.experiment)}` }, each.experiment)]
            : "",
        ),
      ),
    );
  show(
    main,
    h(
      "div",
      { class: "lab" },
      h(
        "section",
        { class: "card" },
        h("h1", {}, agent.name),
        h("p", {}, agent.title),
        h("p", { class: "dim" }, `${agent.game} · ${agent.kind} · ${text("zoo.made_for")} ${rules}`),
        h("p", { lang: "en" }, agent.source),
        h(
          "div",
          { class: "tools-row" },
          h(
            "a",
            {
              class: "button primary",
              href: `#/new/${encodeURIComponent(agent.game)}?against=${encodeURIComponent(agent.name)}`,
            },
            text("agent.play"),
          ),
          watch && h("a", { class: "button", id: "watch", href: watch }, text("agent.watch")),
          h(
            "a",
            {
              class: "button",
              id: "measure",
              href: `#/measure?${new URLSearchParams({ game: agent.game, agents: agent.name })}`,
            },
            text("agent.measure"),
          ),
          agent.run && h("a", { class: "button", href: `#/run/${encodeURIComponent(agent.run)}` }, text("agent.run")),
        ),
      ),
      agent.published.length
        ? h("section", { class: "card" }, h("h2", {}, text("zoo.published")), scores(agent.published))
        : null,
      agent.measured.length
        ? h("section", { class: "card" }, h("h2", {}, text("zoo.measured")), scores(agent.measured))
        : null,
      isWeights ? h("section", { class: "card" }, h("h2", {}, text("run.weights")), weightTable(weights)) : null,
      other.length
        ? h(
            "section",
            { class: "card" },
            h("h2", {}, text("agent.what")),
            h(
              "div",
              { class: "scroll" },
              h(
                "table",
                { class: "grid-table" },
                h(
                  "tbody",
                  {},
                  other.map(([name, value]) =>
                    h("tr", {}, h("th", {}, name), h("td", {}, JSON.stringify(value).slice(0, 600))),
                  ),
                  Object.entries(agent.arrays).map(([name, shape]) =>
                    h("tr", {}, h("th", {}, `${text("agent.arrays")} ${name}`), h("td", {}, shape.join(" × "))),
                  ),
                ),
              ),
            ),
          )
        : null,
      agent.results.length
        ? h("section", { class: "card" }, h("h2", {}, text("agent.here")), measuresTable(agent.results))
        : null,
    ),
  );
}
