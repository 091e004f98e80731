// @ts-check
/** What is done to alerts: each by its id and the version that was seen, and undone within ten seconds. */

import { signIn } from "./feed.js";
import { dialog, element } from "./page.js";
import { alarm } from "./status.js";

/** @typedef {import("./queue.js").Held} Held */
/** @typedef {{rows: {id: string, version: number}[], until: number}} Undoable */

/** @type {Record<string, [string, string]>} what is asked, and what is told when it is done */
const WORDS = {
  acknowledged: ["Acknowledge", "Acknowledged"],
  assigned: ["Assign", "Assigned"],
  shelved: ["Shelve", "Shelved"],
  disposed: ["Dispose of", "Closed"],
  closing_confirmed: ["Confirm the closing of", "Closed"],
  closing_declined: ["Decline the closing of", "Not closed, and open as before"],
  closing_withdrawn: ["Withdraw the closing of", "Withdrawn, and open as before"],
  added_to_case: ["Add to a case", "Added to the case"],
  undone: ["Undo", "Undone"],
};
const UNDO_WITHIN = 10;

export class Acts {
  /** @type {Undoable | null} */
  #undo = null;

  /** @param {import("./queue.js").Queue} queue @param {string[]} may @param {() => void} changed */
  constructor(queue, may, changed) {
    this.queue = queue;
    this.may = may;
    this.changed = changed;
    this.told = /** @type {HTMLElement} */ (document.getElementById("told"));
    this.bar = /** @type {HTMLElement} */ (document.getElementById("undo"));
    this.bar.querySelector("button")?.addEventListener("click", () => void this.undo());
    setInterval(() => this.#count(), 500);
  }

  /** Show a line, and say it. @param {string} text @param {boolean} wrong */
  tell(text, wrong = false) {
    this.told.textContent = text;
    this.told.className = wrong ? "wrong" : "";
    alarm(text);
  }

  /** Do something to alerts, asking first for what it needs. @param {string} act @param {Held[]} rows */
  start(act, rows) {
    if (!this.may.includes(act)) return this.tell(`Your role does not ${WORDS[act][0].toLowerCase()} alerts.`, true);
    const fit = rows.filter((row) => (act === "acknowledged" ? row.status !== "acknowledged" : true) && row.status !== "disposed");
    if (!fit.length) return this.tell(rows.length ? `${named(rows)}: ${rows[0].status}, ${rows[0].owner ?? rows[0].by ?? ""}` : "No alert is chosen.", true);
    const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById(`form-${act}`));
    if (template) this.#ask(act, fit, template);
    else void this.perform(act, fit, {});
  }

  /** @param {string} act @param {Held[]} rows @param {Record<string, string>} fields */
  async perform(act, rows, fields) {
    const alerts = rows.map((row) => ({ id: row.id, version: this.queue.seen(row) }));
    return this.#send(act, alerts, fields, named(rows));
  }

  /** Take back what was done last. */
  async undo() {
    const last = this.#undo;
    if (!last || Date.now() > last.until) return this.tell("There is nothing to undo.", true);
    this.#undo = null;
    await this.#send("undone", last.rows, {}, last.rows.length === 1 ? "1 alert" : `${last.rows.length} alerts`);
  }

  /** @param {string} act @param {{id: string, version: number}[]} alerts @param {Record<string, string>} fields @param {string} what */
  async #send(act, alerts, fields, what) {
    const wish = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));
    const minutes = "minutes" in wish ? { minutes: Number(wish.minutes) } : {};
    const answer = await fetch("/api/acts", {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": document.body.dataset.csrf ?? "" },
      body: JSON.stringify({ wish: { act, ...wish, ...minutes }, alerts }),
    }).catch(() => null);
    if (answer?.status === 401) signIn();
    const told = await answer?.json().catch(() => null);
    if (!answer?.ok || !told) {
      this.tell(`Not done: ${told?.detail ?? "the console does not answer"}.`, true);
      return false;
    }
    this.#took(act, told, what);
    return told.refused.length === 0;
  }

  /** @param {string} act @param {{done: Held[], refused: {id: string, why: string}[]}} told @param {string} what */
  #took(act, told, what) {
    for (const row of told.done) this.queue.put(row);
    const undoable = told.done.map(({ id, version }) => ({ id, version }));
    this.#undo = undoable.length && act !== "undone" ? { rows: undoable, until: Date.now() + UNDO_WITHIN * 1000 } : null;
    const [first] = told.refused;
    const most = told.done.length + told.refused.length;
    if (first) this.tell(`${most > 1 ? `Not done to ${told.refused.length} of ${most}: ` : ""}${first.why}`, true);
    else this.tell(`${done(act, told.done)}: ${what}`);
    this.#count();
    this.changed();
  }

  /** @param {string} act @param {Held[]} rows @param {HTMLTemplateElement} template */
  #ask(act, rows, template) {
    const box = dialog(`${WORDS[act][0]}: ${named(rows)}`);
    const form = /** @type {HTMLFormElement} */ (element("form", { class: "fields" }, template.content.cloneNode(true)));
    form.append(element("button", { class: "primary" }, WORDS[act][0].split(" ")[0]));
    const critical = rows.some((row) => row.severity === "critical");
    form.querySelector("[data-why]")?.toggleAttribute("hidden", !critical);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const fields = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
      box.close();
      void this.perform(act, rows, fields);
    });
    box.append(form);
    /** @type {HTMLElement | null} */ (form.querySelector("input, select, textarea"))?.focus();
  }

  #count() {
    const left = Math.ceil(((this.#undo?.until ?? 0) - Date.now()) / 1000);
    this.bar.hidden = left <= 0;
    const progress = this.bar.querySelector("progress");
    if (progress) progress.value = Math.max(0, left);
  }
}

/** What came of an act: of those to be closed, the critical ones wait. @param {string} act @param {Held[]} rows */
function done(act, rows) {
  const wait = act === "disposed" ? rows.filter((row) => row.status === "awaiting").length : 0;
  if (!wait) return WORDS[act][1];
  return wait === rows.length ? "Proposed, waits for a second person" : `Closed, but ${wait} of ${rows.length} wait for a second person`;
}

/** Alerts in a few words. @param {Held[]} rows */
export function named(rows) {
  return rows.length === 1 ? `${rows[0].message}, ${rows[0].table}` : `${rows.length} alerts`;
}
