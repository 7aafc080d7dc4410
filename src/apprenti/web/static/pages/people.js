// @ts-check
// How people did against agents, in games that they let be counted.

import { h, show } from "../dom.js";
import { get } from "../server.js";
import { number, text, worded } from "../texts.js";

export async function open(main) {
  const { games, wrong } = await get("/api/people");
  show(
    main,
    h(
      "div",
      { class: "lab" },
      h("h1", {}, text("people.title")),
      h("p", { class: "dim" }, text("people.about")),
      wrong.map((sentence) => h("p", { class: "sentence" }, text("people.wrong", sentence))),
      games.length ? games.map(ladder) : h("p", { id: "people-none" }, text("people.none")),
    ),
  );
}

const percent = (share) => `${number(Math.round(100 * share))} %`;

function ladder({ game, meetings, elo }) {
  const head = (keys) =>
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        keys.map((key) => h("th", { scope: "col" }, text(key))),
      ),
    );
  const met = ({ person, agent, counted, share, low, high }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, person),
      h("td", {}, agent),
      h("td", {}, counted.map(number).join(" – ")),
      h("td", {}, `${percent(share)} (${percent(low)} … ${percent(high)})`),
    );
  const rated = ({ name, elo: points, half }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      h("td", {}, number(Math.round(points)), half ? ` ± ${number(Math.round(half))}` : ""),
    );
  return h(
    "section",
    { class: "card" },
    h("h2", {}, worded(`game.${game}`, game)),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "grid-table" },
        head(["people.who", "measure.against", "measure.result", "people.share"]),
        h("tbody", {}, meetings.map(met)),
      ),
    ),
    h(
      "div",
      { class: "scroll" },
      h("table", { class: "grid-table" }, head(["people.who", "people.elo"]), h("tbody", {}, elo.map(rated))),
    ),
  );
}
