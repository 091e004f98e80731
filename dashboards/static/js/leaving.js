// @ts-check
/** Nobody loses by a key what they have typed: forms know whether they were changed, and leaving one asks. */

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

const QUESTION = "What you typed here is not sent. Leave it?";
/** @type {HTMLFormElement | null} */
let sent = null;

/** Whether a target is a field that is typed into or chosen from. @param {EventTarget | null} target */
export function writes(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** @param {Element} field */
function differs(field) {
  if (field instanceof HTMLSelectElement) {
    const came = [...field.options].find((one) => one.defaultSelected) ?? field.options[0];
    return came !== undefined && field.value !== came.value;
  }
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (!(field instanceof HTMLInputElement) || field.type === "hidden") return false;
  return /^(checkbox|radio)$/.test(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

/** Whether a form was refused and came back with what had been written into it. @param {HTMLFormElement} form */
function cameBack(form) {
  if (form.getAttribute("method") !== "post" || !document.querySelector('main :is(.refused, .not-done)[role="alert"]')) return false;
  return [...form.querySelectorAll("textarea")].some((field) => field.value !== "");
}

/** Forms within that hold what was typed and not sent. @param {ParentNode} within @returns {HTMLFormElement[]} */
export function changed(within = document) {
  return [...within.querySelectorAll("form")].filter((form) => [...form.elements].some(differs) || cameBack(form));
}

/** Whether nothing typed is lost, or whoever typed it lets it go. @param {ParentNode} within */
export function mayLeave(within = document) {
  return changed(within).length === 0 || window.confirm(QUESTION);
}

/** Go where a link goes; forms that are sent are asked for by the browser itself, the others here. @param {HTMLElement} link */
export function back(link) {
  if (changed().some((form) => form.getAttribute("method") === "post") || mayLeave()) link.click();
}

window.addEventListener("submit", (event) => {
  if (!event.defaultPrevented && event.target instanceof HTMLFormElement) sent = event.target;
});
window.addEventListener("beforeunload", (event) => {
  const lost = changed().filter((form) => form.getAttribute("method") === "post" && form !== sent && !form.closest("dialog"));
  sent = null;
  if (lost.length) event.preventDefault();
});
