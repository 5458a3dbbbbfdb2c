import type { DeploymentEventIngest } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { CallRefused, type Client, LogPoster } from '../src/index.ts';
import { MemoryService, never, proposal, QuickClock } from './support/memory-service.ts';

test.each([
  [{}, 'known'],
  [{ service: 'other' }, 'posted'],
  [{ environment: 'other' }, 'posted'],
  [{ status: 'cancelled' }, 'posted'],
  [{ happened_at: '2026-01-01T00:00:00.000001Z' }, 'posted'],
] as const)('a change with the identity `row` that differs in %j is %s', async (over, outcome) => {
  const poster = new LogPoster({ client: new MemoryService().client, clock: new QuickClock(), identities: ['row'] });
  const of = (fields: Partial<DeploymentEventIngest>) =>
    proposal(0, { status: 'failure', ...fields }, { identity: 'row' });
  await poster.settle([of({})], 'r/a', never);
  expect(await poster.settle([of(over)], 'r/a', never)).toEqual([outcome]);
});

describe('an attempt by a poster with options', () => {
  test('the first attempt for a new event skips the log check, and a retry checks the log', async () => {
    const service = new MemoryService();
    const stored: (string | undefined)[] = [];
    const observer = { onStored: (_: unknown, row: { id: string }) => stored.push(row.id) };
    const poster = new LogPoster({ client: service.client, clock: new QuickClock(), observer });
    expect(await poster.settle([proposal(0, {}, { isFresh: true })], 'r/a', never)).toEqual(['posted']);
    expect([service.lists, service.posts]).toEqual([0, 1]);
    service.fates.push('lost after');
    expect(await poster.settle([proposal(1, {}, { isFresh: true })], 'r/a', never)).toEqual(['known']);
    expect([service.lists, service.posts, service.rows.length]).toEqual([1, 2, 2]);
    expect(stored).toEqual(['00000001']);
  });

  test('an attempt is final when isFinal returns true, for a rejected read and a rejected post', async () => {
    const service = new MemoryService();
    const refuse = () => Promise.reject(new CallRefused('call', 404, new Headers(), undefined));
    const isFinal = ({ status }: CallRefused) => status === 404;
    for (const name of ['listDeployments', 'appendDeployment']) {
      const client = { ...service.client, [name]: refuse } as Client;
      const poster = new LogPoster({ client, clock: new QuickClock(), isFinal });
      expect(await poster.settle([proposal(0)], 'r/a', never)).toEqual(['refused']);
    }
  });
});
