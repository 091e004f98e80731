// @ts-check
/** What a page says of its keys: every `<kbd>` that names one is drawn from the bindings, and gone when keys are off. */

import { bindings, CHANGED, on, shown } from "./keys.js";

/** @type {WeakMap<Element, string>} the key that a hint came with, as people read it */
const came = new WeakMap();

/** @param {import("./keys.js").Bound} one */
const acts = (one) => on() || /^(Ctrl|Alt)\+/.test(one.key);

/** The key of a binding as people read it; empty when it does not act. @param {string} where @param {string} label */
export function hint(where, label) {
  const one = bindings().find((each) => each.where === where && each.label === label);
  return one && acts(one) ? shown(one.key) : "";
}

/** Draw all hints as the keys are now. */
function draw() {
  for (const place of document.querySelectorAll("kbd")) {
    if (place.closest("dialog")) continue;
    const first = came.get(place) ?? place.textContent ?? "";
    const one = bindings().findLast((each) => shown(each.first) === first);
    if (!one) continue;
    came.set(place, first);
    if (place.hidden !== !acts(one)) place.hidden = !acts(one);
    if (place.textContent !== shown(one.key)) place.textContent = shown(one.key);
  }
}

document.addEventListener(CHANGED, draw);
new MutationObserver(draw).observe(document.body, { childList: true, subtree: true });
draw();
