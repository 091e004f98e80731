// @ts-check
/** Open menus close by Escape, which does nothing else then, and by a click beside them. */

const MENUS = "details:is(.me, .choices, .calls)[open]";

const KEPT = "catwalk-menu";

/** What stands over a menu: its first word. @param {Element | null} menu */
const called = (menu) => menu?.querySelector("summary")?.firstChild?.textContent?.trim() ?? "";

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

// A form of searches brings the page anew: its menu stands open again, so that what was saved is seen.
document.addEventListener("submit", (event) => {
  const menu = /** @type {Element} */ (event.target).closest(MENUS);
  if (menu?.querySelector('[action^="/searches/"]')) sessionStorage.setItem(KEPT, called(menu));
});
const kept = sessionStorage.getItem(KEPT);
sessionStorage.removeItem(KEPT);
for (const menu of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.choices"))) {
  if (kept && called(menu) === kept) menu.open = true;
}
