// @ts-check
// Solve a small game for one exactly: which world, how exactly, and under which name it is stored.

import { h, labelled, select, show, toast } from "../dom.js";
import { pupil } from "../lab/common.js";
import { game as gameOf, games, post } from "../server.js";
import { text, worded } from "../texts.js";
import { optionFields } from "./form.js";

export async function open(main, { query }) {
  const all = (await games()).filter((each) => each.players === 1);
  const game = await gameOf(query.get("game") ?? all[0].name);
  const options = optionFields(
    { ...game, options: game.options.filter((option) => option.name in game.small) },
    game.small,
  );
  const gamma = h("input", { type: "number", id: "gamma", min: 0, max: 1, step: "any", value: 1 });
  const residual = h("input", { type: "number", id: "residual", min: 0, max: 1, step: "any", value: 1e-6 });
  const name = h("input", { type: "text", id: "solve-name", maxlength: 80, autocomplete: "off" });
  const begin = async () => {
    try {
      const wanted = {
        game: game.name,
        options: options.values(),
        gamma: Number(gamma.value),
        residual: Number(residual.value),
        name: name.value.trim(),
        who: pupil(),
      };
      location.hash = `#/measured/${(await post("/api/measure/solve", wanted)).id}`;
    } catch (error) {
      toast(error.message);
    }
  };
  show(
    main,
    h(
      "section",
      { class: "card form wide lab" },
      h("h1", {}, text("solve.title")),
      h("p", { class: "dim" }, text("solve.about")),
      h(
        "div",
        { class: "fields" },
        labelled(
          text("watch.game"),
          select(
            all.map((each) => [each.name, worded(`game.${each.name}`, each.name)]),
            game.name,
            (value) => {
              location.hash = `#/solve?game=${encodeURIComponent(value)}`;
            },
            { id: "game" },
          ),
        ),
      ),
      options.element,
      h(
        "div",
        { class: "fields" },
        labelled(text("solve.gamma"), gamma, text("solve.gamma.help")),
        labelled(text("solve.residual"), residual, text("solve.residual.help")),
        labelled(text("solve.name"), name, text("solve.name.help")),
      ),
      h(
        "div",
        { class: "row end" },
        h("button", { class: "primary", id: "begin", onclick: begin }, text("solve.begin")),
      ),
    ),
  );
}
