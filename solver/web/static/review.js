/** The review of a whole game, and what would have been better. */

import { stream } from "./api.js";
import { complain, jump, now, origin, update } from "./game.js";
import { speak } from "./speech.js";
import { say } from "./words.js";

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
      else if (typeof progress.done === "number") update({ busy: `${say("busy.review")} ${progress.done}/${progress.steps}` });
    }, control.signal);
    update({ review, reviewed: moves });
    speak(say("review.done"));
  } catch (error) {
    if (!control.signal.aborted) complain(error);
  } finally {
    if (running === control) update({ busy: null, wanted: null });
  }
}

/** Goes back to before action `number`, to play on from there. @param {number} number */
export async function retry(number) {
  await jump(number - 1);
  speak(say("review.retry_from", { n: number }));
  document.getElementById("board")?.scrollIntoView({ block: "nearest" });
}
