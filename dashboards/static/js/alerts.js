// @ts-check
/** The live alerts: the feed fills the queue, the queue the list; the list keeps its order while someone is at it. */

import { Acts } from "./acts.js";
import { Arrivals } from "./arrivals.js";
import { Chips } from "./chips.js";
import { Feed, returned } from "./feed.js";
import { terms } from "./filter.js";
import { timed } from "./times.js";
import { hint } from "./hints.js";
import { call as callPerson, offer } from "./calls.js";
import { bind, CHANGED } from "./keys.js";
import { List } from "./list.js";
import { nothing } from "./nothing.js";
import { headings, ordered } from "./order.js";
import { Panel } from "./panel.js";
import { lead, Queue, said, SEVERITIES } from "./queue.js";
import { both, dated, draw } from "./rows.js";
import { ending } from "./shelf.js";
import { banner } from "./status.js";

/** @typedef {import("./list.js").Item} Item */
/** @typedef {import("./queue.js").Group} Group */

const TITLE = document.title;
const [SOON, TOGETHER] = [40, 250]; // milliseconds between two drawings of changes, at least and at most
const NARROW = matchMedia("(width < 900px)");
const one = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const page = one("alerts");
const HOME = page.dataset.home ?? "/"; // the address of all open alerts: that without a word opens with the person's start
const words = /** @type {HTMLInputElement} */ (one("words"));
const graves = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(".graves input")]);
const tabs = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".tabs a")]);
const table = /** @type {HTMLTableElement | null} */ (document.getElementById("rows"));
const release = one("release");
const may = (page.dataset.acts ?? "").split(" ");
const queue = new Queue(document.body.dataset.user ?? "");
const opened = /** @type {Set<string>} */ (new Set());
let tab = page.dataset.tab ?? "open";
let order = page.dataset.order ?? "severity";
const since = /** @type {HTMLSelectElement} */ (one("since"));
const arrivals = new Arrivals(release);
let [pointed, pinned, ready] = [false, false, false];
let waiting = 0;
let [drawn, pause] = [0, SOON]; // when the list was drawn last, and how long it then stands

const told = () => timed(words.value, (anew) => (anew ? filtered() : later()));
const wanted = () => {
  const chosen = graves.filter((box) => box.checked).map((box) => box.value);
  const severities = new Set(chosen.length < graves.length ? chosen : []);
  return { tab, severities, terms: terms(told()), since: since?.value ? feed.now() - Number(since.value) * 60_000 : 0 };
};

const list = table && new List(table, {
  draw: (row, item) => draw(row, item, feed.now(), may.includes("acknowledged"), item.rows.some((each) => each.id === panel.id), arrivals.marks(item.rows)),
  choose: (item) => look(item),
  toggle: (item, open) => toggle(item, open),
  marked: () => put(document.getElementById("marked"), list?.marked.size ? `${list.marked.size} marked` : ""),
});
const chips = new Chips(words, () => [...queue.rows.values()].filter((row) => queue.inTab(row, tab)).map((row) => row.table), filtered);
const acts = new Acts(queue, may, () => later());
const panel = new Panel(one("panel") ?? document.createElement("aside"), (act, id) => {
  const row = queue.rows.get(id);
  // A proposal is answered as its panel tells it, at the version that stands there.
  const read = row && /^(closing|reopening)_/.test(act) ? { ...row, version: panel.version(), before: panel.version() } : row;
  if (read) acts.start(act, [read], false);
}, () => {
  write();
  feed.opened(panel.id);
  page.classList.toggle("with-panel", panel.id !== "" && !panel.place.hidden);
  list?.redraw();
});
if (returned()) await new Promise(() => {}); // the page that was left comes back in place of this one

const feed = new Feed({
  snapshot: (message) => {
    const had = queue.rows.has(panel.id);
    const known = new Set(ready ? queue.rows.keys() : message.alerts.map((row) => row.id));
    const news = queue.load(message);
    for (const row of message.alerts) if (!known.has(row.id)) arrivals.came(row);
    if (had && queue.rows.get(panel.id)?.status === "gone") panel.again();
    if (!ready) acts.resume();
    ready = true;
    later();
    return news;
  },
  change: (message) => {
    const news = queue.take(message);
    if (news.raised && message.alert) {
      arrivals.came(message.alert);
      callPerson(message.alert, feed.now());
    }
    later();
    return news;
  },
  state: (live, text) => {
    const place = one("live");
    place.hidden = false;
    place.className = live ? "live yes" : "live no";
    if (place.textContent !== text) place.textContent = text;
  },
  lost: (text) => {
    banner(text);
    page.classList.toggle("stale", text !== "");
  },
  looking: later,
  caughtUp: (news) => acts.tell(`Caught up: ${news.raised} alerts while offline, ${news.critical} critical`),
});

