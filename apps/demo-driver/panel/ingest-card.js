import { call } from './shared/api.js';
import { allow, onPress, showFault } from './shared/controls.js';
import { announce, button, byId, cut, el, elementById, fill } from './shared/dom.js';
import { showState } from './shared/marks.js';
import { driverPaths as paths } from './shared/paths.js';

/** @typedef {import('@shiplog/companions').DemoStatus} DemoStatus */

/** @type {Record<DemoStatus['state'], Look>} */
const looks = {
  idle: ['ring', 'idle'],
  running: ['run', 'running'],
  done: ['ok', 'done'],
  failed: ['bad', 'stopped early'],
  blocked: ['pause', 'blocked'],
};

/**
 * What to post; start and stop; how far it is.
 * @param {Driver} driver
 */
export function ingestCard({ refresh, post }) {
  const source = byId('ingest-source', HTMLSelectElement);
  const count = byId('ingest-count', HTMLInputElement);
  const delay = byId('ingest-delay', HTMLInputElement);
  const bar = byId('ingest-bar', HTMLProgressElement);
  const start = button('ingest-start');
  const stop = button('ingest-stop');
  const outlook = elementById('ingest-outlook');
  let before = '';
  const scenario = () => source.selectedOptions[0]?.dataset.scenario;

  source.onchange = async () => {
    count.disabled = source.value !== 'random';
    elementById('ingest-count-field').hidden = count.disabled;
    showFault(outlook, '');
    const name = scenario();
    if (name === undefined) return;
    const reply = await call(named(paths.getScenario, name));
    if (!reply.ok || name !== scenario()) return;
    const { events_refused: refused, events_total, statuses_refused } = reply.value;
    const those = [statuses_refused].flat().join(', ');
    const sentence = `${refused} of ${events_total} events will be refused: what the driver posts to takes no ${those}.`;
    showFault(outlook, refused ? sentence : '');
  };
  source.onchange(new Event('change'));

  async function send(/** @type {string} */ path, /** @type {object} */ body = {}) {
    await post(path, elementById('ingest-fault'), body);
    refresh();
  }
  const form = byId('ingest-form', HTMLFormElement);
  // The button's press does the work, also for Enter in a field.
  form.onsubmit = (event) => event.preventDefault();
  onPress(start, () => {
    if (!form.reportValidity()) return;
    const pause = delay.value && { delay_ms: delay.valueAsNumber };
    const name = scenario();
    if (name !== undefined) return send(named(paths.runScenario, name), { ...pause });
    return send(paths.startIngest, {
      dataset: source.value,
      ...(count.disabled ? {} : { count: count.valueAsNumber }),
      ...pause,
    });
  });
  onPress(stop, () => send(paths.stopIngest));
  onPress(button('ingest-back'), () => send(paths.resetDemo));

  return {
    /** @param {readonly string[]} names */
    showScenarios(names) {
      const group = elementById('ingest-scenarios');
      // The built-in one is there already, as a dataset.
      const others = names.filter((name) => name !== 'demo-set');
      fill(group, ...others.map((name) => el('option', { 'data-scenario': name }, name)));
      if (others.length === 0) group.remove();
    },
    /** @param {DemoStatus} status */
    show({ state, events_sent, events_total, errors, scenario }) {
      showState(elementById('ingest-state'), looks[state] ?? looks.idle);
      const running = state === 'running';
      allow(start, !running);
      allow(stop, running);
      bar.max = Math.max(1, events_total);
      bar.value = events_sent + errors;
      bar.className = running ? 'running' : '';
      const sent = `${events_sent} of ${events_total} sent`;
      const failed = `${errors} ${errors === 1 ? 'error' : 'errors'}`;
      fill(
        elementById('ingest-counts'),
        `${sent} · `,
        el('span', { class: errors ? 'alarm' : '' }, failed),
        ' · ',
        cut(scenario),
      );
      if (before === 'running' && !running) announce(`Ingest ${looks[state]?.[1]}: ${sent}, ${failed}`);
      before = state;
    },
  };
}

/**
 * @param {string} path
 * @param {string} name
 */
function named(path, name) {
  return path.replace('{name}', encodeURIComponent(name));
}
