// @ts-check
/** What stands beside a list of the line that is chosen: drawn by the server, kept as long as it is the chosen one. */

import { signIn } from "./feed.js";

const SETTLES = 200; // milliseconds that the choice must rest before it is fetched: each look is kept

export class Beside {
  id = "";
  /** The id whose panel is drawn; until that of a new choice has come it is another than `id`. */
  shown = "";
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {HTMLElement} place @param {() => void} changed
   * @param {{address: (id: string) => string, missing: string}} of where a panel is fetched, and what stands where there is none
   */
  constructor(place, changed, of) {
    this.place = place;
    this.changed = changed;
    this.of = of;
    place.addEventListener("click", (event) => {
      if (/** @type {Element} */ (event.target).closest("[data-close]")) this.close();
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
    this.id = this.shown = "";
    this.place.replaceChildren();
    this.open(id);
  }

  close() {
    this.id = this.shown = "";
    this.place.hidden = true;
    this.place.replaceChildren();
    this.changed();
  }

  /** What is done when the panel of this id has come. @param {string} _id */
  came(_id) {}

  /** @param {string} id */
  async #fetch(id) {
    const answer = await fetch(this.of.address(id)).catch(() => null);
    if (id !== this.id) return;
    if (answer?.redirected) return signIn();
    this.place.hidden = false;
    if (answer?.ok) this.place.innerHTML = await answer.text();
    else this.place.textContent = answer?.status === 404 ? this.of.missing : "The console does not answer.";
    const closer = document.createElement("button");
    Object.assign(closer, { type: "button", className: "closer", textContent: "✕", ariaLabel: "Close the panel" });
    closer.dataset.close = "";
    this.place.prepend(closer);
    this.shown = id;
    this.came(id);
    this.changed();
  }
}
