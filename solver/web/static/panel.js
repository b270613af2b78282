/** The panel beside the board: verdict, hints, what may be played, the moves, the review. */

import { betterText, makeCurve, moveNow, slipText } from "./curve.js";
import { button, el, glyph, toggle } from "./dom.js";
import { capital, jump, now, play, sentence, setMode, setSettings, undo, update } from "./game.js";
import { endHint, hintText, moreHint, runSolution, stepSolution, stopSolution } from "./knowing.js";
import { retry } from "./review.js";
import { say } from "./words.js";

const KINDS = { winnable: "keep", unwinnable: "lose", undecided: "maybe" };

/** How a verdict is drawn. @param {string | undefined} verdict */
export function kindOfVerdict(verdict) {
  return KINDS[/** @type {keyof typeof KINDS} */ (verdict)] ?? "";
}

/** The verdict in words, with how far it is if that is wanted. @param {State} state @returns {{kind: string, text: string}} */
export function verdictLine(state) {
  const { table, check, hint, settings, status } = state;
  if (table === null) return { kind: "", text: "" };
  if (table.won) return { kind: "keep", text: say("won.title") };
  if (!settings.verdict) return { kind: "", text: say("verdict.hidden") };
  if (!status || !status.solver.done.includes("check")) {
    const share = Math.round(100 * (status?.solver.progress ?? 0));
    return { kind: "", text: say("verdict.compiling", { n: share }) };
  }
  if (!check) return { kind: "", text: say("verdict.asking") };
  const kind = kindOfVerdict(check.verdict);
  if (check.verdict === "winnable" && settings.distance && hint?.distance)
    return { kind, text: say(hint.proven ? "verdict.far" : "verdict.about", { n: hint.distance }) };
  return { kind, text: say(`verdict.${check.verdict}`) };
}

/** Builds the panel once; what it returns brings it up to date. @param {HTMLElement} root @param {{close: () => void}} more */
export function makePanel(root, more) {
  const verdict = el("div", { class: "verdict-box" });
  const hint = el("div", { class: "box" });
  const solution = el("div", { class: "box" });
  const switches = el("div", {});
  const ways = el("ul", { class: "list ways" });
  const waysPart = el("section", {}, el("h2", { text: say("ways.title") }), ways);
  const moves = el("ol", { class: "moves", "aria-label": say("moves.title"), tabindex: "0" });
  const curve = el("div", { class: "review" });
  const mode = el("div", { class: "row" });
  const movesTitle = el("h2", { text: say("moves.title") });
  const { node: moveField } = makeMoveField();
  root.replaceChildren(
    el("button", { type: "button", class: "quiet panel-close", "aria-label": say("close"), on: { click: more.close } }, glyph("i-close")),
    el("section", { "aria-label": say("verdict.title") }, verdict, switches), solution, hint,
    el("section", {}, movesTitle, moves, curve, moveField, mode), waysPart);
  /** @type {[keyof Settings, string][]} */
  const known = [["verdict", "switch.verdict"], ["distance", "switch.distance"], ["marks", "switch.marks"]];
  switches.replaceChildren(...known.map(([name, word]) =>
    toggle(say(word), Boolean(now().settings[name]), (on) => setSettings({ [name]: on }), name)));

  /** @param {State} state @param {State | null} before */
  return function render(state, before) {
    const changed = (/** @type {(keyof State)[]} */ ...keys) => before === null || keys.some((key) => state[key] !== before[key]);
    if (changed("settings"))
      for (const input of switches.querySelectorAll("input"))
        input.checked = Boolean(state.settings[/** @type {keyof Settings} */ (input.dataset.name)]);
    if (changed("table", "check", "hint", "settings", "status", "busy", "wanted")) renderVerdict(verdict, state);
    if (changed("hintStep", "hint", "table")) renderHint(hint, state);
    if (changed("solution", "settings", "table")) renderSolution(solution, state);
    if (changed("marks", "table", "settings")) renderWays(waysPart, ways, state);
    if (changed("game", "review")) {
      renderMoves(moves, state);
      renderMode(mode, state);
    }
    if (changed("review", "game")) renderReview(curve, state, before);
  };
}

