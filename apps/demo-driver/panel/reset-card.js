import { askFirst, showFault } from './shared/controls.js';
import { announce, button, el, elementById, fill, plain, textOf } from './shared/dom.js';
import { mark, showState } from './shared/marks.js';
import { driverPaths as paths } from './shared/paths.js';
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

/** Whose acks the service awaits where nothing else is configured (§3). */
const awaited = ['dashboard-fetcher', 'demo-driver'];
/** As long as the service keeps reports. */
const heardMs = 2 * 3_600_000;

/**
 * Asks for a reset and shows how it goes.
 * @param {Driver} driver
 */
export function resetCard({ refresh, post }) {
  const fault = elementById('reset-fault');
  let id = '';
  let phase = '';
  let at = '';
  /** The reset that this page has seen begin: of another one it cannot know who has acked. */
  let begun = '';
  /** @type {Map<string, { at: string, acked: string | undefined }>} */
  const heard = new Map();

  askFirst(button('reset-button'), elementById('reset-question'), async () => {
    const answer = await post(paths.resetApi, fault);
    const status = textOf(answer ?? {}, 'http_status');
    if (answer?.ok === false) {
      showFault(fault, refusals[status] ?? `The service answered ${status}. Look at its log, then try again.`);
    }
    refresh();
  });

  function step(/** @type {Shape} */ shape, /** @type {Child[]} */ ...children) {
    return el('li', {}, mark(shape), el('span', {}, ...children));
  }

  /** Who has not paused yet: the awaited ones, and others that have reported lately. */
  function waiting() {
    if (phase !== 'draining' || begun !== id) return [];
    const since = Date.now() - heardMs;
    const others = [...heard].filter(([, { at }]) => Date.parse(at) > since).map(([name]) => name);
    return [...new Set([...awaited, ...others])].filter((name) => heard.get(name)?.acked !== id);
  }

  /** @param {string} name */
  function waitingFor(name) {
    const last = heard.get(name);
    const texts = awaited.includes(name) ? ['Waiting for ', plain(name)] : [plain(name), ' has not paused'];
    return step('clock', ...texts, ' · ', ...(last ? ['last report ', timeTag(last.at)] : ['no report seen']));
  }

  function render() {
    const [shape, sentence] = looks[phase] ?? ['dot', ''];
    showState(elementById('reset-state'), [shape, phase]);
    const paused = [...heard].filter(([, { acked }]) => acked === id);
    const left = waiting();
    elementById('reset-awaited').hidden = left.length === 0;
    const steps = elementById('reset-steps');
    steps.hidden = false;
    fill(
      steps,
      ...paused.map(([name]) => step('tick', plain(name), ' has paused')),
      ...left.map(waitingFor),
      step(shape, sentence, ' ', timeTag(at)),
      ...(phase === 'draining' && begun !== id
        ? [step('dash', 'Who had paused before this page was opened is not known.')]
        : []),
    );
  }

  function advance(/** @type {string} */ next, /** @type {string} */ to, /** @type {string} */ instant) {
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
      const next = textOf(frame, 'correlation_id');
      if (to === 'draining') begun = next;
      advance(next, to, textOf(frame, 'occurred_at'));
    },
    /** @param {Fields} record */
    component(record) {
      const name = textOf(record, 'component_id', 128);
      const acked = record.event_type === 'reset-ack' ? textOf(record, 'correlation_id') : heard.get(name)?.acked;
      heard.set(name, { at: textOf(record, 'received_at'), acked });
      if (heard.size > 40) heard.delete([...heard.keys()][0] ?? '');
      if (id) render();
    },
    /**
     * A page that was opened in the middle of a reset learns of it here alone.
     * @param {boolean} blocked
     * @param {string | null} correlation
     */
    show(blocked, correlation) {
      if (blocked) elementById('reset-question').hidden = true;
      if (correlation && correlation !== id) advance(correlation, 'draining', new Date().toISOString());
    },
  };
}
