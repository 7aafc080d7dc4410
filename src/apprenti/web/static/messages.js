// @ts-check
// The messages between page and server, checked by the server's own description of them: neither side has a word that
// the other does not know.

/** @typedef {Record<string, string[]>} Shape the types of every field; "missing" is one of them */

/** @type {{ asked: Record<string, Shape>, live: Record<string, Shape>, sent: Record<string, Shape> }} */
const SHAPES = await (await fetch("/static/messages.json")).json();

/** @param {unknown} value */
function kindOf(value) {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return { string: "text", object: "table" }[typeof value] ?? typeof value;
}

/**
 * A message of a shape as it is; an error if it has an unknown field, or one of another type.
 * @param {Shape | undefined} shape
 * @param {Record<string, unknown>} message
 * @param {string} name
 */
function checked(shape, message, name) {
  if (!shape) throw new Error(`no message ${name}`);
  for (const field of Object.keys(message)) {
    if (!(field in shape)) throw new Error(`${name}: no field ${field}`);
  }
  for (const [field, kinds] of Object.entries(shape)) {
    const kind = kindOf(message[field]);
    if (!kinds.includes(kind)) throw new Error(`${name}: ${field} is ${kinds.join(" or ")}, not ${kind}`);
  }
}

/**
 * Check what is asked of an address.
 * @param {string} path
 * @param {Record<string, unknown>} data
 */
export function checkAsked(path, data) {
  const known = Object.keys(SHAPES.asked).find((each) => {
    const parts = each.split("/");
    const given = path.split("/");
    return parts.length === given.length && parts.every((part, at) => part.startsWith("{") || part === given[at]);
  });
  checked(SHAPES.asked[known ?? ""], data, path);
}

/**
 * Check a message of a game under way: "live" are the page's, "sent" the server's.
 * @param {"live" | "sent"} whose
 * @param {Record<string, unknown>} message
 */
export function checkLive(whose, { type, ...message }) {
  checked(SHAPES[whose][String(type)], message, String(type));
}
