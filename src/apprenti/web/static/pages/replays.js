// @ts-check
// The games of the folder, and a place to drop a file.

import { h, show, toast } from "../dom.js";
import { uses } from "../lab/common.js";
import { get } from "../server.js";
import { text } from "../texts.js";
import { listed } from "./listed.js";
import { openFile } from "./replay.js";

export async function open(main) {
  const { games } = await get("/api/played");
  const field = h("input", {
    type: "file",
    accept: ".json,application/json",
    id: "file",
    "aria-label": text("replays.drop"),
    onchange: () => field.files[0] && read(field.files[0]),
  });
  const drop = h("div", { class: "file-drop", id: "drop" }, h("p", {}, text("replays.drop")), field);
  drop.ondragover = (event) => {
    event.preventDefault();
    drop.classList.add("over");
  };
  drop.ondragleave = () => drop.classList.remove("over");
  drop.ondrop = (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files[0]) read(event.dataTransfer.files[0]);
  };
  const shown = games.filter((each) => each.moves > 0);
  show(
    main,
    h("h1", {}, text("nav.replays")),
    drop,
    uses("play") ? h("p", {}, h("a", { href: "#/people" }, text("rated.ladder"))) : null,
    shown.length ? h("ul", { class: "list" }, shown.map(listed)) : h("p", { class: "dim" }, text("replays.none")),
  );
}

async function read(file) {
  if (file.size > 1_500_000) return toast(text("replays.large"));
  try {
    return await openFile(await file.text());
  } catch (error) {
    return toast(error.message);
  }
}
