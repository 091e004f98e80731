// @ts-check
/** How a line of the list looks: the same words as the server writes before any script runs. */

import { element } from "./page.js";
import { lead, money, severity as gravest } from "./queue.js";

/** @typedef {import("./list.js").Item} Item */
/** @typedef {import("./queue.js").Held} Held */

const CELLS = ["severity", "age", "alert", "table", "seat", "dealer", "owed", "status"];
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

/** @param {HTMLTableRowElement} row */
function build(row) {
  for (const name of CELLS) row.append(element("td", { class: `c-${name}`, role: "gridcell" }));
  row.setAttribute("role", "row");
  const [severity, when, alert, , , , owed] = row.cells;
  severity.append(element("span"));
  when.classList.add("number");
  owed.classList.add("number");
  const button = element("button", { type: "button", class: "many", "data-toggle": "", tabindex: "-1", hidden: "" });
  alert.append(element("a", { tabindex: "-1" }), " ", button);
  const quick = element("button", { type: "button", class: "quick", "data-quick": "acknowledged", tabindex: "-1" }, "Ack");
  row.cells[7].append(element("span"), " ", quick);
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
  if (!row.cells.length) build(row);
  const first = lead(item.rows);
  const grave = gravest(item.rows);
  const marked = row.getAttribute("aria-selected") === "true";
  dress(row, `line ${first.status}${chosen ? " chosen" : ""}${marked ? " marked" : ""} level-${item.level}`);
  dress(row.cells[0], `c-severity severity ${grave}`);
  put(row.cells[0].firstElementChild, grave.charAt(0).toUpperCase() + grave.slice(1));
  put(row.cells[1], age(now - first.raised));
  const link = /** @type {HTMLAnchorElement} */ (row.cells[2].querySelector("a"));
  const href = `/alerts/${first.id}`;
  if (link.getAttribute("href") !== href) link.setAttribute("href", href);
  put(link, item.level === 2 && first.round !== undefined ? `Round ${first.round}: ${first.message}` : first.message);
  const many = /** @type {HTMLElement} */ (row.cells[2].querySelector("button"));
  many.hidden = item.open === null;
  put(many, `×${item.rows.length}`);
  name(many, `×${item.rows.length} alerts: ${item.open ? "close" : "open"}`);
  put(row.cells[3], first.table);
  put(row.cells[4], String(first.seat ?? first.hand ?? ""));
  put(row.cells[5], first.dealer ?? "");
  put(row.cells[6], money(item.rows) || "–");
  put(row.cells[7].querySelector("span"), status(item.rows));
  const quick = /** @type {HTMLElement} */ (row.cells[7].querySelector("button"));
  quick.hidden = !acts || first.status !== "new";
  name(quick, item.rows.length > 1 ? `Ack: choose of ×${item.rows.length}, ${first.table}` : `Ack: ${first.message}, ${first.table}`);
}
