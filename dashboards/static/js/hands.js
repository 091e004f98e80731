// @ts-check
/** The list of hands: a line is chosen by a click or by J and K, its hand stands beside the list, and Enter opens it. */

import { Beside } from "./beside.js";
import { bind } from "./keys.js";

const WIDE = matchMedia("(width >= 1200px)"); // as in hands.css: on less there is no room beside the list
const place = /** @type {HTMLElement} */ (document.getElementById("panel") ?? document.createElement("aside"));
const hint = place.innerHTML;
const lines = /** @type {HTMLTableRowElement[]} */ ([...document.querySelectorAll("tr[data-line]")]);

/** The link of a line, which opens its hand. @param {Element} line */
const link = (line) => /** @type {HTMLAnchorElement} */ (line.querySelector("a[href^='/hands/']"));
const chosen = () => lines.find((line) => line.classList.contains("chosen"));
/** The panel of the hand that a link opens. @param {string} id the address of the hand */
const address = (id) => {
  const url = new URL(id, location.href);
  return `${url.pathname}/panel${url.search}`;
};

const panel = new Beside(place, marked, { address, missing: "This hand is not there, or not for you to see." });
let asked = ""; // what is to be followed as soon as the panel of the chosen hand has come
panel.came = () => {
  if (asked) press(asked);
};

/** Mark the chosen line, and keep which it is for who comes back. */
function marked() {
  asked = "";
  for (const line of lines) line.classList.toggle("chosen", panel.id !== "" && link(line).href === panel.id);
  history.replaceState({ ...history.state, hand: panel.id }, "");
  if (panel.id) return;
  place.innerHTML = hint;
  place.hidden = false;
}

/** @param {Element | null | undefined} line */
function choose(line) {
  if (line && WIDE.matches) panel.open(link(line).href);
}

/** The line after or before the chosen one, else the first; the focus goes along, so that Enter opens the hand. @param {number} by */
function move(by) {
  const at = lines.findIndex((line) => line === chosen() || line.contains(document.activeElement));
  const next = lines[at < 0 ? 0 : Math.min(Math.max(at + by, 0), lines.length - 1)];
  link(next).focus();
  choose(next);
}

/** @param {string} what */
const press = (what) => /** @type {HTMLElement | null} */ (place.querySelector(what))?.click();
/** A key means the chosen hand: while the panel still shows the one before, the key waits. @param {string} what */
const follow = (what) => () => {
  if (panel.shown === panel.id) press(what);
  else asked = what;
};

for (const line of lines) {
  line.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("a, button")) return;
    link(line).focus({ preventScroll: true });
    choose(line);
  });
}
if (lines.length) {
  const held = () => panel.id !== "";
  bind("Hands", [
    { key: "j", label: "Next hand", run: () => move(1) },
    { key: "ArrowDown", label: "Next hand (arrow)", run: () => move(1) },
    { key: "k", label: "Hand before", run: () => move(-1) },
    { key: "ArrowUp", label: "Hand before (arrow)", run: () => move(-1) },
    { key: "r", label: "Replay the chosen hand", when: held, run: follow("[data-replay]") },
    { key: "o", label: "Open a dispute of it", when: held, run: follow("[data-dispute]") },
    { key: "e", label: "Its evidence as PDF", when: held, run: follow("[data-evidence]") },
    { key: "Escape", label: "Close the panel", when: held, run: () => panel.close() },
  ]);
  choose(lines.find((line) => link(line).href === history.state?.hand));
}
