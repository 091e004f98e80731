// @ts-check
/** Keys of the pages of disputes: everything is links and forms, this only goes to them. */

import { bind } from "./keys.js";
import { bindRows, first, follow, goTo } from "./matters.js";

bindRows("Disputes", "dispute");
if (first("[data-new]")) bind("Disputes", [{ key: "n", label: "Open a dispute", run: follow("[data-new]") }]);
if (first("[data-hand]")) bind("Dispute", [{ key: "h", label: "Replayer at the disputed event", run: follow("[data-hand]") }]);
if (first("[data-print]")) {
  bind("Dispute", [
    { key: "p", label: "Report as PDF", run: follow("[data-print]") },
    { key: "e", label: "Evidence of the round as PDF", run: follow("[data-evidence]") },
  ]);
}
if (first("[data-letter]")) bind("Dispute", [{ key: "l", label: "Letter to the patron as PDF", run: follow("[data-letter]") }]);
if (first("#ruling")) bind("Dispute", [{ key: "d", label: "Decide", run: goTo("#ruling") }]);
if (first("#note")) bind("Dispute", [{ key: "n", label: "Note", run: goTo("#note") }]);
if (first("#f-claim")) bind("Dispute", [{ key: "c", label: "Claim", run: goTo("#f-claim") }]);

const ruling = /** @type {HTMLSelectElement | null} */ (first("#ruling"));
const amount = /** @type {HTMLInputElement | null} */ (first("#amount"));
const PAYS = ["", "for the patron", "settled between"];

/** A ruling that pays the patron nothing takes the proposed amount away, any other brings it back; what was typed stays. */
function propose() {
  const proposed = amount?.dataset.proposed;
  if (!ruling || !amount || !proposed) return;
  if (!PAYS.includes(ruling.value) && amount.value === proposed) amount.value = "";
  else if (PAYS.includes(ruling.value) && amount.value === "") amount.value = proposed;
}
ruling?.addEventListener("change", propose);
