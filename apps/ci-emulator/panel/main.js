import { call } from './shared/api.js';
import { askFirst, goneNotice, onPress, onSwitch, showFault, showSwitch } from './shared/controls.js';
import { announce, button, byId, el, elementById, fill, plain } from './shared/dom.js';
import { emulatorPaths as paths } from './shared/paths.js';
import { poll } from './shared/poll.js';
import { timeTag } from './shared/time.js';

const everyMs = 2000;
const shownMax = 20;
const presets = ['outage', 'slow', 'exhausted', 'secondary', 'flaky'];
/** @type {[name: keyof import('@shiplog/companions').CiStatus, words: string][]} */
const figures = [
  ['repos', 'Repositories'],
  ['deployments', 'Deployments'],
  ['statuses', 'Statuses'],
  ['workflows', 'Workflows'],
  ['environments', 'Environments'],
];

/**
 * @param {string} path
 * @param {string} fault id of the element for what went wrong
 * @param {{ method?: string, body?: object, done?: string }} [options]
 */
async function post(path, fault, { method = 'POST', body, done = '' } = {}) {
  const reply = await call(path, { method, body });
  showFault(elementById(fault), reply.ok ? '' : reply.message);
  if (reply.ok) announce(done);
  refresh();
}

const seed = (/** @type {string} */ dataset) => () =>
  post(paths.seedCi, 'seed-fault', { body: { dataset }, done: `The dataset ${dataset} is there.` });
onPress(button('seed-demo'), seed('demo'));
onPress(button('seed-random'), seed('random'));
askFirst(button('clear'), elementById('clear-question'), () =>
  post(paths.clearCi, 'seed-fault', { done: 'Everything is dropped.' }),
);

const emission = button('emission-switch');
onSwitch(emission, (body) => post(paths.emitCi, 'emission-fault', { body }));
const emit = (/** @type {string} */ outcome) => () =>
  post(paths.emitCi, 'emission-fault', { body: { once: 1, outcome }, done: 'A deployment begins.' });
onPress(button('emit-success'), emit('success'));
onPress(button('emit-failure'), emit('failure'));

for (const preset of presets) {
  const apply = el('button', { type: 'button' }, preset);
  onPress(apply, () => post(paths.addCiFault, 'faults-fault', { body: { preset }, done: `${preset} applies.` }));
  elementById('presets').append(apply);
}
onPress(button('faults-clear'), () =>
  post(paths.deleteCiFaults, 'faults-fault', { method: 'DELETE', done: 'No fault applies.' }),
);

for (const step of elementById('clock').querySelectorAll('button')) {
  onPress(step, () => post(paths.moveCiClock, 'clock-fault', { body: { advance_ms: Number(step.dataset.ms) } }));
}
elementById('address').textContent = location.origin;

const showGone = goneNotice('npm run ci-emulator');

const refresh = poll(async () => {
  const [status, pace, clock, requests, targets, deliveries] = await Promise.all(
    [
      paths.getCiStatus,
      paths.getCiEmission,
      paths.getCiClock,
      paths.listCiRequests,
      paths.listCiWebhooks,
      paths.listCiDeliveries,
    ].map((path) => call(path)),
  );
  showGone(!status?.ok);
  if (status?.ok)
    showStatus(/** @type {import('@shiplog/companions').CiStatus} */ (/** @type {unknown} */ (status.value)));
  if (pace?.ok) showPace(pace.value);
  if (clock?.ok) elementById('clock').hidden = clock.value.clock !== 'virtual';
  if (requests?.ok) showRows('requests', lastOf(requests.value), requestRow);
  if (targets?.ok) fill(elementById('targets'), ...lastOf(targets.value).map(targetRow));
  if (deliveries?.ok) showRows('deliveries', lastOf(deliveries.value), deliveryRow);
  return everyMs;
});

/** @param {import('@shiplog/companions').CiStatus} status */
function showStatus(status) {
  const { dataset, emitting, now, rate_limit: rate, faults, requests } = status;
  elementById('now').textContent = `${now.slice(0, 19).replace('T', ' ')} UTC`;
  elementById('dataset').textContent = plain(dataset || 'empty');
  fill(
    elementById('figures'),
    ...figures.map(([name, words]) =>
      el('div', {}, el('dt', {}, words), el('dd', {}, Number(status[name]).toLocaleString('en'))),
    ),
  );
  showSwitch(emission, emitting);
  elementById('faults-active').textContent = faults === 0 ? 'None applies.' : `Rules that apply: ${faults}.`;
  elementById('request-counts').textContent =
    `${requests.total} in all, ${requests.charged} charged, ${requests.not_modified} not modified, ${requests.refused} refused`;
  const meter = byId('rate', HTMLMeterElement);
  meter.hidden = rate === null;
  if (rate === null) return;
  meter.max = rate.limit;
  meter.high = rate.limit * 0.8;
  meter.optimum = 0;
  meter.value = rate.used;
  const resets = new Date(rate.reset * 1000).toISOString().slice(11, 19);
  elementById('rate-text').textContent =
    `${rate.used} of ${rate.limit} used by the token that asked last; resets at ${resets} UTC.`;
}

/** @param {Fields} pace */
function showPace({ interval_ms, emitted }) {
  elementById('emission-pace').textContent =
    `One deployment every ${Number(interval_ms) / 1000} s while it is on; ${emitted} so far.`;
}

/**
 * The newest of a list, newest first.
 * @param {Fields} list
 * @returns {Fields[]}
 */
function lastOf({ items }) {
  return Array.isArray(items) ? items.slice(-shownMax).reverse().map(Object) : [];
}

/**
 * @param {string} name
 * @param {Fields[]} rows
 * @param {(row: Fields) => Element} show
 */
function showRows(name, rows, show) {
  elementById(`${name}-empty`).hidden = rows.length > 0;
  fill(elementById(name), ...rows.map(show));
}

/** @param {unknown} status */
function look(status) {
  return Number(status) >= 400 || status === 0 ? 'bad' : '';
}

/** @param {Fields} request */
function requestRow({ at, method, path, query, status, charged, fault }) {
  const cost = [fault && `fault ${plain(fault)}`, charged ? 'charged' : 'free'].filter(Boolean).join(', ');
  const asked = plain(`${method} ${path}${query ? `?${query}` : ''}`);
  return row(status, asked, cost, at);
}

/** @param {Fields} delivery */
function deliveryRow({ at, event, status, duration_ms, attempt }) {
  return row(status, plain(event), `${duration_ms} ms${Number(attempt) > 1 ? `, attempt ${attempt}` : ''}`, at);
}

/**
 * @param {unknown} status
 * @param {string} text
 * @param {string} cost
 * @param {unknown} at
 */
function row(status, text, cost, at) {
  const code = status === 0 ? 'none' : String(status);
  return el(
    'li',
    { class: `row asked ${look(status)}` },
    el('b', {}, code),
    el('code', {}, text),
    el('span', {}, cost),
    timeTag(at),
  );
}

/** @param {Fields} target */
function targetRow({ tool, url, mode, resting_until }) {
  const state = resting_until ? 'rests' : plain(mode);
  return el('li', { class: 'row asked' }, el('b', {}, plain(tool)), el('code', {}, plain(url)), el('span', {}, state));
}
