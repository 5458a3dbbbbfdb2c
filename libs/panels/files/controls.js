import { el, fill, plain } from './dom.js';

/**
 * Whether a button works. It keeps focus either way, which a disabled one would drop.
 * @param {HTMLButtonElement} button
 * @param {boolean} usable
 */
export function allow(button, usable) {
  button.setAttribute('aria-disabled', String(!usable));
}

/**
 * Runs the work at each press, one at a time.
 * @param {HTMLButtonElement} button
 * @param {() => unknown} work
 */
export function onPress(button, work) {
  let busy = false;
  button.addEventListener('click', async () => {
    if (busy || button.getAttribute('aria-disabled') === 'true') return;
    busy = true;
    await work();
    busy = false;
  });
}

/**
 * A switch shows what the program says, not what was pressed.
 * @param {HTMLButtonElement} button
 * @param {unknown} [on]
 */
export function showSwitch(button, on) {
  button.setAttribute('aria-checked', String(on === true));
  fill(button, typeof on === 'boolean' ? (on ? 'On' : 'Off') : 'Unknown', el('i'));
}

/**
 * @param {HTMLButtonElement} button
 * @param {(body: { enabled: boolean }) => unknown} turn
 */
export function onSwitch(button, turn) {
  showSwitch(button);
  onPress(button, () => turn({ enabled: button.getAttribute('aria-checked') !== 'true' }));
}

/**
 * Shows what went wrong; an empty sentence clears it.
 * @param {HTMLElement} place
 * @param {string} sentence
 */
export function showFault(place, sentence) {
  place.textContent = plain(sentence);
  place.hidden = !sentence;
}

/**
 * Asks before the work. The question holds two buttons, yes and no; focus goes along.
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} question
 * @param {() => unknown} work
 */
export function askFirst(button, question, work) {
  const [yes, no] = question.querySelectorAll('button');
  if (!yes || !no) throw new Error('a question needs two buttons');
  const show = (/** @type {boolean} */ open) => {
    question.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
    (open ? no : button).focus();
  };
  onPress(button, () => show(question.hidden !== false));
  onPress(no, () => show(false));
  onPress(yes, () => {
    show(false);
    return work();
  });
  question.onkeydown = ({ key }) => {
    if (key === 'Escape') show(false);
  };
}

/**
 * A command to run, with a button that copies it.
 * @param {string} command
 */
export function copyable(command) {
  const code = el('code', {}, command);
  const copy = el('button', { class: 'quiet' }, 'Copy');
  onPress(copy, async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = 'Copied';
    } catch {
      // The clipboard is for https and localhost only.
      getSelection()?.selectAllChildren(code);
      copy.textContent = 'Selected';
    }
  });
  return el('div', { class: 'copy' }, code, copy);
}
