import type { ControlStreamEvent, DeploymentEvent, DeploymentEventPage } from '@shiplog/contract';
import { ProgramProcess, until } from '@shiplog/testing';
import { expect } from 'vitest';
import { type Api, bodyOf, eventsOf } from '../support/api.ts';
import { Control, typesOf } from '../support/control.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

const component = 'dashboard-fetcher';
const ackMsMax = 10_000;
/** The service waits only for this component, with a timeout longer than any test. */
const settings = { ackTimeoutSeconds: 3600, expectedComponents: [component] };

/** Starts a fetcher process that posts the deployments of an emulator to a service. */
async function startFetcher(api: Api, serviceUrl: string): Promise<void> {
  const emulator = ProgramProcess.spawn('ci-emulator', { PORT: '0', SEED_ON_STARTUP: 'false' });
  const emulatorUrl = await emulator.ready();
  const body = JSON.stringify({ dataset: 'random', count: 1 });
  const seeded = await fetch(`${emulatorUrl}/_ci/seed`, { method: 'POST', body });
  expect(seeded.status).toBe(200);
  const fetcher = ProgramProcess.spawn('fetcher', {
    ...{ PORT: '0', POLL_INTERVAL_SECONDS: '1', INITIAL_LOOKBACK: '30d' },
    ...{ DASHBOARD_API_BASE_URL: serviceUrl, API_KEY: api.keys.api, CONTROL_API_KEY: api.keys.control },
    ...{ GITHUB_BASE_URL: emulatorUrl, GITHUB_TOKEN: 'a-token', GITHUB_REPOS: 'random-org/*' },
  });
  await fetcher.ready();
}

async function eventsIn(control: Control): Promise<DeploymentEvent[]> {
  return bodyOf<DeploymentEventPage>(await control.send({ path: '/api/deployments?limit=500' })).items;
}

function rowsOf(events: readonly DeploymentEvent[]): string[] {
  return events.map(({ deployment_id, status, happened_at }) => `${deployment_id} ${status} ${happened_at}`).sort();
}

/** Whether the cursor shows that the backfill is complete. */
async function isFilled(control: Control): Promise<boolean> {
  const { status, json } = await control.getCursor('github-actions');
  if (status === 404) return false;
  const { m } = JSON.parse((json as { cursor: string }).cursor) as { m: { b?: unknown } };
  return m.b === undefined;
}

suiteOfOwnLogs('control: reset with the fetcher', (api, { testOwnInstance }) => {
  testOwnInstance(
    "§3: a reset waits for the fetcher's ack and clears its events, and the fetcher posts them again",
    async () => {
      const control = await Control.onOwnLog(api, settings);
      const stream = await control.stream();
      await startFetcher(api, control.url);
      await until(() => isFilled(control));
      const before = await eventsIn(control);
      expect(before.length).toBeGreaterThan(0);

      const { correlation_id, accepted_at } = await control.startReset();
      const frames = eventsOf<ControlStreamEvent>(await stream.take(3));
      expect(typesOf(frames)).toEqual(['reset-initiated', 'reset-started', 'reset-completed']);
      expect(new Set(frames.map((frame) => frame.correlation_id))).toEqual(new Set([correlation_id]));
      const [, started, completed] = frames;
      expect(Date.parse(started?.occurred_at ?? '') - Date.parse(accepted_at)).toBeLessThan(ackMsMax);

      const query = { component_id: component, correlation_id };
      const reports = async () =>
        (await control.list(query)).items.map(({ event_type, state }) => `${event_type} ${state}`);
      await until(async () => (await reports()).length === 2);
      expect(await reports()).toEqual(['status running', 'reset-ack paused']);

      await until(() => isFilled(control));
      const after = await eventsIn(control);
      expect(rowsOf(after)).toEqual(rowsOf(before));
      for (const { id } of after) expect(id > (completed?.id ?? '')).toBe(true);
    },
  );
});
