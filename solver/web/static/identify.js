/** From boards of the app to its dealer. */

import { ApiError, stream } from "./api.js";
import { button, closeDialogs, dialog, el } from "./dom.js";
import { begin, complain, errorText, inLine } from "./game.js";
import { cardName, placeName, say } from "./words.js";

const KEPT = "boulanger.pairs";

/** @typedef {{code: string, board: Board}} Pair */

/** The boards that were entered before and that some rule deals. @returns {Pair[]} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

/** Looks for the rule that deals `board` for `code`, and the boards before it.
 * @param {Board} board @param {string} code @param {(code: string) => void} enter opens the editor for one more code */
export function identify(board, code, enter) {
  const body = el("div", { class: "stack", role: "status" }, el("p", { text: say("identify.looking") }),
    el("progress", { "aria-label": say("identify.looking") }));
  const control = new AbortController();
  dialog(say("identify.title"), { close: say("close"), closed: () => control.abort() }, body);
  const pairs = [...kept().filter((pair) => pair.code !== code), { code, board }];
  const name = `app-${code.slice(-7).toLowerCase()}`;
  stream("identify", { pairs, save: name, use: true }, () => {}, control.signal).then((answer) => {
    if (answer.groups.length) localStorage.setItem(KEPT, JSON.stringify(pairs));
    if (answer.saved) {
      localStorage.removeItem(KEPT);
      body.replaceChildren(el("p", {}, el("strong", { text: say("identify.found", { dealer: answer.saved.name }) })),
        el("p", { class: "small", lang: "en", dir: "ltr", text: answer.groups[0].words }),
        button(say("identify.play"), () => void inLine(async () => { await begin({ start: code }); closeDialogs(); }), { class: "main", name: "identified" }));
    } else if (answer.groups.length) {
      const next = answer.deciding_code;
      body.replaceChildren(el("p", { text: say("identify.several", { n: answer.groups.length }) }),
        ...(next ? [el("p", { text: say("identify.next", { code: next }) }),
          button(say("identify.enter", { code: next }), () => { closeDialogs(); enter(next); }, { class: "main", name: "next-board" })] : []));
    } else if (answer.near) {
      body.replaceChildren(el("p", { text: say("identify.near") }), el("ul", {}, ...answer.near.cards.map((/** @type {any} */ slip) =>
        el("li", { text: say("identify.slip", { place: placeName(String(slip.column)), row: slip.row, given: cardName(slip.given), dealt: cardName(slip.dealt) }) }))));
    } else {
      body.replaceChildren(el("p", { text: say("identify.none") }));
    }
  }).catch((error) => {
    if (control.signal.aborted) return;
    if (error instanceof ApiError) body.replaceChildren(el("p", { class: "fault", text: errorText(error) }));
    else complain(error);
  });
}
