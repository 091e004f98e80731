// @ts-check
/** What every page has: keys to its sections, the list of keys, find by id, and the theme. */

import { bind, bindings, change, on, shown, switchKeys, written } from "./keys.js";

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
  closer.addEventListener("click", () => made.close());
  made.append(closer, element("h2", {}, heading));
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}

/** @param {import("./keys.js").Bound} one */
function changer(one) {
  const button = element("button", { type: "button", "aria-label": `Change the key of ${one.label}` }, "Change");
  button.addEventListener("click", () => {
    button.textContent = "Press a key; Esc: as it was";
    /** @param {KeyboardEvent} event */
    const take = (event) => {
      if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      button.removeEventListener("keydown", take);
      change(one, event.key === "Escape" ? "" : written(event));
      button.textContent = "Change";
      const key = button.closest("tr")?.querySelector("kbd");
      if (key) key.textContent = shown(one.key);
    };
    button.addEventListener("keydown", take);
  });
  return button;
}

function listKeys() {
  const box = dialog("Keys");
  const act = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", id: "keys-act" }));
  act.checked = on();
  act.addEventListener("change", () => switchKeys(act.checked));
  box.append(element("p", { class: "row" }, act, element("label", { for: "keys-act" }, "Single keys act on the page")));
  const places = new Map(bindings().map((one) => [one.where, /** @type {HTMLElement[]} */ ([])]));
  for (const one of bindings()) {
    const key = element("td", {}, element("kbd", {}, shown(one.key)));
    places.get(one.where)?.push(element("tr", {}, key, element("td", {}, one.label), element("td", {}, changer(one))));
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
  box.append(form);
  field.focus();
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
document.querySelector('[data-open="find"]')?.addEventListener("click", find);

bind("Everywhere", [
  ...[...document.querySelectorAll("nav a[data-key]")].map((link) => ({
    key: `g ${/** @type {HTMLElement} */ (link).dataset.key}`,
    label: `Go to ${link.textContent}`,
    run: () => /** @type {HTMLElement} */ (link).click(),
  })),
  { key: "/", label: "Filter", run: () => /** @type {HTMLElement | null} */ (document.querySelector("[data-filter]"))?.focus() },
  { key: "?", label: "List of keys", run: listKeys },
  { key: "Ctrl+k", label: "Find by id", run: find },
  { key: "Escape", label: "Back", run: () => /** @type {HTMLElement | null} */ (document.querySelector("[data-back]"))?.click() },
]);
