// @ts-check
/** A user's row leads to the form that changes them, filled in. */

for (const link of document.querySelectorAll("a[data-user]")) {
  link.addEventListener("click", () => {
    const user = /** @type {HTMLSelectElement | null} */ (document.getElementById("change-user"));
    if (user) user.value = /** @type {HTMLElement} */ (link).dataset.user ?? "";
    document.getElementById("change-what")?.focus();
  });
}
