// @ts-check
/** A tone for new critical alerts: off until its user turns it on, kept for this browser, never more than one in 5 s. */

const QUIET = 5000;
const kept = `catwalk-sound-${document.body.dataset.user}`;
/** @type {AudioContext | null} */
let context = null;
let last = 0;

const isOn = () => localStorage.getItem(kept) === "on";

/** @param {HTMLElement} button */
export function offer(button) {
  const show = () => {
    button.textContent = isOn() ? "Sound on" : "Sound off";
    button.setAttribute("aria-pressed", String(isOn()));
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    localStorage.setItem(kept, isOn() ? "off" : "on");
    show();
    ring();
  });
  show();
}

/** Sound, if it is on. */
export function ring() {
  if (!isOn() || Date.now() - last < QUIET) return;
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
