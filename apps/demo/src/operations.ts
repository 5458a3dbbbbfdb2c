import { type Client, createClient } from '@shiplog/client';
import type { HoldRequest, OutageRequest } from '@shiplog/contract';
import { developmentKeys } from '@shiplog/server';
import type { Screen } from './screen.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** An upcoming freeze, a lock and a bad version. The services are those of the demo set. */
function holdsAt(nowMs: number): HoldRequest[] {
  const at = (ms: number) => new Date(nowMs + ms).toISOString();
  return [
    {
      ...{ kind: 'freeze', services: ['*'], environments: ['prod'], reason: 'Year-end closing', by: 'Ines' },
      ...{ from: at(20 * hourMs), until: at(12 * 24 * hourMs), url: 'https://wiki.example.com/freeze' },
    },
    {
      ...{ kind: 'lock', services: ['identity-service'], environments: ['staging'] },
      ...{ until: at(2 * hourMs), reason: 'Load test', by: 'Ben' },
    },
    {
      ...{ kind: 'bad', services: ['mobile-gateway'], environments: ['*'], version: '3.3.1' },
      ...{ reason: 'Crashes on old phones', by: 'Ben' },
    },
  ];
}

/** An outage: how long after the success of its service in prod it opened, and how long it was open. */
interface Outage extends Pick<OutageRequest, 'outage_id' | 'title' | 'severity' | 'caused_by'> {
  readonly service: string;
  readonly afterMinutes: number;
  readonly minutes: number | undefined;
}

const outages: readonly Outage[] = [
  {
    ...{ outage_id: 'INC-2038', title: 'Payments are declined', severity: 'high', service: 'payments-api' },
    ...{ afterMinutes: 3, minutes: 38, caused_by: { service: 'payments-api', version: '2.9.4' } },
  },
  {
    ...{ outage_id: 'INC-2041', title: 'Checkout is slow', severity: 'low', service: 'checkout-api' },
    ...{ afterMinutes: 6, minutes: undefined },
  },
];

/** Posts holds and outages, so that the demo shows what people and tools other than pipelines report. */
export async function postOperations(serviceUrl: string, screen: Screen, signal: AbortSignal): Promise<void> {
  const client = createClient({ baseUrl: serviceUrl, keys: developmentKeys });
  const holds = holdsAt(Date.now());
  for (const body of holds) await client.makeHold({ body, signal });
  for (const outage of outages) await postOutage(client, outage, signal);
  screen.line(`  operations: ${holds.length} holds, ${outages.length} outages`);
}

async function postOutage(client: Client, { service, afterMinutes, minutes, ...told }: Outage, signal: AbortSignal) {
  const query = { service, environment: 'prod', status: 'success' as const, limit: 1 };
  const [success] = (await client.listDeployments({ query, signal })).body.items;
  const openedMs = Math.min(Date.now(), Date.parse(success?.happened_at ?? '') + afterMinutes * minuteMs);
  const post = (state: OutageRequest['state'], ms: number) =>
    client.appendOutage({
      body: {
        ...{ source: 'pager', state, happened_at: new Date(ms).toISOString() },
        ...{ services: [service], environments: ['prod'], ...told },
      },
      signal,
    });
  await post('opened', openedMs);
  if (minutes !== undefined) await post('resolved', openedMs + minutes * minuteMs);
}
