// @ts-check
/**
 * The words of the filter of the alerts: what each means, which alerts it takes, and which words mean nothing there. The
 * server reads them alike (queue_words.py).
 *
 * @typedef {import("./queue.js").Row} Row
 * @typedef {{field: string, text: string, time?: import("./times.js").Time}} Term in lower case; without a field a word
 */

import { even } from "./times.js";

/** @type {Record<string, (row: Row) => string | undefined>} */
const NAMES = {
  table: (row) => row.table,
  dealer: (row) => row.dealer,
  player: (row) => row.player,
  check: (row) => row.check,
  hand: (row) => row.hand,
  owner: (row) => row.owner,
};
/** @type {Record<string, (row: Row) => number | undefined>} */
const NUMBERS = { seat: (row) => row.seat, round: (row) => row.round };
/** @type {Record<string, string[]>} */
const CHOICES = {
  severity: ["critical", "major", "minor", "info"],
  state: ["new", "acknowledged", "awaiting", "shelved", "closed"],
  status: ["new", "acknowledged", "awaiting", "shelved", "closed"],
};
/** Which way money went, as the sign of its cents. @type {Record<string, number[]>} */
const MONEY = { money: [1, -1], owed: [1], overpaid: [-1] };
/** Alerts of one kind by the beginning of their check. @type {Record<string, string>} */
const KINDS = { device: "integrity.device", pattern: "pattern." };
const FIELDS = [...Object.keys(NAMES), ...Object.keys(NUMBERS), ...Object.keys(CHOICES), "clause", ...Object.keys(MONEY), ...Object.keys(KINDS), "time", "since"];
const OF_HANDS = ["total", "against", "stake", "result", "shoe", "day", "finding"];
const OF_SEATS = "; alerts name few players: those who sat at a table are found among the hands";
/** An alert that changes is another object. @type {WeakMap<Row, {names: string[], said: string}>} */
const WORDS = new WeakMap();
/** What a term asks, read once. @type {WeakMap<Term, (row: Row) => boolean>} */
const ASKS = new WeakMap();
/** What says by its form what it is, and needs no field. @type {[RegExp, string][]} */
const TOLD = [
  [/(?<![\w:"$.<>=])((?:(?:over|under) )?\$\d[\d,]*(?:\.\d{1,2})?(?:-\$?\d[\d,]*(?:\.\d{1,2})?|\+)?)(?!\S)/g, "money"],
  [/(?<![\w:".])(\d{3}[a-z]?\.\d+[\w().#]*)(?!\S)/g, "clause"],
  [/(?<!\S)(critical|major|minor|info)(?!\S)/g, "severity"],
];
const SUM = "\\$?\\s?((?:\\d{1,3}(?:,\\d{3})+|\\d{1,10})(?:\\.\\d{1,2})?)";
const SUMS = new RegExp(`^(?:(over|above|more than|at least|from|>=|>|under|below|less than|at most|up to|<=|<)\\s*)?${SUM}(?:\\s*(?:-|\u2013|to)\\s*${SUM}|(\\+))?$`);

/** The least and the most cents of a text; null where it is no sum. @param {string} text @returns {[number, number] | null} */
function cents(text) {
  const [, way, low, high, more] = SUMS.exec(text.trim().replace(/\s+(dollars|usd|bucks)$/, "")) ?? [];
  if (low === undefined || (high !== undefined && (way || more))) return null;
  const [least, most] = [low, high ?? low].map((sum) => Math.round(Number(sum.replaceAll(",", "")) * 100));
  if (/^(over|above|more than|>)$/.test(way ?? "")) return [least + 1, Infinity];
  if (more || /^(at least|from|>=)$/.test(way ?? "")) return [least, Infinity];
  if (/^(under|below|less than|<)$/.test(way ?? "")) return [0, most - 1];
  if (way) return [0, most];
  return most < least ? null : [least, most];
}

/** Terms of words and of their times, which the server has read. @param {import("./times.js").Timed} told @returns {Term[]} */
export function terms({ rest, times }) {
  /** @type {Term[]} */
  const found = [];
  const told = TOLD.reduce((all, [form, name]) => all.replace(form, `${name}:"$1"`), rest.toLowerCase());
  for (const [, field = "", quoted, text] of told.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g)) {
    const last = found.at(-1);
    if (last && !last.field && last.text in NUMBERS && !field && /^\d+$/.test(text ?? "")) {
      found[found.length - 1] = { field: last.text, text };
    } else if (!field && (text === "owed" || text === "overpaid")) found.push({ field: text, text: ">0" });
    else if (quoted || text) found.push({ field, text: quoted || text });
  }
  return [...found, ...times.map((time) => ({ field: "time", text: time.text.toLowerCase(), time }))];
}

/** Whether an alert is one that the term asks for; a word without a digit may begin a name. @param {Term} term @param {Row} row */
export function takes(term, row) {
  let asks = ASKS.get(term);
  if (!asks) ASKS.set(term, (asks = asking(term)));
  return asks(row);
}

/** What of an alert a term asks, read once of it: thousands of alerts are asked at each letter. @param {Term} term @returns {(row: Row) => boolean} */
function asking({ field, text, time }) {
  if (time) return (row) => time.spans.some(([start, end]) => even(row.event_at) >= start && even(row.event_at) < end);
  if (field in NAMES) return (row) => (NAMES[field](row) ?? "").toLowerCase() === text;
  if (field in NUMBERS) return (row) => String(NUMBERS[field](row)) === text;
  if (field === "severity") return (row) => row.severity === text;
  if (field === "state" || field === "status") return (row) => (row.status === "disposed" ? "closed" : (row.status ?? "new")) === text;
  if (field === "clause") {
    return (row) => (row.cites ?? []).map((one) => one.toLowerCase()).some((one) => one === text || one.startsWith(`${text}(`) || one.startsWith(`${text}#`));
  }
  if (field in MONEY) {
    const sum = cents(text);
    return (row) => sum !== null && MONEY[field].map((sign) => sign * (row.cents ?? 0)).some((one) => one > 0 && sum[0] <= one && one <= sum[1]);
  }
  const stands = standing(text);
  if (field in KINDS) return (row) => row.check.startsWith(KINDS[field]) && stands([row.check, row.title ?? "", row.message].join(" ").toLowerCase());
  if (field) return () => false;
  const id = /^[0-9a-f]{6,64}$/.test(text);
  return (row) => {
    const { names, said } = wordsOf(row);
    return names.includes(text) || (id && row.id.startsWith(text)) || stands(said);
  };
}

/** What an alert says and names, in small letters: read once of each, for a filter of thousands asks at each letter. @param {Row} row */
function wordsOf(row) {
  let told = WORDS.get(row);
  if (!told) {
    const names = [...Object.values(NAMES).map((name) => name(row)), row.by].flatMap((name) => name?.toLowerCase() || []);
    told = { names, said: [row.title ?? "", row.message, ...names].join(" ").toLowerCase() };
    WORDS.set(row, told);
  }
  return told;
}

/** Whether a word of what is said, in small letters, begins with the text; one with a digit must stand whole. @param {string} text @returns {(said: string) => boolean} */
function standing(text) {
  const literal = text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  const word = new RegExp(`(?<![\\w-])${literal}${/\d/.test(text) ? "(?![\\w-]|\\.\\w)" : ""}`);
  return (said) => said.includes(text) && word.test(said); // most have it nowhere: that costs less than looking for a word
}

/** A term as it may be written anew, in the letters of the words that it came from; read again it is this term. @param {Term} term @param {string} words */
export function written({ field, text }, words) {
  const at = words.toLowerCase().indexOf(text);
  const said = at < 0 ? text : words.slice(at, at + text.length);
  if (!field) return words.toLowerCase().includes(`"${text}"`) ? `"${said}"` : said;
  if (text === ">0" && (field === "owed" || field === "overpaid")) return field;
  const [name, value] = field === "time" && text.startsWith("since ") ? ["since", said.slice("since ".length)] : [field, said];
  return /\s/.test(value) ? `${name}:"${value}"` : `${name}:${value}`;
}

/** Why a term means nothing here; empty where it means something. @param {Term} term */
export function unreadable({ field, text, time }) {
  const shown = field ? `${field}:${text}` : text;
  if (OF_HANDS.includes(field)) return `“${shown}” is looked for among the hands: an alert does not name it.`;
  if ((field && !FIELDS.includes(field)) || FIELDS.some((name) => text === `${name}:`)) {
    return `“${shown}” is no term of this filter: there are ${FIELDS.map((name) => `${name}:`).join(", ")}.`;
  }
  if (field in NUMBERS && !/^\d+$/.test(text)) return `“${shown}” is no ${field}: write ${field} 3.`;
  if (field in CHOICES && !CHOICES[field].includes(text)) return `“${shown}” is no ${field}: there are ${CHOICES[field].join(", ")}.`;
  if (field in MONEY && !cents(text)) return `“${shown}” is no sum of money: write $25, $100-500, >100, over $100 or under $50.`;
  if (time?.wrong) return `“${shown}” is no time: ${time.wrong}.`;
  return "";
}

/** What is to be said of terms that fit none of these alerts. @param {Term[]} asked @param {Row[]} rows */
export function unread(asked, rows) {
  return asked.flatMap((term) => {
    const { field, text, time } = term;
    const shown = field ? `${field}:${text}` : text;
    const wrong = unreadable(term);
    if (wrong) return [wrong];
    if (rows.some((row) => takes(term, row))) return [];
    if (time) return [`“${shown}”: the event of none of these alerts was then (${time.understood}).`];
    const names = new Set(rows.flatMap((row) => Object.values(NAMES).map((name) => name(row) ?? "")));
    const like = field && !(field in NAMES) ? [] : [...names].filter((name) => name.toLowerCase().includes(text)).sort().slice(0, 4);
    const what = field || "table, dealer, player, check, hand, owner or id";
    const more = field ? "" : ", nor a name or a word of the message that begins so";
    return [`“${shown}”: none of these alerts has it as its ${what}${more}${like.length ? `; like it are ${like.join(", ")}` : field === "player" ? OF_SEATS : ""}.`];
  });
}
