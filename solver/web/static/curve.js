/** The distance to the win over the actions of a game, with its mistakes. */

import { el, svg } from "./dom.js";
import { describeOnto, say } from "./words.js";

const WIDE = 300;
const HIGH = 100;

/** The distance to the win over the actions. @param {Review} review @param {number} at */
export function makeCurve(review, at) {
  const count = review.actions.length;
  const distances = [review.actions[0]?.distance_before ?? review.shortest, ...review.actions.map((action) => action.distance_after)];
  if (review.won && count) distances[count] = 0;
  const most = Math.max(1, ...distances.map((distance) => distance ?? 0));
  const x = (/** @type {number} */ i) => (count ? (WIDE * i) / count : 0);
  const y = (/** @type {number} */ distance) => HIGH - (HIGH - 12) * (distance / most);
  const drawing = svg("svg", { viewBox: `-4 -4 ${WIDE + 8} ${HIGH + 8}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const verdicts = [review.verdict, ...review.actions.map((action) => action.verdict)];
  verdicts.forEach((verdict, i) => {
    if (verdict === "unwinnable") drawing.append(svg("rect", { class: "lostband", x: x(i - 0.5), y: -4, width: x(1), height: HIGH + 8 }));
  });
  let path = "";
  distances.forEach((distance, i) => {
    if (distance === null || distance === undefined) return;
    path += `${i && distances[i - 1] !== null ? "L" : "M"}${x(i).toFixed(1)} ${y(distance).toFixed(1)}`;
  });
  if (path) drawing.append(svg("path", { class: "way", d: path }));
  for (const action of review.actions) {
    const dot = (/** @type {string} */ name, /** @type {number} */ height) =>
      drawing.append(svg("path", { class: name, d: `M${x(action.number).toFixed(1)} ${height.toFixed(1)}h0.01` }));
    if (action.losing) dot("fall", y(action.distance_before ?? most));
    else if (action.wasted) dot("slip", y(action.distance_after ?? 0));
  }
  drawing.append(svg("path", { class: "now", d: `M${x(at).toFixed(1)} -4V${HIGH + 4}` }));
  const range = el("input", { type: "range", min: 0, max: count, value: at, "aria-label": say("review.curve") });
  const text = (/** @type {number} */ i) => {
    const far = distances[i];
    return far !== null && far !== undefined ? say("review.at", { n: i, left: far }) : say("review.at_lost", { n: i, verdict: say(`verdict.${verdicts[i]}`) });
  };
  // Seen by those who look; those who listen hear it as the value of the range.
  const caption = el("p", { class: "small", "aria-hidden": "true" });
  const tell = () => {
    caption.textContent = text(Number(range.value));
    range.setAttribute("aria-valuetext", caption.textContent);
  };
  tell();
  for (const event of ["input", "sync"]) range.addEventListener(event, tell);
  const scale = el("span", { class: "most", "aria-hidden": "true", text: String(most) });
  return { node: el("div", { class: "curve-box" }, el("div", { class: "curve" }, drawing, scale, range), caption), range };
}

/** @param {HTMLElement} box @param {number} at @param {number} count */
export function moveNow(box, at, count) {
  const line = box.querySelector(".now");
  const x = count ? ((WIDE * Math.min(at, count)) / count).toFixed(1) : "0";
  line?.setAttribute("d", `M${x} -4V${HIGH + 4}`);
  const range = box.querySelector("input");
  if (range && Number(range.value) !== at) {
    range.value = String(at);
    range.dispatchEvent(new Event("sync"));
  }
}

/** What a mistake was. @param {ReviewedAction} slip */
export function slipText(slip) {
  const facts = { n: slip.number, move: slip.notation, wasted: slip.wasted };
  return say(slip.losing ? "review.loses" : "review.wastes", facts);
}

/** @param {NonNullable<ReviewedAction["better"]>} better */
export function betterText(better) {
  return say("review.better_is", { move: better.notation, text: describeOnto(better.cards, better.to, better.on), n: better.distance });
}
