import { goneNotice } from './shared/controls.js';
import { announce, el, elementById, fill } from './shared/dom.js';
import { mark } from './shared/marks.js';

/** Without these nothing works; the others are optional. */
const needed = ['driver', 'api'];
/** How long the driver waits for the end of a reset by default (companion services §8). */
const gateMs = 90_000;
const blockedNotice = elementById('blocked');
const seconds = elementById('blocked-seconds');
const showGone = goneNotice('npm run driver');
let untilMs = 0;
/** @type {Element | null} */
let focused = null;
/** @type {NodeListOf<HTMLButtonElement>} */
let held;

blockedNotice.prepend(mark('pause'));
setInterval(tick, 1000);

function tick() {
  seconds.textContent = String(Math.max(1, Math.ceil((untilMs - Date.now()) / 1000)));
}

/** @param {number} [ms] */
export function gateLasts(ms = gateMs) {
  untilMs = Date.now() + ms;
  tick();
}

/**
 * Dims and disables what cannot be used while a reset is under way, and says why.
 * @param {boolean} blocked
 */
export function showBlocked(blocked) {
  if (blocked !== blockedNotice.hidden) return;
  const { activeElement } = document;
  const inside = activeElement?.closest('.gated');
  blockedNotice.hidden = !blocked;
  for (const card of document.querySelectorAll('section.gated')) card.toggleAttribute('inert', blocked);
  if (blocked) held = document.querySelectorAll('.gated :is(button, input, select):enabled');
  for (const control of held) control.disabled = blocked;
  if (blocked) {
    if (untilMs < Date.now()) gateLasts();
    focused = inside ? activeElement : null;
    if (inside) blockedNotice.focus();
  } else {
    untilMs = 0;
    announce('The controls are back.');
    // Back to where the hands were, unless they have gone elsewhere meanwhile.
    const waiting = activeElement === document.body || activeElement === blockedNotice;
    if (waiting && focused instanceof HTMLElement) focused.focus();
  }
}

/**
 * @param {Fields | undefined} health `undefined` when nobody answered
 */
export function showHealth(health) {
  showGone(health === undefined);
  const chips = ['driver', 'api', 'emulator', 'fetcher'].map((name) => {
    const state = health ? String(health[name]) : name === 'driver' ? 'down' : 'unknown';
    const failed = state === 'down' && needed.includes(name);
    const shape = state === 'up' ? 'tick' : failed ? 'bad' : state === 'down' ? 'cross' : 'dash';
    return el('li', { class: `state ${shape}` }, mark(shape), el('b', {}, name), ` ${state}`);
  });
  fill(elementById('health'), ...chips);
}
