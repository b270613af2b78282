/** The board: piles and cards as it is told. It knows no rule of the game. */

import { el, glyph } from "./dom.js";
import { cardName, placeName, say } from "./words.js";

const SUITS = ["S", "H", "D", "C"];
const RANKS = "A23456789TJQK";
const CELLS = "abcdefgi";
const FLIGHT_MS = 150;
const CARD_RATIO = 1.42;
const LARGEST_CARD = 230;
const SMALL_CARD = 70;

/** All cards, as `AS`. */
export const CARDS = SUITS.flatMap((suit) => [...RANKS].map((rank) => rank + suit));

/** The cards of every pile by place: columns `1` to `8`, cells `a`.., foundations `S H D C`.
 * @param {Board} board @returns {Map<string, string[]>} */
export function pilesOf(board) {
  /** @type {Map<string, string[]>} */
  const piles = new Map();
  board.cells.forEach((card, i) => piles.set(CELLS[i], card ? [card] : []));
  for (const suit of SUITS)
    piles.set(suit, [...RANKS.slice(0, board.foundations[suit] ?? 0)].map((rank) => rank + suit));
  board.columns.forEach((column, i) => piles.set(String(i + 1), column));
  return piles;
}

/** @param {string} place */
export function kindOf(place) {
  if (SUITS.includes(place)) return "foundation";
  return CELLS.includes(place) ? "cell" : "column";
}

/** The face of a card: drawings alone. @param {string} card */
export function face(card) {
  return el("span", { class: `face ${card[1]}`, "aria-hidden": "true" },
    glyph(`r${card[0]}`, "rank"), glyph(`s${card[1]}`, "suit"), glyph(`s${card[1]}`, "pip"));
}

