// @ts-check
/**
 * What is done to alerts: each by its id and the version that was seen, and undone within ten seconds. An act upon several
 * lists them first, and touches those that are ticked when it is confirmed.
 */

import { keep, kept, LEAVING } from "./drafts.js";
import { signIn } from "./feed.js";
import { members } from "./members.js";
import { dialog, element } from "./page.js";
import { foretell } from "./shelf.js";
import { alarm } from "./status.js";

/** @typedef {import("./queue.js").Held} Held */
/** @typedef {{rows: Held[], until: number}} Undoable */
/** @typedef {{cents: string, text: string}} Beyond */

/** @type {Record<string, [string, string]>} what is asked, and what is told when it is done */
const WORDS = {
  acknowledged: ["Acknowledge", "Acknowledged"],
  assigned: ["Assign", "Assigned"],
  shelved: ["Shelve", "Shelved"],
  unshelved: ["Take off the shelf", "Off the shelf"],
  disposed: ["Dispose of", "Closed"],
  closing_confirmed: ["Confirm the closing of", "Closed"],
  closing_declined: ["Decline the closing of", "Not closed, and open as before"],
  closing_withdrawn: ["Withdraw the closing of", "Withdrawn, and open as before"],
  reopening_confirmed: ["Confirm the opening of", "Opened again"],
  reopening_declined: ["Decline the opening of", "Not opened again, and closed as before"],
  reopening_withdrawn: ["Withdraw the opening of", "Withdrawn, and closed as before"],
  added_to_case: ["Add to a case", "Added to the case"],
  noted: ["Note on", "Note kept"],
  undone: ["Undo", "Undone"],
};
const UNDO_WITHIN = 10;

export class Acts {
  /** @type {Undoable | null} */
  #undo = null;
  /** @type {Beyond | undefined} what the last act would have paid beyond the debt, for which it was refused */
  beyond;

