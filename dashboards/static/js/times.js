// @ts-check
/**
 * Times in the words of the filter. The server reads them, by the clock of the alerts: nothing of a clock is reckoned here.
 *
 * @typedef {{text: string, spans: [string, string][], understood: string, wrong: string}} Time its stretches in UTC
 * @typedef {{rest: string, times: Time[]}} Timed the words without their times
 */

const MAYBE = /(?<![\w:])(?:time|since):|\d[:h]\d\d|\bago\b|\b(?:last|past|now)\b|\b(?:around|about|roughly|since)\s+\d/i;
const RENEWED = 20_000; // milliseconds after which "15 min ago" is another time
const AWAY = "times are read by the server, which does not answer";
/** @type {Map<string, {at: number, told: Timed}>} */
const known = new Map();
/** @type {Timed} */
let last = { rest: "", times: [] };
let asking = "";

/** A moment in UTC with six places, so that moments stand in the order of their letters. @param {string} at */
export function even(at) {
  const [second, part = ""] = at.replace("Z", "").split(".");
  return `${second}.${part.padEnd(6, "0")}`;
}

/** @param {string} words @returns {Promise<Timed>} */
async function read(words) {
  try {
    const answer = await fetch(`/api/words?${new URLSearchParams({ q: words })}`, { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const { rest, times } = await answer.json();
    return { rest, times: times.map((/** @type {Time} */ one) => ({ ...one, spans: (one.spans ?? []).map(([start, end]) => [even(start), even(end)]) })) };
  } catch {
    return { rest: "", times: [{ text: words, spans: [], understood: "", wrong: AWAY }] };
  }
}

/**
 * The words parted from their times; until the server has told, as they stood before. @param {string} words
 * @param {(anew: boolean) => void} changed called when the server has told; not anew where it had told before
 */
export function timed(words, changed) {
  if (!MAYBE.test(words)) return (last = { rest: words, times: [] });
  const had = known.get(words);
  if (had && Date.now() - had.at < RENEWED) return (last = had.told);
  if (asking !== words) {
    asking = words;
    void read(words).then((told) => {
      if (known.size > 100) known.clear();
      known.set(words, { at: Date.now(), told });
      if (asking === words) asking = "";
      changed(had === undefined);
    });
  }
  return had ? (last = had.told) : last;
}

/** Whether the server has yet to tell what these words mean. @param {string} words */
export const reading = (words) => words !== "" && asking === words && !known.has(words);

/** What the times of a filter were understood as. @param {Timed} told */
export const understood = (told) => told.times.map((one) => one.understood).filter(Boolean).join(" and ");
