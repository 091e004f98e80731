// @ts-check
/** Characters that turn the letters after them around (UAX #9) are shown by name, as `dashboards/wording/plain.py` does. */

const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** @param {string} text */
const plain = (text) => text.replace(TURNS, (found) => `[U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);

/** Whether a text may hold one of them, as itself or as JSON escapes it: few do, and each value of thousands of alerts is one call. */
const MAY_TURN = new RegExp(`${TURNS.source}|\\\\u`, "u");

/** What JSON says, every text of it as a page may show it. @param {string} text @returns {any} */
export const parsed = (text) => (MAY_TURN.test(text) ? JSON.parse(text, (_, value) => (typeof value === "string" ? plain(value) : value)) : JSON.parse(text));
