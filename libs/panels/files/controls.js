import { el, elementById, fill, plain } from './dom.js';
import { mark } from './marks.js';

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
 * @param {HTMLElement} element
 * @param {string} sentence
 */
export function showFault(element, sentence) {
  element.textContent = plain(sentence);
  element.hidden = !sentence;
}

/**
 * Asks before the work. The prompt holds two buttons, yes and no, and the focus goes to it and back.
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} prompt
 * @param {() => unknown} work
 */
export function askFirst(button, prompt, work) {
  const [yes, no] = prompt.querySelectorAll('button');
  if (!yes || !no) throw new Error('a prompt needs two buttons');
  const show = (/** @type {boolean} */ open) => {
    prompt.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
    (open ? no : button).focus();
  };
  onPress(button, () => show(prompt.hidden !== false));
  onPress(no, () => show(false));
  onPress(yes, () => {
    show(false);
    return work();
  });
  prompt.onkeydown = ({ key }) => {
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

/**
 * The notice `gone` with the command that starts the program; what it returns shows or hides it.
 * @param {string} command
 */
export function goneNotice(command) {
  const notice = elementById('gone');
  notice.prepend(mark('bad'));
  notice.append(copyable(command));
  return (/** @type {boolean} */ isGone) => {
    notice.hidden = !isGone;
  };
}
