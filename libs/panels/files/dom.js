/**
 * Text as one line, with control and bidirectional characters spelled out, so that none turns it around.
 * @param {unknown} text
 */
export function plain(text) {
  return String(text)
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}|\p{Bidi_Control}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A member that is text or a number, as text, cut to what a row can use.
 * @param {Fields} fields
 * @param {string} name
 */
export function textOf(fields, name, max = 600) {
  const value = fields[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, max) : '';
}

/**
 * Makes an element. A string becomes text, never markup; a function listens; `undefined` and `false` are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} [properties]
 * @param {...Child} children
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  fill(element, ...children);
  return element;
}

/**
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...children.map((child) => child || ''));
}

/**
 * A text that is cut where there is no room, whole in its title.
 * @param {unknown} text
 */
export function cut(text, className = '') {
  const shown = plain(text);
  return el('bdi', { class: `cut ${className}`, title: shown }, shown);
}

/**
 * @template {Element} Kind
 * @param {string} id
 * @param {{ new (): Kind }} kind
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`no ${kind.name} has the id ${id}`);
}

/** @param {string} id */
export function elementById(id) {
  return byId(id, HTMLElement);
}

/** @param {string} id */
export function button(id) {
  return byId(id, HTMLButtonElement);
}

/**
 * Tells those who listen to the page: a sentence per change that matters.
 * @param {string} sentence
 */
export function announce(sentence) {
  elementById('announcer').textContent = sentence;
}
