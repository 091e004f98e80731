// @ts-check
/** An alert's own page, or that of its suspicion: keys for its forms, and word when someone else changes it meanwhile. */

import { Feed, signIn } from "./feed.js";
import { bind } from "./keys.js";
import { tell } from "./presence.js";
import { foretell } from "./shelf.js";
import { banner } from "./status.js";

const page = /** @type {HTMLElement} */ (document.querySelector(".alert-page"));
const { alert = "", version = "0", seq = "0" } = page.dataset;

/** The form of an act, if it is here; `*_confirmed` is of either proposal. @param {string} act */
function formOf(act) {
  const [sign, name] = act.startsWith("*") ? ["$=", act.slice(1)] : ["=", act];
  return /** @type {HTMLFormElement | null} */ (page.querySelector(`form[data-act${sign}"${name}"]`));
}

/** Send the form of an act, or open it. @param {HTMLFormElement} form @param {Record<string, string>} fields */
function start(form, fields = {}) {
  const folded = form.closest("details");
  for (const [name, value] of Object.entries(fields)) /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value;
  if (!folded || Object.keys(fields).length) return form.requestSubmit();
  folded.open = true;
  /** @type {HTMLElement | null} */ (form.querySelector("select, textarea, input:not([type=hidden])"))?.focus();
}

/** Bind a key to what is here. @template {Element} T @param {string} key @param {string} label @param {T | null} there @param {(there: T) => void} run */
function offer(key, label, there, run) {
  if (there) bind("This alert", [{ key, label, run: () => run(there) }]);
}

const ACTS = [
  ["a", "Acknowledge", "acknowledged"], ["s", "Assign", "assigned"], ["z", "Shelve", "shelved"], ["d", "Dispose", "disposed"],
  ["y", "Confirm the proposal", "*_confirmed"], ["n", "Decline the proposal", "*_declined"], ["v", "Withdraw one's own", "*_withdrawn"],
  ["c", "Add to case", "added_to_case"], ["w", "Write a note", "noted"], ["o", "Open again", "reopened"], ["u", "Undo", "undone"],
];
for (const [key, label, act] of ACTS) offer(key, label, formOf(act), start);
offer("Shift+s", "Assign to me", formOf("assigned"), (form) => start(form, { to: document.body.dataset.user ?? "" }));
offer("r", "Open replayer", /** @type {HTMLElement | null} */ (page.querySelector("[data-replay]")), (link) => link.click());
offer("p", "Text of the clauses", page.querySelector("[data-clauses]"), (text) => text.toggleAttribute("open"));

page.querySelector('details[data-for="shelved"]')?.addEventListener("toggle", () => void foretell(page, [alert]), { once: true });

/** @param {import("./queue.js").Row | undefined} row */
function changed(row) {
  if (row?.id !== alert || (row.version ?? 1) <= Number(version)) return;
  const link = Object.assign(document.createElement("a"), { href: location.pathname, textContent: "Show it as it is now" });
  document.getElementById("changed")?.replaceChildren(`Changed meanwhile: ${(row.act ?? "").replaceAll("_", " ")} by ${row.by}. `, link);
}

/** All open alerts anew: this one may be closed, or withheld by now, and then it does not stay on the screen. */
async function sought(/** @type {import("./queue.js").Row[]} */ rows) {
  rows.forEach(changed);
  if (rows.some((row) => row.id === alert)) return;
  const answer = await fetch(`/api/alerts/${alert}`, { headers: { "x-catwalk-refresh": "1" } }).catch(() => null);
  if (answer?.status === 401) return void signIn();
  if (answer?.status !== 403 && answer?.status !== 404) return;
  document.getElementById("main")?.replaceChildren();
  location.replace(location.pathname);
}

const feed = new Feed(
  {
    snapshot: (message) => (void sought(message.alerts), { raised: 0, critical: 0 }),
    change: (message) => (changed(message.alert), { raised: 0, critical: 0 }),
    state: () => {},
    lost: banner,
    caughtUp: () => {},
    looking: () => tell(page, alert),
  },
  Number(seq),
);
feed.opened(alert);
