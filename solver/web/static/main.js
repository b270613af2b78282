/** The page: puts the parts together and keeps them up to date. */

import { ask } from "./api.js";
import { BoardView } from "./board.js";
import { button, byId, closeDialogs, el, glyph, hasDialog, ltr } from "./dom.js";
import * as game from "./game.js";
import { listen } from "./gestures.js";
import { moreHint, startSolution, watch, watchSolution } from "./knowing.js";
import { kindOfVerdict, makePanel, verdictLine } from "./panel.js";
import { startReview } from "./review.js";
import { refuse, speak } from "./speech.js";
import { beginLink, gameName, openStart, readLink } from "./start.js";
import { load, preferred, say, translatePage } from "./words.js";

const { now, onChange, update } = game;

const board = new BoardView(byId("board"));
/** @type {(state: State, before: State | null) => void} */
let renderPanel = () => {};
/** @type {Record<string, HTMLButtonElement>} */
let tools = {};

// --- What the buttons do ---

async function openEditor(/** @type {Board | null} */ from, /** @type {string | null} */ code = null) {
  const [{ openEditor: open }, { identify }] = await Promise.all([import("./editor.js"), import("./identify.js")]);
  const canTeach = code !== null && now().status?.role === "owner";
  const teach = (/** @type {Board} */ board, /** @type {string} */ given) =>
    identify(board, given, (next) => void openEditor(null, next));
  open(from, { code, identify: canTeach ? teach : null });
}

async function openCatalogues() {
  (await import("./catalogue.js")).openCatalogues();
}

function openNew() {
  openStart({ edit: (from) => void openEditor(from), catalogues: () => void openCatalogues() });
}

async function openSettings() {
  (await import("./settings.js")).openSettings((language) => {
    game.setSettings({ language });
    void speakIn(language);
  });
}

async function openHelp() {
  (await import("./settings.js")).openHelp();
}

async function openRating() {
  (await import("./rating.js")).openRating();
}

async function openShare() {
  (await import("./share.js")).openShare();
}

async function openLetters() {
  await (await import("./letters.js")).openLetters();
}

function askRestart() {
  // Nothing is lost: the game so far stays among those played last.
  void game.restart();
}

// --- Building the page ---

function build() {
  translatePage();
  const menu = byId("menu");
  const entries = [
    button(say("menu.new"), openNew, { icon: "new", name: "new" }),
    button(say("menu.edit"), () => void openEditor(now().table?.board ?? null), { name: "edit" }),
    button(say("menu.rating"), () => void openRating(), { name: "rating" }),
    ...(now().catalogues.length ? [button(say("menu.catalogues"), () => void openCatalogues(), { name: "catalogues" })] : []),
    button(say("menu.letters"), () => void openLetters(), { name: "letters" }),
    button(say("menu.share"), () => void openShare(), { name: "share" }),
    button(say("menu.settings"), () => void openSettings(), { name: "settings" }),
    button(say("menu.help"), () => void openHelp(), { name: "help" }),
  ];
  menu.replaceChildren(...entries);
  tools = {
    undo: button(say("tool.undo"), () => void game.undo(), { icon: "undo", name: "undo" }),
    redo: button(say("tool.redo"), () => void game.redo(), { icon: "redo", name: "redo" }),
    restart: button(say("tool.restart"), askRestart, { icon: "restart", name: "restart" }),
    hint: button(say("tool.hint"), () => void moreHint().then(showPanelOnPhone), { icon: "hint", name: "hint" }),
    solution: button(say("tool.solution"), () => void startSolution(true), { icon: "play", name: "solution" }),
    review: button(say("tool.review"), () => void startReview().then(showPanelOnPhone), { icon: "review", name: "review" }),
    panel: button(say("tool.panel"), togglePanel, { icon: "panel", class: "phone", name: "panel" }),
  };
  byId("tools").replaceChildren(...Object.values(tools));
  renderPanel = makePanel(byId("panel"), { close: togglePanel });
  render(now(), null);
}

