// @ts-check
/**
 * A tree of rows in a table: one tab stop, a focus that roves, marks. All rows have one height, and only those in view and
 * some around them are drawn: a margin above the table and one below it stand for the others. A row's element is that of
 * one key: what is pointed at or focused is never another alert's.
 *
 * @typedef {{key: string, level: 1 | 2, rows: import("./queue.js").Held[], open: boolean | null}} Item
 *   `open` is null where there is nothing to open
 * @typedef {{
 *   draw: (row: HTMLTableRowElement, item: Item) => void,
 *   choose: (item: Item) => void,
 *   toggle: (item: Item, open: boolean) => void,
 *   marked: () => void,
 * }} Drawer
 */

const AROUND = 6; // rows drawn above what is in view, and below it
const HEIGHT = 38; // of a row, until one is drawn and measured

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
  #from = 0;
  #to = 0;
  #height = HEIGHT;

  /** @param {HTMLTableElement} table @param {Drawer} drawer */
  constructor(table, drawer) {
    this.table = table;
    this.drawer = drawer;
    this.body = table.tBodies[0];
    this.body.addEventListener("focusin", (event) => this.#became(this.#keyOf(event.target)));
    this.body.addEventListener("click", (event) => this.#clicked(event));
    const scroller = /** @type {HTMLElement} */ (table.closest(".rows"));
    this.scroller = scroller;
    for (const place of [scroller, window]) place.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.items.length && this.#draw()).observe(scroller);
  }

  /** Whether the focus is on a row, or on the list because its row is out of view. */
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
    const marked = this.marked.size;
    for (const key of this.marked) if (!keys.has(key)) this.marked.delete(key);
    if (this.marked.size !== marked) this.drawer.marked();
    if (!keys.has(this.#current)) this.#current = items[Math.min(Math.max(place, 0), items.length - 1)]?.key ?? "";
    this.table.setAttribute("aria-rowcount", String(items.length + 1));
    this.#draw();
    if (had && (!this.hasFocus() || document.activeElement === this.body)) this.#focusCurrent();
  }

  /** Draw what is shown again: ages have grown. */
  redraw() {
    for (const item of this.items.slice(this.#from, this.#to)) this.#dress(item);
  }

  /** The row of a key, if it is drawn. @param {string} key */
  place(key) {
    return this.#elements.get(key) ?? null;
  }

  /** The keys of the items that are wholly in view. @returns {Set<string>} */
  inView() {
    const { top, bottom, first } = this.#view();
    const from = Math.max(0, Math.ceil((top - first) / this.#height - 0.1));
    return new Set(this.items.slice(from, Math.max(from, Math.floor((bottom - first) / this.#height + 0.1))).map((item) => item.key));
  }

  /** Scroll to a line. @param {string} key */
  bring(key) {
    this.#drawn(key)?.scrollIntoView({ block: "center" });
  }

  /** Where the list stands: its current line, and how far it is scrolled. */
  standing() {
    return { line: this.#current, top: this.scroller.scrollTop, page: window.scrollY };
  }

  /** Stand there again. @param {{line: string, top: number, page: number}} place */
  stand({ line, top, page }) {
    this.scroller.scrollTop = top;
    if (page) window.scrollTo(0, page);
    if (this.items.some((item) => item.key === line)) this.#became(line);
    this.#draw();
  }

  /** Put the focus on the current row. */
  focus() {
    const element = this.#drawn(this.#current);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  }

  /** Move the focus by so many rows. @param {number} by @param {boolean} extend whether the rows passed are marked */
  move(by, extend = false) {
    const place = this.items.findIndex((item) => item.key === this.#current);
    const next = this.hasFocus() ? Math.min(Math.max(place + by, 0), this.items.length - 1) : Math.max(place, 0);
    if (extend && this.items[place]) this.mark(this.items[place].key, true);
    if (this.items[next]) this.#became(this.items[next].key);
    if (extend && this.items[next]) this.mark(this.items[next].key, true);
    this.focus();
  }

  /** @param {string} key @param {boolean} on */
  mark(key, on = !this.marked.has(key)) {
    on ? this.marked.add(key) : this.marked.delete(key);
    const item = this.items.find((each) => each.key === key);
    if (item) this.#dress(item);
    this.drawer.marked();
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

  /** Where rows are in view, and where the first of all would begin. */
  #view() {
    const box = this.scroller.getBoundingClientRect();
    const head = this.table.tHead?.getBoundingClientRect().height ?? 0;
    const fixed = head > 1 ? head : 0; // on a phone there is none
    const first = this.table.getBoundingClientRect().top + fixed - this.#from * this.#height;
    return { top: Math.max(box.top + fixed, 0), bottom: Math.min(box.bottom, window.innerHeight), first };
  }

  /** Draw the rows in view and some around them, or those around one. @param {number} [around] index of that one */
  #draw(around) {
    const { top, bottom, first } = this.#view();
    const seen = around === undefined ? Math.floor((top - first) / this.#height) : around - Math.ceil((bottom - top) / this.#height / 2);
    const many = Math.ceil(Math.max(0, bottom - top) / this.#height) + 2 * AROUND;
    this.#from = Math.max(0, Math.min(seen - AROUND, this.items.length - many));
    this.#to = Math.min(this.items.length, this.#from + many);
    const items = this.items.slice(this.#from, this.#to);
    const keys = new Set(items.map((item) => item.key));
    const lost = [...this.#elements].some(([key, element]) => !keys.has(key) && element.contains(document.activeElement));
    if (lost) this.#hold();
    for (const [key, element] of this.#elements) if (!keys.has(key)) this.#remove(key, element);
    /** @type {Element | null} */
    let next = this.body.firstElementChild;
    items.forEach((item, index) => (next = this.#place(item, this.#from + index, next)));
    this.#reach();
    this.#space(around);
  }

  /** The focus stays in the list when its row goes out of view: the list itself has it until the row comes back. */
  #hold() {
    this.body.tabIndex = -1;
    this.body.focus({ preventScroll: true });
  }

  /** One row can be reached by Tab: the current one, or the first that is drawn. */
  #reach() {
    if (this.#elements.has(this.#current)) return;
    const first = this.#elements.get(this.items[this.#from]?.key ?? "");
    if (first) first.tabIndex = 0;
  }

  /** Stand for the rows that are not drawn; those of another height than was thought are drawn once more. @param {number} [around] */
  #space(around) {
    const [drawn] = this.#elements.values();
    const height = drawn?.getBoundingClientRect().height || this.#height;
    const anew = Math.abs(height - this.#height) > 1;
    this.#height = height;
    const above = `${this.#from * height}px`;
    const below = `${(this.items.length - this.#to) * height}px`;
    if (this.table.style.marginTop !== above) this.table.style.marginTop = above;
    if (this.table.style.marginBottom !== below) this.table.style.marginBottom = below;
    if (anew) this.#draw(around);
  }

  #scrolled() {
    if (!this.items.length || !this.table.hasAttribute("role")) return;
    const { top, bottom, first } = this.#view();
    const [from, to] = [Math.floor((top - first) / this.#height), Math.ceil((bottom - first) / this.#height)];
    const short = (this.#from > 0 && from < this.#from + 2) || (this.#to < this.items.length && to > this.#to - 2);
    if (!short) return;
    this.#draw();
    if (document.activeElement === this.body) this.#focusCurrent();
  }

  /** Give the focus to the current row where it is drawn, without a movement. */
  #focusCurrent() {
    const element = this.#elements.get(this.#current);
    element ? element.focus({ preventScroll: true }) : this.#hold();
  }

  /** The element of a key, drawn if it was not. @param {string} key */
  #drawn(key) {
    const place = this.items.findIndex((item) => item.key === key);
    if (place >= 0 && !this.#elements.has(key)) this.#draw(place);
    return this.#elements.get(key);
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
    set(element, "aria-rowindex", String(index + 2));
    this.#dress(item); // before it stands in the page: the page's styles are then worked out once
    if (element !== before) this.body.insertBefore(element, before);
    return element === before ? before.nextElementSibling : before;
  }

  /** @param {Item} item */
  #dress(item) {
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
    if (event.detail > 1) return void (target.closest("a") && event.preventDefault()); // the second half of a double click
    if (target.closest("[data-toggle]")) this.drawer.toggle(item, !item.open);
    else if (event.shiftKey) this.mark(item.key);
    else this.drawer.choose(item);
    if (target.closest("a")) event.preventDefault();
  }
}
