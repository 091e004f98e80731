// @ts-check
/** A hand step by step: all steps are fetched at once, and each is put onto the page without a question to the server. */

import { seek } from "./footage.js";
import { bind } from "./keys.js";
import { element } from "./page.js";
import { parsed } from "./plain.js";
import { paint, strip, upright } from "./replayer_view.js";
import { Slider } from "./slider.js";
import { say } from "./status.js";
import { tabs } from "./tabs.js";

/**
 * @typedef {{check: string, provisions: string[], verdict: string, sign: string, message?: string}} Governed
 * @typedef {{sequence: number, time: string, clock: string, phase: string, sentence: string, seat?: number, sign?: string,
 *   word?: string, governing?: Governed[], count?: string, adds_up?: boolean, videos?: [string, string][], into?: number,
 *   rows?: string[][], frame?: string}} Step
 * @typedef {{index: number, word: string}} Mark
 * @typedef {{steps?: Step[], phases?: Mark[], mismatches?: Mark[], clauses?: Record<string, string>}} Hand
 */

const HAND = /^\/hands\/[^/]+\/\d+$/; // the page of a hand
const EACH = 900; // ms that a step is shown while playing
const root = /** @type {HTMLElement | null} */ (document.getElementById("replayer"));
/** @type {Hand} */
let hand = {};
let index = Number(root?.dataset.index ?? 0);
/** @type {number | null} */
let seat = root?.dataset.seat === undefined ? null : Number(root.dataset.seat);
/** @type {Slider | undefined} */
let slider;
/** @type {ReturnType<typeof tabs> | undefined} */
let sides;
let playing = 0;
let writing = 0;

const steps = () => hand.steps ?? [];
const link = (/** @type {string} */ id) => /** @type {HTMLAnchorElement | null} */ (document.getElementById(id));

/** Where this step and seat are, for the address bar. */
function address() {
  const url = new URL(location.href);
  url.searchParams.set("at", String(steps()[index].sequence));
  if (seat === null) url.searchParams.delete("seat");
  else url.searchParams.set("seat", String(seat));
  return url;
}

/** Show a step. @param {number} wanted */
export function go(wanted) {
  const last = steps().length - 1;
  if (last < 0) return;
  index = Math.min(Math.max(wanted, 0), last);
  const step = steps()[index];
  paint(step, index, hand, seat);
  seek(step.into ?? 0);
  slider?.move(index, `${step.clock} ${step.sentence}`);
  if (index !== Number(root?.dataset.index)) document.getElementById("at-breach")?.setAttribute("hidden", "");
  say(step.sentence);
  window.clearTimeout(writing); // browsers allow some hundred changes of the address in half a minute
  writing = window.setTimeout(() => history.replaceState(null, "", address()), 200);
  if (index === last) stop();
}

/** Links to this and other hands keep the seat in view; a dispute is about a seat, and never the dealer's. */
function keepSeat() {
  for (const one of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("#main a[href]"))) {
    const dispute = one.id === "open-dispute";
    const url = new URL(one.href);
    if (!dispute && (url.origin !== location.origin || !HAND.test(url.pathname))) continue;
    if (seat === null || (dispute && seat === 0)) url.searchParams.delete("seat");
    else url.searchParams.set("seat", String(seat));
    one.href = String(url);
  }
}

/** @param {number | null} chosen */
function choose(chosen) {
  seat = chosen === seat ? null : chosen;
  keepSeat();
  if (upright()) void fetched().then(() => go(index)); // this seat stands first then
  else go(index);
  if (steps().length) history.replaceState(null, "", address()); // at once: the next key may lead to another hand
  say(seat === null ? "No seat chosen" : seat === 0 ? "Dealer chosen" : `Seat ${seat} chosen`);
}

/** The first step of the phase before or after this one. @param {1 | -1} way */
function phase(way) {
  const begins = (hand.phases ?? []).map((one) => one.index);
  const next = way > 0 ? begins.find((one) => one > index) : begins.findLast((one) => one < index);
  go(next ?? (way > 0 ? steps().length - 1 : 0));
}

function fault() {
  const marks = (hand.mismatches ?? []).map((one) => one.index);
  if (marks.length === 0) say("Nothing is wrong in this hand");
  else go(marks.find((one) => one > index) ?? marks[0]);
}

function stop() {
  if (!playing) return;
  window.clearInterval(playing);
  playing = 0;
  showPlay();
}

function play() {
  if (playing) return stop();
  if (index >= steps().length - 1) go(0);
  playing = window.setInterval(() => go(index + 1), EACH);
  showPlay();
}

function showPlay() {
  const button = document.getElementById("play");
  button?.replaceChildren(playing ? "Pause " : "Play ", element("kbd", {}, "Space"));
}

async function copyTime() {
  const step = steps()[index];
  if (!step) return;
  const camera = step.videos?.find(([, target]) => target);
  const text = camera ? camera[1] : step.time;
  try {
    await navigator.clipboard.writeText(text);
    say(camera ? `Copied the video link of ${camera[0]}` : `Copied ${text}`);
  } catch {
    say(`The clipboard is closed to this page; the time is ${text}`);
  }
}

