// @ts-check
// Elements from names, attributes and children. Text is always text: nothing here reads HTML.

/** Commands, files and names that a program reads are English in every language. */
const ENGLISH = new Set(["code", "pre"]);
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** An HTML element. */
export function h(name, attributes = {}, ...children) {
  const english = ENGLISH.has(name) ? { lang: "en" } : {};
  return fill(document.createElement(name), { ...english, ...attributes }, children);
}

/** An SVG element. */
export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Put new children in the place of all others; who was on a button by keyboard finds its successor. */
export function show(element, ...children) {
  const active = /** @type {HTMLElement | SVGElement | null} */ (document.activeElement);
  const held = element.contains(active) ? active : null;
  const same = held?.id
    ? `#${CSS.escape(held.id)}`
    : held?.dataset.move
      ? `[data-move="${CSS.escape(held.dataset.move)}"]`
      : null;
  element.replaceChildren(
    ...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false),
  );
  if (same && !held.isConnected) element.querySelector(same)?.focus({ preventScroll: true });
  return element;
}

/** A label with its field. */
export function labelled(text, field, help = "") {
  return h("label", { class: "field" }, h("span", { class: "field-name" }, text), field, help && h("small", {}, help));
}

/** A choice of one: values with their texts. */
export function select(options, value, onchange, attributes = {}) {
  const made = h("select", { ...attributes, onchange: (event) => onchange(event.target.value) });
  for (const [key, text] of options)
    made.append(h("option", { value: key, ...(key === value ? { selected: true } : {}) }, text));
  return made;
}

const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M12 3v10L4 8z",
  play: "M4 2.5v11L13.5 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forth: "M4 3h2v10H4zM7 3v10l7-5z",
  last: "M3 3v10l7-5zM11 3h2v10h-2z",
};

/** A small picture for a button. */
export function icon(name) {
  return s(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
    s("path", { d: ICONS[name], fill: "currentColor" }),
  );
}

/** Say something to a screen reader. */
export function announce(text) {
  const place = document.getElementById("said");
  if (place.textContent !== text) place.textContent = text;
}

let hiding = 0;

/** Show a short message for a few seconds. */
export function toast(text) {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(hiding);
  hiding = setTimeout(() => place.classList.remove("shown"), 5000);
}