/** Whether someone reads further down, where a line that came above would push theirs away. */
function scrolled() {
  const rows = table?.closest(".rows");
  return (rows?.scrollTop ?? 0) > 40 || (rows !== null && rows !== undefined && window.scrollY > 40 && rows.getBoundingClientRect().top < 0);
}

/** The ids of the alerts that the list holds. */
const shown = () => new Set((list?.items ?? []).flatMap((item) => item.rows.map((row) => row.id)));

/** Alerts that came and are not in view: held back, below it or above it, or critical and of a severity that is switched off. */
function waitingToBeSeen(here = shown()) {
  if (!list) return [];
  const inView = list.inView();
  arrivals.look(list.items.filter((item) => inView.has(item.key)), (id) => queue.rows.has(id));
  const asked = wanted();
  return [...queue.rows.values()].filter((row) => {
    if (queue.takes(row, asked)) return !here.has(row.id) || arrivals.unseen([row]).length > 0;
    return switchedOff(row, asked);
  });
}

/** Whether an alert came that is critical, and only its severity keeps it from the list. @param {import("./queue.js").Held} row @param {import("./queue.js").Wanted} asked */
function switchedOff(row, asked) {
  if (row.severity !== "critical" || !arrivals.unseen([row]).length) return false;
  return queue.takes(row, { ...asked, severities: new Set() });
}

/** Bring what is new to the head of the list; a critical alert switches its severity on. */
function showNew() {
  const found = waitingToBeSeen();
  const box = graves.find((each) => each.value === "critical");
  if (box && !box.checked && found.some((row) => switchedOff(row, wanted()))) box.click();
  arrivals.bring(found);
  const rows = table?.closest(".rows");
  if (rows) rows.scrollTop = 0;
  if (scrolled()) page.scrollIntoView();
  update(true);
}

// A dialog over the list has taken its focus, and gives it back.
const held = () => pinned || pointed || scrolled() || (list?.hasFocus() ?? false) || document.querySelector("dialog[open]") !== null;

/** @param {Group} group @returns {Item[]} */
function itemsOf(group) {
  const open = group.rows.length > 1 ? opened.has(group.key) : null;
  /** @type {Item[]} */
  const items = [{ key: group.key, level: 1, rows: group.rows, open }];
  if (open) items.push(...group.rows.map(itemOf));
  return items;
}

/** @param {import("./queue.js").Held} row @returns {Item} */
function itemOf(row) {
  return { key: row.id, level: 2, rows: [row], open: null };
}

/** What is shown, in the order in which it is shown, as it stands now; without what is there no more. @param {Item} item @returns {Item} */
function renewed(item) {
  return { ...item, rows: item.rows.flatMap((row) => queue.rows.get(row.id) ?? []) };
}

/** Draw what changed: at once, but for a flood, which leaves the page as much time as the drawing took. */
function later() {
  waiting ||= window.setTimeout(update, Math.max(0, drawn + pause - performance.now()));
}

/** @param {boolean} anew whether the order is made anew though someone is at the list */
function update(anew = false) {
  clearTimeout(waiting);
  waiting = 0;
  if (!list || !ready) return void count();
  const begun = performance.now();
  const groups = arrivals.atHead(ordered(queue.groups(wanted()), order));
  const keep = held() && !anew && list.items.length > 0;
  const first = list.items.length === 0;
  list.show(keep ? list.items.map(renewed).filter((item) => item.rows.length) : groups.flatMap(itemsOf));
  if (first && history.state?.line !== undefined) list.stand(history.state);
  table?.classList.toggle("dated", dated(list.items, feed.now()));
  table?.classList.toggle("both", both(list.items));
  const here = shown();
  queue.forget(here);
  arrivals.announce(waitingToBeSeen(here));
  holding();
  nothing(list.items.length > 0, wanted(), queue.rows.values());
  panel.update(queue.rows.get(panel.id), feed.now());
  count();
  drawn = performance.now();
  pause = Math.min(TOGETHER, Math.max(SOON, drawn - begun));
}

function holding() {
  one("order").textContent = pinned ? "Order is held" : held() ? "Order is held while you are at the list" : "";
  one("hold").setAttribute("aria-pressed", String(pinned));
}

function count() {
  const asked = wanted();
  const fits = queue.counts(asked);
  if (ready) {
    const narrowed = asked.terms.length > 0 || asked.severities.size > 0 || Boolean(asked.since);
    const said = narrowed ? `${fits.fitting} of ${fits.all} alerts fit the filter` : `${fits.all} alert${fits.all === 1 ? "" : "s"}`;
    put(document.getElementById("fitting"), said);
    chips.draw(told());
    for (const link of tabs) put(link.querySelector("b"), fits[link.dataset.tab ?? ""]);
    for (const name of SEVERITIES) put(document.querySelector(`[data-severity="${name}"]`), fits[name]);
  }
  if (ready) document.title = `${fits.fresh ? `(${fits.fresh}) ` : ""}${TITLE}`;
  ending([...queue.rows.values()], feed.now());
  if (list) one("rate").textContent = `${queue.rate(feed.now())} new a minute`;
}

