// @ts-check
// Boards: the module that draws a game, loaded when it is needed. docs/web.md has the contract.

import { text } from "./texts.js";

const loaded = new Map();

/** The module of a game by the name of its folder in `games/`: the server puts there what manifests name as `page`. */
export async function boardModule(name) {
  if (!/^[a-z0-9_-]+$/.test(name)) throw new Error(name);
  if (!loaded.has(name)) loaded.set(name, import(`./games/${name}/scene.js`));
  return loaded.get(name);
}

/**
 * What a board is drawn with.
 * @typedef {object} Context
 * @property {any} view the last `position`
 * @property {boolean} interactive whether it can be played
 * @property {boolean} small whether it is drawn small, without labels
 * @property {any} hint the last advice for this position
 * @property {any} details more of this position
 * @property {Record<string, any>} memory what lasts as long as the board
 * @property {(key: string, ...words: any[]) => string} text a text in the language of the page
 * @property {(move: string) => void} play send a move
 * @property {(words: string) => void} say tell a screen reader
 * @property {(value: number) => string} [number] a number in the language of the page
 * @property {HTMLElement} [element] the board's element
 * @property {(message: object) => void} [send] send any other message
 * @property {() => void} [redraw] draw again, when `memory` has changed
 */

/**
 * A context for a board that is only looked at.
 * @param {any} view
 * @param {Partial<Context>} more
 * @returns {Context}
 */
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