/** @param {string} language */
async function speakIn(language) {
  await load(language);
  // The dialog with the settings is built anew in the new language.
  const wasOpen = hasDialog();
  closeDialogs();
  board.cards.forEach((_, card) => board.places.delete(card));
  build();
  const { table } = now();
  if (table) board.show(table.board);
  render(now(), null);
  if (wasOpen) await openSettings();
}

function isPhone() {
  return matchMedia("(max-width: 860px)").matches;
}

function togglePanel() {
  const isOpen = byId("panel").classList.toggle("open");
  tools.panel.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) /** @type {HTMLElement} */ (byId("panel").firstElementChild).focus();
  else tools.panel.focus();
}

function showPanelOnPhone() {
  const wants = now().hintStep > 1 || now().review !== null;
  if (isPhone() && wants && !byId("panel").classList.contains("open")) togglePanel();
  if (now().review) document.querySelector(".curve")?.scrollIntoView({ block: "center" });
}

/** @param {boolean} open */
function openMenu(open) {
  byId("menu").classList.toggle("open", open);
  byId("menu-button").setAttribute("aria-expanded", String(open));
}

byId("menu-button").addEventListener("click", () => openMenu(!byId("menu").classList.contains("open")));
document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest("#menu-button")) openMenu(false);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") openMenu(false);
});

// --- One render for every state ---

/** @param {State} state @param {State | null} before */
function render(state, before) {
  const changed = (/** @type {(keyof State)[]} */ ...keys) => before === null || keys.some((key) => state[key] !== before[key]);
  if (changed("settings")) applySettings(state.settings);
  if (changed("table") && state.table) board.show(state.table.board);
  if (changed("table", "picked", "marks", "hint", "hintStep", "settings")) renderMarks(state);
  if (changed("game", "status", "gone")) renderHead(state);
  if (changed("game", "table", "check", "hint", "settings", "status", "busy")) renderStrip(state);
  if (changed("game", "table", "gone", "status")) renderBanner(state);
  if (changed("game", "table", "solution", "gone")) renderTools(state);
  renderPanel(state, before);
}

/** @param {Settings} settings */
function applySettings(settings) {
  const root = document.documentElement;
  const set = (/** @type {string} */ name, /** @type {boolean} */ on) => root.toggleAttribute(`data-${name}`, on);
  if (settings.theme === "auto") root.removeAttribute("data-theme");
  else root.dataset.theme = settings.theme;
  set("contrast", settings.contrast);
  set("four", settings.fourColours);
  set("big", settings.bigIndex);
  set("left", settings.leftHanded);
  set("still", settings.still);
  board.isLeftHanded = settings.leftHanded;
  board.isMirrored = settings.mirrored;
  board.isStill = settings.still || matchMedia("(prefers-reduced-motion: reduce)").matches;
  board.layout();
}

/** What is marked on the board. @param {State} state */
function renderMarks(state) {
  const { table, marks, picked, hint, hintStep, settings } = state;
  if (!table) return;
  const byNotation = new Map((marks ?? []).map((mark) => [mark.notation, mark]));
  /** @type {Map<string, {kind: string, text: string}>} */
  const badges = new Map();
  /** @type {Map<string, string>} */
  const targets = new Map();
  const better = ["keep", "maybe", "lose"];
  /** @type {Map<string, number>} */
  const nearest = new Map();
  for (const action of table.actions) {
    const mark = settings.marks && action.like ? byNotation.get(action.like) : undefined;
    const isPicked = picked !== null && action.from === picked.place && action.cards.length === picked.cards.length;
    if (isPicked) {
      const place = action.to === "h" ? action.cards[0][1] : action.to;
      targets.set(place, mark ? kindOfVerdict(mark.verdict) : "");
    }
    if (!mark || (picked !== null && !isPicked)) continue;
    const held = board.held.get(action.to === "h" ? action.cards[0][1] : action.to) ?? [];
    const card = picked === null ? action.cards[0] : held[held.length - 1];
    if (card === undefined) continue;
    const kind = kindOfVerdict(mark.verdict);
    const far = mark.distance ?? Infinity;
    const old = badges.get(card);
    const isBetter = !old || better.indexOf(kind) < better.indexOf(old.kind)
      || (kind === old.kind && far < (nearest.get(card) ?? Infinity));
    if (!isBetter) continue;
    badges.set(card, { kind, text: settings.distance && mark.distance !== null ? String(mark.distance) : "" });
    nearest.set(card, far);
  }
  const next = hintStep > 0 ? hint?.hints[0] : undefined;
  const to = next?.notation[1];
  board.mark({ picked: picked?.cards ?? [], targets, badges, hinted: next?.cards ?? [],
    hintedPlace: next && hintStep > 1 && to ? (to === "h" ? next.cards[0][1] : to) : null });
}

