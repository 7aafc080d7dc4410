// @ts-check
// What a person has chosen, kept in this browser.

const PREFIX = "apprenti.";

/** A setting, or what it usually is. */
export function setting(name, usual) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? usual : JSON.parse(text);
  } catch {
    return usual;
  }
}

/** Keep a setting. */
export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing: it holds for this page
  }
}

/** Let the server know a word with everything that is asked of it. */
export function remember(name, word) {
  document.cookie = `apprenti-${name}-${location.port}=${encodeURIComponent(word)}; SameSite=Strict; Path=/`;
}
