// @ts-check
/**
 * The open alerts of this page, and which of them a list shows in which order. Nothing here touches the page.
 *
 * @typedef {"critical" | "major" | "minor" | "info"} Severity
 * @typedef {{
 *   id: string, severity: Severity, check: string, table: string, title?: string, message: string, raised_at: string,
 *   version?: number, status?: string, round?: number, seat?: number, hand?: string, dealer?: string, player?: string,
 *   event_at: string, group: string, owed?: string, cents?: number, cites?: string[], unproven?: boolean, owner?: string, proposed_by?: string, reopens?: boolean, closed_by?: string, confirmed_by?: string, declined?: string, act?: string, by?: string, at?: string, until?: string,
 * }} Row as the server sends it
 * @typedef {Row & {version: number, status: string, raised: number, event: number, changed: number, before: number}} Held
 * @typedef {{tab: string, severities: Set<string>, terms: import("./filter.js").Term[], since?: number}} Wanted no severity means all
 * @typedef {{key: string, rows: Held[], severity: Severity, oldest: number}} Group
 */

import { takes } from "./filter.js";

/** @type {Severity[]} */
export const SEVERITIES = ["critical", "major", "minor", "info"];
const TABS = ["open", "mine", "second", "acked", "shelved"];
export const WAITING = ["new", "acknowledged", "awaiting"];
const OVER = ["disposed", "gone"];
const GLANCE = 300; // milliseconds: what changed more recently has not been seen by anyone
const MINUTE = 60_000;

