// @ts-check
/** Keys of the page of the shift: everything is links and forms, this only goes to them. */

import { bind } from "./keys.js";
import { first, follow, goTo } from "./matters.js";

bind("Shift", [{ key: "t", label: "Trends", run: follow("[data-trends]") }]);
if (first("[data-print]")) bind("Shift", [{ key: "p", label: "Report as PDF", run: follow("[data-print]") }]);
if (first("#note")) bind("Shift", [{ key: "n", label: "Note of the handover", run: goTo("#note") }]);
