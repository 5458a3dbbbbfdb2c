import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@shiplog/client';
import { type DemoStatus, demoSet, driverEndpoints, type IngestRequest, type RunRequest } from '@shiplog/companions';
import { headerNames } from '@shiplog/contract';
import { eventAt, largeDataset } from '@shiplog/scenarios';
import { developmentKeys } from '@shiplog/server';
import { readJson } from './calls.ts';
import { driverName } from './programs.ts';
import type { Screen } from './screen.ts';

const pollMs = 100;
/** The number of posts in progress. The service stores posts that wait together in one batch. */
const postsAtOnce = 64;

interface Step {
  readonly title: string;
  readonly path: string;
  readonly body: RunRequest | IngestRequest;
}

/** A month of history for analytics, then the current state. */
const steps: readonly Step[] = [
  { title: 'history', path: driverEndpoints.runScenario.path.replace('{name}', 'history'), body: { delay_ms: 0 } },
  { title: demoSet.name, path: driverEndpoints.startIngest.path, body: { dataset: 'demo', delay_ms: 0 } },
];

/**
 * Makes the driver post one scenario after the other, and shows the progress.
 * @throws StartError if the driver refuses.
 */
export async function fill(driverUrl: string, screen: Screen, signal: AbortSignal): Promise<void> {
  const driver = { program: driverName, signal };
  const statusUrl = `${driverUrl}${driverEndpoints.getDemoStatus.path}`;
  for (const { title, path, body } of steps) {
    let status = await readJson<DemoStatus>({ ...driver, method: 'POST', url: `${driverUrl}${path}`, body });
    while (status.state === 'running') {
      screen.progress(`  ${title}: ${counts(status)}`);
      await delay(pollMs, undefined, { signal });
      status = await readJson<DemoStatus>({ ...driver, method: 'GET', url: statusUrl });
    }
    screen.line(`  ${title}: ${counts(status)}`);
  }
}

/**
 * Posts the large dataset to the service. The driver would post one event after the other, which takes minutes, and
 * can't post events that are ahead of the clock or have other reporters.
 * @throws CallRefused if the service refuses an event.
 */
export async function fillLarge(serviceUrl: string, screen: Screen, signal: AbortSignal): Promise<void> {
  const client = createClient({ baseUrl: serviceUrl, keys: developmentKeys });
  const dataset = largeDataset();
  const now = new Date();
  let sent = 0;
  const left = dataset.values();
  const post = async () => {
    for (const { event, reporter } of left) {
      const headers = reporter === null ? {} : { [headerNames.progressReporter]: reporter };
      await client.appendDeployment({ body: eventAt(event, now), headers, signal });
      sent += 1;
      screen.progress(`  large: ${sent} of ${dataset.length} events`);
    }
  };
  await Promise.all(Array.from({ length: postsAtOnce }, post));
  screen.line(`  large: ${sent} of ${dataset.length} events`);
}

function counts({ events_sent: sent, events_total: total, errors }: DemoStatus): string {
  return `${sent} of ${total} events${errors > 0 ? `, ${errors} refused` : ''}`;
}
