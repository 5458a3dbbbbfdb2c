import { emulatorCard } from './emulator-card.js';
import { eventsFeed } from './events-feed.js';
import { followTogether } from './feeds.js';
import { ingestCard } from './ingest-card.js';
import { showRateLimit } from './rate-limits.js';
import { resetCard } from './reset-card.js';
import { call } from './shared/api.js';
import { copyable, onSwitch, showFault, showSwitch } from './shared/controls.js';
import { deploymentRow } from './shared/deployment-row.js';
import { button, el, elementById } from './shared/dom.js';
import { feedList } from './shared/feed-list.js';
import { showState } from './shared/marks.js';
import { driverPaths as paths } from './shared/paths.js';
import { poll } from './shared/poll.js';
import { gateLasts, showBlocked, showHealth } from './surroundings.js';

const calmMs = 5000;
const busyMs = 1000;

/** @type {Driver} */
const driver = {
  refresh: () => refresh(),
  async post(path, fault, body) {
    const reply = await call(path, { method: 'POST', body });
    if (reply.retryAfter) gateLasts(reply.retryAfter * 1000);
    showFault(fault, reply.ok ? '' : reply.message);
    return reply.ok ? reply.value : undefined;
  },
};
const ingest = ingestCard(driver);
const emulator = emulatorCard(driver);
const reset = resetCard(driver);
const events = eventsFeed();
for (const { kind, data } of events.kept()) if (kind === 'components') reset.component(Object(data));
const deployments = feedList('deployments', {
  max: 10,
  key: 'shiplog-driver-deployments',
  render: (event) => deploymentRow(event),
  empty: [
    el('p', {}, 'No deployment has come in yet. Press Start to post the demo set, or run:'),
    copyable(`curl -X POST ${new URL(paths.startIngest, location.href)}`),
  ],
});

const emission = button('emission-switch');
/** How often it was pressed: what was asked before a press says nothing of what came of it. */
let presses = 0;
onSwitch(emission, async (body) => {
  const answer = await driver.post(paths.switchEmission, elementById('emission-fault'), body);
  presses += 1;
  if (answer) showSwitch(emission, answer.emitting);
});

const refresh = poll(async () => {
  const pressesBefore = presses;
  const [reply, emit] = await Promise.all([call(paths.getDemoStatus), call(paths.getEmission)]);
  if (!reply.ok) return calmMs;
  const status = /** @type {import('@shiplog/companions').DemoStatus} */ (/** @type {unknown} */ (reply.value));
  const blocked = status.reset_state === 'blocked';
  if (reply.retryAfter) gateLasts(reply.retryAfter * 1000);
  ingest.show(status);
  reset.show(blocked, status.correlation_id);
  // A reset ends the emission, which may have been asked after just before.
  if (emit.ok && (blocked || presses === pressesBefore)) showSwitch(emission, emit.value.emitting === true && !blocked);
  showBlocked(blocked);
  return blocked || status.state === 'running' ? busyMs : calmMs;
});

poll(async () => {
  const reply = await call(paths.getDemoHealth);
  showHealth(reply.ok ? reply.value : undefined);
  if (reply.ok) await emulator.show(reply.value.emulator === 'up');
  return calmMs;
});

const scenarios = await call(paths.listScenarios);
if (scenarios.ok && Array.isArray(scenarios.value.items)) ingest.showScenarios(scenarios.value.items);

followTogether((news) => {
  if ('states' in news) {
    const away = Object.entries(news.states).filter(([, state]) => state !== 'live');
    const names = away.map(([feed]) => feed).join(', ');
    showState(elementById('live'), names ? ['run', `reconnecting: ${names}`] : ['dot', 'live']);
    return;
  }
  const { feed, name, data } = news;
  if (feed === 'deployments') return deployments.add(data);
  if (feed === 'components') reset.component(data);
  if (data.event_type === 'rate-limit') return showRateLimit(data);
  events.add({ kind: feed === 'posted' ? name : feed, data });
  if (feed === 'components') return;
  if (feed === 'control') reset.control(data);
  if (name === 'reset-initiated') gateLasts();
  // Ids rise with time: what came after the reset stays.
  if (name === 'reset-completed') deployments.drop(({ id }) => String(id ?? '') < String(data.id));
  refresh();
});
