/** The game that is played: one frozen state, changed here alone, and kept in the browser. */

import { ApiError, GoneError, ask, status } from "./api.js";
import { refuse, speak } from "./speech.js";
import { describe, say } from "./words.js";

const MAX_UNDO = 100;
const MAX_KEPT = 30;
const MAX_CACHED = 500;
const BEAT_MS = 3000;

/** @type {Settings} */
const USUAL = {
  theme: "auto", contrast: false, fourColours: false, bigIndex: false, leftHanded: false, mirrored: false,
  still: false, tapHome: true, verdict: true, distance: false, marks: false, speed: 1, language: null,
};

/** @type {State} */
let state = Object.freeze({
  game: null, table: null, picked: null, check: null, marks: null, hint: null, hintStep: 0, review: null,
  reviewed: null, solution: null, status: null, gone: false, asking: false, busy: null, wanted: null,
  catalogues: [], settings: { ...USUAL, ...read("settings", {}) },
});

/** @type {((state: State, before: State) => void)[]} */
const listeners = [];
/** @type {Map<string, Table>} */
let tables = new Map();
/** @type {Promise<unknown>} */
let line = Promise.resolve();

export function now() {
  return state;
}

/** @param {(state: State, before: State) => void} listener */
export function onChange(listener) {
  listeners.push(listener);
}

/** @param {Partial<State>} patch */
export function update(patch) {
  const before = state;
  state = Object.freeze({ ...state, ...patch });
  for (const listener of listeners) listener(state, before);
}

/** @param {Partial<Settings>} patch */
export function setSettings(patch) {
  const settings = { ...state.settings, ...patch };
  write("settings", settings);
  update({ settings });
}

// --- What is kept ---

/** @param {string} key @param {any} usual @returns {any} */
function read(key, usual) {
  try {
    return JSON.parse(localStorage.getItem(`boulanger.${key}`) ?? "null") ?? usual;
  } catch {
    return usual;
  }
}