/** @param {Element | null} place @param {number | string | undefined} number */
function put(place, number) {
  if (place && number !== undefined && place.textContent !== String(number)) place.textContent = String(number);
}

/** @param {Item} item */
function look(item) {
  const { id } = lead(item.rows);
  if (NARROW.matches) location.assign(`/alerts/${id}`);
  else panel.open(id);
}

/** @param {Item} item @param {boolean} open */
function toggle(item, open) {
  if (!list || item.open === null) return;
  open ? opened.add(item.key) : opened.delete(item.key);
  const items = list.items.filter((each) => each.level === 1 || !item.rows.some((row) => row.id === each.key));
  const place = items.findIndex((each) => each.key === item.key);
  items[place] = { ...item, open };
  if (open) items.splice(place + 1, 0, ...item.rows.map(itemOf));
  list.show(items);
}

/** Keep in the address what this page shows, so that it comes back with it. */
function write() {
  const query = new URLSearchParams();
  if (tab !== "open") query.set("tab", tab);
  for (const severity of wanted().severities) query.append("severity", severity);
  if (words.value.trim()) query.set("q", words.value.trim());
  if (since.value) query.set("since", since.value);
  if (panel.id) query.set("alert", panel.id);
  history.replaceState(history.state, "", query.size ? `/?${query}` : HOME);
}

