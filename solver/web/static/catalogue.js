/** Catalogues of deals: what is in them, and a page of deals at a time. */

import { ApiError, ask, stream } from "./api.js";
import { button, choice, dialog, el, field, glyph, ltr, svg } from "./dom.js";
import { begin, complain, errorText, inLine, now } from "./game.js";
import { kindOfVerdict } from "./panel.js";
import { number, percent, say } from "./words.js";

const PAGE = 25;
const LEVELS = ["", "gentle", "easy", "medium", "hard", "fiendish"];

/** @typedef {{catalogue: number, name: string, deals: number, cells: number[], rated: number[], sources: string[], finished: boolean}} Heading */
/** @typedef {{cells: number, verdict: string, score?: number | null, plies?: number | null, actions?: number | null}} Outcome */
/** @typedef {{deal: string, source: string, number: number, cells: Outcome[]}} Listed */

export function openCatalogues() {
  const all = /** @type {Heading[]} */ (now().catalogues);
  const body = el("div", { class: "stack" });
  const which = choice(say("catalogues.title"), all.map((one) => [String(one.catalogue), one.name]), "0", (index) => show(all[Number(index)]));
  const control = new AbortController();
  const node = dialog(say("catalogues.title"), { close: say("close"), class: "wide", closed: () => control.abort() },
    all.length > 1 ? which.node : null, body);
  /** @param {Heading} one */
  const show = (one) => body.replaceChildren(el("h3", {}, ltr(one.name), el("span", { class: "small muted",
    text: ` ${say("catalogues.deals", { n: one.deals })}` })), summaryPart(one, control.signal), dealsPart(one, () => node.close(), control.signal));
  show(all[0]);
}

/** @param {Heading} one @param {AbortSignal} signal */
function summaryPart(one, signal) {
  const part = el("div", { class: "stack", role: "status" }, el("p", { class: "small", text: say("catalogues.counting") }));
  stream("catalogue", { catalogue: one.catalogue, summary: true, client: "counts" }, () => {}, signal).then((answer) => {
    const heads = ["cells.label", "catalogues.winnable", "catalogues.lost", "catalogues.undecided", "catalogues.rate"];
    const rows = answer.summary.cells.map((/** @type {any} */ counts) => {
      const low = counts.interval?.[0];
      const bar = el("span", {});
      bar.style.inlineSize = `${100 * (counts.rate ?? counts.rate_bounds?.[0] ?? 0)}%`;
      return el("tr", {}, el("th", { scope: "row", text: say("cells", { n: counts.cells }) }),
        ...["winnable", "unwinnable", "undecided"].map((name) => el("td", { text: number(counts[name]) })),
        el("td", {}, el("span", { text: counts.rate === null ? "–" : percent(counts.rate) }),
          low === undefined ? null : el("span", { class: "small muted", text: ` (${percent(low)} … ${percent(counts.interval[1])})` }),
          el("span", { class: "meter", "aria-hidden": "true" }, bar)));
    });
    part.replaceChildren(
      el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": say("catalogues.counts") }, el("table", {},
        el("thead", {}, el("tr", {}, ...heads.map((word) => el("th", { scope: "col", text: say(word) })))), el("tbody", {}, ...rows))),
      ...(answer.scores ?? []).map(histogram));
  }).catch((error) => { if (!signal.aborted) complain(error); });
  return part;
}

/** How the scores are spread. @param {{cells: number, bins: number[]}} scores */
function histogram(scores) {
  const most = Math.max(1, ...scores.bins);
  const drawing = svg("svg", { viewBox: "0 0 200 50", preserveAspectRatio: "none", class: "histogram", "aria-hidden": "true" },
    ...scores.bins.map((count, i) => svg("rect", { x: i * 10 + 0.5, width: 9, y: 50 - (50 * count) / most, height: (50 * count) / most })));
  const label = say("catalogues.scores", { n: scores.cells });
  return el("figure", {}, drawing, el("figcaption", { class: "small", text: label }));
}

