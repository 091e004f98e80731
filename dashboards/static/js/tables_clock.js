// @ts-check
/** The time at the tables: the server's, but where play is simulated and runs faster than that. */

const { playAt = "", playSince = "", playSpeed = "1" } = document.getElementById("alerts")?.dataset ?? {};

/** @param {number} now of the server, in milliseconds */
export const atTables = (now) => (playAt ? Date.parse(playAt) + (now - Date.parse(playSince)) * Number(playSpeed) : now);
