// @ts-check
/** Lists of hands, tables and records are walked line by line: J and K go, Enter opens. */

import { bind } from "./keys.js";

const LINES = ":is(table.hands, table.floor) tbody tr:has(a), table.log tbody tr, li.tile";

const lines = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(LINES)]);
const current = () => lines().find((line) => line.contains(document.activeElement));

/** @param {number} by */
function move(by) {
  const all = lines();
  const at = all.findIndex((line) => line.contains(document.activeElement));
  const line = all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)];
  if (!line) return;
  // A record's line opens what else is about the same; the thing itself is a link in it.
  const link = line.closest("table.log") ? null : line.querySelector("a");
  if (!link) line.tabIndex = -1;
  (link ?? line).focus();
}

/** All records about the same as the one of the line. */
function same() {
  const about = /** @type {HTMLElement | null | undefined} */ (current()?.querySelector(".about"))?.dataset.about?.trim();
  if (!about) return;
  const words = about.length > 64 ? about.slice(0, 65).replace(/[\s,;]+\S*$/, "").slice(0, 64) : about; // whole words are found
  location.assign(`/log?${new URLSearchParams({ about: words })}`);
}

if (document.querySelector("table.hands a, #floor, table.log")) {
  bind("List", [
    { key: "j", label: "Next line", run: () => move(1) },
    { key: "k", label: "Line before", run: () => move(-1) },
  ]);
}
if (document.querySelector("table.log")) {
  bind("List", [{ key: "Enter", label: "Records about the same", when: () => document.activeElement?.matches("table.log tr") ?? false, run: same }]);
}