function filtered() {
  write();
  words.defaultValue = words.value; // the address keeps it: nothing is lost with the page
  arrivals.settle();
  for (const box of graves) box.defaultChecked = box.checked;
  for (const link of tabs) {
    const address = new URLSearchParams(location.search);
    address.delete("alert");
    address.delete("before");
    link.dataset.tab === "open" ? address.delete("tab") : address.set("tab", link.dataset.tab ?? "");
    link.setAttribute("href", address.size ? `/?${address}` : HOME);
    link.dataset.tab === tab ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
  const marked = list?.items.filter((item) => list.marked.has(item.key)) ?? [];
  update(true);
  const hidden = marked.filter((item) => !list?.marked.has(item.key));
  if (hidden.length) acts.tell(`No longer marked, as the filter hides ${hidden.length === 1 ? "it" : "them"}: ${hidden.map((item) => lead(item.rows)).map(named).join("; ")}`, true);
}

/** An alert in few words. @param {import("./queue.js").Held} row */
const named = (row) => `${row.table}, ${said(row).replace(/\.$/, "")}`;

/**
 * Begin an act by key. It touches the alert that the panel shows, where the current line holds it, or the line's only one;
 * marked lines, a line of several, and a line beside a panel that shows another alert are listed and confirmed first.
 *
 * @param {string} act @param {Record<string, string>} [fields] what the act needs, where nobody has to be asked for it
 */
function begin(act, fields) {
  const rows = [...new Map(list?.chosen().flatMap((item) => item.rows.map((row) => [row.id, row])) ?? []).values()];
  const marked = (list?.marked.size ?? 0) > 0;
  const shown = marked ? undefined : rows.find((row) => row.id === panel.id);
  if (shown) acts.start(act, [shown], false, fields);
  else acts.start(act, rows, marked || rows.length > 1 || panel.id !== "", fields);
}

/** Confirm what the panel tells of: nobody confirms what they have not read. */
function confirm() {
  const button = /** @type {HTMLElement | null} */ (panel.place.querySelector('[data-do$="_confirmed"]'));
  if (button) button.click();
  else if (panel.place.querySelector('[data-do$="_withdrawn"]')) acts.tell("You propose this yourself: a second person confirms it; you may withdraw it.", true);
  else acts.tell("Nothing in the panel waits for you: open the alert (Enter), read it, then confirm.", true);
}

if (list && table) {
  document.documentElement.classList.add("scripted");
  offer();
  headings(table, order, (chosen) => ((order = chosen), arrivals.settle(), update(true)));
  since.addEventListener("change", filtered);
  one("hold").hidden = false;
  one("hold").addEventListener("click", () => ((pinned = !pinned), update()));
  release.addEventListener("click", showNew);
  const rows = /** @type {HTMLElement} */ (table.closest(".rows"));
  rows.addEventListener("pointerenter", () => ((pointed = true), later()));
  for (const kind of ["focusin", "focusout"]) rows.addEventListener(kind, () => later());
  for (const place of [rows, window]) place.addEventListener("scroll", () => later(), { passive: true });
  // The button of what is new may come up over the list: who points there is still at the list.
  rows.addEventListener("pointerleave", (event) => ((pointed = event.relatedTarget === release), later()));
  release.addEventListener("pointerleave", (event) => {
    pointed = event.relatedTarget instanceof Node && rows.contains(event.relatedTarget);
    later();
  });
  document.addEventListener("close", () => later(), true);
  rows.addEventListener("click", (event) => {
    const quick = /** @type {Element} */ (event.target).closest("[data-quick]");
    if (!quick) return;
    event.stopPropagation();
    if (event.detail > 1) return; // a double click was aimed at what stood there before it
    const item = list.items.find((each) => each.key === quick.closest("tr")?.dataset.key);
    if (item) acts.start("acknowledged", item.rows, item.rows.length > 1);
  }, true);
  for (const link of tabs) {
    if (link.dataset.tab === "closed") continue;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      tab = link.dataset.tab ?? "open";
      filtered();
    });
  }
  for (const box of graves) box.addEventListener("change", filtered);
  words.addEventListener("input", filtered);
  words.form?.addEventListener("submit", (event) => (event.preventDefault(), list.focus()));
  const showKey = () => {
    const key = hint("Everywhere", "Filter");
    words.placeholder = `Table, dealer, clause, time${key ? `  ${key}` : ""}`;
  };
  document.addEventListener(CHANGED, showKey);
  const asked = new URLSearchParams(location.search).get("alert");
  if (asked) panel.open(asked);
  setInterval(() => {
    if (!ready) return;
    if (arrivals.any()) arrivals.announce(waitingToBeSeen());
    list.redraw();
    panel.grow(feed.now());
    count();
    arrivals.call();
  }, 1000);
  // Back finds the line, the panel and the place that were left.
  addEventListener("pagehide", () => history.replaceState({ ...list.standing() }, ""));
  const at = () => list.hasFocus();
  const free = () => at() || document.activeElement === document.body || document.activeElement?.id === "main";
  const current = () => list.current();
  /** @param {number} by @param {boolean} extend */
  const move = (by, extend = false) => {
    list.move(by, extend);
    const item = current();
    if (item && panel.id) panel.open(lead(item.rows).id);
  };
  bind("Alerts", [
    { key: "j", label: "Next line", run: () => move(1) },
    { key: "k", label: "Line before", run: () => move(-1) },
    { key: "ArrowDown", label: "Next line, in the list", when: free, run: () => move(1) },
    { key: "ArrowUp", label: "Line before, in the list", when: free, run: () => move(-1) },
    { key: "Home", label: "First line", when: at, run: () => move(-list.items.length) },
    { key: "End", label: "Last line", when: at, run: () => move(list.items.length) },
    { key: "Enter", label: "Open", when: () => at() && document.activeElement?.tagName !== "A", run: () => { const item = current(); if (item) look(item); } },
    { key: "ArrowRight", label: "Open the alerts of a line", when: at, run: () => { const item = current(); if (item) toggle(item, true); } },
    { key: "ArrowLeft", label: "Close the alerts of a line", when: at, run: () => { const item = current(); if (item) toggle(item, false); } },
    { key: "x", label: "Mark", run: () => { const item = current(); if (item) list.mark(item.key); } },
    { key: "Shift+j", label: "Mark this and the next", run: () => move(1, true) },
    { key: "Shift+k", label: "Mark this and the one before", run: () => move(-1, true) },
    { key: "a", label: "Acknowledge", run: () => begin("acknowledged") },
    { key: "s", label: "Assign", run: () => begin("assigned") },
    { key: "Shift+s", label: "Assign to me", run: () => begin("assigned", { to: queue.me }) },
    { key: "z", label: "Shelve", run: () => begin("shelved") },
    { key: "d", label: "Dispose", run: () => begin("disposed") },
    { key: "y", label: "Confirm what the panel proposes", run: () => confirm() },
    { key: "c", label: "Add to case", run: () => begin("added_to_case") },
    { key: "w", label: "Note", run: () => begin("noted") },
    { key: "u", label: "Undo", run: () => acts.undo() },
    { key: "n", label: "Show new", run: showNew },
    { key: " ", label: "Hold the order, or let it go", when: free, run: () => { pinned = !pinned; update(); } },
    { key: "p", label: "Text of the clauses", run: () => panel.clauses() },
    { key: "r", label: "Open replayer", run: () => /** @type {HTMLElement | null} */ (panel.place.querySelector("[data-replay]"))?.click() },
    ...SEVERITIES.map((name, index) => ({ key: String(index + 1), label: `Show ${name} ones, or not`, run: () => graves.find((box) => box.value === name)?.click() })),
    { key: "Escape", label: "Out of the filter, the marks, the panel", when: () => list.marked.size > 0 || panel.id !== "", leaves: words, run: () => {
      if (document.activeElement === words) list.items.length ? list.focus() : words.blur();
      else if (list.marked.size) list.unmark();
      else panel.close();
    } },
  ]);
}
