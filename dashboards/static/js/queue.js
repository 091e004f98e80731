// @ts-check
/**
 * The open alerts of this page, and which of them a list shows in which order. Nothing here touches the page.
 *
 * @typedef {"critical" | "major" | "minor" | "info"} Severity
 * @typedef {{
 *   id: string, severity: Severity, check: string, table: string, message: string, raised_at: string,
 *   version?: number, status?: string, round?: number, seat?: number, hand?: string, dealer?: string, owed?: string,
 *   owner?: string, act?: string, by?: string, at?: string, until?: string,
 * }} Row as the server sends it
 * @typedef {Row & {version: number, status: string, raised: number, changed: number, before: number}} Held
 * @typedef {{tab: string, severities: Set<string>, terms: import("./filter.js").Term[]}} Wanted no severity means all
 * @typedef {{key: string, rows: Held[], severity: Severity, oldest: number, owed: string, all: number}} Group
 */

import { takes } from "./filter.js";

/** @type {Severity[]} */
export const SEVERITIES = ["critical", "major", "minor", "info"];
export const WAITING = ["new", "acknowledged"];
const GLANCE = 300; // milliseconds: what changed more recently has not been seen by anyone
const MINUTE = 60_000;

/** @param {{check: string, table: string, dealer?: string | null}} row */
export const keyOf = (row) => `${row.check}|${row.table}|${row.dealer ?? ""}`;

/** @param {Held} one @param {Held} other */
function graver(one, other) {
  const rank = SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
  return rank || one.raised - other.raised || (one.id < other.id ? -1 : 1);
}

/** Acknowledged ones come last; before them the gravest, then the one that waits longest. @param {Group} one @param {Group} other */
function before(one, other) {
  const read = Number(one.oldest === Infinity) - Number(other.oldest === Infinity);
  const rank = SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
  return read || rank || one.oldest - other.oldest || (one.key < other.key ? -1 : 1);
}

export class Queue {
  /** @type {Map<string, Held>} */
  rows = new Map();
  /** @type {Map<string, string>} what each group comes to, added up by the server */
  #owed = new Map();
  /** @type {number[]} when alerts of the last minute were raised */
  #recent = [];

  /** @param {string} me */
  constructor(me) {
    this.me = me;
  }

  /** Take all open alerts in place of what is held. @param {import("./feed.js").Snapshot} message */
  load(message) {
    const known = this.rows;
    this.rows = new Map();
    this.#owed = new Map(message.owed.map(([check, table, dealer, owed]) => [keyOf({ check, table, dealer }), owed]));
    const news = { raised: 0, critical: 0 };
    for (const row of message.alerts) {
      this.put(row, known.get(row.id));
      if (known.has(row.id)) continue;
      news.raised += 1;
      news.critical += Number(row.severity === "critical");
    }
    this.#recent = [...this.rows.values()].map((row) => row.raised).sort((one, other) => one - other);
    return news;
  }

  /** Take one change; one that is known already changes nothing. @param {import("./feed.js").Change} message */
  take(message) {
    const row = message.alert;
    if (!row) return { raised: 0, critical: 0 };
    if (message.owed !== undefined) this.#owed.set(keyOf(row), message.owed);
    const raised = message.act === "raised" && !this.rows.has(row.id);
    this.put(row);
    if (raised) this.#recent.push(Date.parse(row.raised_at));
    return { raised: Number(raised), critical: Number(raised && row.severity === "critical") };
  }

  /** @param {Row} row @param {Held | undefined} known */
  put(row, known = this.rows.get(row.id)) {
    const version = row.version ?? 1;
    if (known && known.version > version) return void this.rows.set(row.id, known);
    if (known && known.version === version) return void this.rows.set(row.id, known);
    this.rows.set(row.id, {
      ...row,
      version,
      status: row.status ?? "new",
      raised: Date.parse(row.raised_at),
      changed: known && row.by !== this.me ? Date.now() : 0,
      before: known?.version ?? version,
    });
  }

  /** The version of an alert that someone can have seen. @param {Held} row */
  seen(row) {
    return Date.now() - row.changed < GLANCE ? row.before : row.version;
  }

  /** Forget closed alerts but those that are still shown. @param {Set<string>} shown */
  forget(shown) {
    for (const row of this.rows.values()) if (row.status === "disposed" && !shown.has(row.id)) this.rows.delete(row.id);
  }

  /** @param {Held} row @param {string} tab */
  inTab(row, tab) {
    if (tab === "acked") return row.status === "acknowledged";
    if (tab === "shelved") return row.status === "shelved";
    return WAITING.includes(row.status) && (tab !== "mine" || row.owner === this.me);
  }

  /** @param {Held} row @param {Wanted} wanted */
  takes(row, wanted) {
    if (!this.inTab(row, wanted.tab) || (wanted.severities.size && !wanted.severities.has(row.severity))) return false;
    return wanted.terms.every((term) => takes(term, row));
  }

  /** What is wanted, by check, table and dealer. @param {Wanted} wanted @returns {Group[]} */
  groups(wanted) {
    /** @type {Map<string, Held[]>} */
    const found = new Map();
    /** @type {Map<string, number>} */
    const all = new Map();
    for (const row of this.rows.values()) {
      const key = keyOf(row);
      if (WAITING.includes(row.status)) all.set(key, (all.get(key) ?? 0) + 1);
      if (!this.takes(row, wanted)) continue;
      const members = found.get(key);
      members ? members.push(row) : found.set(key, [row]);
    }
    return [...found].map(([key, rows]) => this.#group(key, rows, all.get(key) ?? 0)).sort(before);
  }

  /** @param {string} key @param {Held[]} rows @param {number} all how many of the whole group wait @returns {Group} */
  #group(key, rows, all) {
    rows.sort(graver);
    const oldest = rows.reduce((least, row) => (row.status === "new" ? Math.min(least, row.raised) : least), Infinity);
    return { key, rows, severity: rows[0].severity, oldest, all, owed: this.owed(key, rows, all) };
  }

  /** What rows come to, as far as the server has said. @param {string} key @param {Held[]} rows @param {number} all */
  owed(key, rows, all) {
    if (rows.length === 1) return rows[0].owed ?? "";
    const sum = this.#owed.get(key) ?? "";
    return sum === "0.00" || !sum ? "" : rows.length === all ? sum : `${sum} of all ${all}`;
  }

  /** How many alerts each tab has, and each severity in this one. @param {string} tab */
  counts(tab) {
    /** @type {Record<string, number>} */
    const told = Object.fromEntries(["open", "mine", "acked", "shelved", ...SEVERITIES].map((name) => [name, 0]));
    for (const row of this.rows.values()) {
      for (const each of ["open", "mine", "acked", "shelved"]) told[each] += Number(this.inTab(row, each));
      told[row.severity] += Number(this.inTab(row, tab));
    }
    return told;
  }

  /** How many alerts were raised in the minute before. @param {number} now of the server */
  rate(now) {
    while (this.#recent.length && this.#recent[0] < now - MINUTE) this.#recent.shift();
    return this.#recent.length;
  }
}