/** @param {HTMLElement} box @param {State} state */
function renderVerdict(box, state) {
  const { kind, text } = verdictLine(state);
  box.className = `verdict-box ${kind}`;
  const { table, check, hint, settings, game, status } = state;
  /** @type {(Node | null)[]} */
  const parts = [el("strong", {}, kind ? glyph(`i-${kind}`) : null, el("span", { text }))];
  if (state.busy) parts.push(el("p", { class: "small", text: state.busy }));
  const solver = status?.solver;
  const waits = !solver?.done.includes("check") || state.wanted !== null || solver.fault !== null;
  if (solver && solver.state !== "ready" && settings.verdict && waits) {
    parts.push(el("progress", { max: 1, value: solver.progress, "aria-label": say("compiling.label") }));
    if (solver.state === "compiling") parts.push(el("p", { class: "small", text: say("compiling.once") }));
    if (solver.fault) parts.push(el("p", { class: "fault", text: solver.fault }));
  }
  if (table?.won) parts.push(el("p", { text: say("won.text", { n: game?.at ?? 0, score: table.score }) }));
  else if (settings.verdict && check?.verdict === "unwinnable") {
    const loss = hint?.loss;
    if (table && !table.legal_move) parts.push(el("p", { text: say("verdict.stuck") }));
    if (loss?.from_start) parts.push(el("p", { text: say("loss.from_start") }));
    else if (loss?.undos) {
      const undos = loss.undos;
      if (loss.number) parts.push(el("p", { text: say("loss.by", { n: loss.number, move: loss.notation }) }));
      const reaches = game?.mode === "analysis" || (game?.undoable ?? 0) >= undos;
      parts.push(button(say("loss.take_back", { n: undos }), () => {
        void (reaches ? undo(undos) : jump((now().game?.at ?? 0) - undos));
      }, { icon: "undo", class: "main", name: "take-back" }));
    }
  }
  box.replaceChildren(...parts.filter((part) => part !== null));
}

/** @param {HTMLElement} box @param {State} state */
function renderHint(box, state) {
  const { hint, hintStep, table } = state;
  box.hidden = hintStep === 0 || hint === null || table === null;
  if (box.hidden || !hint) return;
  const next = hint.hints[0];
  const acts = el("div", { class: "acts" });
  if (next && hintStep < 4) acts.append(button(say(["hint.where", "hint.why_not", "hint.line"][hintStep - 1]), () => void moreHint(), { name: "hint-more" }));
  if (next && hintStep > 1) acts.append(button(say("hint.play"), () => void play({ move: next.notation }), { class: "main", name: "hint-play" }));
  acts.append(button(say("close"), endHint, { class: "link" }));
  const line = hintStep === 4 && hint.solution
    ? el("p", {}, el("bdi", { dir: "ltr", class: "line", text: hint.solution.join(" ") })) : null;
  box.replaceChildren(el("h2", { text: say("hint.title") }), el("p", { class: "hint-text", text: hintText(hint, hintStep) }),
    ...(line ? [line] : []), acts);
}

/** @param {HTMLElement} box @param {State} state */
function renderSolution(box, state) {
  const { solution, settings } = state;
  box.hidden = solution === null;
  if (!solution) return box.replaceChildren();
  const focused = box.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.name : null;
  const speed = el("input", { type: "range", min: "0.5", max: "6", step: "0.5", value: settings.speed, "data-name": "speed",
    on: { change: () => setSettings({ speed: Number(speed.value) }) } });
  box.replaceChildren(
    el("h2", { text: say("solution.title") }),
    el("p", { text: say("solution.at", { n: solution.index, of: solution.line.length }) }),
    el("progress", { max: solution.line.length, value: solution.index, "aria-label": say("solution.title") }),
    el("div", { class: "acts" },
      solution.playing ? button(say("solution.pause"), () => runSolution(false), { icon: "pause", class: "main", name: "run" })
        : button(say("solution.play"), () => runSolution(true), { icon: "play", class: "main", name: "run" }),
      button(say("solution.step"), () => void stepSolution(), { icon: "next", name: "step" }),
      button(say("close"), stopSolution, { class: "link" })),
    el("label", { class: "field" }, el("span", { text: say("solution.speed") }), speed));
  if (focused) /** @type {HTMLElement | null} */ (box.querySelector(`[data-name="${focused}"]`))?.focus();
}

