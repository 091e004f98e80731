// @ts-check
/** Keys of the revenue pages: they follow links that are on the page, and know nothing of days or money. */

import { bind } from "./keys.js";

const FAR = 80; // pixels that an arrow scrolls a region which has the focus

/** @param {string} step */
const follow = (step) => /** @type {HTMLElement | null} */ (document.querySelector(`[data-step="${step}"]`))?.click();

/** @param {number} by @param {string} step */
function along(by, step) {
  const region = document.activeElement?.closest(".scroll");
  if (region && region === document.activeElement) region.scrollBy({ left: by });
  else follow(step);
}

bind("Revenue", [
  { key: "ArrowLeft", label: "Day, week, month or year before", run: () => along(-FAR, "day-before") },
  { key: "ArrowRight", label: "Day, week, month or year after", run: () => along(FAR, "day-after") },
  { key: "Shift+ArrowLeft", label: "Shift before", run: () => follow("shift-before") },
  { key: "Shift+ArrowRight", label: "Shift after", run: () => follow("shift-after") },
  { key: "b", label: "Tell apart by the next: table, game, pit, shift, dealer", run: () => follow("by") },
  { key: "p", label: "Print, or keep as PDF", run: () => window.print() },
]);

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-print]"))) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
