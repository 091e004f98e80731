// @ts-check
/**
 * The link to the feed: every change once and in order, over cuts, silence and restarts of the server.
 *
 * @typedef {import("./queue.js").Row} Row
 * @typedef {{kind: "snapshot", seq: number, alerts: Row[]}} Snapshot
 * @typedef {{kind: "change", seq: number, act?: string, alert?: Row}} Change
 * @typedef {{kind: "heartbeat", head: number, time: string, alarm?: string, tables?: string, play?: string}} Heartbeat
 * @typedef {{kind: "looking", open: Record<string, string[]>}} Looking
 * @typedef {{raised: number, critical: number}} News
 * @typedef {{
 *   snapshot: (message: Snapshot) => News,
 *   change: (message: Change) => News,
 *   state: (live: boolean, text: string) => void,
 *   lost: (text: string) => void,
 *   caughtUp: (news: News) => void,
 *   looking: () => void,
 * }} Listener `lost` is told why nothing is live, and "" when it is again; `looking` that others have opened or closed alerts
 */

import { LEAVING } from "./drafts.js";
import { parsed } from "./plain.js";
import { others } from "./presence.js";
import { readOnly } from "./status.js";
import { playing } from "./tables_clock.js";

const SILENCE = 5000; // the server is heard every 2 s: then the link is dead, whatever it looks like
const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
const SIGNED_OUT = 4401;
const TOO_SLOW = 4408;
const BACK = "catwalk-back";

/** Leave for the sign-in; this very page comes back behind it. */
export function signIn() {
  document.dispatchEvent(new Event(LEAVING));
  sessionStorage.setItem(BACK, location.pathname + location.search);
  location.assign("/sign-in");
}

/** Whether this page is left for the one that a sign-in interrupted. */
export function returned() {
  const back = sessionStorage.getItem(BACK);
  sessionStorage.removeItem(BACK);
  if (!back?.startsWith("/") || back.startsWith("//") || back === location.pathname + location.search) return false;
  location.replace(back);
  return true;
}

/** A moment by the clock of the page, which is named; its day, where that is over. @param {number} at */
function clock(at) {
  const zone = /** @type {HTMLElement | null} */ (document.querySelector("[data-zone]"))?.dataset.zone;
  const time = new Intl.DateTimeFormat("en-US", { timeZone: zone, hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZoneName: "short" });
  const day = new Intl.DateTimeFormat("en-GB", { timeZone: zone, day: "numeric", month: "short" });
  return day.format(at) === day.format(Date.now()) ? time.format(at) : `${day.format(at)} ${time.format(at)}`;
}

export class Feed {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {number | null} */
  #cursor;
  /** @type {News | null} what came since the link was found again, until it is level with the server */
  #news = null;
  #heard = Date.now();
  #begun = 0;
  #tries = 0;
  #ahead = Infinity; // this clock's lead over the server's, by the message that came fastest
  #behind = 0;
  #isLost = false;
  #open = "";

  /** @param {Listener} listener @param {number | null} cursor number of the last change that is known */
  constructor(listener, cursor = null) {
    this.listener = listener;
    this.#cursor = cursor;
    this.#connect();
    setInterval(() => this.#watch(), 500);
    addEventListener("online", () => this.#again(0));
    // A tab that was asleep, and is seen again, does not wait for its timers: what it shows may be hours old.
    for (const woken of ["visibilitychange", "resume"]) document.addEventListener(woken, () => document.hidden || this.#woken());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#woken());
  }

  /** Say at once whether what is shown is up to date, and connect at once if there is no link. */
  #woken() {
    this.#watch();
    if (this.#socket && this.#socket.readyState > WebSocket.OPEN) this.#again(0);
    else if (!this.#socket) this.#connect();
  }

  /** Milliseconds of the server's clock, as far as it can be told here. */
  now() {
    return Date.now() - (Number.isFinite(this.#ahead) ? this.#ahead : 0);
  }

  /** Say which alert is open here. @param {string} id empty for none */
  opened(id) {
    if (id === this.#open) return;
    this.#open = id;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ open: id }));
  }

  #connect() {
    const after = this.#cursor === null ? "" : `?after=${this.#cursor}`;
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/feed${after}`);
    let opened = false;
    this.#socket = socket;
    this.#begun = Date.now();
    socket.onopen = () => {
      opened = true;
      if (this.#open) socket.send(JSON.stringify({ open: this.#open }));
    };
    socket.onmessage = (event) => {
      for (const line of event.data.split("\n")) if (socket === this.#socket) this.#take(parsed(line));
    };
    socket.onclose = (event) => {
      if (socket !== this.#socket) return;
      if (event.code === SIGNED_OUT) signIn();
      else if (event.code === TOO_SLOW) this.#again(0);
      else {
        if (!opened) void this.#ask();
        this.#again(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++) * (0.75 + Math.random() / 2));
      }
    };
  }

  /** Drop what link there is and make another. @param {number} wait in milliseconds */
  #again(wait) {
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.#news = { raised: 0, critical: 0 };
    this.listener.state(false, "Connecting");
    others({});
    this.listener.looking();
    setTimeout(() => this.#socket ?? this.#connect(), wait);
  }

  /** A browser does not say why a feed was refused: the server does, to another question. */
  async #ask() {
    const answer = await fetch("/api/feed").catch(() => null);
    if (answer?.status === 401) signIn();
  }

  /** @param {Snapshot | Change | Heartbeat | Looking} message */
  #take(message) {
    this.#heard = Date.now();
    this.#tries = 0;
    if (this.#isLost) this.listener.lost("");
    this.#isLost = false;
    if (message.kind === "heartbeat") this.#beat(message);
    else if (message.kind === "looking") {
      others(message.open);
      this.listener.looking();
    } else if (message.kind === "snapshot") {
      this.#cursor = message.seq;
      this.#count(this.listener.snapshot(message));
    } else if (this.#cursor === null || message.seq > this.#cursor + 1) this.#again(0);
    else if (message.seq === this.#cursor + 1) {
      this.#cursor = message.seq;
      const at = message.alert?.at ?? message.alert?.raised_at;
      if (at && !this.#news) this.#behind = Math.max(0, this.now() - Date.parse(at));
      this.#count(this.listener.change(message));
    }
  }

  /** @param {Heartbeat} message */
  #beat(message) {
    readOnly(message.alarm ?? "");
    if (message.tables) playing(message.tables, message.time, message.play ?? "");
    this.#ahead = Math.min(this.#ahead, Date.now() - Date.parse(message.time));
    this.#behind = Math.max(0, this.now() - Date.parse(message.time));
    const news = this.#news;
    this.#news = null;
    if (news?.raised) this.listener.caughtUp(news);
    this.#tell();
  }

  /** @param {News} news */
  #count(news) {
    if (!this.#news) return;
    this.#news.raised += news.raised;
    this.#news.critical += news.critical;
  }

  #tell() {
    this.listener.state(true, `Live, ${(this.#behind / 1000).toFixed(1)} s behind`);
  }

  #watch() {
    const silent = Date.now() - this.#heard > SILENCE;
    if (silent && !this.#isLost) {
      this.#isLost = true;
      this.listener.lost(`Not live since ${clock(this.#heard)}: what is shown may be out of date. Connecting again.`);
    }
    if (this.#socket && Date.now() - Math.max(this.#heard, this.#begun) > SILENCE) this.#again(0);
    else if (!silent && !this.#news && this.#socket?.readyState === WebSocket.OPEN) this.#tell();
  }
}
