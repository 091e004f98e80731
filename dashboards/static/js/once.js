// @ts-check
/** A link's token stands behind #, which browsers send to no server: it is put into the form, and out of the address. */

const token = location.hash.slice(1);
const field = /** @type {HTMLInputElement | null} */ (document.getElementById("token"));
if (token && field) {
  history.replaceState(null, "", location.pathname);
  field.value = token;
  for (const typed of document.querySelectorAll("[data-typed]")) typed.classList.add("unseen");
  field.tabIndex = -1;
  /** @type {HTMLElement | null} */ (document.querySelector("form button"))?.focus();
}
