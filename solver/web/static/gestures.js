/** Mouse, touch and keyboard on the board, as the app has them. */

import { kindOf } from "./board.js";
import { now, play, redo, undo, update } from "./game.js";
import { hasDialog } from "./dom.js";
import { refuse, speak } from "./speech.js";
import { cardName, describe, placeName, say } from "./words.js";

const DOUBLE_TAP_MS = 300;
const DRAG_PX = 6;
const HOME = "h";

/** @typedef {import("./board.js").BoardView} BoardView */

/**
 * @param {BoardView} view
 * @param {Record<string, () => void>} more what other keys do, by key
 */
export function listen(view, more) {
  const { root } = view;
  /** @type {{id: number, x: number, y: number, place: string, card: string | null, cards: string[], drags: boolean} | null} */
  let press = null;
  let lastTap = { place: "", card: /** @type {string | null} */ (null), time: 0, wentHome: false };

  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || press !== null || now().table === null) return;
    const pile = /** @type {HTMLElement} */ (event.target).closest(".pile");
    if (!(pile instanceof HTMLElement)) return unpick();
    const node = /** @type {HTMLElement} */ (event.target).closest(".card");
    const place = pile.dataset.place ?? "";
    const card = node instanceof HTMLElement ? node.dataset.card ?? null : null;
    press = { id: event.pointerId, x: event.clientX, y: event.clientY, place, card,
      cards: card === null ? [] : movable(place, card), drags: false };
  });

  root.addEventListener("pointermove", (event) => {
    if (press === null || event.pointerId !== press.id || press.cards.length === 0) return;
    const dx = event.clientX - press.x;
    const dy = event.clientY - press.y;
    if (!press.drags) {
      if (Math.hypot(dx, dy) < DRAG_PX) return;
      press.drags = true;
      root.setPointerCapture(press.id);
      pick(press.place, press.cards, false);
      view.piles.get(press.place)?.classList.add("dragging");
    }
    for (const card of press.cards) {
      const node = /** @type {HTMLElement} */ (view.cards.get(card));
      node.style.transform = `translate(${dx}px, ${dy}px)`;
    }
    over(view, press.cards[0]);
  });

  root.addEventListener("pointerup", (event) => {
    if (press === null || event.pointerId !== press.id) return;
    const { place, card, cards, drags } = press;
    press = null;
    if (!drags) return tap(place, card);
    const target = over(view, cards[0]);
    release(cards, place);
    if (target === null || target === place) return unpick();
    drop(place, cards, target, true);
  });

  root.addEventListener("pointercancel", (event) => {
    if (press === null || event.pointerId !== press.id) return;
    release(press.cards, press.place);
    press = null;
    unpick();
  });

  /** Lets go of dragged cards; the board flies them to where they belong. @param {string[]} cards @param {string} place */
  function release(cards, place) {
    const before = new Map(cards.map((card) => [card, /** @type {HTMLElement} */ (view.cards.get(card)).getBoundingClientRect()]));
    for (const card of cards) /** @type {HTMLElement} */ (view.cards.get(card)).style.transform = "";
    view.piles.get(place)?.classList.remove("dragging");
    for (const pile of view.piles.values()) pile.classList.remove("over");
    if (!view.isStill) view.fly(before);
  }

  /** @param {string} place @param {string | null} card */
  function tap(place, card) {
    const time = performance.now();
    const isDouble = time - lastTap.time < DOUBLE_TAP_MS && lastTap.place === place;
    const previous = lastTap;
    lastTap = { place, card, time: isDouble ? 0 : time, wentHome: false };
    if (card !== null) view.focusOn(card);
    else view.focusOn(place);
    // The second tap of two on a card that has just gone home is not meant for the card under it.
    if (isDouble && previous.wentHome) return;
    if (isDouble && card !== null && previous.card === card && isExposed(place, card)) return doubleTap(place);
    const { picked, table, settings } = now();
    if (picked !== null) {
      if (picked.place === place) return unpick();
      if (actionTo(picked, place)) return drop(picked.place, picked.cards, place);
      const others = card === null ? [] : movable(place, card);
      if (others.length === 0) return drop(picked.place, picked.cards, place);
    }
    if (card === null) return;
    if (settings.tapHome && isExposed(place, card) && table?.tap[place]) {
      lastTap.wentHome = true;
      unpick();
      void play({ tap: place });
      return;
    }
    choose(place, card);
  }

  // --- Keyboard ---

  root.addEventListener("focusin", (event) => {
    const node = /** @type {HTMLElement} */ (event.target);
    const place = /** @type {HTMLElement | null} */ (node.closest(".pile"))?.dataset.place;
    const key = node.dataset.card ?? place;
    if (key && key !== view.focusKey) view.focusOn(key, false);
  });

  // A press of Enter or Space on a button makes a click: the keys below do it all.
  root.addEventListener("click", (event) => {
    if (event.detail !== 0 || !(event.target instanceof HTMLElement)) return;
    // A screen reader's own click: as a tap.
    const pile = event.target.closest(".pile");
    const node = event.target.closest(".card");
    if (pile instanceof HTMLElement)
      tap(pile.dataset.place ?? "", node instanceof HTMLElement ? node.dataset.card ?? null : null);
  });

  root.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || hasDialog() || now().table === null) return;
    if (handle(event.key, event.ctrlKey)) event.preventDefault();
  });

  /** @param {string} key @param {boolean} isControl @returns {boolean} */
  function handle(key, isControl) {
    const place = view.placeOf(view.focusKey);
    const card = view.cards.has(view.focusKey) ? view.focusKey : null;
    if (key.startsWith("Arrow") || key === "Home" || key === "End") {
      travel(view, key, isControl);
      return true;
    }
    if (isControl) return false;
    const { picked, table } = now();
    if (key === "Enter") {
      if (picked && picked.place !== place) drop(picked.place, picked.cards, place);
      else if (picked) unpick();
      else if (card) choose(place, card);
      return true;
    }
    if (key === " ") {
      if (card && isExposed(place, card)) doubleTap(place);
      return true;
    }
    if (key === "Escape") {
      if (!picked) return false;
      unpick();
      speak(say("pick.back"));
      return true;
    }
    if (key === "+" || key === "=" || key === "-") {
      resize(place, key === "-" ? -1 : 1);
      return true;
    }
    const lower = key.toLowerCase();
    if (lower.length !== 1) return false;
    if (view.piles.has(lower) || lower === HOME) {
      if (picked) drop(picked.place, picked.cards, lower);
      else if (lower === HOME) view.focusOn("S");
      else view.focusOn(lower);
      return true;
    }
    const asked = { u: () => undo(), r: () => redo(), o: here, l: last, m: where, s: spaces,
      p: () => speak(say("score.said", { score: table?.score ?? 0, n: table?.home ?? 0 })), ...more }[lower];
    if (!asked) return false;
    asked();
    return true;
  }

  /** Takes one card more or less of a run. @param {string} place @param {number} step */
  function resize(place, step) {
    const { picked } = now();
    const from = picked?.place ?? place;
    const cards = view.held.get(from) ?? [];
    const wanted = (picked?.cards.length ?? 1) + step;
    const run = cards.slice(-wanted);
    if (wanted < 1 || wanted > cards.length || (wanted > 1 && movable(from, run[0]).length === 0))
      return refuse(say("pick.no_longer"));
    pick(from, run);
    view.focusOn(run[0]);
  }

  function here() {
    const place = view.placeOf(view.focusKey);
    const cards = view.held.get(place) ?? [];
    const names = cards.map(cardName).join(", ");
    speak(cards.length ? say("said.here", { place: placeName(place), cards: names }) : say("board.empty", { place: placeName(place) }));
  }

  function last() {
    const { game } = now();
    speak(game && game.at ? say("said.last", { n: game.at, move: game.moves[game.at - 1] }) : say("said.no_move"));
  }

  function where() {
    const { picked, table, marks } = now();
    const card = picked?.cards[0] ?? view.focusKey;
    const ways = (table?.actions ?? []).filter((action) => action.cards[0] === card).map((action) => {
      const mark = marks?.find((one) => one.notation === action.like);
      const said = describe([action.cards[0]], action.to, table?.board);
      return mark ? `${said} (${say(`mark.${mark.verdict}`)})` : said;
    });
    speak(ways.length ? ways.join("; ") : say("said.nowhere"));
  }

  function spaces() {
    const { board } = /** @type {Table} */ (now().table);
    const cells = board.cells.map((card, i) => `${placeName("abcdefgi"[i])}: ${card ? cardName(card) : say("said.free")}`);
    const homes = ["S", "H", "D", "C"].map((suit) => {
      const home = view.held.get(suit) ?? [];
      return `${placeName(suit)}: ${home.length ? cardName(home[home.length - 1]) : say("said.free")}`;
    });
    speak([...cells, ...homes].join("; "));
  }

  // --- What they share ---

  /** @param {string} place @param {string} card */
  function isExposed(place, card) {
    const cards = view.held.get(place) ?? [];
    return kindOf(place) !== "foundation" && cards[cards.length - 1] === card;
  }

  /** The cards that move with this one: the exposed card, or a run that some action moves. @param {string} place @param {string} card */
  function movable(place, card) {
    if (isExposed(place, card)) return [card];
    return now().table?.actions.find((action) => action.from === place && action.cards[0] === card)?.cards ?? [];
  }

  /** @param {string} place @param {string} card */
  function choose(place, card) {
    const cards = movable(place, card);
    if (cards.length) pick(place, cards);
    else if (kindOf(place) === "foundation") unpick();
    else refuse(say("pick.covered", { card: cardName(card) }));
  }

  /** @param {string} place @param {string[]} cards @param {boolean} [tells] */
  function pick(place, cards, tells = true) {
    update({ picked: { place, cards } });
    if (tells) speak(say(cards.length > 1 ? "pick.run" : "pick.card", { card: cardName(cards[0]), n: cards.length }));
  }

  function unpick() {
    if (now().picked) update({ picked: null });
  }

  /** The action that takes these cards there. A single card may stand for the run that fits, as in
   * the notation, but not in a drag.
   * @param {{place: string, cards: string[]}} picked @param {string} place @param {boolean} [isExact] */
  function actionTo(picked, place, isExact = false) {
    const to = kindOf(place) === "foundation" ? HOME : place;
    const ways = (now().table?.actions ?? []).filter((action) => action.from === picked.place && action.to === to);
    return ways.find((action) => action.cards.length === picked.cards.length)
      ?? (picked.cards.length === 1 && !isExact ? ways[ways.length - 1] : undefined);
  }

  /** Plays there, or says why not. @param {string} from @param {string[]} cards @param {string} place @param {boolean} [isExact] */
  function drop(from, cards, place, isExact = false) {
    const action = actionTo({ place: from, cards }, place, isExact);
    unpick();
    view.focusOn(cards[0], document.activeElement !== null && root.contains(document.activeElement));
    if (action) {
      void play({ move: action.notation });
      return;
    }
    const to = place.length === 1 && "SHDC".includes(place) ? HOME : place;
    if (to === from) return;
    if (isExact && actionTo({ place: from, cards: cards.slice(-1) }, place)) return refuse(say("pick.more", { card: cardName(cards[0]) }));
    // The server refuses it, and says why.
    void play({ move: { from, to, count: cards.length } });
  }

  /** @param {string} place */
  function doubleTap(place) {
    unpick();
    void play({ double_tap: place }).then((played) => { if (played === false) refuse(say("double.nothing")); });
  }
}

