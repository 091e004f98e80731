// @ts-check
/** Alerts that came since the page was opened: announced over the head of the list, brought in there, and marked. */

import { hint } from "./hints.js";
import { said } from "./queue.js";
import { alarm, say } from "./status.js";

/** @typedef {import("./list.js").Item} Item */
/** @typedef {import("./queue.js").Group} Group */
/** @typedef {import("./queue.js").Row} Row */
/** @typedef {import("./queue.js").Held} Held */

const MARKED = 10_000; // milliseconds that a line is marked as new from when it was first in view
const BROUGHT = -1;
const QUIET = 5_000; // milliseconds between two announcements of critical alerts

export class Arrivals {
  /** @type {Map<string, number>} when the line of an alert that came was first in view; 0 where it was not, BROUGHT where it was brought */
  #seen = new Map();
  /** @type {Map<string, number>} alerts that someone brought to the head of the list, by which time that was */
  #brought = new Map();
  #times = 0;
  /** @type {string[]} */
  #unsaid = [];
  #called = 0;

  /** @param {HTMLElement} button announces them, and brings them in */
  constructor(button) {
    this.button = button;
  }

  /** An alert came: a critical one is announced whatever the list shows. @param {Row} row */
  came(row) {
    this.#seen.set(row.id, 0);
    if (row.severity !== "critical") return;
    this.#unsaid.push(`Critical: ${said(row)}, ${row.table}`);
    this.call();
  }

  /** Say what is critical at once, and what comes in the five seconds behind it as one number. */
  call() {
    if (!this.#unsaid.length || Date.now() - this.#called < QUIET) return;
    alarm(this.#unsaid.length === 1 ? this.#unsaid[0] : `${this.#unsaid.length} new critical alerts`);
    this.#unsaid = [];
    this.#called = Date.now();
  }

  /** Whether there is an alert that came and has not been seen for long. */
  any() {
    return this.#seen.size > 0;
  }

  /** Those of these alerts that came and were neither in view nor brought there. @param {Held[]} rows */
  unseen(rows) {
    return this.#seen.size ? rows.filter((row) => this.#seen.get(row.id) === 0) : [];
  }

  /** Whether a line is marked as new. @param {Held[]} rows */
  marks(rows) {
    return this.#seen.size > 0 && rows.some((row) => row.status === "new" && this.#seen.has(row.id));
  }

  /** Take notice of what is in view now: a mark goes ten seconds after it was seen. @param {Item[]} inView @param {(id: string) => boolean} there */
  look(inView, there) {
    if (document.hidden || !this.#seen.size) return;
    const now = Date.now();
    for (const { id } of inView.flatMap((item) => item.rows)) if ((this.#seen.get(id) ?? now) <= 0) this.#seen.set(id, now);
    for (const [id, at] of this.#seen) if ((at > 0 && now - at > MARKED) || !there(id)) this.#seen.delete(id);
  }

  /**
   * Bring these to the head of the list, where they stay until its order is asked for anew; those that were brought before and
   * still bear their mark stay below them. @param {Held[]} rows
   */
  bring(rows) {
    this.#times += 1;
    for (const id of this.#brought.keys()) if (!this.#seen.has(id)) this.#brought.delete(id);
    for (const { id } of rows) {
      this.#brought.set(id, this.#times);
      if (this.#seen.get(id) === 0) this.#seen.set(id, BROUGHT);
    }
  }

  /** Leave all lines in their order: what was brought and never in view is announced again. */
  settle() {
    for (const id of this.#brought.keys()) if (this.#seen.get(id) === BROUGHT) this.#seen.set(id, 0);
    this.#brought.clear();
  }

  /** Groups in their order, those that were brought before the others, the last brought first. @param {Group[]} groups */
  atHead(groups) {
    if (!this.#brought.size) return groups;
    const last = new Map(groups.map((group) => [group, Math.max(...group.rows.map((row) => this.#brought.get(row.id) ?? 0))]));
    return groups.sort((one, other) => (last.get(other) ?? 0) - (last.get(one) ?? 0));
  }

  /** Announce these where the eye is. @param {Held[]} rows */
  announce(rows) {
    const critical = rows.filter((row) => row.severity === "critical").length;
    const many = (/** @type {number} */ number) => number.toLocaleString("en-US");
    const show = hint("Alerts", "Show new");
    const text = `↑ ${many(rows.length)} new${critical ? ` · ${many(critical)} critical` : ""}`;
    this.button.hidden = rows.length === 0;
    if (!rows.length || this.button.textContent === text) return;
    this.button.textContent = text;
    this.button.title = `Bring them to the head of the list${show ? ` (${show})` : ""}`;
    say(`${rows.length} new${critical ? `, ${critical} critical` : ""}${show ? `: press ${show}` : ""}`);
  }
}
