/** Small helpers to make elements: text only, never markup from text. */

const SVG = "http://www.w3.org/2000/svg";
const inPage = document.getElementById("sprite") !== null;
const SPRITE = inPage ? "" : "cards.svg";

/**
 * An element. Properties: `class`, `text`, `on` (listeners by event), `data` (by name), everything else
 * is an attribute; true sets it empty, false, null and undefined leave it out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Props} [props]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(name, props = {}, ...children) {
  const node = document.createElement(name);
  set(node, props);
  for (const child of children) if (child !== null) node.append(child);
  return node;
}

/** @param {Element} node @param {Props} props */
export function set(node, props) {
  for (const [key, value] of Object.entries(props)) {
    if (key === "text") node.textContent = String(value);
    else if (key === "on") {
      for (const [event, listener] of Object.entries(/** @type {object} */ (value)))
        node.addEventListener(event, listener);
    } else if (key === "data") {
      for (const [name, datum] of Object.entries(/** @type {object} */ (value)))
        /** @type {HTMLElement} */ (node).dataset[name] = datum;
    } else if (value === true) node.setAttribute(key, "");
    else if (value === false || value === null || value === undefined) node.removeAttribute(key);
    else node.setAttribute(key, String(value));
  }
}

/** @param {string} name @param {Record<string, string | number>} attributes @param {...Node} children */
export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/** A drawing of the sprite, hidden from screen readers. @param {string} id @param {string} [className] */
export function glyph(id, className = "icon") {
  return svg("svg", { class: className, "aria-hidden": "true", focusable: "false" },
    svg("use", { href: `${SPRITE}#${id}` }));
}

/**
 * A button with an icon and a word.
 * @param {string} text @param {() => void} act @param {{icon?: string, class?: string, title?: string, name?: string}} [more]
 */
export function button(text, act, more = {}) {
  const parts = [more.icon ? glyph(`i-${more.icon}`) : null, el("span", { text })];
  return el("button", { type: "button", class: more.class ?? "", title: more.title,
    "data-name": more.name, on: { click: act } }, ...parts);
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const node = document.getElementById(id);
  if (node === null) throw new Error(`no #${id}`);
  return node;
}

/** Left-to-right text inside right-to-left words. @param {string} text */
export function ltr(text) {
  return el("bdi", { dir: "ltr", text });
}

/** A text field with its label. @param {string} label @param {Props} props */
export function field(label, props) {
  const input = el("input", props);
  return { input, node: el("label", { class: "field" }, el("span", { text: label }), input) };
}

/**
 * A list to choose from. @param {string} label @param {[string, string][]} options value and text
 * @param {string} value @param {(value: string) => void} [changed]
 */
export function choice(label, options, value, changed) {
  const select = el("select", {},
    ...options.map(([key, text]) => el("option", { value: key, text, selected: key === value })));
  select.value = value;
  if (changed) select.addEventListener("change", () => changed(select.value));
  return { select, node: el("label", { class: "field" }, el("span", { text: label }), select) };
}

/** A switch. @param {string} label @param {boolean} on @param {(on: boolean) => void} changed @param {string} [name] */
export function toggle(label, on, changed, name) {
  const input = el("input", { type: "checkbox", role: "switch", "data-name": name,
    on: { change: () => changed(input.checked) } });
  input.checked = on;
  return el("label", { class: "toggle" }, input, el("span", { class: "track", "aria-hidden": "true" }),
    el("span", { text: label }));
}

/** @type {HTMLDialogElement[]} */
const open = [];

/**
 * A modal dialog with a heading and a button that closes it.
 * @param {string} title @param {{class?: string, close: string, closed?: () => void}} options
 * @param {...(Node | null)} children
 */
export function dialog(title, options, ...children) {
  const heading = el("h2", { id: `dialog-${open.length}`, text: title, tabindex: "-1" });
  const node = el("dialog", { class: options.class ?? "", "aria-labelledby": heading.id },
    el("div", { class: "dialog-head" }, heading,
      el("button", { type: "button", class: "quiet", "aria-label": options.close, title: options.close,
        on: { click: () => node.close() } }, glyph("i-close"))),
    el("div", { class: "dialog-body" }, ...children));
  node.addEventListener("click", (event) => { if (event.target === node) node.close(); });
  node.addEventListener("close", () => {
    open.splice(open.indexOf(node), 1);
    node.remove();
    options.closed?.();
  });
  open.push(node);
  document.body.append(node);
  node.showModal();
  return node;
}

/** Whether a dialog covers the page. */
export function hasDialog() {
  return open.length > 0;
}

export function closeDialogs() {
  for (const node of [...open].reverse()) node.close();
}