/** Where a dragged card would be dropped: the pile that it covers most of. @param {BoardView} view @param {string} card */
function over(view, card) {
  const rect = /** @type {HTMLElement} */ (view.cards.get(card)).getBoundingClientRect();
  /** @type {string | null} */
  let best = null;
  let most = 0;
  const { picked, table } = now();
  for (const [place, pile] of view.piles) {
    const box = pile.getBoundingClientRect();
    const width = Math.min(rect.right, box.right) - Math.max(rect.left, box.left);
    const height = Math.min(rect.bottom, box.bottom) - Math.max(rect.top, box.top);
    if (width <= 0 || height <= 0) continue;
    const to = kindOf(place) === "foundation" ? HOME : place;
    const fits = table?.actions.some((action) => action.from === picked?.place && action.to === to
      && action.cards.length === picked.cards.length);
    // A place that takes the card wins over one that does not, as a finger is not exact.
    const area = width * height * (fits ? 3 : 1);
    if (area > most) { most = area; best = place; }
  }
  for (const [place, pile] of view.piles) pile.classList.toggle("over", place === best && place !== picked?.place);
  return best;
}

/** Goes on with the arrows: along the rows and along a column. @param {BoardView} view @param {string} key @param {boolean} far */
function travel(view, key, far) {
  const order = [...view.piles.keys()];
  const place = view.placeOf(view.focusKey);
  const cards = view.held.get(place) ?? [];
  const at = cards.indexOf(view.focusKey);
  const isColumn = kindOf(place) === "column";
  const x = (/** @type {string} */ other) => view.piles.get(other)?.getBoundingClientRect().left ?? 0;
  const row = order.filter((other) => (kindOf(other) === "column") === isColumn).sort((a, b) => x(a) - x(b));
  const other = order.filter((one) => (kindOf(one) === "column") !== isColumn).sort((a, b) => x(a) - x(b));
  const near = () => other.reduce((best, one) => (Math.abs(x(one) - x(place)) < Math.abs(x(best) - x(place)) ? one : best), other[0]);
  if (key === "Home" || key === "End") return view.focusOn(key === "Home" ? row[0] : row[row.length - 1]);
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const step = key === "ArrowLeft" ? -1 : 1;
    const next = far ? (step < 0 ? 0 : row.length - 1) : row.indexOf(place) + step;
    if (row[next]) view.focusOn(row[next]);
    return;
  }
  if (!isColumn) {
    if (key === "ArrowDown") view.focusOn(near());
    return;
  }
  if (key === "ArrowUp") {
    if (at <= 0) return view.focusOn(near());
    return view.focusOn(cards[far ? 0 : at - 1]);
  }
  if (at >= 0 && at < cards.length - 1) view.focusOn(cards[far ? cards.length - 1 : at + 1]);
}

