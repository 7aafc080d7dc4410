// The games of the folder, and a place to drop a file.

import { h, show, toast } from "../dom.js";
import { isMine } from "../lab/common.js";
import { get } from "../server.js";
import { language, text, worded } from "../texts.js";
import { openFile } from "./replay.js";

/** One game of the folder as an entry of a list. */
export function listed(each) {
  const goOn = each.playable && !each.over;
  const when = new Intl.DateTimeFormat(language() === "en" ? "en-GB" : language(), { dateStyle: "medium", timeStyle: "short" }).format(each.time * 1000);
  const end = each.over ? worded(`reason.${each.reason}`, each.reason) : text("replays.open");
  return h("li", {}, h("a", { href: `#/${goOn ? "play" : "replay"}/${encodeURIComponent(each.id)}` },
    h("strong", {}, worded(`game.${each.game}`, each.game)),
    h("span", {}, each.players.map((name) => worded(`player.${name}`, name)).join(" – ")),
    h("span", { class: "dim" }, `${text("replays.moves", each.moves)} · ${end} · ${when}`)));
}

export async function open(main) {
  const { games } = await get("/api/played");
  const field = h("input", { type: "file", accept: ".json,application/json", id: "file", "aria-label": text("replays.drop"), onchange: () => field.files[0] && read(field.files[0]) });
  const drop = h("div", { class: "file-drop", id: "drop" }, h("p", {}, text("replays.drop")), field);
  drop.ondragover = (event) => { event.preventDefault(); drop.classList.add("over"); };
  drop.ondragleave = () => drop.classList.remove("over");
  drop.ondrop = (event) => { event.preventDefault(); drop.classList.remove("over"); if (event.dataTransfer.files[0]) read(event.dataTransfer.files[0]); };
  const shown = games.filter((each) => each.moves > 0 && isMine(each));
  show(main, h("h1", {}, text("nav.replays")), drop,
    shown.length ? h("ul", { class: "list" }, shown.map(listed)) : h("p", { class: "dim" }, text("replays.none")));
}

async function read(file) {
  if (file.size > 1_500_000) return toast(text("replays.large"));
  try {
    return await openFile(await file.text());
  } catch (error) {
    return toast(error.message);
  }
}
