// @ts-check
// A stored game as an entry of a list: on the first page and on that of the replays.

import { h } from "../dom.js";
import { moment, text, worded } from "../texts.js";

/** One game of the folder as an entry of a list. */
export function listed(each) {
  const goOn = each.playable && !each.over;
  const when = moment(each.time);
  const end = each.over ? each.words : text("replays.open");
  return h(
    "li",
    {},
    h(
      "a",
      { href: `#/${goOn ? "play" : "replay"}/${encodeURIComponent(each.id)}` },
      h("strong", {}, worded(`game.${each.game}`, each.game)),
      h("span", {}, each.players.map((name) => worded(`player.${name}`, name)).join(" – ")),
      h("span", { class: "dim" }, `${text("replays.moves", each.moves)} · ${end} · ${when}`),
    ),
  );
}
