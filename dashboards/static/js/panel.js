// @ts-check
/** What stands beside the list of the alert that is chosen: drawn by the server, kept as long as it is the chosen one. */

import { signIn } from "./feed.js";
import { tell } from "./presence.js";
import { age, status } from "./rows.js";

const SETTLES = 200; // milliseconds that the choice must rest before it is fetched: each look is kept
const ANEW = ["awaiting", "shelved"]; // states of which the panel says more than the line

export class Panel {
  id = "";
  /** @type {number | undefined} */
  #timer;

  /** @param {HTMLElement} place @param {(act: string, id: string) => void} start @param {() => void} changed */
  constructor(place, start, changed) {
    this.place = place;
    this.changed = changed;
    place.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      // The second half of a double click was aimed at what stood here before the panel.
      const act = event.detail > 1 ? null : target.closest("[data-do]")?.getAttribute("data-do");
      // A button acts upon the alert it stands with: the next one may be chosen and not be here yet.
      const id = this.place.querySelector("[data-alert]")?.getAttribute("data-alert");
      if (act && id) start(act, id);
      if (target.closest("[data-close]")) this.close();
    });
  }

  /** @param {string} id */
  open(id) {
    if (id === this.id) return;
    this.id = id;
    this.changed();
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#fetch(id), this.place.hidden ? 0 : SETTLES);
  }

  /** Take away what is shown, and ask for it again: it may be closed, or withheld by now. */
  again() {
    const id = this.id;
    this.id = "";
    this.place.replaceChildren();
    this.open(id);
  }

  close() {
    this.id = "";
    this.place.hidden = true;
    this.place.replaceChildren();
    this.changed();
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

  /** @param {string} id */
  async #fetch(id) {
    const answer = await fetch(`/alerts/${id}/panel`).catch(() => null);
    if (id !== this.id) return;
    if (answer?.redirected) return signIn();
    this.place.hidden = false;
    if (answer?.ok) this.place.innerHTML = await answer.text();
    else this.place.textContent = answer?.status === 404 ? "This alert is not there, or not for you to see." : "The console does not answer.";
    const closer = document.createElement("button");
    Object.assign(closer, { type: "button", className: "closer", textContent: "✕", ariaLabel: "Close the panel" });
    closer.dataset.close = "";
    this.place.prepend(closer);
    tell(this.place, id);
    this.changed();
  }
}
