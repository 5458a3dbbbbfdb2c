import { announce, button, elementById, fill } from './dom.js';

/**
 * A list of the newest rows in the elements `<id>`, `<id>-empty` and `<id>-clear`; with a key they are kept for the next
 * visit. What gives no row counts as nothing. Items of one name are one row, the newest, whose `times` counts them.
 * @param {string} id
 * @param {{ max: number, render: (item: Fields) => Element | undefined, empty: Child[], key?: string,
 *   nameOf?: (item: Fields) => unknown }} options
 */
export function feedList(id, { max, render, empty, key = '', nameOf = () => '' }) {
  const list = elementById(id);
  const hint = elementById(`${id}-empty`);
  /** @type {Fields[]} */
  let items = [];
  fill(hint, ...empty);

  function keep() {
    hint.hidden = items.length > 0;
    try {
      if (key) localStorage.setItem(key, JSON.stringify(items));
    } catch {
      // Without storage, or room in it, nothing is kept.
    }
  }

  /** @param {(item: Fields, index: number) => boolean} isGone */
  function drop(isGone) {
    const rows = [...list.children];
    for (const [index, item] of items.entries()) if (isGone(item, index)) rows[index]?.remove();
    items = items.filter((item, index) => !isGone(item, index));
    keep();
  }

  /** @param {Fields} item */
  function add(item) {
    const name = nameOf(Object(item));
    const before = items.find((other) => name && nameOf(other) === name);
    const next = before ? { ...item, times: Number(before.times ?? 1) + 1 } : item;
    const row = render(Object(next));
    if (!row) return;
    list.prepend(row);
    items = [next, ...items];
    drop((other, index) => other === before || index >= max);
  }

  button(`${id}-clear`).onclick = () => {
    drop(() => true);
    announce('The list is empty.');
  };
  try {
    for (const item of JSON.parse(localStorage.getItem(key) ?? '[]')
      .slice(0, max)
      .reverse())
      add(item);
  } catch {
    // What is broken counts as nothing kept.
  }
  return { add, drop, kept: () => items };
}
