import { setTimeout as delay } from 'node:timers/promises';
import { type DemoStatus, demoSet, driverEndpoints, type IngestRequest, type RunRequest } from '@shiplog/companions';
import { readJson } from './calls.ts';
import { driverName } from './programs.ts';
import type { Screen } from './screen.ts';

const pollMs = 100;

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

function counts({ events_sent: sent, events_total: total, errors }: DemoStatus): string {
  return `${sent} of ${total} events${errors > 0 ? `, ${errors} refused` : ''}`;
}