  /** @param {import("./queue.js").Queue} queue @param {string[]} may @param {() => void} changed */
  constructor(queue, may, changed) {
    this.queue = queue;
    this.may = may;
    this.changed = changed;
    this.told = /** @type {HTMLElement} */ (document.getElementById("told"));
    this.bar = /** @type {HTMLElement} */ (document.getElementById("undo"));
    this.bar.querySelector("button")?.addEventListener("click", () => this.undo());
    setInterval(() => this.#count(), 500);
    queue.heard = (before, row) => {
      const mine = before?.status === "awaiting" && before.proposed_by === queue.me && row.by !== queue.me;
      if (mine && row.status !== "awaiting" && row.declined) this.tell(`Your ${row.act === "reopening_declined" ? "opening" : "closing"} was declined by ${row.declined} (${named([before])})`, true);
    };
  }

  /** Show a line, and say it. @param {string} text @param {boolean} wrong */
  tell(text, wrong = false) {
    this.told.textContent = text;
    this.told.className = wrong ? "wrong" : "";
    alarm(text);
  }

  /**
   * Do something to alerts, asking first for what it needs.
   *
   * @param {string} act @param {Held[]} rows @param {boolean} listed whether they are listed and confirmed first
   * @param {Record<string, string>} [fields] what it needs, where nobody has to be asked for it
   */
  start(act, rows, listed = rows.length > 1, fields) {
    if (!this.may.includes(act)) return this.tell(`Your role does not ${WORDS[act][0].toLowerCase()} alerts.`, true);
    const fit = rows.filter((row) => (act === "acknowledged" ? row.status !== "acknowledged" : true) && row.status !== "disposed");
    if (!fit.length) return this.tell(rows.length ? `${named(rows)}: ${rows[0].status}, ${rows[0].owner ?? rows[0].by ?? ""}` : "No alert is chosen.", true);
    const form = fields ? null : document.getElementById(`form-${act}`);
    // A listed alert is read as it stands now, with its state; of another only what stood there a moment ago was seen.
    const seen = fit.map((row) => (listed ? row : { ...row, version: this.queue.seen(row) }));
    if (listed || form) this.#ask(act, seen, listed, /** @type {HTMLTemplateElement | null} */ (form), fields);
    else
      void this.#send(act, seen, fields ?? {}).then((left) => {
        if (left.length && this.beyond) this.#ask(act, left, false, null, fields, { fields: {}, why: this.told.textContent ?? "" });
      });
  }

  /** Take back what was done last; what was done to several is listed first. */
  undo() {
    const last = this.#undo;
    if (!last || Date.now() > last.until) return this.tell("There is nothing to undo.", true);
    if (last.rows.length > 1) this.#ask("undone", last.rows, true, null);
    else void this.#send("undone", last.rows, {});
  }

  /**
   * Send it; the rows for which it may be sent again. What is confirmed as it was read is not, where it changed meanwhile:
   * the panel reads it anew.
   *
   * @param {string} act @param {Held[]} rows at the versions that were seen @param {Record<string, string>} fields
   */
  async #send(act, rows, fields) {
    const alerts = rows.map(({ id, version }) => ({ id, version }));
    if (act === "undone") this.#forget(rows);
    const wish = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));
    this.beyond = undefined;
    const numbers = Object.fromEntries(["minutes", "money_cents", "beyond_cents"].filter((name) => name in wish).map((name) => [name, Number(wish[name])]));
    const answer = await fetch("/api/acts", {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": document.body.dataset.csrf ?? "" },
      body: JSON.stringify({ wish: { act, ...wish, ...numbers }, alerts }),
    }).catch(() => null);
    if (answer?.status === 401) signIn();
    const told = await answer?.json().catch(() => null);
    if (!answer?.ok || !told) {
      this.tell(`Not done: ${told?.detail ?? "the console does not answer"}.`, true);
      return rows;
    }
    this.#took(act, told, named(rows));
    this.beyond = told.beyond;
    const again = told.refused.filter((/** @type {{beyond_cents?: number}} */ one) => !reads(act) || one.beyond_cents);
    return rows.filter((row) => again.some((/** @type {{id: string}} */ { id }) => id === row.id));
  }

  /** Ask again for what somebody had typed when they were signed out. */
  resume() {
    const draft = kept();
    if (!draft) return;
    const rows = draft.seen.flatMap(({ id }) => this.queue.rows.get(id) ?? []);
    const form = /** @type {HTMLTemplateElement | null} */ (document.getElementById(`form-${draft.act}`));
    const typed = Object.values(draft.fields).filter(Boolean).join("; ");
    if (!rows.length) return this.tell(`Not sent when you were signed out, and its alert is open no more: ${typed}`, true);
    const meanwhile = rows.filter(({ id, version }) => draft.seen.every((each) => each.id !== id || each.version !== version));
    const told = meanwhile.map((row) => ` Meanwhile: ${(row.act ?? "").replaceAll("_", " ")} by ${row.by}.`).join("");
    if (reads(draft.act) && meanwhile.length) return this.tell(`Not sent: you were signed out.${told} Read it, then answer it.`, true);
    this.#ask(draft.act, rows, draft.listed, form, draft.given, { fields: draft.fields, why: `Not sent: you were signed out.${told}` });
  }

  /** Undo these no second time. @param {Held[]} rows */
  #forget(rows) {
    const left = this.#undo?.rows.filter((row) => !rows.some((each) => each.id === row.id)) ?? [];
    this.#undo = this.#undo && left.length ? { ...this.#undo, rows: left } : null;
  }

  /** @param {string} act @param {{done: Held[], refused: {id: string, why: string}[]}} told @param {string} what */
  #took(act, told, what) {
    for (const row of told.done) this.queue.put(row);
    if (act !== "undone") this.#undo = told.done.length ? { rows: told.done, until: Date.now() + UNDO_WITHIN * 1000 } : null;
    const [first] = told.refused;
    const most = told.done.length + told.refused.length;
    if (first) this.tell(`${most > 1 ? `Not done to ${told.refused.length} of ${most}: ` : ""}${first.why}`, true);
    else this.tell(`${done(act, told.done)}: ${what}`);
    this.#count();
    this.changed();
  }

  /**
   * Ask for what an act needs, and have it confirmed: rows that are listed can be unticked one by one.
   *
   * @param {string} act @param {Held[]} rows @param {boolean} listed @param {HTMLTemplateElement | null} template
   * @param {Record<string, string>} [given] what the act needs and nobody is asked for
   * @param {{fields: Record<string, string>, why: string} | null} [draft] what was typed before, and why it was not sent
   */
  #ask(act, rows, listed, template, given = {}, draft = null) {
    const box = dialog(`${WORDS[act][0]}${given.to ? ` to ${given.to}` : ""}: ${named(rows)}`);
    const form = /** @type {HTMLFormElement} */ (element("form", { class: "fields" }));
    const button = /** @type {HTMLButtonElement} */ (element("button", { class: "primary" }));
    const fits = (/** @type {Held[]} */ ticked) => {
      const verb = WORDS[act][0].split(" ")[0];
      button.textContent = listed ? `${verb} (${ticked.length} alert${ticked.length === 1 ? "" : "s"})` : verb;
      button.disabled = ticked.length === 0;
      const critical = ticked.some((row) => row.severity === "critical");
      form.querySelector("[data-why]")?.toggleAttribute("hidden", !critical);
      for (const one of form.querySelectorAll("[data-lesser]")) one.toggleAttribute("disabled", critical);
      form.querySelector("[data-each]")?.toggleAttribute("hidden", ticked.length < 2);
    };
    const several = listed ? members(rows, fits) : null;
    if (several) form.append(several.list);
    if (template) form.append(template.content.cloneNode(true));
    if (rows.length === 1) offer(form, rows[0].id);
    const why = element("p", { class: "wrong", role: "alert" }, draft?.why ?? "");
    void foretell(form, rows.map((row) => row.id));
    form.append(why, button);
    mean(form, draft ? this.beyond : undefined, button);
    fits(rows);
    const fields = () => /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
    for (const [name, value] of Object.entries(draft?.fields ?? {})) {
      const field = form.elements.namedItem(name);
      if (field && "value" in field) field.value = value;
    }
    let open = rows;
    const leaving = () => keep({ act, seen: open.map(({ id, version }) => ({ id, version })), listed, fields: fields(), given });
    document.addEventListener(LEAVING, leaving);
    box.addEventListener("close", () => document.removeEventListener(LEAVING, leaving));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      for (const place of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[required], textarea[required]"))) {
        place.setCustomValidity(place.value.trim() ? "" : "Write something: this is kept on the record.");
        place.oninput = () => place.setCustomValidity("");
      }
      if (!form.reportValidity()) return;
      const ticked = several?.ticked() ?? open;
      button.disabled = true;
      // What was typed stays until it is done; what was refused says who did what, and is sent again as it stands then.
      void this.#send(act, open.filter((row) => ticked.some(({ id }) => id === row.id)), { ...fields(), ...given }).then((left) => {
        if (!left.length) return box.close();
        open = reads(act) ? left : left.map((row) => this.queue.rows.get(row.id) ?? row);
        why.textContent = this.told.textContent;
        mean(form, this.beyond, button);
        button.disabled = false;
      });
    });
    box.append(form);
    const first = form.querySelector(".fields > :not(.members) :is(input, select, textarea)") ?? button;
    /** @type {HTMLElement} */ (first).focus();
  }

  #count() {
    const left = Math.ceil(((this.#undo?.until ?? 0) - Date.now()) / 1000);
    this.bar.hidden = left <= 0;
    const progress = this.bar.querySelector("progress");
    if (progress) progress.value = Math.max(0, left);
  }
}

/** Offer the amount that the record owes, where the panel of that alert tells it. @param {HTMLElement} form @param {string} id */
function offer(form, id) {
  const cents = /** @type {HTMLElement | null} */ (document.querySelector(`.of-alert[data-alert="${id}"][data-to-pay]`))?.dataset.toPay;
  const label = form.querySelector("[data-owed]");
  const box = label?.querySelector("input");
  if (!cents || !label || !box) return;
  label.removeAttribute("hidden");
  box.disabled = false;
  box.value = cents;
  const said = label.querySelector("b");
  if (said) said.textContent = `$${(Number(cents) / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
}

/**
 * Offer to say that an amount beyond the debt is meant; where there is none, offer it no more.
 *
 * @param {HTMLElement} form @param {Beyond | undefined} beyond @param {HTMLElement} before
 */
function mean(form, beyond, before) {
  form.querySelector("[data-meant]")?.remove();
  if (!beyond) return;
  const box = element("input", { type: "checkbox", name: "beyond_cents", value: beyond.cents });
  const said = element("span", {}, `Pay ${beyond.text} beyond the debt: it is meant`);
  before.before(element("label", { class: "row", "data-meant": "" }, box, said));
}

/** Whether an act agrees to what somebody read: it holds for the version that was read, and for no other. @param {string} act */
const reads = (act) => act.endsWith("_confirmed");

/** What came of an act: of those to be closed, the critical ones wait. @param {string} act @param {Held[]} rows */
function done(act, rows) {
  const wait = act === "disposed" ? rows.filter((row) => row.status === "awaiting").length : 0;
  if (!wait) return WORDS[act][1];
  return wait === rows.length ? "Proposed, waits for a second person" : `Closed, but ${wait} of ${rows.length} wait for a second person`;
}

/** Alerts in a few words. @param {Held[]} rows */
export function named(rows) {
  return rows.length === 1 ? `${(rows[0].title ?? rows[0].message).replace(/\.$/, "")}, ${rows[0].table}` : `${rows.length} alerts`;
}
