// @ts-check
/** What the keys of pages of links and forms do: go to a link, a field, or a line of the list. */

import { bind } from "./keys.js";

/** @param {string} selector @returns {HTMLElement | null} */
export const first = (selector) => document.querySelector(selector);

/** @param {string} selector */
export const follow = (selector) => () => first(selector)?.click();

/** Focus on a field, inside a closed part of the page too. @param {string} selector */
export const goTo = (selector) => () => {
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

/** Bind the keys of a list, if the page has one: of its name, and of what a line is. @param {string} name @param {string} line */
export function bindRows(name, line) {
  if (!first("[data-row]")) return;
  bind(name, [
    { key: "j", label: `Next ${line}`, run: () => move(1) },
    { key: "ArrowDown", label: `Next ${line} (arrow)`, run: () => move(1) },
    { key: "k", label: `${line.charAt(0).toUpperCase()}${line.slice(1)} before`, run: () => move(-1) },
    { key: "ArrowUp", label: `${line.charAt(0).toUpperCase()}${line.slice(1)} before (arrow)`, run: () => move(-1) },
  ]);
}
