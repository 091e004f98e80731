// @ts-check
/** Who else has which alert open now: said in its panel and on its line. */

/** @type {Map<string, string[]>} names by alert */
let looking = new Map();

/** What the server tells, in place of what was known. @param {Record<string, string[]>} open */
export function others(open) {
  looking = new Map(Object.entries(open));
}

/** Who else has one of these open: `ito, rex`; empty for nobody. @param {{id: string}[]} rows */
export function at(rows) {
  return looking.size ? [...new Set(rows.flatMap(({ id }) => looking.get(id) ?? []))].join(", ") : "";
}

/** Say in a panel who else has its alert open. @param {Element} place @param {string} id */
export function tell(place, id) {
  const said = place.querySelector("[data-looking]");
  const names = at([{ id }]);
  const text = names ? `${names} ${names.includes(",") ? "have" : "has"} it open` : "";
  if (said && said.textContent !== text) said.textContent = text;
}
