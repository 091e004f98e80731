// @ts-check
/**
 * Keys of the page: bound here, listed under "?", changed and switched off by whoever sits before it (WCAG 2.1.4).
 *
 * A key is written as the event names it ("j", "ArrowDown", " "), with "Shift+", "Ctrl+" or "Alt+" before it, or as two
 * keys one after the other ("g a"). Single keys act only outside fields and dialogs.
 *
 * @typedef {{key: string, label: string, run: (event: KeyboardEvent) => void, when?: () => boolean,
 *   leaves?: HTMLElement}} Binding
 *   `when` says whether it acts now; a binding made later goes before; `leaves` is a field that Escape leaves this way
 * @typedef {Binding & {where: string, first: string}} Bound `first` is the key it came with
 */

import { changed, writes } from "./leaving.js";

const KEPT = `catwalk-keys-${document.body.dataset.user ?? ""}`;
export const CHANGED = "catwalk-keys"; // the event by which the page learns that keys are others now
const OWN = /^(Ctrl|Alt)\+/; // combinations are the browser's
const SECOND_WITHIN = 1500;
/** @type {Bound[]} */
const bound = [];
let begun = "";
let begunAt = 0;

/** @returns {{off?: boolean, changed?: Record<string, string>}} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {{off?: boolean, changed?: Record<string, string>}} preferences */
function keep(preferences) {
  localStorage.setItem(KEPT, JSON.stringify(preferences));
  document.dispatchEvent(new Event(CHANGED));
}

/** @param {Bound} one */
const named = (one) => `${one.where}/${one.label}`;

/** Whether single keys act. */
export const on = () => !kept().off;

/** @param {boolean} act whether single keys act from now on */
export function switchKeys(act) {
  keep({ ...kept(), off: !act });
}

/**
 * Bind keys of one place, as "?" lists them. A key that was chosen on another page and has a meaning on this one keeps
 * this one's: both are listed, and neither is lost.
 *
 * @param {string} where @param {Binding[]} entries
 */
export function bind(where, entries) {
  for (const entry of entries) {
    const one = { ...entry, where, first: entry.key };
    const chosen = kept().changed?.[named(one)];
    if (chosen && !refusal(one, chosen)) one.key = chosen;
    for (const other of bound) if (other.key === one.key && other.key !== other.first) other.key = other.first;
    bound.push(one);
  }
  document.dispatchEvent(new Event(CHANGED));
}

/** Give a binding another key. @param {Bound} one @param {string} key one that is not refused */
export function change(one, key) {
  one.key = key;
  keep({ ...kept(), changed: { ...kept().changed, [named(one)]: one.key } });
}

/** Give all bindings the keys they came with. */
export function restore() {
  for (const one of bound) one.key = one.first;
  keep({ ...kept(), changed: {} });
}

/** Why a binding may not have this key, or nothing. @param {Bound} one @param {string} key as bindings are written */
export function refusal(one, key) {
  const taken = bound.find((other) => other !== one && named(other) !== named(one) && meets(other.key, key));
  if (taken) return `${shown(key)} is taken: ${taken.label} (${taken.where})`;
  if (key === one.first) return "";
  if (OWN.test(key)) return `${shown(key)} is the browser's own`;
  const bare = key.replace(/^Shift\+/, "");
  if (bare.length > 1 || bare === " ") return `${shown(key)} moves, presses or leaves what has the focus`;
  return "";
}

/** Whether one is the other, or the first of its two keys. @param {string} one @param {string} other */
const meets = (one, other) => one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);

/** All bindings, in the order they were made. */
export const bindings = () => bound.slice();

/** The key of an event, written as bindings are. @param {KeyboardEvent} event */
export function written(event) {
  const letter = event.key.length === 1 && event.key !== event.key.toLowerCase();
  const shift = event.shiftKey && (letter || event.key.length > 1) ? "Shift+" : "";
  const key = letter ? event.key.toLowerCase() : event.key;
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${shift}${key}`;
}

/** A key as people read it. @param {string} key */
export function shown(key) {
  /** @type {Record<string, string>} */
  const names = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", " ": "Space", Escape: "Esc" };
  if (key in names) return names[key];
  const parts = key.split(key.includes("+") && key.length > 1 ? "+" : " ");
  return parts.map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join(" ");
}

/** Escape in a field leaves the field and does nothing else; a dialog into which nothing was typed it may close.
 * @param {KeyboardEvent} event @param {HTMLElement} field */
function leave(event, field) {
  const box = field.closest("dialog");
  if (box && changed(box).length === 0) return;
  event.preventDefault();
  const way = bound.findLast((one) => one.key === "Escape" && one.leaves === field);
  if (way) way.run(event);
  else if (box) /** @type {HTMLElement | null} */ (box.querySelector(".closer"))?.focus();
  else field.blur();
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.defaultPrevented || event.isComposing || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
  const key = written(event);
  if (key === "Escape" && event.target instanceof HTMLElement && writes(event.target)) return leave(event, event.target);
  const chord = key.includes("Ctrl+") || key.includes("Alt+");
  if (!chord && key !== "Escape" && (writes(event.target) || !on())) return;
  const open = document.querySelector("dialog[open]");
  if (open && key !== "Escape" && !chord) return;
  const both = begun && Date.now() - begunAt < SECOND_WITHIN ? `${begun} ${key}` : "";
  begun = "";
  const acts = (/** @type {Bound} */ each, /** @type {string} */ as) => each.key === as && (each.when?.() ?? true);
  const one = bound.findLast((each) => acts(each, both)) ?? bound.findLast((each) => acts(each, key));
  if (one && !open) {
    event.preventDefault();
    one.run(event);
  } else if (!open && bound.some((each) => each.key.startsWith(`${key} `))) {
    begun = key;
    begunAt = Date.now();
    event.preventDefault();
  }
}

document.addEventListener("keydown", pressed);
