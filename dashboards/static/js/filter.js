// @ts-check
/**
 * The words of the filter of the alerts: what each means, which alerts it takes, and which words mean nothing there. The
 * server reads them alike (queue_words.py).
 *
 * @typedef {import("./queue.js").Row} Row
 * @typedef {{field: string, text: string}} Term in lower case; without a field a word
 */

/** @type {Record<string, (row: Row) => string | undefined>} */
const NAMES = {
  table: (row) => row.table,
  dealer: (row) => row.dealer,
  check: (row) => row.check,
  hand: (row) => row.hand,
  owner: (row) => row.owner,
};
/** @type {Record<string, (row: Row) => number | undefined>} */
const NUMBERS = { seat: (row) => row.seat, round: (row) => row.round };
const FIELDS = [...Object.keys(NAMES), ...Object.keys(NUMBERS)];

/** @param {string} words @returns {Term[]} */
export function terms(words) {
  /** @type {Term[]} */
  const found = [];
  for (const [, field = "", quoted, text] of words.toLowerCase().matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g)) {
    const last = found.at(-1);
    if (last && !last.field && last.text in NUMBERS && !field && /^\d+$/.test(text ?? "")) {
      found[found.length - 1] = { field: last.text, text };
    } else if (quoted || text) found.push({ field, text: quoted || text });
  }
  return found;
}

/** Whether an alert is one that the term asks for; a word without a digit may begin a name. @param {Term} term @param {Row} row */
export function takes({ field, text }, row) {
  if (field in NAMES) return (NAMES[field](row) ?? "").toLowerCase() === text;
  if (field in NUMBERS) return String(NUMBERS[field](row)) === text;
  if (field) return false;
  const names = [...Object.values(NAMES).map((name) => name(row)), row.by].filter(Boolean);
  if (names.some((name) => name?.toLowerCase() === text)) return true;
  if (/^[0-9a-f]{6,64}$/.test(text) && row.id.startsWith(text)) return true;
  const literal = text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${literal}${/\d/.test(text) ? "(?![\\w-]|\\.\\w)" : ""}`).test([row.message, ...names].join(" ").toLowerCase());
}

/** What is to be said of terms that fit none of these alerts. @param {Term[]} asked @param {Row[]} rows */
export function unread(asked, rows) {
  return asked.flatMap((term) => {
    const { field, text } = term;
    const shown = field ? `${field}:${text}` : text;
    if ((field && !FIELDS.includes(field)) || FIELDS.some((name) => text === `${name}:`)) {
      return [`“${shown}” is no term of this filter: there are ${FIELDS.map((name) => `${name}:`).join(", ")}.`];
    }
    if (field in NUMBERS && !/^\d+$/.test(text)) return [`“${shown}” is no ${field}: write ${field} 3.`];
    if (rows.some((row) => takes(term, row))) return [];
    const names = new Set(rows.flatMap((row) => Object.values(NAMES).map((name) => name(row) ?? "")));
    const like = field in NUMBERS ? [] : [...names].filter((name) => name.toLowerCase().includes(text)).sort().slice(0, 4);
    const what = field || "table, dealer, check, hand, owner or id";
    const more = field ? "" : ", nor a name or a word of the message that begins so";
    return [`“${shown}”: none of these alerts has it as its ${what}${more}${like.length ? `; like it are ${like.join(", ")}` : ""}.`];
  });
}
