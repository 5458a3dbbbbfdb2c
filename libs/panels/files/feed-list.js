import { announce, button, fill, place } from './dom.js';

/**
 * A list of the newest rows in the elements `<id>`, `<id>-empty` and `<id>-clear`; with a key they are kept for the next
 * visit. What gives no row counts as nothing.
 * @param {string} id
 * @param {{ max: number, render: (item: Fields) => Element | undefined, empty: Child[], key?: string }} options
 */
export function feedList(id, { max, render, empty, key = '' }) {
  const list = place(id);
  const hint = place(`${id}-empty`);
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

  /** @param {Fields} item */
  function add(item) {
    const row = render(Object(item));
    if (!row) return;
    list.prepend(row);
    items = [item, ...items].slice(0, max);
    while (list.children.length > max) list.lastChild?.remove();
    keep();
  }

  button(`${id}-clear`).onclick = () => {
    items = [];
    fill(list);
    keep();
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
  return { add };
}
