// @ts-check
/** Keys of the pages of disputes: everything is links and forms, this only goes to them. */

import { bind } from "./keys.js";

/** @param {string} selector @returns {HTMLElement | null} */
const first = (selector) => document.querySelector(selector);

/** @param {string} selector */
const follow = (selector) => () => first(selector)?.click();

/** Focus on a field, inside a closed part of the page too. @param {string} selector */
const goTo = (selector) => () => {
  const field = first(selector);
  field?.closest("details")?.setAttribute("open", "");
  field?.focus();
};

/** @param {number} by */
function move(by) {
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-row] th a")]);
  const at = links.findIndex((link) => link === document.activeElement);
  links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
}

if (first("[data-row]")) {
  bind("Disputes", [
    { key: "j", label: "Next dispute", run: () => move(1) },
    { key: "ArrowDown", label: "Next dispute (arrow)", run: () => move(1) },
    { key: "k", label: "Dispute before", run: () => move(-1) },
    { key: "ArrowUp", label: "Dispute before (arrow)", run: () => move(-1) },
  ]);
}
if (first("[data-new]")) bind("Disputes", [{ key: "n", label: "Open a dispute", run: follow("[data-new]") }]);
if (first("[data-hand]")) bind("Dispute", [{ key: "h", label: "Replayer at the disputed event", run: follow("[data-hand]") }]);
if (first("[data-print]")) {
  bind("Dispute", [
    { key: "p", label: "Report as PDF", run: follow("[data-print]") },
    { key: "e", label: "Evidence of the round as PDF", run: follow("[data-evidence]") },
  ]);
}
if (first("#ruling")) bind("Dispute", [{ key: "d", label: "Decide", run: goTo("#ruling") }]);
if (first("#note")) bind("Dispute", [{ key: "n", label: "Note", run: goTo("#note") }]);
if (first("#f-claim")) bind("Dispute", [{ key: "c", label: "Claim", run: goTo("#f-claim") }]);
