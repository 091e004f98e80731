// @ts-check
/** The recording beside the hand: one camera at a time, put to where the step that is shown happened. */

const PLAYER = "/static/vendor/hls.light.min.mjs"; // fetched only where a camera gives a playlist the browser cannot play
const PLAYLIST = "application/vnd.apple.mpegurl";

const place = document.getElementById("footage");
const video = /** @type {HTMLVideoElement | null} */ (place?.querySelector("video") ?? null);
const told = document.getElementById("footage-told");
let into = Number(place?.dataset.into ?? 0);
/** @type {{ destroy: () => void } | null} */
let player = null;

/** @param {string} text */
const tell = (text) => void (told && told.textContent !== text && (told.textContent = text));

function put() {
  if (video && video.readyState >= 1 && Math.abs(video.currentTime - into) > 0.05) video.currentTime = into;
}

/** Show what happened so many seconds into the recording. @param {number} seconds */
export function seek(seconds) {
  into = seconds;
  put();
}

/** @param {HTMLButtonElement} button */
function failed(button) {
  tell(`The recording of ${button.textContent} cannot be played; the link below opens it where it is kept.`);
}

/** Play a playlist that the browser does not know of itself. @param {HTMLButtonElement} button */
async function through(button) {
  const { default: Hls } = await import(PLAYER);
  if (!video || !Hls.isSupported()) return failed(button);
  const made = new Hls({ enableWorker: false }); // a worker out of a blob is what the page's policy forbids
  player = made;
  made.on(Hls.Events.ERROR, (/** @type {string} */ _, /** @type {{ fatal: boolean }} */ error) => error.fatal && failed(button));
  made.loadSource(button.dataset.address ?? "");
  made.attachMedia(video);
}

/** @param {HTMLButtonElement} button */
function show(button) {
  if (!video) return;
  for (const one of place?.querySelectorAll("button") ?? []) one.setAttribute("aria-pressed", String(one === button));
  player?.destroy();
  player = null;
  tell("Loading the recording ...");
  const list = button.dataset.kind === "hls";
  video.onerror = () => (list && !player ? void through(button) : player || failed(button));
  if (list && !video.canPlayType(PLAYLIST)) return void through(button);
  video.src = button.dataset.address ?? "";
}

if (place && video) {
  video.addEventListener("loadedmetadata", () => (tell(""), put()));
  for (const button of place.querySelectorAll("button")) button.addEventListener("click", () => show(button));
  const first = place.querySelector("button");
  if (first) show(first);
}
