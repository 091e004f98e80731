// @ts-check
/** What every page has: keys to its sections, the list of keys, find by id, and the theme. */

import "./hints.js";
import { bind, bindings, change, on, refusal, restore, shown, switchKeys, written } from "./keys.js";
import { back, mayLeave } from "./leaving.js";
import "./menus.js";
import "./walk.js";
import "./watch.js";

/** @param {string} tag @param {Record<string, string>} attributes @param {(Node | string)[]} content */
export function element(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

/** A dialog with a heading and a button to close it, gone from the page when closed. @param {string} heading */
export function dialog(heading) {
  const made = /** @type {HTMLDialogElement} */ (element("dialog", { "aria-label": heading }));
  const closer = element("button", { type: "button", class: "closer" }, "Close");
  closer.addEventListener("click", () => mayLeave(made) && made.close());
  made.append(closer, element("h2", {}, heading));
  made.addEventListener("cancel", (event) => mayLeave(made) || event.preventDefault());
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}

/** @param {import("./keys.js").Bound} one @param {HTMLElement} told where it is said why a key is not taken */
function changer(one, told) {
  const button = element("button", { type: "button", "aria-label": `Change the key of ${one.label}` }, "Change");
  const end = () => {
    button.removeEventListener("keydown", take);
    button.removeEventListener("blur", end);
    button.textContent = "Change";
  };
  /** @param {KeyboardEvent} event */
  const take = (event) => {
    if (["Shift", "Control", "Alt", "AltGraph", "Meta"].includes(event.key)) return;
    if (event.key === "Tab") return end(); // it goes on to the next button, as ever
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (event.key === "Escape") return end();
    const key = written(event);
    const why = refusal(one, key);
    told.textContent = why || `${one.label}: ${shown(key)}`;
    if (why) return;
    change(one, key);
    end();
    const shows = button.closest("tr")?.querySelector("kbd");
    if (shows) shows.textContent = shown(one.key);
  };
  button.addEventListener("click", () => {
    button.textContent = "Press a key; Esc leaves it";
    told.textContent = "";
    button.addEventListener("keydown", take);
    button.addEventListener("blur", end);
  });
  return button;
}

function listKeys() {
  const box = dialog("Keys");
  const act = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", id: "keys-act" }));
  act.checked = on();
  act.addEventListener("change", () => switchKeys(act.checked));
  const first = element("button", { type: "button" }, "All as they came");
  first.addEventListener("click", () => (restore(), box.close(), listKeys()));
  box.append(element("p", { class: "row" }, act, element("label", { for: "keys-act" }, "Single keys act on the page"), first));
  const told = element("p", { class: "told-of-keys", role: "status" });
  box.append(told);
  const places = new Map(bindings().map((one) => [one.where, /** @type {HTMLElement[]} */ ([])]));
  for (const one of bindings()) {
    const key = element("td", {}, element("kbd", {}, shown(one.key)));
    places.get(one.where)?.push(element("tr", {}, key, element("td", {}, one.label), element("td", {}, changer(one, told))));
  }
  for (const [where, rows] of places) {
    box.append(element("table", {}, element("caption", {}, where), element("tbody", {}, ...rows)));
  }
}

function find() {
  const box = dialog("Find by id");
  const field = element("input", { id: "find-id", name: "q", required: "", maxlength: "128", autocomplete: "off" });
  const form = element(
    "form",
    { method: "get", action: "/find", class: "fields" },
    element("label", { for: "find-id" }, "Table and round (BJ-12 41), finding, dispute or alert"),
    field,
    element("button", { class: "primary" }, "Find"),
  );
  const told = element("p", { class: "refused", role: "alert" });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void found(/** @type {HTMLInputElement} */ (field).value, told).then((place) => place && location.assign(place));
  });
  box.append(form, told);
  field.focus();
}

/** The page of what a text names; where it names nothing, that is told where it was typed. @param {string} text @param {HTMLElement} told */
async function found(text, told) {
  const query = new URLSearchParams({ q: text });
  const answer = await fetch(`/api/find?${query}`, { headers: { accept: "application/json" } });
  if (answer.ok) return String((await answer.json()).place);
  if (answer.status !== 404) return `/find?${query}`;
  told.textContent = (await answer.json()).detail;
  return "";
}

/** Where the page says that back is, if it says so where one sees it. */
function goBack() {
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-back]")]);
  const link = links.find((one) => one.checkVisibility({ visibilityProperty: true }));
  if (link) back(link);
}

const theme = /** @type {HTMLSelectElement | null} */ (document.getElementById("theme"));
if (theme) {
  theme.value = document.documentElement.dataset.theme ?? "dark";
  theme.addEventListener("change", () => {
    document.documentElement.dataset.theme = theme.value;
    document.cookie = `catwalk-theme=${theme.value}; Path=/; Max-Age=31536000; SameSite=Strict`;
  });
}
document.querySelector('[data-open="keys"]')?.addEventListener("click", listKeys);
/** On a phone sections scroll in their row: the one of this page, and the one with the focus, stand in view whole. @param {Element} link */
function bring(link) {
  const row = link.closest("nav");
  if (!row) return;
  const [box, room] = [link.getBoundingClientRect(), row.getBoundingClientRect()];
  if (box.right > room.right) row.scrollLeft += box.right - room.right + 40;
  if (box.left < room.left) row.scrollLeft -= room.left - box.left + 40;
}
document.querySelectorAll("nav [aria-current]").forEach(bring);
document.addEventListener("focusin", ({ target }) => target instanceof Element && bring(target));
// What a list asks changes with its address: a form that keeps it takes it from there.
document.addEventListener("submit", ({ target }) => {
  const place = /** @type {HTMLInputElement | null} */ (/** @type {Element} */ (target).querySelector("[data-query]"));
  if (place) place.value = location.search.slice(1);
}, true);
for (const button of document.querySelectorAll('[data-open="find"]')) button.addEventListener("click", find);

bind("Everywhere", [
  ...[...document.querySelectorAll("nav a[data-key]")].map((link) => ({
    key: `g ${/** @type {HTMLElement} */ (link).dataset.key}`,
    label: `Go to ${link.textContent}`,
    run: () => /** @type {HTMLElement} */ (link).click(),
  })),
  { key: "/", label: "Filter", run: () => /** @type {HTMLElement | null} */ (document.querySelector("[data-filter]"))?.focus() },
  { key: "?", label: "List of keys", run: listKeys },
  { key: "Ctrl+k", label: "Find by id", run: find },
  { key: "Escape", label: "Back", run: goBack },
]);
