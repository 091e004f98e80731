// @ts-check
/** How a line of the list looks: the same words as the server writes before any script runs. */

import { element } from "./page.js";
import { at } from "./presence.js";
import { lead, money, said, severity as gravest, since } from "./queue.js";
import { atTables } from "./tables_clock.js";

/** @typedef {import("./list.js").Item} Item */
/** @typedef {import("./queue.js").Held} Held */

/** The columns in the order in which their person wants them. */
const CELLS = (document.getElementById("alerts")?.dataset.columns ?? "severity event age alert table seat dealer owed status").split(" ");
/** @type {WeakMap<HTMLTableRowElement, Record<string, HTMLElement>>} */
const built = new WeakMap();
/** @type {Record<string, string>} */
const STATUS = { new: "New", acknowledged: "Ack", shelved: "Shelved", disposed: "Closed", gone: "Gone" };

/** How long ago: `7:21`, `2 h 05`, `3 d 4 h`, `12 d`. @param {number} milliseconds */
export function age(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 24) return `${hours} h ${two(Math.floor((seconds % 3600) / 60))}`;
  return hours < 240 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${Math.floor(hours / 24)} d`;
}

const zone = document.getElementById("alerts")?.dataset.zone ?? "UTC";
const clock = new Intl.DateTimeFormat("en-US", {
  timeZone: zone, year: "numeric", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
});
/** @type {Map<string, string>} */
let moments = new Map();
/** @type {{minute: number, day: string, year: string}} the day it is, as of this minute */
let today = { minute: -1, day: "", year: "" };

/** @param {number} at milliseconds */
const partsOf = (at) => Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
const dayOf = (/** @type {Record<string, string>} */ { day, month, year }) => `${day} ${month} ${year}`;

/** The day by the page's one clock. @param {number} now of the server */
function dayNow(now) {
  const minute = Math.floor(now / 60_000);
  if (minute === today.minute) return today;
  const parts = partsOf(now);
  if (dayOf(parts) !== today.day) moments = new Map();
  return (today = { minute, day: dayOf(parts), year: parts.year });
}

/** A moment by the page's one clock, as the server writes it: `21:14:03`; of another day `20 Nov 21:14`, of another year `20 Nov 2025`. @param {string} at @param {number} now */
export function moment(at, now) {
  const { day, year } = dayNow(now);
  const known = moments.get(at);
  if (known) return known;
  const parts = partsOf(Date.parse(at));
  const date = `${parts.day} ${parts.month}`;
  const time = `${parts.hour}:${parts.minute}`;
  const then = parts.year === year ? `${date} ${time}` : `${date} ${parts.year}`;
  const told = dayOf(parts) === day ? `${time}:${parts.second}` : then;
  if (moments.size > 5000) moments.clear();
  moments.set(at, told);
  return told;
}

/** Whether the event of any of these was on another day than today. @param {Item[]} items @param {number} now of the server */
export function dated(items, now) {
  const { day } = dayNow(atTables(now));
  const ends = { first: Infinity, last: -Infinity };
  for (const item of items) {
    const { event } = lead(item.rows);
    ends.first = Math.min(ends.first, event);
    ends.last = Math.max(ends.last, event);
  }
  return items.length > 0 && (dayOf(partsOf(ends.first)) !== day || dayOf(partsOf(ends.last)) !== day);
}

/** Whether a line is of money owed and of money overpaid: its cell needs the room for both. @param {Item[]} items */
export const both = (items) => items.some(({ rows }) => rows.length > 1 && rows.some((row) => (row.cents ?? 0) > 0) && rows.some((row) => (row.cents ?? 0) < 0));

/** The name that all have; empty where they differ. @param {(string | undefined)[]} names */
function theOnly(names) {
  return names.every((name) => name === names[0]) ? names[0] ?? "" : "";
}

/** What makes alerts of one check one line. @param {Held} row */
function rule({ group, round }) {
  if (group.split("|").length === 4) return `in round ${round}`;
  return group.includes("=") ? "about the same people or device" : "at one table, as a tuning has them";
}

/** State of the alerts of a line in a few words; the server says the same. @param {Held[]} rows @param {number} now of the server */
export function status(rows, now) {
  const state = lead(rows).status;
  const awaiting = rows.filter((row) => row.status === "awaiting").length;
  if (awaiting && state !== "new") {
    if (awaiting < rows.length) return `${awaiting} of ${rows.length} wait for second`;
    const proposer = theOnly(rows.map((row) => row.proposed_by));
    const wants = rows.every((row) => row.reopens) ? "would reopen" : "proposes";
    return proposer ? `Waits for second; ${proposer} ${wants}` : "Waits for second";
  }
  const word = STATUS[state] ?? state;
  const alike = rows.filter((row) => row.status === state).length;
  if (alike < rows.length) return `${alike} of ${rows.length} ${word.toLowerCase()}`;
  if (state === "disposed") {
    const closers = [theOnly(rows.map((row) => row.closed_by)), theOnly(rows.map((row) => row.confirmed_by))];
    return closers[0] ? `${word} by ${closers.filter(Boolean).join(", ")}` : word;
  }
  const until = state === "shelved" ? theOnly(rows.map((row) => row.until)) : "";
  if (until) return `${word} to ${moment(until, atTables(now))}`;
  const whose = theOnly(rows.map((row) => row.owner));
  return `${word}${whose ? ` ${whose}` : ""}`;
}

/** The class that dresses the state of a line. @param {Held[]} rows */
function tag(rows) {
  if (lead(rows).status === "new") return "tag fresh";
  return rows.some((row) => row.status === "awaiting") ? "tag wait" : "";
}

/** The cells of a row by their columns; a column that is hidden has none. @param {HTMLTableRowElement} row */
function cellsOf(row) {
  const known = built.get(row);
  if (known) return known;
  /** @type {Record<string, HTMLElement>} */
  const cells = Object.fromEntries(CELLS.map((name) => [name, element("td", { class: `c-${name}`, role: "gridcell" })]));
  row.append(...Object.values(cells));
  row.setAttribute("role", "row");
  cells.severity?.append(element("span"));
  cells.age?.classList.add("number");
  cells.owed?.classList.add("number");
  const button = element("button", { type: "button", class: "many", "data-toggle": "", tabindex: "-1", hidden: "" });
  cells.alert?.append(element("i", { class: "looking" }), element("a", { tabindex: "-1" }), " ", button);
  const quick = element("button", { type: "button", class: "quick", "data-quick": "acknowledged", tabindex: "-1" }, "Ack");
  cells.status?.append(element("span"), " ", quick);
  built.set(row, cells);
  return cells;
}

/** @param {Element | null | undefined} place @param {string} text */
function put(place, text) {
  if (place && place.textContent !== text) place.textContent = text;
}

/** Write what a cell may have no room for: the whole stands in its title. @param {HTMLElement | null | undefined} place @param {string} text */
function write(place, text) {
  put(place, text);
  if (place && place.title !== text) place.title = text;
}

/** @param {Element} place @param {string} words */
function name(place, words) {
  if (place.ariaLabel !== words) place.ariaLabel = words;
}

/** @param {Element} place @param {string} classes */
function dress(place, classes) {
  if (place.className !== classes) place.className = classes;
}

/** @param {HTMLTableRowElement} row @param {Item} item @param {number} now of the server @param {boolean} acts @param {boolean} chosen @param {boolean} fresh whether it is marked as new */
export function draw(row, item, now, acts, chosen, fresh) {
  const cells = cellsOf(row);
  const first = lead(item.rows);
  const grave = gravest(item.rows);
  const marked = row.getAttribute("aria-selected") === "true";
  dress(row, `line ${first.status}${chosen ? " chosen" : ""}${marked ? " marked" : ""}${fresh ? " came" : ""} level-${item.level}`);
  if (cells.severity) dress(cells.severity, `c-severity severity ${grave}`);
  put(cells.severity?.firstElementChild, grave.charAt(0).toUpperCase() + grave.slice(1));
  write(cells.age, age(atTables(now) - since(item.rows)));
  write(cells.event, moment(first.event_at, atTables(now)));
  const link = /** @type {HTMLAnchorElement} */ (cells.alert.querySelector("a"));
  const href = `/alerts/${first.id}`;
  if (link.getAttribute("href") !== href) link.setAttribute("href", href);
  write(link, item.level === 2 && first.round !== undefined ? `Round ${first.round}: ${said(first)}` : said(first));
  const many = /** @type {HTMLElement} */ (cells.alert.querySelector("button"));
  many.hidden = item.open === null;
  put(many, `×${item.rows.length}`);
  many.title = `${item.rows.length} alerts of one check ${rule(first)}`;
  name(many, `×${item.rows.length} alerts: ${item.open ? "close" : "open"}`);
  write(cells.table, first.table);
  write(cells.seat, String(first.seat ?? first.hand ?? ""));
  write(cells.dealer, first.dealer ?? "");
  write(cells.owed, money(item.rows));
  const state = cells.status?.querySelector("span");
  write(state, status(item.rows, now));
  if (state) dress(state, tag(item.rows));
  const eye = /** @type {HTMLElement} */ (cells.alert.querySelector("i"));
  const names = at(item.rows);
  put(eye, names && `◉ ${names}`);
  eye.title = names && `Open on the screen of ${names}`;
  const quick = /** @type {HTMLElement | null} */ (cells.status?.querySelector("button") ?? null);
  if (!quick) return;
  quick.hidden = !acts || first.status !== "new";
  name(quick, item.rows.length > 1 ? `Ack: choose of ×${item.rows.length}, ${first.table}` : `Ack: ${said(first)}, ${first.table}`);
}
