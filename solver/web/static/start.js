/** To begin a game: a code or a pasted board, a new deal, a deal of a kind, a game from before. */

import { ApiError, stream } from "./api.js";
import { button, choice, dialog, el, glyph, ltr } from "./dom.js";
import { begin, complain, errorText, forget, inLine, keptGames, now, take, update } from "./game.js";
import { date, say } from "./words.js";

const LEVELS = ["", "gentle", "easy", "medium", "hard", "fiendish"];

/** What a link holds: everything after `#`. @param {string} hash */
export function readLink(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const deal = values.get("deal");
  if (!deal) return null;
  const cells = values.get("cells");
  return { start: deal, cells: cells === null ? undefined : Number(cells), dealer: values.get("dealer") ?? undefined,
    moves: (values.get("moves") ?? "").split(/[ ,]+/).filter(Boolean), at: values.get("at") };
}

/** @param {NonNullable<ReturnType<typeof readLink>>} link */
export function beginLink(link) {
  /** @type {Start} */
  let start = link.start;
  if (start.startsWith("{")) start = JSON.parse(start);
  return begin({ start, cells: link.cells, dealer: link.dealer, moves: link.moves },
    { at: link.at === null ? undefined : Number(link.at) });
}

/** Begins with whatever was typed or pasted: a name, a board, moves under either, or one of our links.
 * @param {string} text @param {number | undefined} cells */
export async function beginText(text, cells) {
  const link = /^https?:\/\/\S*#(\S*deal=\S*)$/.exec(text.trim());
  if (link) {
    const read = readLink(link[1]);
    if (read) return beginLink(read);
  }
  try {
    return await begin({ start: text, cells });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A board with the moves below it, or a name with moves.
    for (const [start, moves] of splits(text.trim())) {
      try {
        return await begin({ start, cells, moves });
      } catch (other) {
        if (!(other instanceof ApiError)) throw other;
        if (other.key === "web.move") throw other;
      }
    }
    throw error;
  }
}

/** @param {string} text @returns {string[][]} */
function splits(text) {
  /** @type {string[][]} */
  const found = [];
  const name = /^(\S+)\s+([\s\S]+)$/.exec(text);
  if (name && text.length < 60_000) found.push([name[1], name[2]]);
  const gap = text.search(/\n\s*\n(?![\s\S]*\n\s*\n)/);
  if (gap > 0) found.push([text.slice(0, gap), text.slice(gap).trim()]);
  return found;
}

/** @param {{edit: (start: Board | null) => void, catalogues: () => void}} more */
export function openStart(more) {
  const fault = el("p", { class: "fault", role: "alert" });
  const text = el("textarea", { rows: 3, id: "deal-field", spellcheck: "false", autocomplete: "off", dir: "ltr" });
  const cells = choice(say("cells.label"), [["", say("cells.given")], ...[4, 2, 1, 3, 5, 6, 7, 8, 0].map((n) =>
    /** @type {[string, string]} */ ([String(n), say("cells", { n })]))], "");
  const wanted = () => (cells.select.value === "" ? undefined : Number(cells.select.value));
  /** @param {() => Promise<unknown>} act */
  const tryTo = (act) => {
    fault.textContent = "";
    return inLine(async () => {
      try {
        await act();
        node.close();
      } catch (error) {
        if (error instanceof ApiError) fault.textContent = errorText(error);
        else complain(error);
      }
    });
  };
  const form = el("form", { class: "stack" },
    el("label", { class: "field" }, el("span", { text: say("start.field") }), text),
    el("div", { class: "row" }, cells.node, el("button", { class: "main", text: say("start.open") })), fault);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const value = text.value;
    if (value.trim() === "") fault.textContent = say("start.nothing");
    else void tryTo(() => beginText(value, wanted()));
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || text.value.includes("\n")) return;
    event.preventDefault();
    form.requestSubmit();
  });
  const deals = el("div", { class: "acts" }, ...[4, 2, 1].map((n) =>
    button(say("start.new", { n }), () => void tryTo(() => begin({ cells: n })), { icon: "new", class: n === 4 ? "main" : "", name: `new-${n}` })));
  const games = el("ul", { class: "list games" });
  const fill = () => games.replaceChildren(...keptGames().map((game) => gameRow(game, () => void tryTo(() => take(game)), fill)));
  fill();
  const node = dialog(say("start.title"), { close: say("close"), class: "start" },
    el("section", { class: "stack" }, el("h3", { text: say("start.deal") }), deals),
    el("section", { class: "stack" }, el("h3", { text: say("start.given") }), form,
      el("div", { class: "acts" },
        button(say("editor.title"), () => { node.close(); more.edit(null); }, { icon: "panel", name: "editor" }),
        now().catalogues.length ? button(say("catalogues.title"), () => { node.close(); more.catalogues(); }, { icon: "line" }) : null)),
    findPart(tryTo),
    keptGames().length ? el("section", { class: "stack" }, el("h3", { text: say("start.games") }), games) : null);
  text.focus();
}

