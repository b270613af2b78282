/** The solution step by step in large letters, for someone who copies it into the phone. */

import { face } from "./board.js";
import { button, dialog, el } from "./dom.js";
import { actionOf, capital, now, onChange, sentence, undo, update } from "./game.js";
import { startSolution, stepSolution } from "./knowing.js";
import { speak } from "./speech.js";
import { say } from "./words.js";

export async function openLetters() {
  if (now().table?.won || !(await startSolution(false))) return;
  const line = now().solution?.line ?? [];
  const offset = now().game?.at ?? 0;
  const said = el("p", { class: "say" });
  const cards = el("div", { class: "cards", "aria-hidden": "true" });
  const where = el("p", { class: "muted" });
  const back = button(say("letters.back"), () => void step(-1), { icon: "prev", name: "back" });
  const next = button(say("letters.next"), () => void step(1), { icon: "next", class: "main", name: "next" });
  const node = dialog(say("letters.title"), { close: say("close"), class: "wide", closed: () => { isOpen = false; update({ solution: null }); } },
    el("div", { class: "large" }, where, cards, said, el("div", { class: "acts" }, back, next)));
  let isOpen = true;
  let isBusy = false;

  /** @param {number} way */
  async function step(way) {
    if (isBusy) return;
    isBusy = true;
    const index = (now().game?.at ?? 0) - offset;
    if (way > 0 && index < line.length) {
      update({ solution: { line, index, playing: false } });
      await stepSolution();
    } else if (way < 0 && index > 0) {
      await undo();
    }
    isBusy = false;
    show();
    speak(said.textContent ?? "");
  }

  function show() {
    if (!isOpen) return;
    const index = (now().game?.at ?? 0) - offset;
    const action = line[index] ? actionOf(line[index]) : undefined;
    back.disabled = index <= 0;
    next.disabled = index >= line.length;
    where.textContent = index < line.length ? say("letters.at", { n: index + 1, of: line.length }) : "";
    said.textContent = index >= line.length ? say("won.title") : capital(sentence(line[index]));
    cards.replaceChildren(...(action?.cards ?? []).map((card) => el("span", { class: "still" }, face(card))));
  }
  onChange((state, before) => { if (isOpen && state.table !== before.table) show(); });
  node.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") void step(1);
    if (event.key === "ArrowLeft") void step(-1);
  });
  show();
  next.focus();
}
