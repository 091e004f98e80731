// @ts-check
/**
 * A tree of rows in a table: one tab stop, a focus that roves, marks. A row's element is that of one key for ever: what
 * is pointed at or focused is never another alert's.
 *
 * @typedef {{key: string, level: 1 | 2, rows: import("./queue.js").Held[], open: boolean | null}} Item
 *   `open` is null where there is nothing to open
 * @typedef {{
 *   draw: (row: HTMLTableRowElement, item: Item) => void,
 *   choose: (item: Item) => void,
 *   toggle: (item: Item, open: boolean) => void,
 * }} Drawer
 */

const AT_ONCE = 150;

/** @param {Element} element @param {string} name @param {string} value */
function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export class List {
  /** @type {Item[]} */
  items = [];
  /** @type {Set<string>} */
  marked = new Set();
  /** @type {Map<string, HTMLTableRowElement>} */
  #elements = new Map();
  #current = "";
  #limit = AT_ONCE;

  /** @param {HTMLTableElement} table @param {Drawer} drawer */
  constructor(table, drawer) {
    this.table = table;
    this.drawer = drawer;
    this.body = table.tBodies[0];
    this.body.addEventListener("focusin", (event) => this.#became(this.#keyOf(event.target)));
    this.body.addEventListener("click", (event) => this.#clicked(event));
    this.more = document.createElement("button");
    this.more.type = "button";
    this.more.className = "more";
    this.more.hidden = true;
    this.more.addEventListener("click", () => this.#extend());
    table.after(this.more);
    // Lines are drawn as they are scrolled to: nobody asks for more of them.
    new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.#extend(), { rootMargin: "600px" }).observe(this.more);
  }

  /** Whether the focus is on a row. */
  hasFocus() {
    return this.body.contains(document.activeElement);
  }

  /** The item with the focus, or the one that had it. */
  current() {
    return this.items.find((item) => item.key === this.#current) ?? null;
  }

  /** Items that are marked, else the current one. */
  chosen() {
    const marked = this.items.filter((item) => this.marked.has(item.key));
    const current = this.current();
    return marked.length || !current ? marked : [current];
  }

  /** Show these, in this order; rows that are not among them go. @param {Item[]} items */
  show(items) {
    if (!this.table.hasAttribute("role")) this.#begin();
    const had = this.hasFocus();
    const place = this.items.findIndex((item) => item.key === this.#current);
    this.items = items;
    const keys = new Set(items.map((item) => item.key));
    for (const key of this.marked) if (!keys.has(key)) this.marked.delete(key);
    if (!keys.has(this.#current)) this.#current = items[Math.min(Math.max(place, 0), items.length - 1)]?.key ?? "";
    for (const [key, element] of this.#elements) if (!keys.has(key)) this.#remove(key, element);
    this.table.setAttribute("aria-rowcount", String(items.length + 1));
    /** @type {Element | null} */
    let next = this.body.firstElementChild;
    items.slice(0, this.#limit).forEach((item, index) => (next = this.#place(item, index, next)));
    this.more.hidden = items.length <= this.#limit;
    this.more.textContent = `Show ${Math.min(AT_ONCE, items.length - this.#limit)} more of ${items.length} lines`;
    if (had && !this.hasFocus()) this.focus();
  }

  /** Draw what is shown again: ages have grown. */
  redraw() {
    for (const item of this.items.slice(0, this.#limit)) this.#draw(item);
  }

  /** The row of a key, if it is drawn. @param {string} key */
  place(key) {
    return this.#elements.get(key) ?? null;
  }

  /** Scroll to a line, drawing as many as that takes. @param {string} key */
  bring(key) {
    const place = this.items.findIndex((item) => item.key === key);
    while (place >= this.#limit) this.#extend();
    this.#elements.get(key)?.scrollIntoView({ block: "center" });
  }

  /** Put the focus on the current row. */
  focus() {
    const element = this.#elements.get(this.#current);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  }

  /** Move the focus by so many rows. @param {number} by @param {boolean} extend whether the rows passed are marked */
  move(by, extend = false) {
    const place = this.items.findIndex((item) => item.key === this.#current);
    const next = this.hasFocus() ? Math.min(Math.max(place + by, 0), this.items.length - 1) : Math.max(place, 0);
    if (extend && this.items[place]) this.mark(this.items[place].key, true);
    while (next >= this.#limit) this.#extend();
    if (this.items[next]) this.#became(this.items[next].key);
    if (extend && this.items[next]) this.mark(this.items[next].key, true);
    this.focus();
  }

  /** @param {string} key @param {boolean} on */
  mark(key, on = !this.marked.has(key)) {
    on ? this.marked.add(key) : this.marked.delete(key);
    const item = this.items.find((each) => each.key === key);
    if (item) this.#draw(item);
  }

  /** Take all marks away. */
  unmark() {
    for (const key of [...this.marked]) this.mark(key, false);
  }

  /** What the server drew stands until there is something newer. */
  #begin() {
    this.table.setAttribute("role", "treegrid");
    this.table.setAttribute("aria-multiselectable", "true");
    this.table.tHead?.rows[0].setAttribute("aria-rowindex", "1");
    this.body.replaceChildren();
  }

  #extend() {
    this.#limit += AT_ONCE;
    this.show(this.items);
  }

  /** @param {Item} item @param {number} index @param {Element | null} before the row that stands there now */
  #place(item, index, before) {
    let element = this.#elements.get(item.key);
    if (!element) {
      element = document.createElement("tr");
      element.dataset.key = item.key;
      element.tabIndex = -1;
      this.#elements.set(item.key, element);
    }
    if (element !== before) this.body.insertBefore(element, before);
    set(element, "aria-rowindex", String(index + 2));
    this.#draw(item);
    return element === before ? before.nextElementSibling : before;
  }

  /** @param {Item} item */
  #draw(item) {
    const element = this.#elements.get(item.key);
    if (!element) return;
    set(element, "aria-level", String(item.level));
    set(element, "aria-selected", String(this.marked.has(item.key)));
    if (item.open === null) element.removeAttribute("aria-expanded");
    else set(element, "aria-expanded", String(item.open));
    set(element, "tabindex", item.key === this.#current ? "0" : "-1");
    this.drawer.draw(element, item);
  }

  /** @param {string} key @param {HTMLTableRowElement} element */
  #remove(key, element) {
    element.remove();
    this.#elements.delete(key);
  }

  /** @param {string} key */
  #became(key) {
    if (!key || key === this.#current) return;
    const old = this.#elements.get(this.#current);
    if (old) old.tabIndex = -1;
    this.#current = key;
    const element = this.#elements.get(key);
    if (element) element.tabIndex = 0;
  }

  /** @param {EventTarget | null} target */
  #keyOf(target) {
    return (target instanceof Element && target.closest("tr")?.dataset.key) || "";
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const item = this.items.find((each) => each.key === this.#keyOf(event.target));
    const target = /** @type {Element} */ (event.target);
    if (!item || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    this.#became(item.key);
    this.focus();
    if (target.closest("[data-toggle]")) this.drawer.toggle(item, !item.open);
    else if (event.shiftKey) this.mark(item.key);
    else this.drawer.choose(item);
    if (target.closest("a")) event.preventDefault();
  }
}
