// @ts-check
/** Keys of the revenue pages: they follow links that are on the page, and know nothing of days or money. */

import { bind } from "./keys.js";

const FAR = 80; // pixels that an arrow scrolls a region which has the focus

/** @param {string} step */
const link = (step) => /** @type {HTMLElement | null} */ (document.querySelector(`[data-step="${step}"]`));

/** @param {number} by @param {string} step */
function along(by, step) {
  const region = document.activeElement?.closest(".scroll");
  if (region && region === document.activeElement) region.scrollBy({ left: by });
  else link(step)?.click();
}

/** Keys by the links that they follow. @type {(import("./keys.js").Binding & {step: string})[]} */
const keys = [
  { step: "day-before", key: "ArrowLeft", label: "Day, week, month or year before", run: () => along(-FAR, "day-before") },
  { step: "day-after", key: "ArrowRight", label: "Day, week, month or year after", run: () => along(FAR, "day-after") },
  { step: "shift-before", key: "Shift+ArrowLeft", label: "Shift before", run: () => link("shift-before")?.click() },
  { step: "shift-after", key: "Shift+ArrowRight", label: "Shift after", run: () => link("shift-after")?.click() },
  { step: "by", key: "b", label: "Tell apart by the next: table, game, pit, shift, dealer, day", run: () => link("by")?.click() },
];
bind("Revenue", keys.filter((one) => link(one.step)));
bind("Revenue", [{ key: "p", label: "Print, or keep as PDF", run: () => window.print() }]);

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-print]"))) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
