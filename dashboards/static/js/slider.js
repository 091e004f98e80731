// @ts-check
/** A slider over the steps of a hand, with marks where phases begin and where something is wrong. */

import { element } from "./page.js";

/** @typedef {{index: number, word: string}} Mark */

export class Slider {
  /**
   * @param {HTMLElement} place @param {number} count @param {Mark[]} phases @param {Mark[]} faults
   * @param {(index: number) => void} go
   */
  constructor(place, count, phases, faults, go) {
    this.place = place;
    this.count = count;
    this.thumb = element("span", { class: "thumb" });
    place.append(element("span", { class: "track" }));
    for (const mark of phases) place.append(this.at(element("span", { class: "begins", title: mark.word }), mark.index));
    for (const mark of faults) place.append(this.at(element("span", { class: "fault", title: mark.word }, "✕"), mark.index));
    place.append(this.thumb);
    for (const [name, value] of Object.entries({ role: "slider", tabindex: "0", "aria-label": "Step of the hand", "aria-valuemin": "1" })) {
      place.setAttribute(name, value);
    }
    place.setAttribute("aria-valuemax", String(count));
    place.hidden = false;
    /** @param {PointerEvent} event */
    const drag = (event) => {
      const box = place.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left) / box.width) * (count - 1)));
    };
    place.addEventListener("pointerdown", (event) => {
      place.setPointerCapture(event.pointerId);
      drag(event);
    });
    place.addEventListener("pointermove", (event) => {
      if (place.hasPointerCapture(event.pointerId)) drag(event);
    });
  }

  /** @param {HTMLElement} mark @param {number} index */
  at(mark, index) {
    mark.style.left = `${(100 * index) / Math.max(this.count - 1, 1)}%`;
    return mark;
  }

  /** @param {number} index @param {string} text what is there */
  move(index, text) {
    this.at(this.thumb, index);
    this.place.setAttribute("aria-valuenow", String(index + 1));
    this.place.setAttribute("aria-valuetext", text);
  }
}
