// @ts-check
/** What the last seven days had of alerts like those that somebody is about to shelve. */

const MOST = 100; // alerts that are asked about: an address has an end

/** Say it in the form, if it has a place for it. @param {ParentNode} form @param {string[]} alerts their ids */
export async function foretell(form, alerts) {
  const place = form.querySelector("[data-foretold]");
  if (!place) return;
  const query = new URLSearchParams(alerts.slice(0, MOST).map((id) => ["alert", id]));
  const answer = await fetch(`/api/shelves/preview?${query}`, { headers: { accept: "application/json" } }).catch(() => null);
  const told = answer?.ok ? await answer.json().catch(() => null) : null;
  place.textContent = told?.said ?? "What the last days had of such alerts could not be read.";
}
