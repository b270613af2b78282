/** The review of a whole game, and what would have been better. */

import { ask, stream } from "./api.js";
import { complain, jump, now, origin, update } from "./game.js";
import { speak } from "./speech.js";
import { describe, say } from "./words.js";

/** @type {AbortController | null} */
let running = null;

/** Reviews all moves of the game, those ahead too. */
export async function startReview() {
  const { game } = now();
  if (!game || game.moves.length === 0) return speak(say("review.nothing"));
  running?.abort();
  const control = new AbortController();
  running = control;
  update({ busy: say("busy.review") });
  const moves = game.moves;
  try {
    /** @type {Review} */
    const review = await stream("review", { ...origin(game), moves }, (progress) => {
      if (progress.solver) update({ wanted: { progress: progress.solver.progress } });
      else if (typeof progress.done === "number") update({ busy: `${say("busy.review")} ${progress.done}/${moves.length}` });
    }, control.signal);
    update({ review, reviewed: moves });
    speak(say("review.done"));
  } catch (error) {
    if (!control.signal.aborted) complain(error);
  } finally {
    if (running === control) update({ busy: null, wanted: null });
  }
}

/** What would have been better than action `number`, in words. @param {number} number */
export async function betterFor(number) {
  const { game } = now();
  if (!game) return "";
  const moves = game.moves.slice(0, number - 1);
  try {
    const body = { ...origin(game), moves, client: "beside" };
    /** @type {HintAnswer} */
    const hint = await ask("hint", { ...body, max_seconds: 8 });
    /** @type {Table} */
    const table = await ask("play", body);
    const next = hint.hints[0];
    const action = next && table.actions.find((one) => one.notation === next.notation);
    if (!action) return say("hint.unknown");
    return say("review.better_is", { move: next.notation, text: describe(action.cards, action.to, table.board), n: next.distance });
  } catch (error) {
    complain(error);
    return "";
  }
}

/** Goes back to before action `number`, to play on from there. @param {number} number */
export async function retry(number) {
  await jump(number - 1);
  speak(say("review.retry_from", { n: number }));
  document.getElementById("board")?.scrollIntoView({ block: "nearest" });
}
