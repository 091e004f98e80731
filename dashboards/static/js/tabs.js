// @ts-check
/**
 * Sections as tabs (WAI-ARIA APG, tabs with automatic activation): a list of links to them becomes the tabs.
 *
 * The chosen tab stands in the address as the fragment; the first has none. A fragment that names something within a
 * section opens that section, and without a script the links go to the sections, which then stand one under another.
 */

const MOVES = /** @type {Record<string, (at: number, count: number) => number>} */ ({
  ArrowLeft: (at, count) => (at + count - 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
});

/**
 * @param {HTMLElement} list @param {(id: string) => void} seen is told of each section that is opened
 * @returns {{open: (id: string) => void, now: () => string}} by the id of a section
 */
export function tabs(list, seen) {
  const links = /** @type {HTMLAnchorElement[]} */ ([...list.querySelectorAll("a[href^='#']")]);
  const panels = links.map((one) => /** @type {HTMLElement} */ (document.getElementById(one.hash.slice(1))));
  let chosen = "";

  /** @param {string} id */
  function show(id) {
    chosen = id;
    links.forEach((link, at) => {
      const here = panels[at].id === id;
      link.setAttribute("aria-selected", String(here));
      link.tabIndex = here ? 0 : -1;
      panels[at].hidden = !here;
    });
    seen(id);
  }

  /** @param {string} id */
  function open(id) {
    const url = new URL(location.href);
    url.hash = id === panels[0].id ? "" : id;
    history.replaceState(history.state, "", url);
    const held = links.some((one) => one === document.activeElement) || panels.some((one) => one.id !== id && one.contains(document.activeElement));
    show(id);
    if (held) links.find((one) => one.hash.slice(1) === id)?.focus(); // what had the focus is hidden now, or is the tab of it
  }

  /** The section that the address names, or holds what it names. */
  function named() {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const panel = panels.find((one) => one.contains(place)) ?? panels[0];
    show(panel.id);
    if (place && place !== panel) place.scrollIntoView({ block: "nearest" });
  }

  list.setAttribute("role", "tablist");
  links.forEach((link, at) => {
    const panel = panels[at];
    link.setAttribute("role", "tab");
    link.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", link.id);
    panel.tabIndex = 0;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      open(panel.id);
    });
    link.addEventListener("keydown", (event) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
      const next = event.key === " " ? at : MOVES[event.key]?.(at, links.length);
      if (next === undefined || !plain) return;
      event.preventDefault();
      open(panels[next].id);
      links[next].focus();
    });
  });
  window.addEventListener("hashchange", named);
  named();
  return { open, now: () => chosen };
}
