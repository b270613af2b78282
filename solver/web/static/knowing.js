/** What the solver knows of the board on the table: asked for anew after every move. */

import { ask, stream } from "./api.js";
import { capital, complain, isReady, now, onChange, play, question, sentence, update } from "./game.js";
import { refuse, speak } from "./speech.js";
import { say } from "./words.js";

const MAX_KNOWN = 600;
const HINT_SECONDS = 8;
const MARK_SECONDS = 5;
const STEP_MS = 1100;

/** @typedef {{check?: {verdict: string}, marks?: Mark[], hint?: HintAnswer, distances?: boolean}} Known */

/** @type {Map<string, Known>} */
const known = new Map();
/** @type {AbortController | null} */
let asking = null;

/** What is known of the game as it stands. @returns {Known} */
function knownNow() {
  const { game, table } = now();
  const key = JSON.stringify([game?.start, game?.moves.slice(0, game.at), table?.undoable]);
  let found = known.get(key);
  if (found === undefined) {
    found = {};
    known.set(key, found);
    if (known.size > MAX_KNOWN) known.delete(/** @type {string} */ (known.keys().next().value));
  }
  return found;
}

export function watch() {
  onChange((state, before) => {
    const isNew = state.table !== before.table || state.settings !== before.settings
      || state.status?.solver.done.length !== before.status?.solver.done.length || state.gone !== before.gone;
    if (isNew) void refresh();
  });
}

async function refresh() {
  asking?.abort();
  const { table, settings, gone } = now();
  if (table === null || gone) return;
  const control = new AbortController();
  asking = control;
  const { signal } = control;
  const facts = knownNow();
  show(facts);
  if (table.won) return;
  try {
    const wants = settings.verdict || settings.distance || settings.marks;
    if (wants && isReady("check")) {
      facts.check ??= await ask("check", question(), signal);
      show(facts);
      if (settings.marks && (!facts.marks || (settings.distance && !facts.distances))) {
        facts.marks ??= (await ask("marks", { ...question(), max_seconds: MARK_SECONDS }, signal)).actions;
        show(facts);
      }
    }
    const verdict = facts.check?.verdict;
    const isLost = settings.verdict && verdict === "unwinnable";
    if ((isLost || (settings.distance && verdict === "winnable")) && isReady("hint")) {
      facts.hint ??= await ask("hint", { ...question(), max_seconds: HINT_SECONDS }, signal);
      show(facts);
    }
    if (settings.marks && settings.distance && verdict === "winnable" && !facts.distances && isReady("hint")) {
      const answer = await stream("marks", { ...question(), distance: true, max_seconds: MARK_SECONDS }, () => {}, signal);
      facts.marks = answer.actions;
      facts.distances = true;
      show(facts);
    }
  } catch (error) {
    if (!signal.aborted) complain(error);
  }
  if (asking === control) asking = null;
}

/** @param {Known} facts */
function show(facts) {
  const before = now();
  const verdict = facts.check?.verdict;
  update({ check: facts.check ?? null, marks: facts.marks ?? null, hint: facts.hint ?? before.hint });
  if (verdict && verdict !== lastSaid && before.settings.verdict) {
    if (lastSaid !== "") speak(say(`verdict.${verdict}`));
    lastSaid = verdict;
  }
}

let lastSaid = "";

/** The hint for the board as it is now; null if it could not be had. @returns {Promise<HintAnswer | null>} */
export async function findHint() {
  const facts = knownNow();
  if (facts.hint) return facts.hint;
  update({ busy: say("busy.hint") });
  try {
    facts.hint = await stream("hint", { ...question(), max_seconds: HINT_SECONDS }, waiting);
    return facts.hint ?? null;
  } catch (error) {
    complain(error);
    return null;
  } finally {
    update({ busy: null, wanted: null });
  }
}

/** @param {any} progress */
function waiting(progress) {
  if (progress.solver) update({ wanted: { progress: progress.solver.progress } });
}

/** The next step of a hint: which card, where to, why, the whole way. */
export async function moreHint() {
  const { hintStep, table } = now();
  if (!table || table.won) return;
  const hint = await findHint();
  if (hint === null || now().table !== table) return;
  const step = hint.hints.length ? Math.min(4, hintStep + 1) : 1;
  update({ hint, hintStep: step });
  speak(hintText(hint, step));
}

/** @param {HintAnswer} hint @param {number} step */
export function hintText(hint, step) {
  const next = hint.hints[0];
  if (!next) return say(hint.verdict === "unwinnable" ? "hint.lost" : "hint.unknown");
  if (step === 1) return say("hint.card", { card: say(`card.${next.cards[0]}`) });
  const text = capital(sentence(next.notation));
  if (step === 2) return text;
  const left = say("left.actions", { n: next.distance });
  return `${text}. ${say("hint.why", { reason: next.reason })} ${left}.`;
}

export function endHint() {
  if (now().hintStep) update({ hintStep: 0 });
}

// --- A solution that plays itself ---

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Takes up the solution of the board as it is. @param {boolean} plays */
export async function startSolution(plays) {
  const hint = await findHint();
  if (hint === null) return false;
  if (!hint.solution) {
    refuse(say(hint.verdict === "unwinnable" ? "hint.lost" : "hint.unknown"));
    return false;
  }
  update({ solution: { line: hint.solution, index: 0, playing: plays }, hintStep: 0 });
  if (plays) next();
  return true;
}

function next() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (now().solution?.playing && (await stepSolution()) && now().solution?.playing) next();
  }, STEP_MS / now().settings.speed);
}

/** Plays the next action of the solution. */
export async function stepSolution() {
  const { solution } = now();
  if (!solution || solution.index >= solution.line.length) return false;
  ours = true;
  const done = await play({ move: solution.line[solution.index] });
  ours = false;
  if (!done) {
    stopSolution();
    return false;
  }
  const index = solution.index + 1;
  const current = now().solution;
  if (current) update({ solution: index < solution.line.length ? { ...current, index } : null });
  return index < solution.line.length;
}

let ours = false;

/** Whoever plays anything else leaves the solution. */
export function watchSolution() {
  onChange((state, before) => {
    if (state.table !== before.table && state.solution && !ours) stopSolution();
  });
}

/** @param {boolean} plays */
export function runSolution(plays) {
  const { solution } = now();
  if (!solution) return;
  update({ solution: { ...solution, playing: plays } });
  if (plays) next();
  else clearTimeout(timer);
}

export function stopSolution() {
  clearTimeout(timer);
  if (now().solution) update({ solution: null });
}
