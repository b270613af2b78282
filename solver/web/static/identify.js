/** From one board of the app to its dealer. */

import { stream } from "./api.js";
import { dialog, el } from "./dom.js";
import { begin, complain } from "./game.js";
import { say } from "./words.js";

/** Looks for the dealer that gives `board` for `code`. @param {Board} board @param {string} code */
export function identify(board, code) {
  const body = el("div", { class: "stack", role: "status" }, el("p", { text: say("identify.looking") }));
  const bar = el("progress", { "aria-label": say("identify.looking") });
  body.append(bar);
  const control = new AbortController();
  const node = dialog(say("identify.title"), { close: say("close"), closed: () => control.abort() }, body);
  stream("identify", { pairs: [{ code, board }] }, (progress) => {
    if (typeof progress.progress === "number") bar.value = progress.progress;
  }, control.signal).then(async (answer) => {
    if (!answer.dealer) {
      body.replaceChildren(el("p", { text: say("identify.none") }));
      return;
    }
    body.replaceChildren(el("p", { text: say("identify.found", { dealer: answer.dealer }) }));
    await begin({ start: code });
  }).catch((error) => {
    node.close();
    if (!control.signal.aborted) complain(error);
  });
}
