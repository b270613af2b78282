/** What a screen reader is told: moves politely, refusals at once. */

/** @param {string} id @param {string} text */
function tell(id, text) {
  const region = document.getElementById(id);
  if (region === null) return;
  // Equal texts must differ to be read again.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** @param {string} text */
export function speak(text) {
  tell("polite", text);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Says it at once and shows it for some seconds. @param {string} text */
export function refuse(text) {
  tell("assertive", text);
  toast(text, "refusal");
}

/** Shows a text at the foot of the page for some seconds. @param {string} text @param {string} [kind] */
export function toast(text, kind = "") {
  const node = document.getElementById("toast");
  if (node === null) return;
  // A modal dialog covers everything that is not in it.
  const dialogs = document.querySelectorAll("dialog[open]");
  (dialogs[dialogs.length - 1] ?? document.body).append(node);
  node.textContent = text;
  node.className = `toast shown ${kind}`;
  clearTimeout(timer);
  timer = setTimeout(() => { node.className = "toast"; document.body.append(node); }, 6000);
}
