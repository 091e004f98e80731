// @ts-check
/** What is said to those who listen rather than look: politely at most once in five seconds, at once where it is urgent. */

const EVERY = 5000;
let last = 0;
let waiting = "";
/** @type {number | undefined} */
let timer;

/** @param {string} id @param {string} text */
function put(id, text) {
  const place = document.getElementById(id);
  if (place) place.textContent = text;
}

function speak() {
  timer = undefined;
  last = Date.now();
  put("polite", waiting);
}

/** Say this when there is time; a later text takes its place. @param {string} text */
export function say(text) {
  waiting = text;
  if (timer === undefined) timer = window.setTimeout(speak, Math.max(0, last + EVERY - Date.now()));
}

/** Say this at once. @param {string} text */
export function alarm(text) {
  put("urgent", text);
}

/** Say over the page that the desk's record was altered and nothing can be done. @param {string} text empty: it was not */
export function readOnly(text) {
  const place = document.getElementById("alarm");
  if (!place || place.textContent === text) return;
  place.hidden = text === "";
  place.textContent = text;
}

/** Show a banner over the page that cannot be missed, or take it away. @param {string} text empty: away */
export function banner(text) {
  const place = document.getElementById("banner");
  if (!place || place.textContent === text) return;
  place.hidden = text === "";
  place.textContent = text;
}