/** @param {Kept} game @param {() => void} open @param {() => void} changed */
function gameRow(game, open, changed) {
  return el("li", {},
    el("button", { type: "button", class: "open", on: { click: open } },
      el("span", {}, ltr(gameName(game)), el("span", { class: "small muted", text: ` ${date(game.time)}` })),
      el("span", { class: `tag ${game.won ? "won" : ""}`, text: game.won ? say("start.won") : say("start.moves", { n: game.at }) })),
    el("button", { type: "button", class: "quiet", "aria-label": say("start.forget", { name: gameName(game) }),
      on: { click: () => { forget(game.id); changed(); } } }, glyph("i-close")));
}

/** @param {Kept} game */
export function gameName(game) {
  return game.name === "board" ? say("deal.board") : game.name;
}

/** @param {(act: () => Promise<unknown>) => Promise<unknown>} tryTo */
function findPart(tryTo) {
  const numbers = () => /** @type {[string, string][]} */ ([["", "–"], ...[0, 1, 2, 3, 4, 5, 6].map((n) => [String(n), String(n)])]);
  const level = choice(say("find.level"), LEVELS.map((name) => [name, name ? say(`level.${name}`) : say("find.any")]), "");
  const wins = choice(say("find.wins"), numbers(), "4");
  const loses = choice(say("find.loses"), numbers(), "");
  const told = el("p", { class: "small", role: "status" });
  /** @type {AbortController | null} */
  let control = null;
  const go = button(say("find.go"), () => {
    if (control) return control.abort();
    const mine = new AbortController();
    control = mine;
    const where = [];
    if (wins.select.value) where.push(`${wins.select.value}=winnable`);
    if (loses.select.value) where.push(`${loses.select.value}=unwinnable`);
    told.textContent = say("find.looking");
    /** @type {HTMLElement} */ (go.lastElementChild).textContent = say("stop");
    const body = { count: 1, where, difficulty: level.select.value || undefined,
      cells: wins.select.value ? Number(wins.select.value) : undefined };
    void stream("find", body, (progress) => {
      if (progress.solver) update({ wanted: { progress: progress.solver.progress } });
      if (typeof progress.drawn === "number") told.textContent = say("find.drawn", { n: progress.drawn });
    }, mine.signal).then((answer) => {
      const deal = answer.deals[0]?.deal;
      if (deal) return tryTo(() => begin({ start: deal }));
      told.textContent = say("find.none");
    }).catch((error) => {
      if (error instanceof ApiError) told.textContent = errorText(error);
      else if (!mine.signal.aborted) complain(error);
      else told.textContent = "";
    }).finally(() => {
      control = null;
      /** @type {HTMLElement} */ (go.lastElementChild).textContent = say("find.go");
    });
  }, { name: "find" });
  return el("section", { class: "stack" }, el("h3", { text: say("find.title") }),
    el("div", { class: "row" }, level.node, wins.node, loses.node, go), told);
}

