// @ts-check
// What is asked of the server: answers, and games under way.

import { ask, lineError } from "./line.js";
import { checkAsked, checkLive } from "./messages.js";
import { language, text, worded } from "./texts.js";

async function answer(response) {
  const body = await response.text();
  let data = null;
  try {
    data = JSON.parse(body);
  } catch {
    throw new Error(body.replace(/^apprenti: /, "").trim() || `${response.status}`);
  }
  if (data.error) throw refused(data);
  return data;
}

/** An error in the language of the page where it has words for the reason; what is unknown, the server says exactly. */
function refused({ error, field = "", why = "" }) {
  const words = why === "unknown" ? error : worded(`refusal.${why}`, error);
  return Object.assign(new Error(words), { field, why });
}

/** What there is at an address. */
export async function get(path) {
  return answer(await ask(path));
}

/** The same before it is read; a refusal is the server's sentence. */
export async function opened(path, options = {}) {
  const response = await ask(path, options);
  if (!response.ok) await answer(response);
  return response;
}

/** The same as text: long numbers stay as they are. */
export async function getText(path) {
  return (await opened(path)).text();
}

/** Ask for something to be done. */
export async function post(path, data = {}) {
  checkAsked(path, data);
  return answer(
    await ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) }),
  );
}

/** A game under way: `on` is told every message, and {type: "lost"} or {type: "found"} about the line itself. */
export class Live {
  constructor(id, on) {
    this.id = id;
    this.on = on;
    this.closed = false;
    this.waiting = [];
    this.tries = 0;
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/live/${encodeURIComponent(this.id)}`);
    this.socket.onopen = () => {
      if (this.tries) this.on({ type: "found" });
      this.tries = 0;
      for (const message of this.waiting.splice(0)) this.socket.send(message);
    };
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      checkLive("sent", message);
      this.on(message);
    };
    this.socket.onclose = () => {
      if (this.closed) return;
      if (!this.tries) this.on({ type: "lost" });
      this.tries += 1;
      lineError(); // it is said at the top of the page
      setTimeout(() => !this.closed && this.connect(), Math.min(4000, 250 * 2 ** this.tries));
    };
  }

  send(message) {
    checkLive("live", message);
    const words = JSON.stringify(message);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(words);
    else if (message.type !== "move" && this.waiting.length < 20) this.waiting.push(words);
  }

  close() {
    this.closed = true;
    this.socket.close();
  }
}

/** @type {Map<string, any>} */
const known = new Map();

/** All games, asked for once in each language. */
export async function games() {
  const name = language();
  if (!known.has(name)) known.set(name, await get("/api/games"));
  return known.get(name).games;
}

/** One game by its name. */
export async function game(name) {
  const one = (await games()).find((each) => each.name === name);
  if (!one) throw new Error(text("error.game", name));
  return one;
}

/** Who plays a game, as it is now: runs go on and others begin. */
export async function agentsOf(name) {
  return (await get(`/api/agents/${encodeURIComponent(name)}`)).agents;
}

/** The runs that learn a game by generations of many players, as they are now. */
export async function runsOf(name) {
  return (await get(`/api/agents/${encodeURIComponent(name)}`)).runs;
}
