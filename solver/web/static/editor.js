/** The board editor: eight columns, the cells, the foundations, and a palette of 52 cards. */

import { ApiError, ask } from "./api.js";
import { CARDS, face } from "./board.js";
import { button, choice, dialog, el } from "./dom.js";
import { begin, complain, errorText, now } from "./game.js";
import { cardName, placeName, say } from "./words.js";

const DEALT = [7, 7, 7, 7, 6, 6, 6, 6];
const SUITS = ["S", "H", "D", "C"];
const RANKS = "A23456789TJQK";
const CELL_LETTERS = "abcdefgi";

/**
 * @param {Board | null} board what to begin with
 * @param {{code: string | null, identify: ((board: Board, code: string) => void) | null}} more
 */
export function openEditor(board, more) {
  /** @type {Map<string, string[]>} */
  let rows = new Map();
  /** @type {Record<string, number>} */
  let homes = { S: 0, H: 0, D: 0, C: 0 };
  let numCells = board?.num_cells ?? now().table?.cells ?? 4;
  let active = "1";

  const list = el("div", { class: "edit-rows" });
  const palette = el("div", { class: "palette", role: "group", "aria-label": say("editor.palette") });
  const faults = el("div", { class: "stack", role: "status" });
  const refusal = el("p", { class: "fault", role: "alert" });
  const pasted = el("textarea", { rows: 3, dir: "ltr", spellcheck: "false", id: "editor-text" });
  const typed = el("input", { dir: "ltr", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", id: "editor-typed", placeholder: "6S TD" });
  const cells = choice(say("cells.label"), [0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => [String(n), say("cells", { n })]), String(numCells), (value) => {
    numCells = Number(value);
    render();
  });
  const homeFields = SUITS.map((suit) => choice(placeName(suit), ["–", ...RANKS].map((name, i) => [String(i), name]), "0", (value) => {
    homes[suit] = Number(value);
    render();
  }));

  /** @param {Board | null} from */
  function fill(from) {
    rows = new Map(DEALT.map((_, i) => [String(i + 1), [...(from?.columns[i] ?? [])]]));
    for (let i = 0; i < 8; i += 1) rows.set(CELL_LETTERS[i], from?.cells[i] ? [/** @type {string} */ (from.cells[i])] : []);
    homes = { S: 0, H: 0, D: 0, C: 0, ...from?.foundations };
    numCells = from?.num_cells ?? numCells;
    cells.select.value = String(numCells);
    SUITS.forEach((suit, i) => { homeFields[i].select.value = String(homes[suit]); });
    active = "1";
  }

  /** @param {string} card */
  function add(card) {
    rows.get(active)?.push(card);
    advance();
    render();
  }

  /** Goes on to the next column when one has as many cards as are dealt to it. */
  function advance() {
    const index = Number(active) - 1;
    const count = rows.get(active)?.length ?? 0;
    if (Number.isNaN(index)) {
      if (count >= 1) {
        const next = CELL_LETTERS[CELL_LETTERS.indexOf(active) + 1];
        if (next && CELL_LETTERS.indexOf(next) < numCells) active = next;
      }
    } else if (count === DEALT[index] && index < 7 && rows.get(String(index + 2))?.length === 0) {
      active = String(index + 2);
    }
  }

  /** @param {string} place @param {number} index */
  function remove(place, index) {
    rows.get(place)?.splice(index, 1);
    active = place;
    render();
  }

  function places() {
    return [...DEALT.map((_, i) => String(i + 1)), ...CELL_LETTERS.slice(0, numCells)];
  }

  function counts() {
    /** @type {Map<string, number>} */
    const count = new Map(CARDS.map((card) => [card, 0]));
    for (const place of places()) for (const card of rows.get(place) ?? []) count.set(card, (count.get(card) ?? 0) + 1);
    for (const suit of SUITS)
      for (const name of RANKS.slice(0, homes[suit])) count.set(name + suit, (count.get(name + suit) ?? 0) + 1);
    return count;
  }

  function render() {
    const focused = document.activeElement instanceof HTMLElement && node.contains(document.activeElement)
      ? document.activeElement.dataset.key : undefined;
    const count = counts();
    list.replaceChildren(...places().map((place) => {
      const cards = rows.get(place) ?? [];
      const head = el("button", { type: "button", data: { key: `row-${place}` }, "aria-pressed": String(place === active),
        text: say("editor.row", { place: placeName(place), n: cards.length }), on: { click: () => { active = place; render(); } } });
      return el("div", { class: `edit-row ${place === active ? "active" : ""}` }, head,
        el("div", { class: "edit-cards" }, ...cards.map((card, i) =>
          mini(card, `in-${place}-${i}`, say("editor.remove", { card: cardName(card), place: placeName(place) }),
            (count.get(card) ?? 0) > 1 ? "twice" : "", () => remove(place, i)))));
    }));
    palette.replaceChildren(...SUITS.map((suit) => el("div", {}, ...CARDS.filter((card) => card[1] === suit).map((card) => {
      const there = count.get(card) ?? 0;
      const label = there > 1 ? "editor.card_twice" : there ? "editor.card_placed" : "editor.card_missing";
      return mini(card, `card-${card}`, say(label, { card: cardName(card) }), there > 1 ? "placed twice" : there ? "placed" : "", () => add(card));
    }))));
    const missing = CARDS.filter((card) => !count.get(card));
    const twice = CARDS.filter((card) => (count.get(card) ?? 0) > 1);
    faults.replaceChildren(
      el("p", { class: missing.length ? "" : "muted", text: missing.length ? say("editor.missing", { n: missing.length }) : say("editor.complete") }),
      ...(twice.length ? [el("p", { class: "fault", text: say("editor.twice", { cards: twice.map(cardName).join(", ") }) })] : []));
    refusal.textContent = "";
    if (focused) /** @type {HTMLElement | null} */ (node.querySelector(`[data-key="${focused}"]`))?.focus();
  }

  /** @returns {Board} */
  function made() {
    return { num_cells: numCells, foundations: homes, columns: DEALT.map((_, i) => rows.get(String(i + 1)) ?? []),
      cells: [...CELL_LETTERS.slice(0, numCells)].map((place) => rows.get(place)?.[0] ?? null) };
  }

  /** @param {() => Promise<unknown>} act */
  async function tryTo(act) {
    refusal.textContent = "";
    try {
      await act();
    } catch (error) {
      if (error instanceof ApiError) refusal.textContent = errorText(error);
      else complain(error);
    }
  }

  typed.addEventListener("input", () => {
    // Ten may be typed as T or 10.
    const text = typed.value.toUpperCase().replace(/10/g, "T");
    const found = [...text.matchAll(/([A2-9TJQK])\s*([SHDC♠♥♦♣])/gu)];
    if (found.length === 0) return;
    typed.value = "";
    for (const [, name, suit] of found) {
      const at = "♠♥♦♣".indexOf(suit);
      add(name + (at < 0 ? suit : SUITS[at]));
    }
  });
  typed.addEventListener("keydown", (event) => {
    if (event.key !== "Backspace" || typed.value !== "") return;
    const cards = rows.get(active) ?? [];
    if (cards.length) remove(active, cards.length - 1);
    else if (Number(active) > 1) { active = String(Number(active) - 1); render(); }
  });

  const node = dialog(say("editor.title"), { close: say("close"), class: "wide editor" },
    el("p", { text: say(more.code ? "editor.for_code" : "editor.text", { code: more.code ?? "" }) }),
    palette,
    el("div", { class: "row" }, el("label", { class: "field" }, el("span", { text: say("editor.type") }), typed), cells.node,
      button(say("editor.clear"), () => { fill(null); render(); }, { name: "clear" })),
    faults, list,
    el("details", {}, el("summary", { text: say("editor.homes") }), el("div", { class: "row" }, ...homeFields.map((one) => one.node))),
    el("details", {}, el("summary", { text: say("editor.paste") }), el("div", { class: "stack" },
      el("label", { class: "field" }, el("span", { text: say("editor.paste") }), pasted),
      button(say("editor.read"), () => void tryTo(async () => {
        const table = await ask("deal", { start: pasted.value, client: "editor" });
        fill(table.board);
        render();
      }), { name: "read" }))),
    refusal,
    el("div", { class: "acts" },
      button(say("editor.play"), () => void tryTo(async () => { await begin({ start: made() }); node.close(); }), { class: "main", icon: "play", name: "play" }),
      more.code && more.identify ? button(say("editor.identify"), () => more.identify?.(made(), more.code ?? ""), { name: "identify" }) : null));
  fill(board);
  render();
  return node;
}

/** @param {string} card @param {string} key @param {string} label @param {string} className @param {() => void} act */
function mini(card, key, label, className, act) {
  return el("button", { type: "button", class: `mini ${className}`, "aria-label": label, title: label, data: { key, card }, on: { click: act } }, face(card));
}
