// @ts-check
/** Shelves: what one would have hidden in the last seven days, before it is made; and which end soon. */

const MOST = 100; // alerts that are asked about: an address has an end
const SOON = 5 * 60_000; // the page of shelves says a quarter of an hour before: who looks there asks about ends

/** Say over the list that shelves end soon. @param {import("./queue.js").Held[]} rows @param {number} now of the server */
export function ending(rows, now) {
  const link = document.querySelector(".of-shelves");
  const left = rows.flatMap(({ status, until }) => (status === "shelved" && until ? Date.parse(until) - now : [])).filter((rest) => rest <= SOON);
  const minutes = Math.max(1, Math.ceil(Math.min(...left) / 60_000));
  const text = !left.length ? "All shelves" : left.length > 1 ? `▲ ${left.length} shelves end, the first in ${minutes} min` : `▲ A shelf ends in ${minutes} min`;
  link?.classList.toggle("soon", left.length > 0);
  if (link && link.textContent !== text) link.textContent = text;
}

/** Say it in the form, if it has a place for it. @param {ParentNode} form @param {string[]} alerts their ids */
export async function foretell(form, alerts) {
  const place = form.querySelector("[data-foretold]");
  if (!place) return;
  const query = new URLSearchParams(alerts.slice(0, MOST).map((id) => ["alert", id]));
  const answer = await fetch(`/api/shelves/preview?${query}`, { headers: { accept: "application/json" } }).catch(() => null);
  const told = answer?.ok ? await answer.json().catch(() => null) : null;
  place.textContent = told?.said ?? "What the last days had of such alerts could not be read.";
}
