"""What is measured of a page as it is shown: the smallest letters, targets too small to be hit, names in two lines."""

from __future__ import annotations

from playwright.sync_api import Page

LEAST_TEXT, LEAST_TARGET = 13.0, 24.0  # px

_TEXT = """async least => {
  const found = [];
  const add = (size, words) => {
    if (size < least - 0.01) found.push(`${size.toFixed(2)} px: ${words.trim().slice(0, 60)}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const words = walker.currentNode.data;
    const place = walker.currentNode.parentElement;
    if (!words.trim() || /^(SCRIPT|STYLE|TEMPLATE|OPTION|DATALIST|title|desc)$/.test(place.tagName)) continue;
    if (place.closest("symbol, .unseen, .skip") || !place.checkVisibility({ visibilityProperty: true })) continue;
    const box = place.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    const drawn = place instanceof SVGGraphicsElement ? place.getScreenCTM().a : 1;
    add(parseFloat(getComputedStyle(place).fontSize) * drawn, words);
  }
  return [...new Set(found)];
}"""

_TARGETS = """least => {
  const found = [];
  const kinds = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=slider]";
  for (const each of document.querySelectorAll(kinds)) {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.closest(".unseen, .skip")) continue;
    const hit = each.matches("[type=checkbox], [type=radio]") ? each.closest("label") ?? each : each;
    const boxes = [...hit.getClientRects()].filter((box) => box.width > 1);
    if (!boxes.length) continue;
    const high = Math.min(...boxes.map((box) => box.height));
    // How wide a link in a sentence is, its words say: nothing can be done about that, nor need there (WCAG 2.5.8).
    const around = each.parentElement.textContent.trim() !== each.textContent.trim();
    const said = around && getComputedStyle(each).display === "inline";
    const wide = said ? least : Math.max(...boxes.map((box) => box.width));
    const told = `${wide.toFixed(1)} x ${high.toFixed(1)}: ${each.outerHTML.slice(0, 110)}`;
    if (high < least - 0.05 || wide < least - 0.05) found.push(told);
  }
  return [...new Set(found)];
}"""

_NAMES = r"""() => {
  const found = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!text.parentElement.checkVisibility({ visibilityProperty: true })) continue;
    for (const name of text.data.matchAll(/(?<![\w\/-])[A-Z]{1,3}\d?(?:-\w+)+/g)) {
      const range = document.createRange();
      range.setStart(text, name.index);
      range.setEnd(text, name.index + name[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) {
        found.push(`${name[0]}: ${text.parentElement.outerHTML.slice(0, 110)}`);
      }
    }
  }
  return found;
}"""


def small_text(page: Page) -> list[str]:
    """Text in letters of less than 13 px, in the page and in its drawings; faces of cards are pictures."""
    found: list[str] = page.evaluate(_TEXT, LEAST_TEXT)
    return found


def small_targets(page: Page) -> list[str]:
    """Links, buttons and fields that are less than 24 px high or wide."""
    found: list[str] = page.evaluate(_TARGETS, LEAST_TARGET)
    return found


def broken_names(page: Page) -> list[str]:
    """Names of patrons, dealers and tables that break at a hyphen, so that they stand in two lines."""
    found: list[str] = page.evaluate(_NAMES)
    return found
