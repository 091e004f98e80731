// @ts-check
/**
 * Keeps the regions `<div id data-live="milliseconds">` of a page as they are now, without loading it anew: one request
 * for all of them while the page is looked at. What has not changed is not touched; what has the focus keeps it, and
 * regions stay scrolled where they were. When the sign-in is over the content goes, and the page leads to the sign-in; when
 * it is refused, or withheld by now, that stands in its place.
 */
import { signIn } from "./feed.js";
import { banner, readOnly } from "./status.js";

const REGIONS = "[data-live]";

/** How to find the element with the focus in what takes its place. @param {HTMLElement} region */
function focused(region) {
  const one = document.activeElement;
  if (!(one instanceof HTMLElement) || !region.contains(one)) return "";
  if (one.id) return `#${CSS.escape(one.id)}`;
  const href = one.getAttribute("href");
  return href ? `a[href="${CSS.escape(href)}"]` : "";
}

/** The parts of a region, by name, where it consists of such. @param {Element} region */
const parts = (region) => /** @type {HTMLElement[]} */ ([...region.children].filter((one) => one instanceof HTMLElement && one.dataset.part));

/** Mark what has moved since, for as long as the mark shows. @param {HTMLElement} region @param {Element} fresh */
function mark(region, fresh) {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (fresh.querySelectorAll("[data-moved]"))) {
    const before = /** @type {HTMLElement | null} */ (region.querySelector(`#${CSS.escape(one.id)}`));
    one.classList.toggle("pulsed", before !== null && before.dataset.moved !== one.dataset.moved);
  }
}

/** @param {HTMLElement} region @param {Element} fresh */
function put(region, fresh) {
  const [here, there] = [parts(region), parts(fresh)];
  if (here.length && here.length === there.length && here.every((one, at) => one.dataset.part === there[at].dataset.part)) {
    return here.forEach((one, at) => put(one, there[at]));
  }
  mark(region, fresh);
  if (region.innerHTML === fresh.innerHTML) return;
  const find = focused(region);
  const scrolled = [...region.querySelectorAll(".scroll[id]")].map((one) => ({ id: one.id, left: one.scrollLeft }));
  region.replaceChildren(...fresh.childNodes);
  for (const { id, left } of scrolled) document.getElementById(id)?.scrollTo({ left, behavior: "instant" });
  if (find) /** @type {HTMLElement | null} */ (region.querySelector(find))?.focus({ preventScroll: true });
}

let asking = false;
/** @type {number | undefined} */
let timer;

/** Nothing that was read before may stay on the screen. @param {ParentNode | null} instead what stands there now */
function takeAway(instead) {
  clearInterval(timer);
  document.removeEventListener("visibilitychange", renew);
  banner("");
  document.getElementById("main")?.replaceChildren(...(instead?.childNodes ?? []));
}

async function renew() {
  if (document.hidden || asking) return;
  asking = true;
  try {
    const headers = { accept: "text/html", "x-catwalk-refresh": "1" };
    const answer = await fetch(location.href, { headers, redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.status === 401) {
      takeAway(null);
      return void signIn();
    }
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    readOnly(fresh.getElementById("alarm")?.textContent ?? "");
    if (answer.status === 403 || answer.status === 404) return void takeAway(fresh.getElementById("main"));
    if (!answer.ok) throw new Error(String(answer.status));
    for (const region of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(REGIONS))) {
      const now = fresh.getElementById(region.id);
      if (now) put(region, now);
    }
    banner("");
  } catch {
    banner("Not live: this page could not be renewed");
  } finally {
    asking = false;
  }
}

const every = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(REGIONS))].map((one) => Number(one.dataset.live));
if (every.length) {
  timer = window.setInterval(renew, Math.min(...every));
  document.addEventListener("visibilitychange", renew);
}
