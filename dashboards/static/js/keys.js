// @ts-check
/**
 * Keys of the page: bound here, listed under "?", changed and switched off by whoever sits before it (WCAG 2.1.4).
 *
 * A key is written as the event names it ("j", "ArrowDown", " "), with "Shift+", "Ctrl+" or "Alt+" before it, or as two
 * keys one after the other ("g a"). Single keys act only outside fields and dialogs.
 *
 * @typedef {{key: string, label: string, run: (event: KeyboardEvent) => void, when?: () => boolean}} Binding
 *   `when` says whether it acts now; a binding made later goes before
 * @typedef {Binding & {where: string, first: string}} Bound `first` is the key it came with
 */

const KEPT = "catwalk-keys";
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
}

/** @param {Bound} one */
const named = (one) => `${one.where}/${one.label}`;

/** Whether single keys act. */
export const on = () => !kept().off;

/** @param {boolean} act whether single keys act from now on */
export function switchKeys(act) {
  keep({ ...kept(), off: !act });
}

/** Bind keys of one place, as "?" lists them. @param {string} where @param {Binding[]} entries */
export function bind(where, entries) {
  for (const entry of entries) {
    const one = { ...entry, where, first: entry.key };
    one.key = kept().changed?.[named(one)] ?? entry.key;
    bound.push(one);
  }
}

/** Give a binding another key, or with "" the one it came with. @param {Bound} one @param {string} key */
export function change(one, key) {
  one.key = key || one.first;
  keep({ ...kept(), changed: { ...kept().changed, [named(one)]: one.key } });
}

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

/** @param {EventTarget | null} target */
function writes(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.defaultPrevented || event.isComposing || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
  const key = written(event);
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
