// @ts-check
/** The order of the lines, as each person chose it and the server keeps it; the server orders alike (queue_order.py). */

import { lead, since } from "./queue.js";

/** @typedef {import("./queue.js").Group} Group */

const most = (/** @type {Group} */ group) => Math.max(0, ...group.rows.map((row) => Math.abs(row.cents ?? 0)));
const compare = (/** @type {string} */ one, /** @type {string} */ other) => Number(one > other) - Number(one < other);
/** @type {Record<string, (one: Group, other: Group) => number>} */
const BY = {
  newest: (one, other) => lead(other.rows).event - lead(one.rows).event,
  oldest: (one, other) => since(one.rows) - since(other.rows),
  money: (one, other) => most(other) - most(one),
  table: (one, other) => compare(lead(one.rows).table, lead(other.rows).table),
  dealer: (one, other) => compare(lead(one.rows).dealer ?? "\uffff", lead(other.rows).dealer ?? "\uffff"),
};

/** Groups that stand gravest first, in this order. @param {Group[]} groups @param {string} order */
export const ordered = (groups, order) => (BY[order] ? groups.sort(BY[order]) : groups);

/** Keep a choice of this page's person. @param {string} choice @param {string} value */
export function choose(choice, value) {
  return fetch("/api/preferences", {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": document.body.dataset.csrf ?? "" },
    body: JSON.stringify({ choice, value }),
  }).catch(() => null);
}

/**
 * Let the headings of a table choose its order. @param {HTMLTableElement} table @param {string} order the one there is
 * @param {(order: string) => void} changed
 */
export function headings(table, order, changed) {
  const links = /** @type {HTMLAnchorElement[]} */ ([...table.querySelectorAll("thead a[data-orders]")]);
  const tell = () => {
    for (const link of links) {
      const orders = (link.dataset.orders ?? "").split(" ");
      const heading = link.closest("th");
      const aged = heading?.classList.contains("c-age");
      const up = order === "newest" ? aged : order === "oldest" ? !aged : order === "table" || order === "dealer";
      orders.includes(order) ? heading?.setAttribute("aria-sort", up ? "ascending" : "descending") : heading?.removeAttribute("aria-sort");
    }
  };
  for (const link of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const [first, second] = (link.dataset.orders ?? "").split(" ");
      order = order === first ? second : first;
      tell();
      void choose("queue_order", order);
      changed(order);
    });
  }
}
