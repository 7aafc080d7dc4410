// @ts-check
// The first page: the games, and those that were left.

import { boardModule, still } from "../boards.js";
import { h, show } from "../dom.js";
import { games, get } from "../server.js";
import { text, worded } from "../texts.js";
import { listed } from "./listed.js";

export async function open(main) {
  const [all, played] = await Promise.all([games(), get("/api/played")]);
  const left = played.games.filter((each) => each.playable && !each.over && each.moves > 0).slice(0, 6);
  show(
    main,
    h("section", { class: "hero" }, h("h1", {}, text("home.title")), h("p", {}, text("home.about"))),
    left.length
      ? h(
          "section",
          {},
          h("h2", {}, text("home.left")),
          h(
            "ul",
            { class: "list" },
            left.map((each) => listed(each)),
          ),
        )
      : null,
    h("section", { class: "cards", "aria-label": text("home.games") }, await Promise.all(all.map(card))),
  );
}

async function card(game) {
  const picture = h("div", { class: "picture", "aria-hidden": "true" });
  try {
    const module = await boardModule(game.module);
    module.draw(
      picture,
      game.example,
      still({ legal: [], your_turn: false, last: "" }, { small: true, number: String }),
    );
  } catch {
    picture.remove(); // a module that cannot be loaded is told when the game is played
  }
  return h(
    "a",
    { class: "card game", href: `#/new/${encodeURIComponent(game.name)}` },
    picture,
    h("h2", {}, worded(`game.${game.name}`, game.name)),
    h("p", { class: "sentence" }, game.about),
  );
}
