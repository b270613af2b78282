/** To take along: a link, texts to copy, print, one file, and the phone beside it. */

import { ask, stream } from "./api.js";
import { button, dialog, el } from "./dom.js";
import { complain, now, question, update } from "./game.js";
import { toast } from "./speech.js";
import { current, say } from "./words.js";

/** A link that holds the deal and the moves. */
export function linkOf() {
  const { game } = now();
  if (!game) return location.href;
  const values = new URLSearchParams();
  values.set("deal", typeof game.start === "string" ? game.start : JSON.stringify(game.start));
  values.set("cells", String(game.cells));
  if (game.moves.length) values.set("moves", game.moves.join(","));
  if (game.at < game.moves.length) values.set("at", String(game.at));
  return `${location.origin}${location.pathname}#${values}`;
}

/** The board as ten lines of text. @param {Board} board */
function boardText(board) {
  const homes = Object.entries(board.foundations).map(([suit, rank]) => `${suit}-${"0A23456789TJQK"[rank]}`).join(" ");
  const cells = board.cells.map((card) => card ?? "-").join(" ");
  return [`Foundations: ${homes}`, `Freecells: ${cells}`, ...board.columns.map((column) => `: ${column.join(" ")}`)].join("\n") + "\n";
}

/** @param {string} label @param {string} text @param {boolean} long */
function copyField(label, text, long) {
  const area = long ? el("textarea", { rows: 4, readonly: true, dir: "ltr" }) : el("input", { readonly: true, dir: "ltr", class: "grow" });
  area.value = text;
  area.addEventListener("focus", () => area.select());
  return el("div", { class: "stack" }, el("label", { class: "field" }, el("span", { text: label }), area),
    el("div", {}, button(say("share.copy"), async () => {
      area.select();
      try {
        await navigator.clipboard.writeText(text);
        toast(say("share.copied"));
      } catch {
        // Over plain HTTP in a network there is no clipboard: the text is selected.
        toast(say("share.selected"));
      }
    })));
}

export function openShare() {
  const { game, table, status } = now();
  if (!game || !table) return;
  const json = JSON.stringify({ deal: game.name, start: game.start, moves: game.moves, board: table.board });
  const node = dialog(say("share.title"), { close: say("close") },
    copyField(say("share.link"), linkOf(), false),
    copyField(say("share.moves"), game.moves.join(" "), true),
    copyField(say("share.board"), boardText(table.board), true),
    copyField(say("share.json"), json, true),
    el("div", { class: "acts" },
      button(say("share.file"), () => void saveFile(), { icon: "share", class: "main", name: "file" }),
      button(say("share.print"), () => { node.close(); window.print(); }, { name: "print" }),
      status?.lan && status.role === "owner" ? button(say("share.phone"), () => void openPhone(), { name: "phone" }) : null));
}

/** One HTML file with the board, the solution or the review: it opens anywhere. */
async function saveFile() {
  const { game, review } = now();
  if (!game) return;
  update({ busy: say("busy.file") });
  toast(say("busy.file"));
  try {
    const answer = await stream("export", { ...question(), moves: review ? game.moves : game.moves.slice(0, game.at),
      language: current(), reviewed: review !== null, rated: true }, (progress) => {
      if (progress.solver) update({ wanted: { progress: progress.solver.progress } });
    });
    const url = URL.createObjectURL(new Blob([answer.html], { type: "text/html" }));
    const link = el("a", { href: url, download: answer.name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    complain(error);
  } finally {
    update({ busy: null });
  }
}

async function openPhone() {
  try {
    const answer = await ask("pair", {});
    dialog(say("phone.title"), { close: say("close") }, el("p", { text: say("phone.text") }),
      el("img", { class: "qr", src: answer.qr, alt: say("phone.qr") }), copyField(say("phone.address"), answer.url, false));
  } catch (error) {
    complain(error);
  }
}
