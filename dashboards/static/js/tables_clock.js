// @ts-check
/** The time at the tables: the server's, but where play is simulated and runs faster than that. */

const page = document.getElementById("alerts")?.dataset ?? {};
const speed = Number(page.playSpeed ?? "1");
let known = { at: Date.parse(page.playAt ?? ""), since: Date.parse(page.playSince ?? "") };

/** What the server says of them, every two seconds. @param {string} at the tables @param {string} since when the server said so @param {string} told the same in words */
export function playing(at, since, told) {
  known = { at: Date.parse(at), since: Date.parse(since) };
  const place = document.getElementById("play-told");
  if (place && place.textContent !== told) place.textContent = told;
}

/** @param {number} now of the server, in milliseconds */
export const atTables = (now) => (Number.isNaN(known.at) ? now : known.at + (now - known.since) * speed);