/** All clauses of this step, or the steps again. */
function clauses() {
  sides?.open(sides.now() === "clauses" ? "steps-side" : "clauses");
}

function toggleState() {
  const rows = document.getElementById("state-rows");
  const button = document.getElementById("show-state");
  if (!rows || !button) return;
  rows.hidden = !rows.hidden;
  button.setAttribute("aria-expanded", String(!rows.hidden));
  button.replaceChildren(element("kbd", {}, "T"), rows.hidden ? " Show" : " Hide");
  if (!rows.hidden) rows.focus();
}

const follow = (/** @type {string} */ id) => () => link(id)?.click();

/** The hand before and the next open with the same tab: racks are read one after another. */
function keepTab() {
  strip(index, seat); // a list that was hidden could not scroll
  for (const id of ["hand-before", "hand-after"]) {
    const way = link(id);
    if (way) way.hash = location.hash;
  }
}

function bindKeys() {
  bind("Hand", [
    { key: "ArrowLeft", label: "Step back", run: () => go(index - 1) },
    { key: "ArrowRight", label: "Step on", run: () => go(index + 1) },
    { key: "Shift+ArrowLeft", label: "Five steps back", run: () => go(index - 5) },
    { key: "Shift+ArrowRight", label: "Five steps on", run: () => go(index + 5) },
    { key: "ArrowUp", label: "Phase before", run: () => phase(-1) },
    { key: "ArrowDown", label: "Next phase", run: () => phase(1) },
    { key: "Home", label: "First step", run: () => go(0) },
    { key: "End", label: "Last step", run: () => go(steps().length - 1) },
    { key: " ", label: "Play or pause", run: play, when: () => !document.activeElement?.matches("button, summary, a") },
    { key: "m", label: "Next mismatch", run: fault },
    { key: "[", label: "Previous hand", run: follow("hand-before") },
    { key: "]", label: "Next hand", run: follow("hand-after") },
    ...[1, 2, 3, 4, 5, 6, 7].map((one) => ({ key: String(one), label: `Seat ${one}`, run: () => choose(one) })),
    { key: "0", label: "Dealer", run: () => choose(0) },
    { key: "c", label: "Clauses of the step", run: clauses },
    { key: "t", label: "The table in words", run: toggleState },
    { key: "v", label: "Copy video time", run: () => void copyTime() },
    { key: "o", label: "Open dispute", run: follow("open-dispute") },
    { key: "e", label: "Evidence PDF", run: follow("evidence") },
  ]);
}

/** @param {MouseEvent} event */
function allClauses(event) {
  event.preventDefault();
  clauses();
}

/** Links within the hand go to their step without loading. @param {MouseEvent} event */
function clicked(event) {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = event.target instanceof Element ? event.target.closest("a[data-index], a[data-at], a[data-go]") : null;
  if (!(target instanceof HTMLAnchorElement) || steps().length === 0) return;
  event.preventDefault();
  const { index: at, at: sequence, go: way } = target.dataset;
  if (way === "fault") fault();
  else if (way) go({ first: 0, before: index - 1, after: index + 1, last: steps().length - 1 }[way] ?? index);
  else if (at !== undefined) go(Number(at));
  else {
    go(steps().findLastIndex((step) => step.sequence <= Number(sequence)));
    document.getElementById("felt")?.scrollIntoView({ block: "nearest" });
  }
}

/** All steps, their felts as this window shows them; whether they could be had. */
async function fetched() {
  const source = `${root?.dataset.source ?? ""}${upright() ? `&tall=${seat ?? 0}` : ""}`;
  const answer = await fetch(source, { headers: { accept: "application/json" } });
  if (answer.ok) hand = parsed(await answer.text());
  return answer.ok;
}

async function start() {
  if (!root) return;
  bindKeys();
  const list = document.getElementById("sides");
  if (list) sides = tabs(list, keepTab);
  document.getElementById("all-clauses")?.addEventListener("click", allClauses);
  for (const id of ["play", "copy-time", "show-state"]) document.getElementById(id)?.removeAttribute("hidden");
  if (window.innerWidth >= 720) toggleState();
  document.getElementById("theme")?.addEventListener("change", () => location.reload()); // felts come in its colours
  if (!(await fetched())) return say("The steps could not be fetched; each link loads its step");
  matchMedia("(width < 720px)").addEventListener("change", () => void fetched().then(() => go(index)));
  if (steps().length === 0) return;
  const place = document.getElementById("slider");
  if (place) slider = new Slider(place, steps().length, hand.phases ?? [], hand.mismatches ?? [], go);
  document.addEventListener("click", clicked);
  document.getElementById("play")?.addEventListener("click", play);
  document.getElementById("copy-time")?.addEventListener("click", () => void copyTime());
  document.getElementById("show-state")?.addEventListener("click", toggleState);
  go(index);
  root.dataset.ready = "true";
}

void start();
