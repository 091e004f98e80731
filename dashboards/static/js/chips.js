// @ts-check
/**
 * The words of the filter as chips, each taken out by a click or a key, and words that are offered to be clicked in. The server
 * draws both alike (chips.py, alert_words.html).
 */

import { terms, unreadable, written } from "./filter.js";
import { element } from "./page.js";
import { reading, understood } from "./times.js";

/** @typedef {import("./filter.js").Term} Term */

const TABLES = '[data-fields="table"] li';
const MOST_TABLES = 12; // that are offered
const one = (/** @type {string} */ id) => /** @type {HTMLElement | null} */ (document.getElementById(id));

export class Chips {
  /** @type {Term[]} */
  #terms = [];
  #drawn = "";
  #words = ""; // of which the terms are

  /**
   * @param {HTMLInputElement} words the filter @param {() => string[]} tables the table of each alert that is listed
   * @param {() => void} changed called when a word was taken out or put in
   */
  constructor(words, tables, changed) {
    this.words = words;
    this.changed = changed;
    this.tables = tables;
    this.offers = one("offers");
    one("chips")?.addEventListener("click", (event) => this.#click(event));
    one("chips")?.addEventListener("keydown", (event) => {
      if (event.key === "Delete" || event.key === "Backspace") this.#click(event);
    });
    this.offers?.addEventListener("click", (event) => this.#put(event));
    this.offers?.addEventListener("toggle", () => this.#renew());
  }

  /** Draw a chip for each word. @param {import("./times.js").Timed} told the words, parted from their times */
  draw(told) {
    this.#forget();
    if (reading(this.words.value)) return;
    this.#words = this.words.value;
    this.#terms = terms(told);
    const shown = this.#terms.map((term) => ({ word: this.#written(term), wrong: unreadable(term), meant: term.time?.understood ?? "" }));
    const drawn = JSON.stringify(shown);
    const place = one("chips");
    if (!place || drawn === this.#drawn) return;
    this.#drawn = drawn;
    const times = one("understood");
    if (times) times.textContent = understood(told);
    times?.toggleAttribute("hidden", times.textContent === "");
    place.hidden = shown.length === 0;
    place.replaceChildren(...shown.map(({ word, wrong, meant }) => {
      const chip = element("a", { class: wrong ? "chip amiss" : "chip", href: "/", title: wrong || meant || "Take it out of the filter" });
      if (wrong) chip.append(element("span", { class: "unseen" }, "Not understood: "));
      chip.append(`${word} `, element("span", { "aria-hidden": "true" }, "✕"));
      return element("li", {}, chip);
    }));
    this.#choose();
  }

  /** @param {Term} term */
  #written(term) {
    return written(term, this.words.value);
  }

  /** Which offered words stand in the filter. */
  #choose() {
    const here = new Set(this.#terms.map((term) => this.#written(term).toLowerCase()));
    for (const link of /** @type {NodeListOf<HTMLElement>} */ (this.offers?.querySelectorAll("[data-word]") ?? [])) {
      here.has((link.dataset.word ?? "").toLowerCase()) ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
    }
  }

  /** Take the word out on which someone acts; the chip behind it is the next. @param {Event} event */
  #click(event) {
    const chip = /** @type {Element} */ (event.target).closest("li");
    if (!chip) return;
    event.preventDefault();
    const at = [...(chip.parentElement?.children ?? [])].indexOf(chip);
    this.#become(this.#terms.filter((_, place) => place !== at).map((term) => this.#written(term)));
    const left = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#chips a"))];
    (left[Math.min(at, left.length - 1)] ?? this.words).focus();
  }

  /** Put the offered word in place of those of its fields, or take it out where it stands. @param {Event} event */
  #put(event) {
    const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-word]"));
    if (!link) return;
    event.preventDefault();
    const fields = (/** @type {HTMLElement} */ (link.closest("[data-fields]")).dataset.fields ?? "").split(" ");
    const others = this.#terms.filter((term) => !fields.includes(term.field)).map((term) => this.#written(term));
    this.#become(link.hasAttribute("aria-current") ? others : [...others, link.dataset.word ?? ""]);
  }

  /** Nothing where the filter has words whose times the server has yet to read: none may be lost. @param {string[]} words */
  #become(words) {
    if (this.words.value !== this.#words) return;
    this.words.value = words.join(" ");
    this.changed();
  }

  /** A table of which nothing is listed any more, since it was withheld or all of it is closed, is offered no more. */
  #forget() {
    const offered = [.../** @type {NodeListOf<HTMLElement>} */ (this.offers?.querySelectorAll(TABLES) ?? [])];
    const listed = new Set(offered.length ? this.tables() : []);
    for (const one of offered) if (!listed.has(one.textContent ?? "")) one.remove();
  }

  /** Offer the tables that have the most alerts now. */
  #renew() {
    const place = this.offers?.querySelector('[data-fields="table"] ul');
    if (!place || !(/** @type {HTMLDetailsElement} */ (this.offers).open)) return;
    /** @type {Map<string, number>} */
    const many = new Map();
    for (const name of this.tables()) many.set(name, (many.get(name) ?? 0) + 1);
    const first = [...many].sort(([a, of], [b, than]) => than - of || (a < b ? -1 : 1)).slice(0, MOST_TABLES);
    place.replaceChildren(...first.map(([name]) => {
      const word = /\s/.test(name) ? `table:"${name}"` : `table:${name}`;
      return element("li", {}, element("a", { class: "chip", href: `/?${new URLSearchParams({ q: word })}`, "data-word": word }, name));
    }));
    this.#choose();
  }
}
