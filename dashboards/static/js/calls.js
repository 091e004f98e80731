// @ts-check
/**
 * A tone and a notice of the desktop for new alerts: each off until its person chooses from which severity on, kept with the
 * account, the tone never more than once in 5 s. In the quiet hours of its person nothing of this is heard or seen, but a
 * critical alert where they chose so; when these are is the server's to say, by the property's clock.
 */

import { choose } from "./order.js";
import { SEVERITIES } from "./queue.js";

/** @typedef {import("./queue.js").Row} Row */

const QUIET = 5000;
const HOURS = ["quiet_from", "quiet_to", "quiet_critical"];
/** @type {AudioContext | null} */
let context = null;
let last = 0;
/** When it is quiet, in milliseconds; null until the server has told. @type {[number, number][] | null} */
let stretches = null;
let questions = 0;

/** @param {string} chosen @param {Row} row */
const calls = (chosen, row) => chosen !== "off" && SEVERITIES.indexOf(row.severity) <= SEVERITIES.indexOf(/** @type {any} */ (chosen));
const select = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (document.getElementById(id));
const say = (/** @type {string} */ text) => {
  const told = document.getElementById("calls-told");
  if (told) told.textContent = text;
};

/** Show the choices, and keep what is chosen. */
export function offer() {
  const menu = document.getElementById("calls");
  if (!menu) return;
  menu.hidden = false;
  select("sound").addEventListener("change", () => {
    void choose("queue_sound", select("sound").value);
    if (select("sound").value !== "off") ring();
  });
  select("notices").addEventListener("change", async () => {
    void choose("queue_notices", select("notices").value);
    if (select("notices").value !== "off") await permitted(true);
    else say("");
  });
  if (select("notices").value !== "off") void permitted(false);
  for (const name of HOURS) {
    select(name).addEventListener("change", () => {
      stretches = null;
      void choose(name, select(name).value).then(hours);
    });
  }
  void hours();
}

/** Ask when it is quiet. A sign-in ends before the stretches do that the server tells. */
async function hours() {
  const asked = (questions += 1);
  const answer = await fetch("/api/quiet", { headers: { accept: "application/json" } }).catch(() => null);
  if (!answer?.ok) return;
  const told = await answer.json();
  if (asked !== questions) return; // another was asked since
  stretches = told.stretches.map((/** @type {string[]} */ one) => one.map(Date.parse));
  const place = document.getElementById("quiet-told");
  if (place) place.textContent = told.said;
}

/** Whether an alert is held back by its person's quiet hours; as long as these are not known it is. @param {Row} row @param {number} now */
function held(row, now) {
  if (select("quiet_from").value === "off") return false;
  if (row.severity === "critical" && select("quiet_critical").value === "heard") return false;
  if (!stretches) void hours();
  return !stretches || stretches.some(([start, end]) => start <= now && now < end);
}

/** Whether this browser lets notices through; says what to do where it does not. @param {boolean} ask */
async function permitted(ask) {
  if (!("Notification" in window)) return say("This browser has no notices of the desktop."), false;
  const answer = ask && Notification.permission === "default" ? await Notification.requestPermission() : Notification.permission;
  const denied = "This browser lets no notices through: allow them for this address in its settings.";
  say(answer === "granted" ? "" : answer === "denied" ? denied : "Choose once more, so that this browser asks for leave.");
  return answer === "granted";
}

/** Tell of a new alert as its person chose. @param {Row} row @param {number} now of the server */
export function call(row, now) {
  if (held(row, now)) return;
  if (calls(select("sound").value, row)) ring();
  if (!calls(select("notices").value, row) || !("Notification" in window) || Notification.permission !== "granted") return;
  if (document.hasFocus()) return; // whoever looks at the list sees it
  const where = `${row.table}${row.round === undefined ? "" : ` round ${row.round}`}`;
  const title = `${row.severity.charAt(0).toUpperCase()}${row.severity.slice(1)}: ${where}`;
  const notice = new Notification(title, { body: row.owed || row.check, tag: row.id });
  notice.addEventListener("click", () => {
    window.focus();
    location.assign(`/?alert=${row.id}`);
  });
}

/** Sound. */
function ring() {
  if (Date.now() - last < QUIET) return;
  last = Date.now();
  context ??= new AudioContext();
  const tone = context.createOscillator();
  const loudness = context.createGain();
  tone.frequency.value = 660;
  loudness.gain.setValueAtTime(0.15, context.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.35);
  tone.connect(loudness).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.35);
}
