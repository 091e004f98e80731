// @ts-check
/** Keys of the pages of cases: everything is links and forms, this only goes to them. */

import { bind } from "./keys.js";
import { bindRows, first, follow, goTo } from "./matters.js";

bindRows("Cases", "case");
if (first("[data-new]")) bind("Cases", [{ key: "n", label: "Open a case", run: follow("[data-new]") }]);
if (first("#note")) bind("Case", [{ key: "n", label: "Note", run: goTo("#note") }]);
if (first("#f-what")) bind("Case", [{ key: "t", label: "Add a task", run: goTo("#f-what") }]);
if (first("#f-value")) bind("Case", [{ key: "m", label: "Put something in", run: goTo("#f-value") }]);
if (first("#f-outcome")) bind("Case", [{ key: "d", label: "Close the case", run: goTo("#f-outcome") }]);
if (first("[data-print]")) bind("Case", [{ key: "p", label: "Report as PDF", run: follow("[data-print]") }]);
