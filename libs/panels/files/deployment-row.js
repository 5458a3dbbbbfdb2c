import { cut, el, plain, textOf } from './dom.js';
import { mark, statusLook } from './marks.js';
import { timeTag } from './time.js';

/**
 * A deployment event: the version first, then where it went and what became of it.
 * @param {Fields} event
 */
export function deploymentRow(event, source = '') {
  const status = textOf(event, 'status');
  if (!event.service || !status) return undefined;
  const version = textOf(event, 'version');
  const actor = plain(textOf(event, 'actor'));
  const [shape, label] = statusLook(status);
  const service = plain(textOf(event, 'service'));
  const environment = plain(textOf(event, 'environment'));
  const where = `${service} in ${environment}`;
  const address = textOf(event, 'run_url', 2048);
  const runLabel = `Run ${plain(textOf(event, 'run_number'))} of ${where}`;
  return el(
    'li',
    { class: `row ${shape}` },
    mark(shape),
    cut(version || 'no version', version ? 'version' : 'soft'),
    el(
      'span',
      { class: 'text', title: where },
      el('bdi', { class: 'what' }, service),
      ' in ',
      el('bdi', {}, environment),
      el('bdi', { class: 'soft' }, ` ${plain(label)}${actor && ` by ${actor}`}`),
    ),
    el(
      'span',
      { class: 'side soft' },
      source,
      // Any other scheme, `javascript:` above all, is not linked to.
      /^https?:\/\//i.test(address) &&
        el('a', { href: address, target: '_blank', rel: 'noreferrer', 'aria-label': runLabel }, 'Run'),
    ),
    timeTag(event.happened_at),
  );
}
