// @ts-check
/** What stands where no line does: a filter that nothing fits is no quiet floor. */

import { unread } from "./filter.js";
import { element } from "./page.js";

/** @typedef {import("./queue.js").Held} Held */

/** @param {boolean} hidden @param {import("./queue.js").Wanted} asked @param {Iterable<Held>} rows all that there are */
export function nothing(hidden, asked, rows) {
  const place = /** @type {HTMLElement} */ (document.getElementById("nothing"));
  const narrowed = asked.terms.length > 0 || asked.severities.size > 0 || Boolean(asked.since);
  place.hidden = hidden;
  const said = hidden ? [] : unread(asked.terms, [...rows]);
  document.getElementById("unread")?.replaceChildren(...said.map((told) => element("p", {}, told)));
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-narrowed], [data-all]"))) {
    part.hidden = ("narrowed" in part.dataset) !== narrowed;
  }
}
