/** A rating: the score, and a bar for each part beside the deals of its kind. */

import { el } from "./dom.js";
import { number, percent, say } from "./words.js";

/** @param {Rating} rating @returns {Node[]} */
export function ratingNodes(rating) {
  const facts = { n: rating.cells };
  if (rating.verdict !== "winnable" || rating.parts === null) {
    const nodes = [el("p", {}, el("strong", { text: say(rating.verdict === "undecided" ? "rating.undecided" : "rating.lost", facts) }))];
    if (rating.verdict === "unwinnable")
      nodes.push(el("p", { text: rating.min_cells === null ? say("rating.never") : say("rating.needs", { n: rating.min_cells }) }));
    return nodes;
  }
  const { parts, percentiles } = rating;
  /** @type {[string, string][]} name of the percentile, text */
  const rows = [
    ["min_cells", number(rating.min_cells ?? 0)],
    ["plies", length(parts.plies)], ["actions", length(parts.actions)],
    ["fewest_free", number(parts.fewest_free ?? 0)],
    ["num_first_keeping", say("rating.of", { n: parts.first_keeping ?? 0, of: parts.first_actions ?? 0 })],
    ["opening", percent(parts.opening ?? 0)], ["whole", percent(parts.whole ?? 0)],
    ["first_trap", parts.first_trap === null ? say("rating.no_trap") : number(parts.first_trap)],
    ...Object.entries(parts.players).map(([name, player]) => /** @type {[string, string]} */ ([`${name}_wins`, percent(player.rate)])),
  ];
  const head = rating.score === null ? el("p", { text: say("rating.no_score") })
    : el("div", { class: "row" }, el("span", { class: "score-big", text: number(Math.round(rating.score)) }),
      el("p", {}, el("strong", { text: say(`level.${rating.word}`) }), el("br"), el("span", { class: "small muted", text: say("rating.score", facts) })));
  return [head, el("div", { class: "bars" }, ...rows.flatMap(([name, text]) => {
    const hard = percentiles[name];
    const fill = el("span", {});
    fill.style.inlineSize = `${hard ?? 0}%`;
    return [el("span", { text: say(`part.${name}`) }), el("strong", { text }),
      hard === undefined ? null : el("span", { class: "meter", role: "img", "aria-label": say("rating.harder", { n: Math.round(hard) }) }, fill)];
  }).filter((node) => node !== null)), el("p", { class: "small muted", text: say("rating.bars") })];
}

/** @param {Part} part */
function length(part) {
  return part.proven && part.length !== null ? number(part.length) : say("rating.at_least", { n: part.lower_bound });
}
