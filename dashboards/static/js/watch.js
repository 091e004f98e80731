// @ts-check
/** Says on pages that nothing else keeps up to date that the desk's record was altered, and takes it back. */

import { readOnly } from "./status.js";

const EVERY = 5000; // milliseconds

/** Ask how the desk is; a console that does not answer says nothing of its record. */
async function look() {
  if (document.hidden) return;
  const answer = await fetch("/health").catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (told) readOnly(told.altered ? "The record of the desk is not the one this console knows. Nothing can be done or looked up here." : "");
}

if (!document.getElementById("live") && !document.querySelector("[data-live]")) setInterval(() => void look(), EVERY);