export class BoardView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.root.dir = "ltr";
    /** @type {Map<string, HTMLElement>} */
    this.piles = new Map();
    /** @type {Map<string, HTMLButtonElement>} */
    this.cards = new Map();
    /** @type {Map<string, string[]>} */
    this.held = new Map();
    /** @type {Map<string, string>} */
    this.places = new Map();
    /** @type {Map<string, string>} */
    this.names = new Map();
    this.isLeftHanded = false;
    this.isMirrored = false;
    this.isStill = false;
    this.size = { w: 0, h: 0, H: 0 };
    /** The card or the empty pile that the keyboard is at. */
    this.focusKey = "1";
    new ResizeObserver(() => this.layout()).observe(root);
  }

  /** Puts every card where `board` has it; what moved flies there.
   * @param {Board} board */
  show(board) {
    const held = pilesOf(board);
    const before = this.isStill || this.cards.size === 0 ? null : this.rectangles();
    const focused = document.activeElement;
    const hadFocus = focused instanceof HTMLElement && this.root.contains(focused);
    this.makePiles([...held.keys()]);
    this.held = held;
    for (const [place, cards] of held) this.fill(place, cards);
    this.layout();
    if (before) this.fly(before);
    this.rove(hadFocus);
  }

  /** @param {string[]} places */
  makePiles(places) {
    for (const [place, pile] of this.piles)
      if (!places.includes(place)) { pile.remove(); this.piles.delete(place); }
    places.forEach((place, i) => {
      let pile = this.piles.get(place);
      if (pile === undefined) {
        const kind = kindOf(place);
        const slot = el("button", { type: "button", class: "slot", tabindex: "-1" });
        if (kind === "foundation") slot.append(glyph(`s${place}`, `ghost ${place}`));
        pile = el("div", { class: `pile ${kind}`, role: "group", data: { place } }, slot);
        this.piles.set(place, pile);
      }
      if (this.root.children[i] !== pile) this.root.insertBefore(pile, this.root.children[i] ?? null);
    });
  }

  /** @param {string} place @param {string[]} cards */
  fill(place, cards) {
    const pile = /** @type {HTMLElement} */ (this.piles.get(place));
    const name = placeName(place);
    const slot = /** @type {HTMLElement} */ (pile.firstElementChild);
    pile.setAttribute("aria-label", name);
    slot.setAttribute("aria-label", say("board.empty", { place: name }));
    slot.inert = cards.length > 0;
    const isHome = kindOf(place) === "foundation";
    cards.forEach((card, i) => {
      const node = this.cardNode(card);
      const last = cards.length - 1;
      if (pile.children[i + 1] !== node) pile.insertBefore(node, pile.children[i + 1] ?? null);
      node.classList.toggle("under", isHome && i < last - 1);
      node.inert = isHome && i < last;
      const where = kindOf(place) === "column"
        ? say("board.card", { card: cardName(card), place: name, at: i + 1, of: cards.length })
        : say("board.card_there", { card: cardName(card), place: name });
      node.setAttribute("aria-label", where);
      this.names.set(card, where);
      this.places.set(card, place);
    });
    while (pile.children.length > cards.length + 1) pile.lastElementChild?.remove();
  }

  /** @param {string} card */
  cardNode(card) {
    let node = this.cards.get(card);
    if (node === undefined) {
      node = el("button", { type: "button", class: "card", tabindex: "-1", data: { card } }, face(card),
        el("span", { class: "badge", "aria-hidden": "true" }));
      this.cards.set(card, node);
    }
    return node;
  }

  rectangles() {
    return new Map([...this.cards].map(([card, node]) => [card, node.getBoundingClientRect()]));
  }

  /** Lets every card that has moved come from where it was. @param {Map<string, DOMRect>} before */
  fly(before) {
    for (const [card, from] of before) {
      const node = /** @type {HTMLElement} */ (this.cards.get(card));
      const to = node.getBoundingClientRect();
      const dx = from.left - to.left;
      const dy = from.top - to.top;
      if (from.width === 0 || Math.abs(dx) + Math.abs(dy) < 1) continue;
      const pile = node.parentElement;
      pile?.classList.add("flying");
      node.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }],
        { duration: FLIGHT_MS, easing: "ease-out" })
        .finished.catch(() => {}).finally(() => pile?.classList.remove("flying"));
    }
  }

  /** Sizes and places everything for the room there is. */
  layout() {
    const { clientWidth: W, clientHeight: H } = this.root;
    if (W === 0 || this.piles.size === 0) return;
    const cells = [...this.piles.keys()].filter((place) => kindOf(place) === "cell");
    const rows = cells.length > 4 ? 2 : 1;
    const least = W < 600 ? 2 : 6;
    const wide = (W - 9 * least) / 8;
    const high = H / ((rows + 1) * CARD_RATIO + 0.2 + 6 * 0.36);
    const w = Math.floor(Math.max(20, Math.min(wide, high, LARGEST_CARD)));
    const h = Math.round(w * CARD_RATIO);
    const gap = Math.min((W - 8 * w) / 9, w * 0.2);
    const left = (W - 8 * w - 7 * gap) / 2;
    const rowGap = Math.max(4, Math.min(gap, w * 0.14));
    this.size = { w, h, H };
    this.root.style.setProperty("--w", `${w}px`);
    this.root.style.setProperty("--h", `${h}px`);
    const x = (/** @type {number} */ i) => left + (this.isMirrored ? 7 - i : i) * (w + gap);
    const top = rows * (h + rowGap) + rowGap;
    const room = H - top - h - 4;
    // Room for some more cards than are dealt, but never less than the rank and the suit need.
    const index = document.documentElement.hasAttribute("data-big") ? 0.46 : w < SMALL_CARD ? 0.36 : 0.27;
    this.root.style.setProperty("--index", String(index));
    const usual = Math.max(Math.min(w * 0.72, room / 8.5), w * (index + 0.08));
    for (const [place, pile] of this.piles) {
      const kind = kindOf(place);
      let column = Number(place) - 1;
      let y = top;
      if (kind === "cell") {
        const i = cells.indexOf(place);
        column = this.isLeftHanded && rows === 1 ? 8 - cells.length + i : i;
        y = (rows - 1) * (h + rowGap) + rowGap / 2;
      } else if (kind === "foundation") {
        column = SUITS.indexOf(place) + (this.isLeftHanded ? 0 : 4);
        y = rowGap / 2;
      }
      const cards = this.held.get(place) ?? [];
      const step = kind === "column" ? Math.min(usual, room / Math.max(1, cards.length - 1)) : 0;
      pile.style.transform = `translate(${Math.round(x(column))}px, ${Math.round(y)}px)`;
      pile.style.setProperty("--step", `${step}px`);
      pile.style.height = kind === "column" ? `${H - y}px` : `${h}px`;
      cards.forEach((card, i) => {
        /** @type {HTMLElement} */ (this.cards.get(card)).style.top = `${Math.round(i * step)}px`;
      });
    }
  }

  // --- The keyboard's place ---

  /** The node of a key: a card, or a pile whose slot shows. @param {string} key */
  nodeOf(key) {
    const card = this.cards.get(key);
    if (card && !card.inert && this.places.has(key)) return card;
    const pile = this.piles.get(key);
    if (pile === undefined) return undefined;
    const cards = this.held.get(key) ?? [];
    return /** @type {HTMLElement} */ (cards.length ? this.cards.get(cards[cards.length - 1]) : pile.firstElementChild);
  }

  /** The pile that a key is in. @param {string} key */
  placeOf(key) {
    return this.piles.has(key) ? key : this.places.get(key) ?? "1";
  }

  /** Makes one node the board's tab stop. @param {boolean} focus */
  rove(focus) {
    const node = this.nodeOf(this.focusKey) ?? this.nodeOf(this.placeOf(this.focusKey));
    for (const other of this.root.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    node?.setAttribute("tabindex", "0");
    if (focus && document.activeElement !== node) node?.focus({ preventScroll: true });
  }

  /** @param {string} key @param {boolean} [focus] */
  focusOn(key, focus = true) {
    this.focusKey = key;
    this.rove(focus);
  }

  // --- What is marked ---

  /** Marks cards and places. Badges are `keep`, `lose` or `maybe`, with a text such as a distance.
   * @param {{picked: string[], targets: Map<string, string>, badges: Map<string, {kind: string, text: string}>,
   *   hinted: string[], hintedPlace: string | null}} marks */
  mark(marks) {
    for (const [card, node] of this.cards) {
      const badge = marks.badges.get(card);
      node.classList.toggle("picked", marks.picked.includes(card));
      node.classList.toggle("hinted", marks.hinted.includes(card));
      if (marks.picked[0] === card) node.setAttribute("aria-pressed", "true");
      else node.removeAttribute("aria-pressed");
      setBadge(/** @type {HTMLElement} */ (node.lastElementChild), badge);
      const name = this.names.get(card) ?? "";
      node.setAttribute("aria-label", badge?.text ? `${name}, ${say("left.actions", { n: Number(badge.text) })}` : name);
      if (badge) node.setAttribute("aria-describedby", `mark-${badge.kind}`);
      else node.removeAttribute("aria-describedby");
    }
    for (const [place, pile] of this.piles) {
      const target = marks.targets.get(place);
      pile.classList.toggle("target", target !== undefined);
      pile.dataset.mark = target ?? "";
      pile.classList.toggle("hinted", marks.hintedPlace === place);
    }
  }
}

/** @param {HTMLElement} node @param {{kind: string, text: string} | undefined} badge */
function setBadge(node, badge) {
  const key = badge ? `${badge.kind} ${badge.text}` : "";
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  node.className = badge ? `badge ${badge.kind}` : "badge";
  node.replaceChildren(...(badge ? [glyph(`i-${badge.kind}`), ...(badge.text ? [document.createTextNode(badge.text)] : [])] : []));
}
