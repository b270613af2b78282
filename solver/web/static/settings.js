/** The settings and the help. */

import { choice, dialog, el, toggle } from "./dom.js";
import { now, setSettings } from "./game.js";
import { LANGUAGES, current, say } from "./words.js";

/** @param {(language: string) => void} speakIn */
export function openSettings(speakIn) {
  const { settings } = now();
  /** @param {keyof Settings} name */
  const onOff = (name) => toggle(say(`settings.${name}`), Boolean(settings[name]), (on) => setSettings({ [name]: on }), name);
  const language = choice(say("settings.language"), Object.entries(LANGUAGES), current(), speakIn);
  language.select.dataset.name = "language";
  for (const option of language.select.options) option.lang = option.value;
  const theme = choice(say("settings.theme"), ["auto", "light", "dark"].map((name) => [name, say(`settings.theme.${name}`)]),
    settings.theme, (name) => setSettings({ theme: name }));
  dialog(say("settings.title"), { close: say("close") },
    el("div", { class: "row" }, language.node, theme.node),
    el("section", {}, el("h3", { text: say("settings.look") }), ...["contrast", "fourColours", "bigIndex", "leftHanded", "mirrored", "still"]
      .map((name) => onOff(/** @type {keyof Settings} */ (name)))),
    el("section", {}, el("h3", { text: say("settings.play") }), ...["tapHome", "verdict", "distance", "marks"]
      .map((name) => onOff(/** @type {keyof Settings} */ (name)))));
}

const KEYS = [["← → ↑ ↓", "arrows"], ["Home End", "ends"], ["Enter", "enter"], ["Space", "space"], ["Esc", "escape"], ["+ −", "plus"],
  ["1 … 8, a … g, h", "places"], ["U R", "undo"], ["N", "hint"], ["V", "verdict"], ["M", "where"], ["O", "here"], ["L", "last"],
  ["S", "spaces"], ["P", "points"], ["?", "help"]];

export function openHelp() {
  dialog(say("help.title"), { close: say("close") },
    el("section", { class: "stack" }, el("h3", { text: say("help.rules_title") }), ...["rules1", "rules2", "rules3", "rules4"].map((name) => el("p", { text: say(`help.${name}`) }))),
    el("section", { class: "stack" }, el("h3", { text: say("help.keys_title") }), el("dl", { class: "keys" },
      ...KEYS.flatMap(([keys, name]) => [el("dt", {}, el("kbd", { text: keys })), el("dd", { text: say(`key.${name}`) })]))),
    el("section", { class: "stack" }, el("h3", { text: say("help.notation_title") }), el("p", { text: say("help.notation") })));
}
