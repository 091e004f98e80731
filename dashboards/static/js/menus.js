// @ts-check
/** Open menus close by Escape, which does nothing else then, and by a click beside them. */

const MENUS = "details:is(.me, .choices, .calls)[open]";

/** The menus that stand open. */
export const opened = () => /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll(MENUS)]);

document.addEventListener("keydown", (event) => {
  const menu = opened().at(-1);
  if (event.key !== "Escape" || !menu || document.querySelector("dialog[open]")) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  menu.open = false;
  menu.querySelector("summary")?.focus();
}, { capture: true });

document.addEventListener("click", (event) => {
  for (const menu of opened()) if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
}, { capture: true });
