/** The one file that opens anywhere: a board, its solution or a game with its review, and the rating. */

import { BoardView } from "./board.js";
import { ratingNodes } from "./bars.js";
import { betterText, makeCurve, moveNow, slipText } from "./curve.js";
import { byId, el, glyph, ltr } from "./dom.js";
import { describe, say, use } from "./words.js";

/**
 * @typedef {{notation: string, from: string, to: string, cards: string[]}} Step
 * @typedef {{language: string, words: Record<string, Word>, deal: string, board: Board, steps: Step[], verdict: string,
 *   review: Review | null, rating: Rating | null, score: number}} Facts
 */

const PLAY_MS = 900;

/** The board after a step: its cards go from one pile to another. @param {Board} board @param {Step} step @returns {Board} */
function after(board, step) {
  const columns = board.columns.map((column) => [...column]);
  const cells = [...board.cells];
  const foundations = { ...board.foundations };
  const cellAt = (/** @type {string} */ place) => "abcdefgi".indexOf(place);
  if (cellAt(step.from) >= 0) cells[cellAt(step.from)] = null;
  else columns[Number(step.from) - 1].splice(-step.cards.length);
  if (step.to === "h") foundations[step.cards[0][1]] += 1;
  else if (cellAt(step.to) >= 0) cells[cellAt(step.to)] = step.cards[0];
  else columns[Number(step.to) - 1].push(...step.cards);
  return { ...board, columns, cells, foundations };
}

/** Shows it all. @param {Facts} facts */
export function view(facts) {
  use(facts.language, facts.words);
  document.title = `${facts.deal} – Boulanger`;
  const boards = [facts.board];
  for (const step of facts.steps) boards.push(after(boards[boards.length - 1], step));
  const board = new BoardView(byId("board"));
  board.isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const count = facts.steps.length;
  let at = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;

  const said = el("span", { text: "", "aria-live": "polite" });
  const where = el("span", { class: "score" });
  byId("strip").replaceChildren(said, where);
  const name = ltr(facts.deal);
  name.className = "name";
  byId("deal").replaceChildren(name, el("span", { text: say("cells", { n: facts.board.num_cells }) }),
    el("span", { text: say(`verdict.${facts.verdict}`) }));
  const control = (/** @type {string} */ icon, /** @type {string} */ word, /** @type {() => void} */ act) =>
    el("button", { type: "button", "aria-label": word, title: word, on: { click: act } }, glyph(`i-${icon}`));
  const run = control("play", say("solution.play"), () => (timer === undefined ? start() : stop()));
  byId("tools").replaceChildren(control("first", say("file.first"), () => go(0)), control("prev", say("letters.back"), () => go(at - 1)),
    run, control("next", say("letters.next"), () => go(at + 1)), control("last", say("file.last"), () => go(count)));
  byId("tools").hidden = count === 0;

  const curve = facts.review ? makeCurve(facts.review, 0) : null;
  curve?.range.addEventListener("input", () => go(Number(curve.range.value)));
  const moves = el("ol", { class: "moves", "aria-label": say("moves.title"), tabindex: "0" }, ...facts.steps.map((step, i) => {
    const remark = facts.review?.actions[i];
    const label = say("moves.go", { n: i + 1, move: step.notation }) + (remark?.losing ? `, ${say("mark.unwinnable")}` : "");
    return el("li", { class: remark?.losing ? "loses" : remark?.wasted ? "wastes" : "" },
      el("button", { type: "button", text: step.notation, "aria-label": label, title: label, on: { click: () => go(i + 1) } }));
  }));
  const remarks = (facts.review?.actions ?? []).filter((action) => action.losing || action.wasted);
  byId("panel").replaceChildren(
    ...(curve ? [el("section", {}, el("h2", { text: say("review.title") }), curve.node,
      el("ol", { class: "list" }, ...remarks.map((action) => el("li", {}, el("strong", { text: slipText(action) }),
        action.better ? el("p", { class: "small", text: betterText(action.better) }) : null))))] : []),
    ...(count ? [el("section", {}, el("h2", { text: say(facts.review ? "moves.title" : "solution.title") }), moves)] : []),
    ...(facts.rating ? [el("section", {}, el("h2", { text: say("rating.title") }), ...ratingNodes(facts.rating))] : []));

  /** @param {number} next */
  function go(next) {
    at = Math.max(0, Math.min(count, next));
    board.show(boards[at]);
    const step = at > 0 ? facts.steps[at - 1] : null;
    const text = step ? describe(step.cards, step.to, boards[at - 1]) : "";
    said.textContent = text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
    where.textContent = say("letters.at", { n: at, of: count });
    moves.querySelectorAll("button").forEach((button, i) => {
      if (i === at - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    if (curve) moveNow(curve.node, at, count);
    if (at === count) stop();
  }

  function start() {
    if (at === count) go(0);
    run.setAttribute("aria-label", say("solution.pause"));
    run.replaceChildren(glyph("i-pause"));
    timer = setInterval(() => go(at + 1), PLAY_MS);
  }

  function stop() {
    clearInterval(timer);
    timer = undefined;
    run.setAttribute("aria-label", say("solution.play"));
    run.replaceChildren(glyph("i-play"));
  }

  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement) return;
    if (event.key === "ArrowRight") go(at + 1);
    if (event.key === "ArrowLeft") go(at - 1);
  });
  go(0);
}
