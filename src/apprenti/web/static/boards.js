// Boards: the module that draws a game, loaded when it is needed. docs/web.md has the contract.

import { text } from "./texts.js";

const loaded = new Map();

/** The module of a game by the name of its folder in `games/`: the server puts there what manifests name as `page`. */
export async function boardModule(name) {
  if (!/^[a-z0-9_-]+$/.test(name)) throw new Error(name);
  if (!loaded.has(name)) loaded.set(name, import(`./games/${name}/scene.js`));
  return loaded.get(name);
}

/** A context for a board that is only looked at. */
export function still(view, more = {}) {
  return {
    view,
    interactive: false,
    small: false,
    hint: null,
    details: null,
    memory: {},
    text,
    play() {},
    say() {},
    ...more,
  };
}

/** A move as people of the game write it. */
export function moveName(module, move, scene) {
  return module.moveName ? module.moveName(move, scene) : move;
}