/** @param {Heading} one @param {() => void} close @param {AbortSignal} signal */
function dealsPart(one, close, signal) {
  const cells = choice(say("cells.label"), [["", "–"], ...one.cells.map((n) => /** @type {[string, string]} */ ([String(n), say("cells", { n })]))], "");
  const verdict = choice(say("catalogues.verdict"), [["winnable", say("catalogues.winnable")], ["unwinnable", say("catalogues.lost")],
    ["undecided", say("catalogues.undecided")]], "winnable");
  const level = choice(say("find.level"), LEVELS.map((name) => [name, name ? say(`level.${name}`) : say("find.any")]), "");
  const least = field(say("catalogues.from"), { type: "number", min: 0, max: 100, inputmode: "numeric" });
  const most = field(say("catalogues.to"), { type: "number", min: 0, max: 100, inputmode: "numeric" });
  const order = choice(say("catalogues.sort"), [["", say("catalogues.as_listed")], ["-score", say("catalogues.hardest")], ["score", say("catalogues.easiest")],
    ["plies", say("catalogues.shortest")], ["-plies", say("catalogues.longest")]], "");
  const told = el("p", { class: "fault", role: "alert" });
  const rows = el("tbody", {});
  const more = button(say("catalogues.more"), () => void read(false), { name: "more" });
  /** @type {number[] | null} */
  let after = null;
  const isRated = one.rated.length > 0;

  /** @param {boolean} anew */
  async function read(anew) {
    if (anew) { rows.replaceChildren(); after = null; }
    told.textContent = "";
    more.disabled = true;
    const where = [];
    if (cells.select.value) where.push(`${cells.select.value}=${verdict.select.value}`);
    if (level.select.value) where.push(`difficulty=${level.select.value}`);
    if (least.input.value || most.input.value) where.push(`score=${least.input.value}..${most.input.value}`);
    const body = { catalogue: one.catalogue, where, sort: order.select.value || undefined, count: PAGE,
      cells: cells.select.value ? Number(cells.select.value) : undefined };
    try {
      let found = 0;
      do {
        const answer = order.select.value ? await stream("catalogue", { ...body, after }, () => {}, signal)
          : await ask("catalogue", { ...body, after: after ?? undefined }, signal);
        rows.append(...answer.deals.map((/** @type {Listed} */ deal) => row(deal)));
        found += answer.deals.length;
        after = answer.next;
      } while (after !== null && found === 0);
      if (rows.children.length === 0) told.textContent = say("find.none");
    } catch (error) {
      if (error instanceof ApiError) told.textContent = errorText(error);
      else if (!signal.aborted) complain(error);
    }
    more.hidden = after === null;
    more.disabled = false;
  }

  /** @param {Listed} deal */
  function row(deal) {
    const rated = deal.cells.find((outcome) => typeof outcome.score === "number");
    return el("tr", {},
      el("td", {}, el("button", { type: "button", class: "link", on: { click: () => void inLine(async () => { await begin({ start: deal.deal }); close(); }) } }, ltr(deal.deal))),
      el("td", {}, ...deal.cells.map((outcome) => el("span", { class: `outcome ${kindOfVerdict(outcome.verdict)}`, role: "img",
        "aria-label": `${say("cells", { n: outcome.cells })}: ${say(`catalogues.is_${outcome.verdict}`)}` },
        el("span", { text: number(outcome.cells) }), glyph(`i-${kindOfVerdict(outcome.verdict)}`)))),
      ...(isRated ? [rated?.score, rated?.actions, rated?.plies].map((value) =>
        el("td", { text: typeof value === "number" ? number(Math.round(value)) : "–" })) : []));
  }

  for (const one of [cells, verdict, level, order]) one.select.addEventListener("change", () => void read(true));
  for (const one of [least, most]) one.input.addEventListener("change", () => void read(true));
  const heads = ["catalogues.deal", "catalogues.outcomes", ...(isRated ? ["catalogues.score", "part.actions", "part.plies"] : [])];
  void read(true);
  return el("section", { class: "stack" },
    el("div", { class: "row filters" }, cells.node, verdict.node, ...(isRated ? [level.node, least.node, most.node, order.node] : [])), told,
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": say("catalogues.list") }, el("table", { class: "deals" },
      el("thead", {}, el("tr", {}, ...heads.map((word) => el("th", { scope: "col", text: say(word) })))), rows)),
    el("div", {}, more));
}
