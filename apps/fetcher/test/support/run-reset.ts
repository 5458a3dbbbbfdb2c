import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createReporter } from '@shiplog/client';
import type { ComponentEventRecord } from '@shiplog/contract';
import { clientOf, testKeys, until } from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import type { Run } from './run.ts';

const fetcherId = 'dashboard-fetcher';
/** A component that acks when a test says so, so that the service drains until then. */
const holder = 'holder';

/** Settings of a service that waits for the fetcher and for `letGo`. */
export const heldReset = {
  reset: { ackTimeoutSeconds: 3600, gateMaxTtlSeconds: 60, expectedComponents: [fetcherId, holder] },
};

export interface HeldReset {
  readonly id: string;
  /** From the acceptance to the ack of the fetcher, by the clock of the service. */
  readonly ackedAfterMs: number;
  /** What the fetcher asked the service for since the ack, the stream of frames and its own reports apart. */
  asked(): readonly string[];
  /** Lets the service clear its log; resolves when the fetcher goes on. */
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

/** Resolves when the fetcher is in no reset. */
export function goesOn(run: Run): Promise<void> {
  return until(async () => !(await run.health()).paused_for_reset);
}

/** What the fetcher reported of a reset. */
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

/** Every request of this process to a service from now on, as `METHOD /path`, those of `run.log` apart. */
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
