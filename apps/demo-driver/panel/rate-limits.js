import { el, elementById, fill, plain, textOf } from './shared/dom.js';
import { timeTag } from './shared/time.js';

/** More than any installation has: what comes beyond is not shown. */
const adaptersMax = 12;
/** @type {Map<string, Element>} */
const cards = new Map();

/**
 * The newest report of each adapter.
 * @param {Fields} record a component event of the type `rate-limit`
 */
export function showRateLimit({ payload, state, received_at }) {
  const report = /** @type {Fields} */ (Object(payload));
  const adapter = plain(textOf(report, 'adapter', 128));
  if (!adapter) return;
  if (cards.size === adaptersMax && !cards.has(adapter)) return;
  elementById('limits-empty').hidden = true;
  const card = cards.get(adapter) ?? el('section', { class: 'limit', 'aria-label': `Rate limit of ${adapter}` });
  if (!cards.has(adapter)) elementById('limits').append(card);
  cards.set(adapter, card);

  const { own_used: used, own_budget: budget, ci_remaining: remaining, ci_limit: limit } = report;
  const text = (/** @type {unknown} */ count) => (typeof count === 'number' ? count.toLocaleString('en') : 'unknown');
  const share = (/** @type {unknown} */ part, /** @type {unknown} */ whole) =>
    `${text(part)} of ${text(whole)}`.replace('unknown of unknown', 'unknown');
  const fact = (/** @type {string} */ name, /** @type {Child} */ value) => [el('dt', {}, name), el('dd', {}, value)];
  fill(
    card,
    el('h3', {}, adapter, state === 'paused' && ' · paused'),
    typeof used === 'number' &&
      typeof budget === 'number' &&
      budget > 0 &&
      el('meter', {
        'aria-label': `Used of the budget of ${adapter}`,
        max: budget,
        high: budget * 0.9,
        optimum: 0,
        value: used,
      }),
    el(
      'dl',
      { class: 'facts' },
      ...fact('Used of budget', share(used, budget)),
      ...fact('Remaining of limit', share(remaining, limit)),
      ...fact('Resets', timeTag(report.reset_at)),
      ...fact('Reported', timeTag(received_at)),
    ),
  );
}
