// @ts-check
/** The alerts of a group act, listed before it is confirmed: each with its money, and ticked until someone unticks it. */

import { element } from "./page.js";
import { moment, status } from "./rows.js";
import { atTables } from "./tables_clock.js";

/** @typedef {import("./queue.js").Held} Held */

/** @param {Held} row */
function where(row) {
  const round = row.round === undefined ? "" : `round ${row.round}`;
  const seat = row.seat === undefined ? "" : `seat ${row.seat}`;
  const event = moment(row.event_at, atTables(Date.now()));
  return [row.table, round, seat, row.dealer ? `dealer ${row.dealer}` : "", event, `id ${row.id.slice(0, 6)}`, status([row], Date.now())].filter(Boolean).join(" · ");
}

/**
 * A fieldset of alerts, and how to ask which are ticked now.
 *
 * @param {Held[]} rows @param {(ticked: Held[]) => void} changed is called when someone ticks or unticks one
 */
export function members(rows, changed) {
  const boxes = rows.map(() => /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", checked: "" })));
  const ticked = () => rows.filter((_, place) => boxes[place].checked);
  const lines = rows.map((row, place) => {
    const words = element("span", {}, row.title ?? row.message, " ", element("span", { class: "muted" }, where(row)));
    return element("li", {}, element("label", {}, boxes[place], words, element("b", { class: "number" }, row.owed || "no money")));
  });
  const list = element("fieldset", { class: "members" }, element("legend", {}, "It is done to each of these that is ticked, and to no other"));
  list.append(element("ul", {}, ...lines));
  list.addEventListener("change", () => changed(ticked()));
  return { list, ticked };
}
