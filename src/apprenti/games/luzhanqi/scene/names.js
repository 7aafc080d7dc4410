// @ts-check
// The pieces of Luzhanqi in words: in Chinese, English or French, whatever the language of the page is.

import { keep, setting } from "../../settings.js";
import { language, text, textIn } from "../../texts.js";

const LETTERS = "abcdefghijkl";
const CHINESE = ["司令", "军长", "师长", "旅长", "团长", "营长", "连长", "排长", "工兵", "地雷", "炸弹", "军旗"];

/** In which language pieces are named. */
export function namesIn() {
  return setting("luzhanqi.names", language());
}

/** Name the pieces in another language from now on. */
export function nameIn(chosen) {
  keep("luzhanqi.names", chosen);
}

/** The choices there are, each in its own words. */
export const NAMINGS = [
  ["zh", "中文"],
  ["en", "English"],
  ["fr", "Français"],
];

function named(kind, letter) {
  if (namesIn() === "zh") return CHINESE[LETTERS.indexOf(letter)];
  return textIn(namesIn(), `luzhanqi.${kind}.${letter}`);
}

/** A type by its name. */
export const nameOf = (letter) => named("piece", letter);

/** A type by a name that fits on a piece. */
export const shortOf = (letter) => named("short", letter);

/** 9 for a marshal, 1 for an engineer, 0 for what has no rank. */
export function rankOf(letter) {
  return Math.max(0, 9 - LETTERS.indexOf(letter));
}

/** Types in words; those that follow each other as from … to. */
export function namesOf(letters) {
  const ranked = [...letters].filter(rankOf);
  const together = ranked.length > 3 && rankOf(ranked[0]) - rankOf(ranked.at(-1)) === ranked.length - 1;
  const words = together ? [`${nameOf(ranked[0])} … ${nameOf(ranked.at(-1))}`] : ranked.map(nameOf);
  return [...words, ...[...letters].filter((letter) => !rankOf(letter)).map(nameOf)].join(", ");
}

/** The ranks of types, short: 5–9. */
export function spanOf(letters) {
  const ranks = [...letters].map(rankOf).filter(Boolean);
  return ranks.length > 1 ? `${ranks.at(-1)}–${ranks[0]}` : ranks.join("");
}

/** Whose piece it is and what it has done, as everybody saw it. */
export function historyOf(piece, scene) {
  const whose = scene.open
    ? text(piece.side ? "luzhanqi.north" : "luzhanqi.south")
    : text(piece.side === scene.bottom ? "luzhanqi.own" : "luzhanqi.enemy");
  const did = piece.did.includes("moved") ? piece.did : ["still", ...piece.did];
  return [whose, ...did.map((word) => text(`luzhanqi.did.${word}`))].join(", ");
}

/** All that is known of a piece, in a sentence. */
export function knownOf(piece, scene) {
  const names = namesOf(piece.can);
  if (piece.side === scene.bottom || scene.open) return `${names} (${historyOf(piece, scene)})`;
  return `${historyOf(piece, scene)}: ${text(piece.can.length === 1 ? "luzhanqi.is" : "luzhanqi.canbe", names)}`;
}
