// @ts-check
/**
 * Keeps a region of a page fresh: `<div id data-refresh="milliseconds">` is fetched again and put in place as long as the
 * page is looked at. What has the focus, is open or scrolled stays so; a region that is being used is left alone.
 */
import { banner } from "./status.js";

/** @param {HTMLElement} region */
async function renew(region) {
  if (document.hidden || region.contains(document.activeElement)) return;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html", "x-catwalk-refresh": "1" }, redirect: "error" });
    if (!answer.ok) throw new Error(String(answer.status));
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(region.id);
    banner("");
    if (!fresh || fresh.innerHTML === region.innerHTML || region.contains(document.activeElement)) return;
    const open = [...region.querySelectorAll("details[open]")].map((one) => one.id);
    region.replaceChildren(...fresh.childNodes);
    for (const id of open.filter(Boolean)) document.getElementById(id)?.setAttribute("open", "");
  } catch {
    banner("Not live: this page could not be renewed");
  }
}

for (const region of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-refresh]"))) {
  window.setInterval(() => renew(region), Number(region.dataset.refresh));
}
