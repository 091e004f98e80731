// @ts-check
/** The panel of the alert that is chosen: its acts, and what becomes of it meanwhile. */

import { Beside } from "./beside.js";
import { tell } from "./presence.js";
import { age, status } from "./rows.js";

const ANEW = ["awaiting", "shelved"]; // states of which the panel says more than the line

const ALERT = { address: (/** @type {string} */ id) => `/alerts/${id}/panel`, missing: "This alert is not there, or not for you to see." };

export class Panel extends Beside {
  /** @param {HTMLElement} place @param {(act: string, id: string) => void} start @param {() => void} changed */
  constructor(place, start, changed) {
    super(place, changed, ALERT);
    place.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      // The second half of a double click was aimed at what stood here before the panel.
      const act = event.detail > 1 ? null : target.closest("[data-do]")?.getAttribute("data-do");
      // A button acts upon the alert it stands with: the next one may be chosen and not be here yet.
      const id = this.place.querySelector("[data-alert]")?.getAttribute("data-alert");
      if (act && id) start(act, id);
    });
  }

  /** @param {string} id */
  came(id) {
    tell(this.place, id);
  }

  /** Show what has changed meanwhile. @param {import("./queue.js").Held | undefined} row @param {number} now of the server */
  update(row, now) {
    const head = this.place.querySelector("header");
    // A proposal is confirmed as it was read, and a shelf ended: whatever becomes of either is read anew.
    const waited = ANEW.includes(head?.dataset.status ?? "");
    const newer = row ? row.version > Number(head?.dataset.version) && (waited || ANEW.includes(row.status)) : waited;
    if (head && newer) return this.again();
    tell(this.place, this.id);
    const place = this.place.querySelector("[data-state]");
    const text = row ? status([row], now) : "";
    if (place && row && row.version > Number(this.place.querySelector("header")?.dataset.version) && place.textContent !== text) place.textContent = text;
  }

  /** The version of the alert that stands here. */
  version() {
    return Number(this.place.querySelector("header")?.dataset.version ?? 0);
  }

  /** Say how long ago the alert was raised. @param {number} now of the server */
  grow(now) {
    const place = /** @type {HTMLTimeElement | null} */ (this.place.querySelector("[data-ago]"));
    if (place) place.textContent = age(now - Date.parse(place.dateTime));
  }

  /** Open or close the text of the further clauses. */
  clauses() {
    const place = /** @type {HTMLDetailsElement | null} */ (this.place.querySelector("[data-clauses]"));
    if (place) place.open = !place.open;
    place?.scrollIntoView({ block: "nearest" });
  }
}
