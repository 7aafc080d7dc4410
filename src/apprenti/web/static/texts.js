// @ts-check
// The texts of the page and of its games, in the language that was chosen: the tables are `texts.json`.

import { keep, remember, setting } from "./settings.js";

const LANGUAGES = ["en", "fr"];

/** Every text by its key: those of the page, and those that stand beside the scenes of games. */
const TABLE = await (await fetch("/static/texts.json")).json();

let chosen = setting("language", (navigator.language ?? "en").toLowerCase().startsWith("fr") ? "fr" : "en");

remember("language", chosen);

/** The language of the page. */
export function language() {
  return chosen;
}

/** All languages. */
export function languages() {
  return LANGUAGES;
}

/** Speak another language from now on. */
export function setLanguage(name) {
  chosen = LANGUAGES.includes(name) ? name : "en";
  keep("language", chosen);
  remember("language", chosen); // for what the server says to who opens an address
}

/** A text by its key, with {0}, {1} … replaced. */
export function text(key, ...words) {
  return textIn(chosen, key).replace(/\{(\d)\}/g, (_, index) => words[Number(index)] ?? "");
}

/** A text by its key in one of the languages; the key itself where there is none. */
export function textIn(name, key) {
  return TABLE[key]?.[name] ?? key;
}

/** The key of a text for one, `….one`, or for another number: in French none is said as one is. */
export function plural(key, count) {
  return new Intl.PluralRules(chosen).select(count) === "one" ? `${key}.one` : key;
}

/** A text by its key where there is one, else the server's own words, which are English. */
export function worded(key, words) {
  return (key in TABLE && text(key)) || words;
}

/**
 * A day and an hour, from seconds since 1970.
 * @param {number} seconds
 * @param {Intl.DateTimeFormatOptions} more
 */
export function moment(seconds, more = { timeStyle: "short" }) {
  const format = new Intl.DateTimeFormat(chosen === "en" ? "en-GB" : chosen, { dateStyle: "medium", ...more });
  return format.format(seconds * 1000);
}

/** A number, short. */
export function number(value) {
  if (value === null || value === undefined) return "−∞";
  const digits = Number.isInteger(value) ? 0 : Math.abs(value) >= 100 ? 1 : 2;
  const format = new Intl.NumberFormat(chosen, { maximumFractionDigits: digits, minimumFractionDigits: digits });
  return format.format(value + 0).replace("-", "−");
}

/** A number that is close to 0 or far from it, as 1.2E-7. */
export function scientific(value) {
  return new Intl.NumberFormat(chosen, { notation: "scientific", maximumFractionDigits: 1 }).format(value);
}

/** What stands before decimals, and between thousands, as charts ask for it. */
export function separators() {
  const parts = new Intl.NumberFormat(chosen).formatToParts(12345.6);
  const of = (kind) => parts.find((part) => part.type === kind)?.value ?? "";
  return of("decimal") + of("group");
}

/** A whole number as an exponent: ⁻⁵. */
export function raised(power) {
  return [...String(power)].map((sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? "⁻").join("");
}