/** @param {State} state */
function renderHead(state) {
  const { game: kept } = state;
  const deal = byId("deal");
  if (!kept) return deal.replaceChildren();
  const name = ltr(gameName(kept));
  name.className = "name";
  deal.replaceChildren(name, el("span", { text: say("cells", { n: kept.cells }) }));
}

/** @param {State} state */
function renderStrip(state) {
  const { table, game: kept } = state;
  if (!table || !kept) return byId("strip").replaceChildren();
  const { kind, text } = verdictLine(state);
  byId("strip").replaceChildren(
    el("span", { class: `verdict ${kind}` }, ...(kind ? [glyph(`i-${kind}`)] : []), el("span", { text: state.busy ?? text })),
    el("span", { class: "score", text: say("strip.score", { score: table.score, n: kept.at }) }));
}

/** @param {State} state */
function renderBanner(state) {
  const { gone, game: kept, status } = state;
  /** @type {HTMLElement | null} */
  let banner = null;
  if (gone) banner = el("div", { class: "banner bad", role: "alert" }, el("p", { text: say("gone") }));
  else if (kept?.warned) {
    banner = el("div", { class: "banner", role: "note" }, el("p", { text: say("warn.dealer", { code: kept.name }) }),
      button(say("warn.same"), () => update({ game: { .../** @type {Kept} */ (now().game), warned: false } })),
      button(say("warn.other"), () => void openEditor(null, kept.name), { name: "other-board" }));
  }
  const key = banner?.textContent ?? "";
  const root = byId("banner");
  if (root.textContent === key && status !== null) return;
  root.replaceChildren(...(banner ? [banner] : []));
}

/** @param {State} state */
function renderTools(state) {
  const has = state.game !== null && !state.gone;
  const enable = (/** @type {string} */ name, /** @type {boolean} */ on) => tools[name]?.toggleAttribute("disabled", !on);
  enable("undo", has && game.canUndo());
  enable("redo", has && game.canRedo());
  enable("restart", has && (state.game?.at ?? 0) > 0);
  enable("hint", has && !state.table?.won);
  enable("solution", has && !state.table?.won);
  enable("review", has && (state.game?.moves.length ?? 0) > 0);
}

function sayVerdict() {
  const { text } = verdictLine(now());
  speak(text);
}

// --- Beginning ---

async function begin() {
  const values = new URLSearchParams(location.search);
  await load(preferred(values.get("lang"), now().settings.language));
  onChange((state, before) => {
    if (state.catalogues !== before.catalogues) build();
    else render(state, before);
  });
  watch();
  watchSolution();
  listen(board, { v: sayVerdict, n: () => void moreHint(), "?": () => void openHelp() });
  build();
  void game.beat();
  void ask("catalogue", {}).then(({ catalogues }) => { if (catalogues.length) update({ catalogues }); }, () => {});
  const link = readLink(location.hash);
  if (link) {
    await game.inLine(async () => {
      await beginLink(link);
      clearHash();
    });
  } else {
    const kept = game.keptGame();
    if (kept) await game.inLine(() => game.take(kept));
  }
  if (!now().table && !now().gone) await game.inLine(() => game.begin({ cells: 4 }));
  document.documentElement.dataset.ready = "";
}

/** The link has been read: from now on a reload takes up the game as it is. */
function clearHash() {
  history.replaceState(null, "", location.pathname + location.search);
}

window.addEventListener("hashchange", () => {
  const link = readLink(location.hash);
  if (!link) return;
  void game.inLine(() => beginLink(link).then(clearHash));
});

matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", () => applySettings(now().settings));
window.addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof DOMException && event.reason.name === "AbortError") event.preventDefault();
  else refuse(String(event.reason));
});

void begin();

