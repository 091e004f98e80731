// @ts-check
/** How a line of the list looks: the same words as the server writes before any script runs. */

import { element } from "./page.js";
import { lead, money, severity as gravest } from "./queue.js";

/** @typedef {import("./list.js").Item} Item */
/** @typedef {import("./queue.js").Held} Held */

/** The columns in the order in which their person wants them. */
const CELLS = (document.getElementById("alerts")?.dataset.columns ?? "severity age event alert table seat dealer owed status").split(" ");
/** @type {WeakMap<HTMLTableRowElement, Record<string, HTMLElement>>} */
const built = new WeakMap();
/** @type {Record<string, string>} */
const STATUS = { new: "New", acknowledged: "Ack", shelved: "Shelved", disposed: "Closed" };

/** How long ago: `7:21`, `2 h 05`, `3 d 4 h`. @param {number} milliseconds */
export function age(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 24) return `${hours} h ${two(Math.floor((seconds % 3600) / 60))}`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const zone = document.getElementById("alerts")?.dataset.zone ?? "UTC";
const clock = new Intl.DateTimeFormat("en-US", {
  timeZone: zone, year: "numeric", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
});
/** @type {Map<string, string>} */
const moments = new Map();

const partsOf = (/** @type {Date} */ at) => Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
const thisYear = partsOf(new Date()).year;

/** A moment by the page's one clock, as the server writes it: `20 Nov 21:14:03`, with the year where it is another. @param {string} at */
function moment(at) {
  const known = moments.get(at);
  if (known) return known;
  const parts = partsOf(new Date(at));
  const told = `${parts.day} ${parts.month} ${parts.year === thisYear ? "" : `${parts.year} `}${parts.hour}:${parts.minute}:${parts.second}`;
  if (moments.size > 5000) moments.clear();
  moments.set(at, told);
  return told;
}

/** State of the alerts of a line in a few words; the server says the same. @param {Held[]} rows */
export function status(rows) {
  const state = lead(rows).status;
  const awaiting = rows.filter((row) => row.status === "awaiting").length;
  if (awaiting && state !== "new") return awaiting === rows.length ? "Waits for second" : `${awaiting} of ${rows.length} wait for second`;
  const word = STATUS[state] ?? state;
  const alike = rows.filter((row) => row.status === state).length;
  if (alike < rows.length) return `${alike} of ${rows.length} ${word.toLowerCase()}`;
  const owners = new Set(rows.map((row) => row.owner ?? ""));
  const whose = owners.size === 1 ? [...owners][0] : "";
  return `${word}${whose ? ` ${whose}` : ""}`;
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
  cells.alert?.append(element("a", { tabindex: "-1" }), " ", button);
  const quick = element("button", { type: "button", class: "quick", "data-quick": "acknowledged", tabindex: "-1" }, "Ack");
  cells.status?.append(element("span"), " ", quick);
  built.set(row, cells);
  return cells;
}

/** @param {Element | null | undefined} place @param {string} text */
function put(place, text) {
  if (place && place.textContent !== text) place.textContent = text;
}

/** @param {Element} place @param {string} words */
function name(place, words) {
  if (place.ariaLabel !== words) place.ariaLabel = words;
}

/** @param {Element} place @param {string} classes */
function dress(place, classes) {
  if (place.className !== classes) place.className = classes;
}

/** @param {HTMLTableRowElement} row @param {Item} item @param {number} now of the server @param {boolean} acts @param {boolean} chosen */
export function draw(row, item, now, acts, chosen) {
  const cells = cellsOf(row);
  const first = lead(item.rows);
  const grave = gravest(item.rows);
  const marked = row.getAttribute("aria-selected") === "true";
  dress(row, `line ${first.status}${chosen ? " chosen" : ""}${marked ? " marked" : ""} level-${item.level}`);
  if (cells.severity) dress(cells.severity, `c-severity severity ${grave}`);
  put(cells.severity?.firstElementChild, grave.charAt(0).toUpperCase() + grave.slice(1));
  put(cells.age, age(now - first.raised));
  put(cells.event, moment(first.event_at));
  const link = /** @type {HTMLAnchorElement} */ (cells.alert.querySelector("a"));
  const href = `/alerts/${first.id}`;
  if (link.getAttribute("href") !== href) link.setAttribute("href", href);
  put(link, item.level === 2 && first.round !== undefined ? `Round ${first.round}: ${first.message}` : first.message);
  if (link.title !== link.textContent) link.title = link.textContent ?? "";
  const many = /** @type {HTMLElement} */ (cells.alert.querySelector("button"));
  many.hidden = item.open === null;
  put(many, `×${item.rows.length}`);
  name(many, `×${item.rows.length} alerts: ${item.open ? "close" : "open"}`);
  put(cells.table, first.table);
  put(cells.seat, String(first.seat ?? first.hand ?? ""));
  put(cells.dealer, first.dealer ?? "");
  put(cells.owed, money(item.rows));
  put(cells.status?.querySelector("span"), status(item.rows));
  const quick = /** @type {HTMLElement | null} */ (cells.status?.querySelector("button") ?? null);
  if (!quick) return;
  quick.hidden = !acts || first.status !== "new";
  name(quick, item.rows.length > 1 ? `Ack: choose of ×${item.rows.length}, ${first.table}` : `Ack: ${first.message}, ${first.table}`);
}
