import type { CiDelivery, CiTool, CiWebhook } from '@shiplog/companions';
import { until } from '@shiplog/testing';
import type { Run } from './run.ts';

const secret = 'sixteen characters at least';

/** Enables both webhooks of the fetcher. */
export const hookSettings = { GITHUB_WEBHOOK_SECRET: secret, GITLAB_WEBHOOK_TOKEN: secret };

/** Makes the emulator deliver later deployments to the fetcher; returns a function that ends this. */
export async function deliver(run: Run, tool: CiTool, mode: string): Promise<() => Promise<void>> {
  const target = {
    ...{ tool, mode, secret, url: `${run.fetcherUrl}/webhooks/${tool}` },
    events: [tool === 'github' ? 'deployment_status' : 'deployment'],
    ...(mode === 'late' && { delay_ms: 20 }),
  };
  const { items } = await run.ci<{ items: CiWebhook[] }>('/webhooks', target);
  const id = items.at(-1)?.id;
  return () => run.ci(`/webhooks/${id}`, undefined, 'DELETE');
}

/** Status deliveries that were sent, whatever their result. */
export async function deliveriesOf(run: Run): Promise<CiDelivery[]> {
  const { items } = await run.ci<{ items: CiDelivery[] }>('/deliveries');
  return items.filter(({ event }) => event !== 'ping');
}

/** Resolves when this many deliveries were sent; late ones wait in real time. */
export function delivered(run: Run, count: number): Promise<void> {
  return until(async () => (await deliveriesOf(run)).length >= count);
}
