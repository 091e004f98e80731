// @ts-check
/** One step of a hand put onto the page. */

import { element } from "./page.js";

/** @typedef {import("./replayer.js").Step} Step @typedef {import("./replayer.js").Hand} Hand */

const CLASSES = /** @type {Record<string, string>} */ ({ "✓": "right", "✕": "wrong" });

const NARROW = matchMedia("(width < 720px)");

/** Whether the felts stand upright, as a phone is held. */
export const upright = () => NARROW.matches;

/** @param {string} id @param {string} text */
function write(id, text) {
  const place = document.getElementById(id);
  if (place) place.textContent = text;
}

/** @param {Step} step @param {number} index @param {Hand} hand @param {number | null} seat */
export function paint(step, index, hand, seat) {
  const felt = document.getElementById(upright() ? "felt-tall" : "felt");
  if (felt) felt.innerHTML = step.frame ?? ""; // our own server's drawing, escaped where it was made
  if (felt) ring(felt, seat);
  write("where", `step ${index + 1} of ${hand.steps?.length ?? 0} · ${step.phase}`);
  document.getElementById("sentence")?.replaceChildren(element("span", { class: "clock" }, step.clock), ` ${step.sentence}`);
  const count = document.getElementById("count");
  if (count) {
    count.textContent = step.count || "No shoe was loaded yet.";
    count.className = step.adds_up === false ? "wrong" : "right";
  }
  strip(index, seat);
  stakes(seat);
  govern(step, hand.clauses ?? {});
  words(step);
  videos(step);
}

/** A ring about the chosen seat. @param {HTMLElement} felt @param {number | null} seat */
function ring(felt, seat) {
  if (seat === null) return;
  const place = felt.querySelector(`[data-seat="${seat}"]`);
  if (!(place instanceof SVGGraphicsElement)) return;
  const { x, y, width, height } = place.getBBox();
  const made = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const box = { x: x - 4, y: y - 4, width: width + 8, height: height + 8, rx: 10 };
  for (const [name, value] of Object.entries(box)) made.setAttribute(name, String(value));
  made.setAttribute("class", "chosen-seat");
  place.append(made);
}

/** @param {number} index @param {number | null} seat */
export function strip(index, seat) {
  const list = document.getElementById("steps");
  if (!list) return;
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  for (const one of list.querySelectorAll("a")) {
    one.classList.toggle("of-seat", seat !== null && one.dataset.seat === String(seat));
  }
  const now = /** @type {HTMLElement | null} */ (list.querySelector(`a[data-index="${index}"]`));
  if (!now) return;
  now.setAttribute("aria-current", "step");
  const item = /** @type {HTMLElement} */ (now.parentElement);
  const above = item.offsetTop - list.scrollTop;
  if (list.clientHeight > 0 && (above < 0 || above + item.offsetHeight > list.clientHeight)) {
    list.scrollTop = item.offsetTop - list.clientHeight / 3;
  }
}

/** The stakes of the chosen seat, or the first that was settled wrong, in view. @param {number | null} seat */
export function stakes(seat) {
  const rows = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".payout tr[data-seat]"));
  for (const row of rows) row.classList.toggle("chosen", row.dataset.seat === String(seat));
  const sought = document.querySelector(seat === null ? ".payout tr:has(.wrong)" : ".payout tr.chosen");
  const room = sought?.closest(".scroll");
  if (!(sought instanceof HTMLElement) || !room) return;
  const head = room.querySelector("thead")?.clientHeight ?? 0;
  const above = sought.offsetTop - room.scrollTop - head;
  if (above < 0) room.scrollTop += above;
  else room.scrollTop = Math.max(room.scrollTop, sought.offsetTop + sought.offsetHeight - room.clientHeight);
}

/** What was found at this step, and the clauses that hold for it. @param {Step} step @param {Record<string, string>} clauses */
function govern(step, clauses) {
  const governing = step.governing ?? [];
  const none = () => element("p", { class: "muted" }, "No duty is read from this event.");
  const said = governing
    .filter((one) => one.message)
    .map((one) => {
      const sign = element("span", { class: CLASSES[one.sign] ?? "" }, `${one.sign} ${one.verdict}`);
      const [first] = one.provisions;
      const duty = first ? [element("span", { class: "duty" }, element("b", {}, first), ` ${clauses[first] ?? ""}`)] : [];
      return element("p", { class: "found" }, sign, ` ${one.message}`, ...duty);
    });
  const list = governing.flatMap((one) =>
    one.provisions.map((name) => {
      const sign = element("span", { class: CLASSES[one.sign] ?? "", "aria-hidden": "true" }, one.sign);
      const verdict = element("span", { class: "muted" }, one.verdict);
      return element("div", {}, element("dt", {}, sign, ` ${name} `, verdict), element("dd", {}, clauses[name] ?? ""));
    }),
  );
  const quiet = governing.filter((one) => one.verdict === "nothing found").flatMap((one) => one.provisions).length;
  const clause = quiet === 1 ? "clause is" : "clauses are";
  const text = `${quiet} ${clause} read against this event without a finding; not each was put to the test by it.`;
  const told = quiet ? [element("p", { class: "muted" }, text)] : [];
  const every = governing.flatMap((one) => one.provisions).length;
  const all = document.querySelector("#all-clauses > span");
  if (all) all.textContent = `${every > 1 ? `All ${every} clauses` : "The clause"} of this step`;
  all?.closest("p")?.toggleAttribute("hidden", every === 0);
  const box = document.getElementById("at-step");
  document.getElementById("said")?.replaceChildren(...(governing.length ? [...said, ...told] : [none()]));
  document.getElementById("governing")?.replaceChildren(governing.length ? element("dl", {}, ...list) : none());
  if (box) box.scrollTop = 0;
}

/** @param {Step} step */
function words(step) {
  write("state-at", String(step.sequence));
  const rows = (step.rows ?? []).map(([place, ...rest]) =>
    element("tr", {}, element("th", { scope: "row" }, place), ...rest.map((text) => element("td", {}, text))),
  );
  document.getElementById("state-body")?.replaceChildren(...rows);
}

/** @param {Step} step */
function videos(step) {
  const place = document.getElementById("video");
  const links = place?.querySelectorAll("a") ?? [];
  (step.videos ?? []).forEach(([, target], at) => {
    if (links[at]) links[at].href = target;
  });
}
