// @ts-check
// The page: where one is (the part of the address after #), the language, the colours.

import { h, select, show, toast } from "./dom.js";
import { lineError, LineLost, reloadWhenBack, showLine } from "./line.js";
import { pupil, school, setPupil, uses } from "./lab/common.js";
import { keep, setting } from "./settings.js";
import { language, languages, setLanguage, text, worded } from "./texts.js";

const PAGES = {
  "": () => import("./pages/home.js"),
  new: () => import("./pages/new.js"),
  play: () => import("./pages/play.js"),
  watch: () => import("./pages/watch.js"),
  wall: () => import("./pages/wall.js"),
  replays: () => import("./pages/replays.js"),
  replay: () => import("./pages/replay.js"),
  people: () => import("./pages/people.js"),
  runs: () => import("./pages/runs.js"),
  run: () => import("./pages/run.js"),
  train: () => import("./pages/train.js"),
  measure: () => import("./pages/measure.js"),
  solve: () => import("./pages/solve.js"),
  measured: () => import("./pages/measured.js"),
  zoo: () => import("./pages/zoo.js"),
  agent: () => import("./pages/agent.js"),
  reproduce: () => import("./pages/reproduce.js"),
  experiment: () => import("./pages/experiment.js"),
};
const TABS = [
  ["", "nav.play"],
  ["watch", "nav.watch"],
  ["wall", "nav.wall"],
  ["replays", "nav.replays"],
  ["runs", "nav.runs"],
  ["measure", "nav.measure"],
  ["zoo", "nav.zoo"],
  ["reproduce", "nav.reproduce"],
];
/** Pages that belong to another one's tab. */
const BELONGS = {
  new: "",
  play: "",
  replay: "replays",
  people: "",
  run: "runs",
  train: "runs",
  measured: "measure",
  solve: "measure",
  agent: "zoo",
  experiment: "reproduce",
};

const PATIENCE = 700; // milliseconds after which a page that is still empty says so

let seen = { pages: [], pupils: [], title: "", language: "" };
let close = () => {};
let visits = 0;

function theme() {
  return setting("theme", "auto");
}

function paint() {
  const root = document.documentElement;
  if (theme() === "auto") root.removeAttribute("data-theme");
  else root.dataset.theme = theme();
}

function isDark() {
  return theme() === "dark" || (theme() === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
}

function changeTheme() {
  keep("theme", isDark() ? "light" : "dark");
  paint();
  top(tab());
}

function changeLanguage() {
  const all = languages();
  setLanguage(all[(all.indexOf(language()) + 1) % all.length]);
  go();
}

function choosePupil(name) {
  setPupil(name);
  go();
}

function top(name) {
  const home = BELONGS[name] ?? name;
  const links = TABS.filter(([tab]) => uses(tab || "play")).map(([tab, key]) =>
    h("a", { href: `#/${tab}`, ...(tab === home ? { "aria-current": "page" } : {}) }, text(key)),
  );
  show(
    document.getElementById("top"),
    h(
      "a",
      { class: "brand", href: "#/", "aria-label": "apprenti" },
      h("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }),
      h("span", {}, seen.title || "apprenti"),
    ),
    h("nav", { "aria-label": text("nav") }, links),
    h(
      "div",
      { class: "tools" },
      seen.pupils.length
        ? select([["", text("class.who")], ...seen.pupils.map((pupil) => [pupil, pupil])], pupil(), choosePupil, {
            id: "pupil",
            "aria-label": text("class.who"),
          })
        : null,
      h(
        "button",
        { class: "quiet", id: "language", onclick: changeLanguage, title: text("language") },
        text("language.other"),
      ),
      h(
        "button",
        {
          class: "quiet",
          id: "theme",
          onclick: changeTheme,
          "aria-label": text(isDark() ? "theme.light" : "theme.dark"),
          title: text(isDark() ? "theme.light" : "theme.dark"),
        },
        isDark() ? "☀" : "☾",
      ),
    ),
  );
  document.querySelector("nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  document.getElementById("skip").textContent = text("skip");
}

/** Where the address leads: the page's name, what comes after it, and its query. */
function place() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  if (!Object.hasOwn(PAGES, name)) throw new Error(text("refusal.address"));
  const tab = BELONGS[name] ?? name;
  if (!uses(tab || "play"))
    return { name: seen.pages[0] === "play" ? "" : seen.pages[0], rest: [], query: new URLSearchParams() };
  return { name, rest: rest.map(decoded), query: new URLSearchParams(query) };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(text("refusal.address"));
  }
}

/** The same, where it need lead nowhere: for what is chosen at the top. */
function tab() {
  try {
    return place().name;
  } catch {
    return null;
  }
}

async function go() {
  const name = tab();
  for (const dialog of document.querySelectorAll("dialog")) dialog.close(); // of the page that is left
  close();
  close = () => {};
  visits += 1;
  const visit = visits;
  document.documentElement.lang = language();
  top(name);
  showLine();
  // a page that was left while it was made is drawn nowhere
  const inner = h("div", { class: `page-${name || "home"}` });
  show(document.getElementById("main"), inner);
  setTimeout(
    () => inner.isConnected && !inner.hasChildNodes() && show(inner, h("p", { class: "dim" }, text("wait"))),
    PATIENCE,
  );
  try {
    const { rest, query } = place();
    const leave = (await (await PAGES[name]()).open(inner, { rest, query })) ?? (() => {});
    if (visit === visits) close = leave;
    else leave();
  } catch (error) {
    await explain(inner, error);
  }
}

/** Why a page could not be opened. A script that did not come is for the line, or for a newer version of the page. */
async function explain(inner, error) {
  const line = error instanceof LineLost || (error instanceof TypeError && (await lineError()));
  if (line) reloadWhenBack();
  const script = !line && error instanceof TypeError && /import|module/i.test(error.message);
  const words = line ? text("line.waits") : script ? text("line.part") : worded(`refusal.${error.why}`, error.message);
  const reload = h("button", { onclick: () => location.reload() }, text("line.again"));
  show(
    inner,
    h(
      "section",
      { class: "card notice" },
      h("h1", {}, text("error")),
      h("p", {}, words),
      script ? h("p", {}, reload) : null,
      line ? null : h("p", {}, h("a", { href: "#/" }, text("nav.play"))),
    ),
  );
}

addEventListener("hashchange", go);
addEventListener("unhandledrejection", (event) => toast(event.reason?.message ?? String(event.reason)));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => top(tab()));
document.getElementById("skip").onclick = () => document.getElementById("main").focus();
paint();
school()
  .then((answer) => {
    seen = answer;
    if (seen.pupils.length) setPupil(pupil());
    if (seen.language && setting("language", null) === null) setLanguage(seen.language);
  })
  .catch((error) => toast(error.message))
  .finally(go);
