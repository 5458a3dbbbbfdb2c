import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createReporter } from '@shiplog/client';
import type { ComponentEventRecord } from '@shiplog/contract';
import { clientOf, testKeys, until } from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import type { Run } from './run.ts';

const fetcherId = 'dashboard-fetcher';
/** A component that acknowledges a reset when the test decides, so that the service waits until then. */
const holder = 'holder';

/** Settings of a service that waits for the fetcher and for `letGo`. */
export const heldReset = {
  reset: { ackTimeoutSeconds: 3600, gateMaxTtlSeconds: 60, expectedComponents: [fetcherId, holder] },
};

export interface HeldReset {
  readonly id: string;
  /** The time from accepting the reset to the fetcher's ack, by the service's clock. */
  readonly ackedAfterMs: number;
  /** The fetcher's requests to the service since the ack, except for the event stream and its own reports. */
  asked(): readonly string[];
  /** Lets the service clear its log; resolves when the fetcher resumes. */
  letGo(): Promise<void>;
}

/** Begins a reset; resolves when the fetcher has acked it. */
export async function beginReset(run: Run): Promise<HeldReset> {
  const client = clientOf(run.serviceUrl);
  const { correlation_id: id, accepted_at } = (await client.startReset()).body;
  const acked = async () => (await reportsOf(run, id)).find(({ event_type }) => event_type === 'reset-ack');
  await until(async () => (await acked()) !== undefined);
  const asked = recordAsked(run.serviceUrl);
  return {
    id,
    ackedAfterMs: Date.parse((await acked())?.received_at ?? '') - Date.parse(accepted_at),
    asked: () => asked.filter((call) => !/\/api\/control\//.test(call)),
    letGo: async () => {
      const options = { baseUrl: run.serviceUrl, apiKey: testKeys.api, componentId: holder };
      await createReporter(options).ack(id);
      await goesOn(run);
    },
  };
}

/** Resolves when the fetcher isn't in a reset. */
export function goesOn(run: Run): Promise<void> {
  return until(async () => !(await run.health()).paused_for_reset);
}

/** The fetcher's reports about a reset. */
export async function reportsOf(run: Run, id: string): Promise<ComponentEventRecord[]> {
  const query = { component_id: fetcherId, correlation_id: id };
  return (await clientOf(run.serviceUrl).listComponentEvents({ query })).body.items;
}

interface Sent {
  readonly request: {
    readonly origin: unknown;
    readonly method: string;
    readonly path: string;
    readonly headers: unknown;
  };
}

/** Records every later request of this process to a service as `METHOD /path`, except those of `run.log`. */
function recordAsked(serviceUrl: string): string[] {
  const asked: string[] = [];
  const note = (message: unknown) => {
    const { request } = message as Sent;
    if (String(request.origin) === new URL(serviceUrl).origin) asked.push(`${request.method} ${request.path}`);
  };
  subscribe('undici:request:create', note);
  onTestFinished(() => void unsubscribe('undici:request:create', note));
  return asked;
}
