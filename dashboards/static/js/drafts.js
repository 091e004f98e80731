// @ts-check
/** What was typed for an act when its person was signed out: it comes back with the page, for that person alone. */

const KEPT = "catwalk-draft";
export const LEAVING = "catwalk-sign-in"; // an event of the document: the page is left for the sign-in

/** @typedef {{act: string, seen: {id: string, version: number}[], listed: boolean, fields: Record<string, string>, given: Record<string, string>}} Draft */

const me = () => document.body.dataset.user ?? "";

/** @param {Draft} draft */
export function keep(draft) {
  sessionStorage.setItem(KEPT, JSON.stringify({ ...draft, user: me() }));
}

/** What was kept for whoever is signed in, once; another person's is thrown away. @returns {Draft | null} */
export function kept() {
  const text = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  const draft = text ? JSON.parse(text) : null;
  return draft?.user === me() ? draft : null;
}
