import { type DeploymentEventIngest, statuses } from '@shiplog/contract';
import { anEvent, clientOf, postStored } from '@shiplog/testing';
import { openControl, putCursor, startReset, untilFrame } from '../../../apps/service/test/support/reset.ts';

const hourMs = 3_600_000;

/** Stores a reset, reports, a fetcher's cursor and events of all kinds in a service. */
export async function fill(url: string): Promise<void> {
  await postStored(url, anEvent());
  await completeReset(url);
  await putCursor(url);
  for (const state of ['running', 'idle', 'paused', 'error'] as const) {
    await clientOf(url).reportComponentEvent({
      headers: { 'X-Component-Id': 'dashboard-fetcher', 'X-Correlation-Id': 'Lauf 7 ü' },
      body: {
        event_type: 'heartbeat',
        state,
        occurred_at: '2026-05-04T09:12:02.5+02:00',
        detail: 'läuft 🚀',
        payload: { page: 7 },
      },
    });
  }
  await Promise.all(events().map((event) => postStored(url, event)));
  await clientOf(url).appendDeployment({
    headers: { 'X-Progress-Reporter': 'deploy-action/github' },
    body: anEvent({ happened_at: new Date(Date.now() - 30 * 24 * hourMs).toISOString() }),
  });
}

async function completeReset(url: string): Promise<void> {
  const control = await openControl(url);
  await startReset(url);
  await untilFrame(control, 'reset-completed');
  control.close();
}

/**
 * Events with all statuses in several slots over the last weeks, including late ones, with unusual names, texts and
 * times.
 */
function events(): DeploymentEventIngest[] {
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const services = ['payments-api', 'Zahlungen ü', '支払い', '🚀', `quote"back\\slash</script>`];
  return Array.from({ length: 150 }, (_, n) => {
    const happenedAt = new Date(now - ((n * 37) % 700) * hourMs).toISOString();
    return anEvent({
      deployment_id: `run-${Math.floor(n / 3)}`,
      service: services[n % services.length] ?? '',
      environment: ['dev', 'staging', 'prod'][n % 3] ?? '',
      status: statuses[n % statuses.length] ?? 'success',
      happened_at: n % 2 ? happenedAt : happenedAt.replace('Z', `${n}6789+00:00`),
      ...(n % 4 && { version: `1.${n}.0-é`, actor: ['alice', 'Bjørn', 'e\u0301ric'][n % 3] }),
      ...(n % 5 === 0 && { parent_deployments: n > 3 ? [`run-${Math.floor(n / 3) - 1}`] : [] }),
      ...(n % 7 === 0 && { run_url: `https://ci.example.com/runs/${n}?a=b#c`, run_number: `#${n}`, sha: '9f1c2ab' }),
      ...(n % 11 === 0 && { ref: '' }),
    } as DeploymentEventIngest);
  });
}