/** @param {string} key @param {any} value */
function write(key, value) {
  try {
    localStorage.setItem(`boulanger.${key}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** The games played last, the latest first. @returns {Kept[]} */
export function keptGames() {
  const games = read("games", []);
  return Array.isArray(games) ? games.filter(isGame) : [];
}

/** Whether what the browser kept is a game. @param {any} game */
function isGame(game) {
  return typeof game?.id === "string" && typeof game.name === "string" && Number.isInteger(game.at)
    && (typeof game.start === "string" || typeof game.start === "object")
    && Array.isArray(game.moves) && game.moves.every((/** @type {unknown} */ move) => typeof move === "string");
}

/** @param {string} id */
export function forget(id) {
  write("games", keptGames().filter((game) => game.id !== id));
}

/** @param {Kept} game */
function keep(game) {
  if (game.moves.length === 0 && keptGames().every((other) => other.id !== game.id)
    && keptGames().some((other) => sameStart(other, game) && other.moves.length === 0))
    write("games", keptGames().filter((other) => !(sameStart(other, game) && other.moves.length === 0)));
  write("games", [game, ...keptGames().filter((other) => other.id !== game.id)].slice(0, MAX_KEPT));
  try {
    sessionStorage.setItem("boulanger.tab", game.id);
  } catch {
    // As above.
  }
}

/** @param {Kept} a @param {Kept} b */
function sameStart(a, b) {
  return JSON.stringify(a.start) === JSON.stringify(b.start);
}

/** The game of this tab, else the one played last. */
export function keptGame() {
  const games = keptGames();
  let id = null;
  try {
    id = sessionStorage.getItem("boulanger.tab");
  } catch {
    // As above.
  }
  return games.find((game) => game.id === id) ?? games[0];
}

// --- Questions in their order ---

/** Does one thing after the other; says what went wrong. @template T @param {() => Promise<T>} act @returns {Promise<T | undefined>} */
export function inLine(act) {
  const result = line.then(act).catch((error) => { complain(error); return undefined; });
  line = result;
  return result;
}

/** @param {unknown} error */
export function complain(error) {
  if (error instanceof GoneError) update({ gone: true });
  else if (error instanceof ApiError) {
    if (error.key === "web.token") update({ gone: true });
    else if (error.key !== "web.superseded") refuse(errorText(error));
  } else if (!(error instanceof DOMException && error.name === "AbortError")) {
    console.error(error);
    refuse(String(error));
  }
}

/** @param {ApiError} error */
export function errorText(error) {
  return error.key === "web.too_long" ? say("error.too_long") : capital(error.message);
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
}

/** What a question says of the game as it is now. */
export function question() {
  const game = /** @type {Kept} */ (state.game);
  return { ...origin(game), moves: game.moves.slice(0, game.at), undoable: game.mode === "app" ? game.undoable : undefined };
}

/** Where a game began, as questions say it. @param {Kept} game */
export function origin(game) {
  return { start: game.start, cells: game.cells, dealer: typeof game.start === "string" && game.kind === "code" ? game.dealer ?? undefined : undefined };
}

// --- Playing ---

/**
 * Begins a game on what the server makes of `body`; throws what it refuses.
 * @param {{start?: Start, board?: string, cells?: number, dealer?: string, moves?: string[] | string}} body
 * @param {{mode?: "app" | "analysis", at?: number}} [more]
 */
export async function begin(body, more = {}) {
  /** @type {Table} */
  let table = await ask("deal", body);
  /** @type {Kept} */
  const game = { id: Date.now().toString(36) + Math.random().toString(36).slice(2, 6), name: table.deal,
    dealer: table.dealer, kind: table.kind, start: table.start, cells: table.cells, moves: table.moves, at: table.moves.length,
    undoable: table.undoable, mode: more.mode ?? (table.moves.length ? "analysis" : "app"), won: table.won,
    score: table.score, time: Date.now(), warned: table.dealer_known === false && table.fresh === true };
  await take(game);
  if (more.at !== undefined && more.at < game.at) await jump(more.at);
}

/** Takes up a game that was kept. @param {Kept} game */
export async function take(game) {
  tables = new Map();
  const moves = game.moves.slice(0, game.at);
  /** @type {Table} */
  const table = await ask("play", { ...origin(game), moves, undoable: game.undoable });
  update({ ...NOTHING_KNOWN, review: null, reviewed: null });
  settle({ ...game, at: table.moves.length }, table);
}

/** @type {Partial<State>} */
const NOTHING_KNOWN = { picked: null, check: null, marks: null, hint: null, hintStep: 0 };

/** @param {Kept} game @param {Table} table */
function settle(game, table) {
  const kept = { ...game, won: table.won, score: table.score, undoable: game.mode === "app" ? table.undoable : Math.min(table.undoable, MAX_UNDO), time: Date.now() };
  tables.set(key(kept.moves.slice(0, kept.at)), table);
  if (tables.size > MAX_CACHED) tables.delete(/** @type {string} */ (tables.keys().next().value));
  keep(kept);
  update({ ...NOTHING_KNOWN, game: kept, table, gone: false });
}

/** @param {string[]} moves */
function key(moves) {
  return moves.join(" ");
}

/** Plays a gesture: `{move}`, `{tap}` or `{double_tap}`. @param {{move?: string | object, tap?: string, double_tap?: string}} gesture */
export function play(gesture) {
  return inLine(async () => {
    const game = state.game;
    if (!game) return false;
    /** @type {Table} */
    const table = await ask("play", { ...question(), ...gesture });
    if (table.done === 0) return false;
    const done = table.moves[table.moves.length - 1];
    // What was taken back stays ahead if the same is played again.
    const ahead = game.moves[game.at] === done ? game.moves.slice(game.at + 1) : [];
    const said = sentence(done);
    settle({ ...game, moves: [...table.moves, ...ahead], at: table.moves.length }, table);
    speak(table.won ? `${said}. ${say("won.title")}` : said);
    return true;
  });
}

/** The legal action of a notation, as it is on the board now. @param {string} notation */
export function actionOf(notation) {
  return state.table?.actions.find((action) => action.notation === notation);
}

/** An action in words. @param {string} notation @param {LegalAction} [known] */
export function sentence(notation, known) {
  const action = known ?? actionOf(notation);
  if (!action) return notation;
  return describe(action.cards, action.to, state.table?.board);
}

export function canUndo() {
  const game = state.game;
  return game !== null && game.at > 0 && (game.mode === "analysis" || game.undoable > 0);
}

export function canRedo() {
  const game = state.game;
  return game !== null && game.at < game.moves.length;
}

/** @param {number} [count] */
export function undo(count = 1) {
  return inLine(async () => {
    const game = state.game;
    if (!game || !canUndo()) return refuse(say(game?.at ? "undo.limit" : "undo.none"));
    const most = game.mode === "app" ? Math.min(game.undoable, count) : count;
    const at = Math.max(0, game.at - most);
    await go(game, at, game.undoable - (game.at - at));
    speak(say("undo.done", { n: game.at - at }));
  });
}

export function redo() {
  return inLine(async () => {
    const game = state.game;
    if (!game || !canRedo()) return;
    const said = sentence(game.moves[game.at]);
    await go(game, game.at + 1, Math.min(MAX_UNDO, game.undoable + 1));
    speak(said);
  });
}

/** Goes to any point of the game; what is ahead of it stays. @param {number} at */
export async function jump(at) {
  return inLine(async () => {
    const game = state.game;
    if (game) await go({ ...game, mode: "analysis" }, Math.max(0, Math.min(at, game.moves.length)), MAX_UNDO);
  });
}

/** @param {Kept} game @param {number} at @param {number} undoable */
async function go(game, at, undoable) {
  const moves = game.moves.slice(0, at);
  const left = Math.max(0, Math.min(undoable, at));
  const known = tables.get(key(moves));
  const table = known ?? await ask("play", { ...origin(game), moves, undoable: left });
  settle({ ...game, at }, { ...table, undoable: left });
}

/** The same deal from its start; the game so far stays among those played last. */
export function restart() {
  return inLine(async () => {
    const game = state.game;
    if (!game) return;
    await take({ ...game, id: game.at ? Date.now().toString(36) : game.id, moves: [], at: 0, undoable: 0, mode: "app" });
    speak(say("restart.done"));
  });
}

/** @param {"app" | "analysis"} mode */
export function setMode(mode) {
  const { game, table } = state;
  if (!game || !table) return;
  settle({ ...game, mode, moves: mode === "app" ? game.moves.slice(0, game.at) : game.moves },
    { ...table, undoable: Math.min(MAX_UNDO, game.at) });
}

// --- The server ---

let isBeating = false;

/** Asks now and then how the server is. */
export async function beat() {
  if (isBeating) return;
  isBeating = true;
  for (;;) {
    try {
      const answer = await status();
      const wasGone = state.gone;
      update({ status: answer, gone: false });
      if (wasGone && state.table === null && state.game) await take(state.game);
    } catch (error) {
      complain(error);
    }
    const ready = state.status?.solver.state === "ready" && !state.gone;
    await new Promise((resolve) => setTimeout(resolve, ready ? BEAT_MS * 2 : BEAT_MS / 4));
  }
}

/** Whether the solver can answer questions of a kind. @param {string} step */
export function isReady(step) {
  return state.status?.solver.done.includes(step) ?? false;
}
