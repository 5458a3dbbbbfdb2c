import { setTimeout as delay } from 'node:timers/promises';
import { type DemoStatus, demoSet, driverEndpoints, type IngestRequest, type RunRequest } from '@shiplog/companions';
import { StartError } from '@shiplog/server';
import type { Screen } from './screen.ts';

const pollMs = 100;

interface Step {
  readonly title: string;
  readonly path: string;
  readonly body: RunRequest | IngestRequest;
}

/** A month of history for the analytics, then the current state. */
const steps: readonly Step[] = [
  { title: 'history', path: driverEndpoints.runScenario.path.replace('{name}', 'history'), body: { delay_ms: 0 } },
  { title: demoSet.name, path: driverEndpoints.startIngest.path, body: { dataset: 'demo', delay_ms: 0 } },
];

/**
 * Makes the driver post one scenario after the other, and shows the progress.
 * @throws StartError where the driver refuses.
 */
export async function fill(driverUrl: string, screen: Screen, signal: AbortSignal): Promise<void> {
  for (const { title, path, body } of steps) {
    let status = await ask(driverUrl, 'POST', path, signal, body);
    while (status.state === 'running') {
      screen.progress(`  ${title}: ${counts(status)}`);
      await delay(pollMs, undefined, { signal });
      status = await ask(driverUrl, 'GET', driverEndpoints.getDemoStatus.path, signal);
    }
    screen.line(`  ${title}: ${counts(status)}`);
  }
}

function counts({ events_sent: sent, events_total: total, errors }: DemoStatus): string {
  return `${sent} of ${total} events${errors > 0 ? `, ${errors} not taken` : ''}`;
}

async function ask(
  driverUrl: string,
  method: 'GET' | 'POST',
  path: string,
  signal: AbortSignal,
  body?: Step['body'],
): Promise<DemoStatus> {
  const answer = await fetch(`${driverUrl}${path}`, {
    method,
    signal,
    ...(body ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new StartError(`The driver answered ${answer.status} to ${method} ${path}: ${text}`);
  return JSON.parse(text) as DemoStatus;
}
