import { allow, askFirst, showFault } from './shared/controls.js';
import { announce, button, cut, el, fill, place, textOf } from './shared/dom.js';
import { mark, showState } from './shared/marks.js';
import { timeTag } from './shared/time.js';

/** @type {Record<string, Look>} */
const looks = {
  draining: ['run', 'Components are pausing.'],
  clearing: ['run', 'The history is being cleared.'],
  done: ['ok', 'The history was cleared.'],
  aborted: ['bad', 'Nothing was cleared. Look at the service’s log, then try again.'],
};
/** @type {Record<string, string>} */
const phases = {
  'reset-initiated': 'draining',
  'reset-started': 'clearing',
  'reset-completed': 'done',
  'reset-aborted': 'aborted',
};
/** @type {Record<string, string>} */
const refusals = {
  0: 'The service cannot be reached. Check that it runs and that WRITE_API_URL names it, then try again.',
  401: 'The service refused the control key. Check CONTROL_API_KEY of both, then try again.',
  404: 'What the driver posts to has no reset: the mock has none. Use the mock’s own panel instead.',
  409: 'Another reset is under way. Wait until it ends.',
};

/**
 * Asks for a reset and shows how it goes.
 * @param {Driver} driver
 */
export function resetCard({ refresh, post }) {
  const fault = place('reset-fault');
  let id = '';
  let phase = '';
  let at = '';
  /** @type {string[]} */
  let acked = [];

  askFirst(button('reset-button'), place('reset-question'), async () => {
    const answer = await post('api-reset', fault);
    const status = textOf(answer ?? {}, 'http_status');
    if (answer?.ok === false) {
      showFault(fault, refusals[status] ?? `The service answered ${status}. Look at its log, then try again.`);
    }
    refresh();
  });

  function render() {
    const [shape, sentence] = looks[phase] ?? ['dot', ''];
    showState(place('reset-state'), [shape, phase]);
    const steps = place('reset-steps');
    steps.hidden = false;
    fill(
      steps,
      ...acked.map((name) => el('li', {}, mark('tick'), cut(name), ' has paused')),
      el('li', {}, mark(shape), sentence, ' ', timeTag(at)),
    );
  }

  function advance(/** @type {string} */ next, /** @type {string} */ to, /** @type {string} */ instant) {
    if (next !== id) acked = [];
    id = next;
    phase = to;
    at = instant;
    announce(`Reset ${phase}. ${looks[phase]?.[1]}`);
    render();
  }

  return {
    /** @param {Fields} frame */
    control(frame) {
      const to = phases[textOf(frame, 'type')];
      if (!to) return;
      showFault(fault, '');
      advance(textOf(frame, 'correlation_id'), to, textOf(frame, 'occurred_at'));
    },
    /** @param {Fields} record */
    component(record) {
      const name = textOf(record, 'component_id', 128);
      if (record.event_type !== 'reset-ack' || !id || record.correlation_id !== id) return;
      if (acked.includes(name) || acked.length === 10) return;
      acked.push(name);
      render();
    },
    /**
     * A page that was opened in the middle of a reset learns of it here alone.
     * @param {boolean} blocked
     * @param {string | null} correlation
     */
    show(blocked, correlation) {
      allow(button('reset-button'), !blocked);
      if (blocked) place('reset-question').hidden = true;
      if (correlation && correlation !== id) advance(correlation, 'draining', new Date().toISOString());
    },
  };
}
