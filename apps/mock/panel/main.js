import { call } from './shared/api.js';
import { askFirst, copyable, goneNotice, onSwitch, showFault, showSwitch } from './shared/controls.js';
import { deploymentRow } from './shared/deployment-row.js';
import { announce, button, el, elementById, plain } from './shared/dom.js';
import { feedList } from './shared/feed-list.js';
import { follow } from './shared/follow.js';
import { showState } from './shared/marks.js';
import { mockPaths as paths } from './shared/paths.js';
import { poll } from './shared/poll.js';

const statusEveryMs = 5000;
/** @type {Record<string, string>} */
const sources = { 'write-api': 'posted', 'sse-emitter': 'emitted' };

const emission = button('emission-switch');
const demo = button('demo-switch');
onSwitch(emission, (body) => post(paths.switchMockEmission, 'emission-fault', { body }));
onSwitch(demo, (body) => post(paths.switchMockDemo, 'demo-fault', { body }));
askFirst(button('reset-demo'), elementById('reset-demo-question'), () =>
  post(paths.resetMockDemo, 'reset-fault', { done: 'The demo set is fresh.' }),
);
askFirst(button('reset-all'), elementById('reset-all-question'), () =>
  post(paths.resetMock, 'reset-fault', { done: 'Everything is reset.' }),
);

/**
 * @param {string} path
 * @param {string} fault id of the place for what went wrong
 * @param {{ body?: object, done?: string }} options
 */
async function post(path, fault, { body, done = '' }) {
  const reply = await call(path, { method: 'POST', body });
  showFault(elementById(fault), reply.ok ? '' : reply.message);
  if (reply.ok) announce(done);
  refresh();
}

const showGone = goneNotice('npm run mock');

const refresh = poll(async () => {
  const reply = await call(paths.getMockStatus);
  showGone(!reply.ok);
  if (!reply.ok) return statusEveryMs;
  const status = /** @type {import('@shiplog/companions').MockStatus} */ (/** @type {unknown} */ (reply.value));
  showSwitch(emission, status.emitting);
  showSwitch(demo, status.demo_enabled);
  elementById('events-count').textContent = status.event_count.toLocaleString('en');
  elementById('adapters-count').textContent = String(status.fetcher_adapters.length);
  showFault(elementById('adapters'), status.fetcher_adapters.join(', '));
  return statusEveryMs;
});

const example = {
  deployment_id: 'run-1',
  service: 'payments-api',
  environment: 'dev',
  version: '1.4.2',
  status: 'success',
  happened_at: new Date().toISOString(),
};
const address = new URL(paths.appendDeployment, location.href);
const arrivals = feedList('ingest', {
  max: 20,
  render: ({ event, source }) =>
    deploymentRow(/** @type {Fields} */ (Object(event)), sources[String(source)] ?? plain(source)),
  empty: [
    el('p', {}, 'Nothing has arrived since this page was opened. Switch emission on, or post an event:'),
    copyable(`curl -X POST ${address} -H "X-Api-Key: $API_KEY" -d '${JSON.stringify(example)}'`),
    el(
      'p',
      { class: 'small' },
      'Export the mock’s key as API_KEY first; the README names that of a mock without one of its own.',
    ),
  ],
});

follow({
  url: paths.streamIngest,
  names: ['ingest'],
  onFrame: (_name, frame) => {
    arrivals.add(frame);
    refresh();
  },
  onState: (state) => showState(elementById('live'), [state === 'live' ? 'dot' : 'run', state]),
});