/** The earlier first; the server's times are finer than a millisecond. @param {Held} one @param {Held} other */
function earlier(one, other) {
  if (one.raised !== other.raised) return one.raised - other.raised;
  if (one.raised_at !== other.raised_at) return one.raised_at < other.raised_at ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

/** @param {Held} one @param {Held} other */
function graver(one, other) {
  const rank = SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
  return rank || one.event - other.event || earlier(one, other);
}

/** The alerts of which a line speaks: those that nobody has acknowledged; else those still open; else all. @param {Held[]} rows */
function spoken(rows) {
  const fresh = rows.filter((row) => row.status === "new");
  const open = fresh.length ? fresh : rows.filter((row) => !OVER.includes(row.status));
  return open.length ? open : rows;
}

/** The alert that lends a line its title and age: the newest of those of which it speaks, of one moment a proven one. @param {Held[]} rows */
export const lead = (rows) => spoken(rows).reduce((newest, row) => {
  const moment = row.raised_at === newest.raised_at ? Number(newest.unproven ?? false) - Number(row.unproven ?? false) : 0;
  return (moment || earlier(row, newest)) > 0 ? row : newest;
});

/** The gravest severity of the alerts of which a line speaks. @param {Held[]} rows */
export const severity = (rows) => spoken(rows).reduce((gravest, row) => (graver(row, gravest) < 0 ? row : gravest)).severity;

/** When the earliest event was of the alerts of which a line speaks. @param {Held[]} rows */
export const since = (rows) => spoken(rows).reduce((least, row) => Math.min(least, row.event), Infinity);

/** What happened, in the fewest words that the alert has. @param {Row} row */
export const said = (row) => row.title || row.message;

/** The largest money of alerts, owed and paid too much, in the server's own figures: `owed up to 45.00`. @param {Held[]} rows */
export function money(rows) {
  const most = (/** @type {1 | -1} */ side) => rows.reduce((/** @type {Held | null} */ found, row) => (side * (row.cents ?? 0) > side * (found?.cents ?? 0) ? row : found), null);
  const told = (/** @type {string} */ side, /** @type {Held | null} */ row) => row?.owed && `${side}${rows.length > 1 ? " up to" : ""} ${row.owed.slice(row.owed.indexOf("$") + 1)}`;
  return [told("owed", most(1)), told("overpaid", most(-1))].filter(Boolean).join(", ") || "–";
}

/** What stands in the place of an alert that is open no more, or may not be seen any more. @param {Held} row @returns {Held} */
const gone = ({ id, severity, group, raised_at, event_at, raised, event, version, changed, before }) => ({
  id, severity, group, raised_at, event_at, raised, event, version, changed, before, status: "gone", check: "", table: "",
  message: "Open no more, or not for you to see",
});

/** Acknowledged ones come last; before them the gravest, then the one that waits longest. @param {Group} one @param {Group} other */
function before(one, other) {
  const read = Number(one.oldest === Infinity) - Number(other.oldest === Infinity);
  const rank = one.severity === other.severity ? 0 : SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
  return read || rank || one.oldest - other.oldest || (one.key < other.key ? -1 : 1);
}

export class Queue {
  /** @type {Map<string, Held>} */
  rows = new Map();
  /** @type {number[]} when alerts of the last minute were raised */
  #recent = [];
  /** The terms that were asked last; below them the same as a text, and which alerts fit. @type {import("./filter.js").Term[]} */
  #terms = [];
  #words = "";
  /** @type {WeakMap<Held, boolean>} */
  #fits = new WeakMap();
  /** Alerts that stand alone, with their groups: most do, and one that changes is another object. @type {WeakMap<Held, Group>} */
  #alone = new WeakMap();
  /** Is told of each newer state. @type {(before: Held | undefined, now: Row) => void} */
  heard = () => {};

  /** @param {string} me */
  constructor(me) {
    this.me = me;
  }

  /**
   * Take all open alerts in place of what is held. One that is not among them is closed or withheld by now: nothing of it
   * stays but its place, until nobody is at the list. @param {import("./feed.js").Snapshot} message
   */
  load(message) {
    const known = this.rows;
    this.rows = new Map();
    const news = { raised: 0, critical: 0 };
    for (const row of message.alerts) {
      this.put(row, known.get(row.id));
      if (known.has(row.id)) continue;
      news.raised += 1;
      news.critical += Number(row.severity === "critical");
    }
    for (const row of known.values()) if (!this.rows.has(row.id)) this.rows.set(row.id, gone(row));
    this.#recent = message.alerts.map((row) => Date.parse(row.raised_at)).sort((one, other) => one - other);
    return news;
  }

  /** Take one change; one that is known already changes nothing. @param {import("./feed.js").Change} message */
  take(message) {
    const row = message.alert;
    if (!row) return { raised: 0, critical: 0 };
    const raised = message.act === "raised" && !this.rows.has(row.id);
    this.put(row);
    if (raised) this.#recent.push(Date.parse(row.raised_at));
    return { raised: Number(raised), critical: Number(raised && row.severity === "critical") };
  }

  /** @param {Row} row @param {Held | undefined} known */
  put(row, known = this.rows.get(row.id)) {
    const version = row.version ?? 1;
    if (known?.status === "gone") known = undefined;
    if (known && known.version > version) return void this.rows.set(row.id, known);
    if (known && known.version === version) return void this.rows.set(row.id, known);
    this.heard(known, row);
    this.rows.set(row.id, {
      ...row,
      version,
      status: row.status ?? "new",
      raised: Date.parse(row.raised_at),
      event: Date.parse(row.event_at),
      changed: known && row.by !== this.me ? Date.now() : 0,
      before: known?.version ?? version,
    });
  }

  /** The version of an alert that someone can have seen. @param {Held} row */
  seen(row) {
    return Date.now() - row.changed < GLANCE ? row.before : row.version;
  }

  /** Forget closed and gone alerts but those that are still shown. @param {Set<string>} shown */
  forget(shown) {
    for (const row of this.rows.values()) if (OVER.includes(row.status) && !shown.has(row.id)) this.rows.delete(row.id);
  }

  /** @param {Held} row @param {string} tab */
  inTab(row, tab) {
    if (tab === "second") return row.status === "awaiting" && row.proposed_by !== this.me;
    if (tab === "acked") return row.status === "acknowledged";
    if (tab === "shelved") return row.status === "shelved";
    return WAITING.includes(row.status) && (tab !== "mine" || row.owner === this.me);
  }

  /** @param {Held} row @param {Wanted} wanted */
  takes(row, wanted) {
    return this.inTab(row, wanted.tab) && (!wanted.severities.size || wanted.severities.has(row.severity)) && this.told(row, wanted);
  }

  /** Whether time and words fit, whatever its severity. @param {Held} row @param {Wanted} wanted */
  told(row, wanted) {
    return (!wanted.since || row.raised >= wanted.since) && this.#fitting(row, wanted.terms);
  }

  /** Whether the words fit; found once of each alert, however often a page asks. @param {Held} row @param {import("./filter.js").Term[]} terms */
  #fitting(row, terms) {
    if (!terms.length) return true;
    if (terms !== this.#terms) {
      const words = JSON.stringify(terms);
      if (words !== this.#words) this.#fits = new WeakMap();
      [this.#terms, this.#words] = [terms, words];
    }
    const known = this.#fits.get(row);
    if (known !== undefined) return known;
    const fits = terms.every((term) => takes(term, row));
    this.#fits.set(row, fits);
    return fits;
  }

  /** What is wanted, those that are one thing together. @param {Wanted} wanted @returns {Group[]} */
  groups(wanted) {
    /** @type {Map<string, Held[]>} */
    const found = new Map();
    for (const row of this.rows.values()) {
      if (!this.takes(row, wanted)) continue;
      const members = found.get(row.group);
      members ? members.push(row) : found.set(row.group, [row]);
    }
    return [...found].map(([key, rows]) => this.#group(key, rows)).sort(before);
  }

  /** @param {string} key @param {Held[]} rows @returns {Group} */
  #group(key, rows) {
    const alone = rows.length === 1 ? rows[0] : undefined;
    const known = alone && this.#alone.get(alone);
    if (known) return known;
    rows.sort(graver);
    const oldest = rows.reduce((least, row) => (row.status === "new" ? Math.min(least, row.event) : least), Infinity);
    const group = { key, rows, severity: severity(rows), oldest };
    if (alone) this.#alone.set(alone, group);
    return group;
  }

  /** How many alerts that fit each tab has, and each severity in this one; `all` and `fitting` are of this tab, `fresh` are all new ones. @param {Wanted} wanted */
  counts(wanted) {
    /** @type {Record<string, number>} */
    const told = Object.fromEntries([...TABS, ...SEVERITIES, "all", "fitting", "fresh"].map((name) => [name, 0]));
    for (const row of this.rows.values()) {
      const here = this.inTab(row, wanted.tab);
      told.fresh += Number(row.status === "new");
      told.all += Number(here);
      if (!this.told(row, wanted)) continue;
      told[row.severity] += Number(here);
      if (wanted.severities.size && !wanted.severities.has(row.severity)) continue;
      for (const each of TABS) told[each] += Number(this.inTab(row, each));
      told.fitting += Number(here);
    }
    return told;
  }

  /** How many alerts were raised in the minute before. @param {number} now of the server */
  rate(now) {
    while (this.#recent.length && this.#recent[0] < now - MINUTE) this.#recent.shift();
    return this.#recent.length;
  }
}
