/** The page's words in the chosen language: `{name}` placeholders, plurals by CLDR category. */

export const LANGUAGES = { en: "English", fr: "Français", hr: "Hrvatski", hu: "Magyar", he: "עברית" };
const RTL = "he";

/** @type {Record<string, Word>} */
let catalogue = {};
let language = "en";
let plurals = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");
let percents = new Intl.NumberFormat("en", { style: "percent" });

/** The language in use, such as `hr`. */
export function current() {
  return language;
}

/** The language to begin with. @param {string | null} asked @param {string | null} kept */
export function preferred(asked, kept) {
  for (const tag of [asked, kept, ...navigator.languages]) {
    const name = (tag ?? "").toLowerCase().split("-")[0].replace("iw", "he");
    if (name in LANGUAGES) return name;
  }
  return "en";
}

/** Takes words into use. @param {string} name @param {Record<string, Word>} words */
export function use(name, words) {
  language = name;
  catalogue = words;
  plurals = new Intl.PluralRules(name);
  numbers = new Intl.NumberFormat(name);
  percents = new Intl.NumberFormat(name, { style: "percent" });
  document.documentElement.lang = name;
  document.documentElement.dir = name === RTL ? "rtl" : "ltr";
}

/** @param {string} name */
export async function load(name) {
  const answer = await fetch(`words/${name}.json`);
  use(name, await answer.json());
}

/** The text of a key with its facts; a number is written as the language writes it.
 * @param {string} key @param {Facts} [facts] */
export function say(key, facts = {}) {
  let word = catalogue[key];
  if (word === undefined) return key;
  if (typeof word !== "string") word = word[plurals.select(Number(facts[word.count]))] ?? word.other;
  return word.replace(/\{(\w+)\}/g, (_, name) => {
    const fact = facts[name];
    return typeof fact === "number" ? numbers.format(fact) : String(fact ?? "");
  });
}

/** @param {string} key */
export function has(key) {
  return key in catalogue;
}

/** @param {number} value */
export function number(value) {
  return numbers.format(value);
}

/** @param {number} share from 0 to 1 */
export function percent(share) {
  return percents.format(share);
}

/** A date and time, short. @param {number} time */
export function date(time) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(time);
}

/** A card in words. @param {string} card such as `6S` */
export function cardName(card) {
  return say(`card.${card}`);
}

/** A place in words. @param {string} place `1` to `8`, a cell's letter, a suit's letter, or `h` */
export function placeName(place) {
  if (/[1-8]/.test(place)) return say("place.column", { at: place });
  if (/[SHDC]/.test(place)) return say(`place.${place}`);
  return place === "h" ? say("place.home") : say("place.cell", { at: place });
}

/** An action in words. @param {string[]} cards @param {string} to @param {Board | undefined} board */
export function describe(cards, to, board) {
  const column = board?.columns[Number(to) - 1] ?? [];
  return describeOnto(cards, to, column[column.length - 1]);
}

/** The same, where it is known on which card. @param {string[]} cards @param {string} to @param {string | null} [on] */
export function describeOnto(cards, to, on) {
  const name = say(`card.${cards[0]}`);
  const facts = { card: name, n: cards.length, at: to };
  if (to === "h") return say("move.home", facts);
  if (/[1-8]/.test(to)) {
    if (!on) return say(cards.length > 1 ? "move.run_empty" : "move.empty", facts);
    return say(cards.length > 1 ? "move.run_onto" : "move.onto", { ...facts, on: say(`card.${on}`) });
  }
  return say("move.cell", facts);
}

/** Puts words into what `index.html` has: `data-say` for the text, `data-say-label` for the name. */
export function translatePage() {
  document.title = say("title");
  for (const node of document.querySelectorAll("[data-say]"))
    node.textContent = say(/** @type {HTMLElement} */ (node).dataset.say ?? "");
  for (const node of document.querySelectorAll("[data-say-label]"))
    node.setAttribute("aria-label", say(/** @type {HTMLElement} */ (node).dataset.sayLabel ?? ""));
}
