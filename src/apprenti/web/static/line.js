// @ts-check
// The line to the server: what is asked of it, and what a person can do while it does not answer or know them.

import { h, show, toast } from "./dom.js";
import { text } from "./texts.js";

const EVERY = 2000; // milliseconds until it is tried again
const OURS = ["127.0.0.1", "localhost", "[::1]"];

let broken = ""; // "gone": no answer; "cookie": another server, which does not know this browser
let reloads = false; // whether the page that is open needs the server to be made at all

/** Nothing was answered; its message is the sentence for the person. */
export class LineLost extends Error {}

/** Ask the server; where it cannot be reached or knows us no more, this is said until it does. */
export async function ask(path, options = {}) {
  const response = await fetch(path, options).catch((error) => {
    throw error instanceof TypeError ? lost("gone") : error;
  });
  if (await isStale(response)) throw lost("cookie");
  return response;
}

async function isStale(response) {
  if (response.status !== 403) return false;
  const answer = await response
    .clone()
    .json()
    .catch(() => ({}));
  return answer.why === "cookie";
}

/** What is wrong with the line now; empty if nothing is. */
async function state() {
  try {
    return (await isStale(await fetch("/api/class", { cache: "no-store" }))) ? "cookie" : "";
  } catch {
    return "gone";
  }
}

function lost(why) {
  if (!broken) setTimeout(watch, EVERY);
  const error = new LineLost(text(`line.${why}`));
  if (broken !== why) {
    broken = why;
    showLine();
    if (scrollY) toast(error.message); // its top is out of sight
  }
  return error;
}

/** A stream, a game or a script did not come: an error that says so if it is for the line; null if it is not. */
export async function lineError() {
  const why = await state();
  return why ? lost(why) : null;
}

/** Load the page again when the server answers: what is open could not be made without it. */
export function reloadWhenBack() {
  reloads = true;
}

async function watch() {
  const why = await state();
  if (why) {
    lost(why);
    setTimeout(watch, EVERY);
  } else found();
}

function found() {
  if (reloads) return location.reload();
  broken = "";
  document.getElementById("line").hidden = true;
  return toast(text("line.found"));
}

async function again() {
  const why = await state();
  if (why) toast(lost(why).message);
  else location.reload();
}

/** The sentence at the top of the page, in the language of the page. */
export function showLine() {
  if (!broken) return;
  const place = document.getElementById("line");
  show(
    place,
    h("p", {}, text(`line.${broken}`)),
    h(
      "div",
      { class: "row" },
      broken === "cookie" ? addressField() : null,
      h("button", { id: "line-again", onclick: again }, text("line.again")),
    ),
  );
  place.hidden = false;
}

/** Where the terminal's address can be put: it opens what is open now. */
function addressField() {
  const name = text("line.address");
  const more = { "aria-label": name, placeholder: name, autocomplete: "off" };
  const field = h("input", { type: "text", id: "line-address", ...more });
  field.oninput = () => {
    const address = URL.canParse(field.value.trim()) ? new URL(field.value.trim()) : null;
    const token = address?.searchParams.get("token");
    if (token && address.protocol === "http:" && OURS.includes(address.hostname))
      location.assign(`${address.origin}/?token=${encodeURIComponent(token)}${location.hash}`);
  };
  return field;
}
