// @ts-check
// What the pages of the laboratory share: states, commands, times, and who one is.

import { h, toast } from "../dom.js";
import { lineError } from "../line.js";
import { games, get } from "../server.js";
import { keep, remember, setting } from "../settings.js";
import { number, text } from "../texts.js";

/** A state as a word with a sign: no colour is the only sign. */
export function badge(state) {
  const tone = { done: "good", failed: "bad", damaged: "bad", gone: "bad" }[state] ?? "";
  return h("span", { class: `badge ${tone} state-${state}` }, text(`state.${state}`));
}

/** A time in words. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 100) return text("seconds", number(Math.round(seconds * 10) / 10));
  return seconds < 6000
    ? text("minutes", number(Math.round(seconds / 60)))
    : text("hours", number(Math.round(seconds / 360) / 10));
}

const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** A command line with a button that copies it; `tell(words)` shows another. */
export function commandLine(words = []) {
  const code = h("code", { class: "command", tabindex: 0 });
  const copy = async () => {
    await navigator.clipboard.writeText(code.textContent);
    toast(text("copied"));
  };
  const element = h("div", { class: "row command-line" }, code, h("button", { onclick: copy }, text("copy")));
  const tell = (line) => {
    code.textContent = line.map(quoted).join(" ");
  };
  tell(words);
  return { element, tell };
}

/** Where an agent is watched: alone, or against the usual opponent of its game. */
export async function watchPlace(game, agent) {
  const played = (await games()).find((each) => each.name === game);
  if (!played) return null;
  const players = played.players > 1 ? [agent, played.opponent] : [agent];
  return `#/watch?${new URLSearchParams({ game, players: JSON.stringify(players), seed: "1" })}`;
}

let known = null;

/** What this class sees; everything is open where there is no class. */
export async function school() {
  known ??= await get("/api/class");
  return known;
}

/** Whether this class uses a page; `school` has been asked before. */
export function uses(page) {
  return !known?.pages.length || known.pages.includes(page);
}

/** Who sits here; empty where there are no pupils. */
export function pupil() {
  return setting("pupil", "");
}

/** Say who sits here; the server reads it from a cookie, which a game under way can send too. */
export function setPupil(name) {
  keep("pupil", name);
  remember("pupil", name);
}

/**
 * The events of an address: `on` hears each. A lost line is said at the top of the page, and tried again.
 * @param {string} path
 * @param {(event: any) => void} on
 */
export function follow(path, on) {
  let closed = false;
  let source = null;
  const connect = () => {
    source = new EventSource(path);
    source.onmessage = (event) => on(JSON.parse(event.data));
    source.onerror = () => {
      if (!closed) lineError();
      if (source.readyState === EventSource.CLOSED && !closed) setTimeout(() => !closed && connect(), 3000);
    };
  };
  connect();
  return () => {
    closed = true;
    source.close();
  };
}
