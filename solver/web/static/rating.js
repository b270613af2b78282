/** How hard a deal is, with bars beside the deals of its kind. */

import { stream } from "./api.js";
import { ratingNodes } from "./bars.js";
import { dialog, el } from "./dom.js";
import { complain, now, origin } from "./game.js";
import { say } from "./words.js";

export function openRating() {
  const { game } = now();
  if (!game) return;
  const body = el("div", { class: "stack", "aria-live": "polite" });
  const bar = el("progress", { "aria-label": say("rating.asking") });
  body.append(el("p", { text: say("rating.asking") }), bar);
  const control = new AbortController();
  dialog(say("rating.title"), { close: say("close"), closed: () => control.abort() }, body);
  stream("rate", origin(game), (progress) => {
    const share = progress.solver?.progress ?? progress.done / progress.steps;
    if (share >= 0) bar.value = share;
    if (progress.solver?.state === "compiling" && !body.querySelector(".once"))
      body.append(el("p", { class: "small once", text: say("compiling.once") }));
  }, control.signal).then((rating) => body.replaceChildren(...ratingNodes(rating)))
    .catch((error) => { if (!control.signal.aborted) complain(error); });
}