/** @param {HTMLElement} part @param {HTMLElement} list @param {State} state */
function renderWays(part, list, state) {
  const { marks, table, settings } = state;
  part.hidden = !settings.marks || table === null || table.won;
  if (part.hidden || !table) return list.replaceChildren();
  if (!marks) return list.replaceChildren(el("li", { class: "muted", text: say("verdict.asking") }));
  const order = ["winnable", "undecided", "unwinnable"];
  const sorted = [...marks].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict)
    || (a.distance ?? 999) - (b.distance ?? 999));
  list.replaceChildren(...sorted.map((mark) => {
    const kind = kindOfVerdict(mark.verdict);
    const far = mark.distance !== null && settings.distance ? say("left.actions", { n: mark.distance }) : say(`mark.${mark.verdict}`);
    return el("li", {}, el("button", { type: "button", class: kind, "data-move": mark.notation,
      on: { click: () => void play({ move: mark.notation }) } },
      glyph(`i-${kind}`), el("span", { class: "grow", text: capital(sentence(mark.notation)) }), el("span", { class: "small", text: far })));
  }));
}

/** @param {HTMLElement} list @param {State} state */
function renderMoves(list, state) {
  const { game, review, reviewed } = state;
  if (!game) return list.replaceChildren();
  const isOfReview = review !== null && reviewed !== null && reviewed.every((move, i) => game.moves[i] === move);
  list.replaceChildren(...game.moves.map((move, i) => {
    const remark = isOfReview ? review.actions[i] : undefined;
    const name = remark?.losing ? "loses" : remark?.wasted ? "wastes" : "";
    const label = [say("moves.go", { n: i + 1, move }), remark?.losing ? say("mark.lose") : ""].filter(Boolean).join(", ");
    return el("li", { class: `${name} ${i >= game.at ? "ahead" : ""}` },
      el("button", { type: "button", text: move, "aria-label": label, title: label,
        "aria-current": i === game.at - 1 ? "step" : undefined, on: { click: () => void jump(i + 1) } }));
  }));
  const current = list.querySelector("[aria-current]");
  if (current instanceof HTMLElement) list.scrollTop = current.offsetTop - list.offsetTop - 60;
}

/** @param {HTMLElement} box @param {State} state */
function renderMode(box, state) {
  const mode = state.game?.mode;
  if (box.dataset.mode === mode) return;
  box.dataset.mode = mode;
  box.replaceChildren(toggle(say("mode.analysis"), mode === "analysis", (on) => setMode(on ? "analysis" : "app"), "analysis"));
}

function makeMoveField() {
  const input = el("input", { id: "move-field", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "8", placeholder: "27" });
  const node = el("form", { class: "move-field" },
    el("label", { class: "field" }, el("span", { text: say("move.field") }), input),
    el("button", { text: say("move.play") }));
  node.addEventListener("submit", async (event) => {
    event.preventDefault();
    const move = input.value.trim();
    if (move === "") return;
    if (await play({ move })) input.value = "";
    else input.select();
  });
  return { node, input };
}

// --- Review ---

/** @param {HTMLElement} box @param {State} state @param {State | null} before */
function renderReview(box, state, before) {
  const { review, game, reviewed } = state;
  if (!review || !game || !reviewed) return box.replaceChildren();
  if (before !== null && before.review === review && box.firstChild !== null) {
    moveNow(box, game.at, reviewed.length);
    return;
  }
  const { node, range } = makeCurve(review, game.at);
  range.addEventListener("input", () => void jump(Number(range.value)));
  const slips = review.actions.filter((action) => action.losing || (action.wasted ?? 0) > 0);
  const list = el("ol", { class: "list ways slips" }, ...slips.map((slip) => slipRow(slip)));
  box.replaceChildren(el("h3", { text: say("review.title") }), el("p", { text: summary(review) }), node, list);
  const isElsewhere = !reviewed.every((move, i) => game.moves[i] === move);
  if (isElsewhere) update({ review: null, reviewed: null });
}

/** @param {Review} review */
function summary(review) {
  const parts = [say(review.won ? "review.won" : "review.unfinished", { n: review.length, score: review.score })];
  if (review.verdict === "unwinnable") parts.push(say("loss.from_start"));
  if (review.lost_by) parts.push(say("loss.by", { n: review.lost_by, move: review.actions[review.lost_by - 1].notation }));
  if (review.shortest !== null) parts.push(say("review.shortest", { n: review.shortest, wasted: review.wasted }));
  return parts.join(" ");
}

/** @param {ReviewedAction} slip */
function slipRow(slip) {
  return el("li", { class: slip.losing ? "box" : "box wastes" },
    el("strong", {}, glyph(slip.losing ? "i-lose" : "i-maybe"), el("span", { text: slipText(slip) })),
    slip.better ? el("p", { class: "small better", text: betterText(slip.better) }) : null,
    el("div", { class: "acts" }, button(say("review.retry"), () => void retry(slip.number), { class: "link", name: "retry" })));
}
