import type { DeploymentEventIngest, Status } from '@shiplog/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallRefused, type Client, LogPoster, PostingDenied } from '../src/index.ts';
import { SlotQueue } from '../src/slot-queue.ts';
import { type Fate, MemoryService, never, proposal, QuickClock, turn } from './support/memory-service.ts';

describe('a change that is already in the log', () => {
  test("the poster reads a deployment's rows once, page by page, and doesn't post known changes again", async () => {
    const service = new MemoryService(2);
    const first = new LogPoster({ client: service.client, clock: new QuickClock() });
    const five = [0, 3, 6, 9, 12].map((n) => proposal(n));
    expect(await first.settle(five, 'r/a', never)).toEqual(Array(5).fill('posted'));
    expect(service.lists).toBe(1);
    const second = new LogPoster({ client: service.client, clock: new QuickClock() });
    expect(await second.settle(five, 'r/a', never)).toEqual(Array(5).fill('known'));
    expect([service.lists, service.posts]).toEqual([4, 5]);
  });

  test('the poster recognizes a known change in any time format, with microsecond precision', async () => {
    const service = new MemoryService();
    const poster = new LogPoster({ client: service.client, clock: new QuickClock() });
    const at = (happened_at: string) => proposal(0, { happened_at });
    const spellings = ['2026-01-01T10:00:00Z', '2026-01-01T12:00:00.000000+02:00', '2026-01-01T10:00:00.0000001Z'];
    expect(await poster.settle(spellings.map(at), 'r/a', never)).toEqual(['posted', 'known', 'known']);
    expect(await poster.settle([at('2026-01-01T10:00:00.000001Z')], 'r/a', never)).toEqual(['posted']);
  });

  test.each<[Status, Status, 'posted' | 'known']>([
    ['failure', 'cancelled', 'known'],
    ['cancelled', 'rejected', 'known'],
    ['rejected', 'failure', 'known'],
    ['success', 'failure', 'posted'],
    ['queued', 'pending', 'posted'],
  ])('after %s, a change to %s at the same time is %s', async (stored, status, outcome) => {
    const poster = new LogPoster({ client: new MemoryService().client, clock: new QuickClock() });
    await poster.settle([proposal(0, { status: stored })], 'r/a', never);
    expect(await poster.settle([proposal(0, { status })], 'r/a', never)).toEqual([outcome]);
  });

  test('the poster recognizes a known change with the identity `status` even if its time differs', async () => {
    const poster = new LogPoster({ client: new MemoryService().client, clock: new QuickClock() });
    await poster.settle([proposal(0, { status: 'failure' })], 'r/a', never);
    const later = proposal(3, { status: 'cancelled' });
    expect(await poster.settle([{ ...later, identity: 'status' }], 'r/a', never)).toEqual(['known']);
    expect(await poster.settle([later], 'r/a', never)).toEqual(['posted']);
  });
});

describe('an attempt to post', () => {
  test.each<[Fate, number[]]>([
    ['lost after', [5000]],
    ['down after', [5000]],
    ['lost before', [5000]],
    ['away', [7000]],
  ])(
    'after an attempt with the outcome "%s", the poster waits and reads the log before the next attempt',
    async (fate, slept) => {
      const service = new MemoryService();
      const clock = new QuickClock();
      const unknown: DeploymentEventIngest[] = [];
      const observer = { onUnknownOutcome: (event: DeploymentEventIngest) => unknown.push(event) };
      const poster = new LogPoster({ client: service.client, clock, observer });
      service.fates.push(fate);
      const wanted = proposal(0);
      const stored = fate.endsWith('after');
      expect(await poster.settle([wanted], 'r/a', never)).toEqual([stored ? 'known' : 'posted']);
      expect(service.rows).toHaveLength(1);
      expect([service.lists, service.posts]).toEqual([2, stored ? 1 : 2]);
      expect(clock.slept).toEqual(slept);
      expect(unknown).toEqual([wanted.event]);
    },
  );

  test('each attempt doubles the delay up to one minute, with 20% jitter', async () => {
    const service = new MemoryService();
    const clock = new QuickClock();
    const poster = new LogPoster({ client: service.client, clock, random: () => 1 });
    service.fates.push(...Array<Fate>(6).fill('lost before'));
    await poster.settle([proposal(0)], 'r/a', never);
    expect(clock.slept).toEqual([5000, 12_000, 24_000, 48_000, 72_000, 72_000]);
  });

  test('a change with invalid content is reported as rejected and not posted again by this process', async () => {
    const service = new MemoryService();
    const refused: number[] = [];
    const observer = { onRefused: ({ status }: { status: number }) => refused.push(status) };
    const poster = new LogPoster({ client: service.client, clock: new QuickClock(), observer });
    service.fates.push('refused');
    expect(await poster.settle([proposal(0), proposal(2)], 'r/a', never)).toEqual(['refused', 'posted']);
    expect(await poster.settle([proposal(0)], 'r/a', never)).toEqual(['known']);
    expect(refused).toEqual([422]);
    expect(service.posts).toBe(2);
  });

  test.each<[number, 'refused' | 'posted', number]>([
    [413, 'refused', 0],
    [422, 'refused', 0],
    [409, 'posted', 0],
    [499, 'posted', 0],
    [500, 'posted', 1],
  ])('a change whose post returns %i is finally %s, after %i unknown outcomes', async (status, outcome, unknown) => {
    const service = new MemoryService();
    const answers = [new CallRefused('post', status, new Headers(), undefined)];
    const { appendDeployment } = service.client;
    const client: Client = {
      ...service.client,
      appendDeployment: (input) => {
        const answer = answers.pop();
        return answer ? Promise.reject(answer) : appendDeployment(input);
      },
    };
    const told: DeploymentEventIngest[] = [];
    const observer = { onUnknownOutcome: (event: DeploymentEventIngest) => told.push(event) };
    const poster = new LogPoster({ client, clock: new QuickClock(), observer });
    expect(await poster.settle([proposal(0)], 'r/a', never)).toEqual([outcome]);
    expect(told).toHaveLength(unknown);
  });

  test('a rejected key stops posting until `allow` is called', async () => {
    const service = new MemoryService();
    const denied = {
      ...service.client,
      appendDeployment: async () => {
        service.posts += 1;
        throw new CallRefused('post', 401, new Headers(), undefined);
      },
    };
    const poster = new LogPoster({ client: denied as Client, clock: new QuickClock() });
    const both = [proposal(0), proposal(2)];
    await expect(poster.settle(both, 'r/a', never)).rejects.toThrow(PostingDenied);
    await expect(poster.settle(both, 'r/a', never)).rejects.toThrow(PostingDenied);
    expect(service.posts).toBe(1);
    poster.allow();
    await expect(poster.settle(both, 'r/a', never)).rejects.toThrow(PostingDenied);
    expect(service.posts).toBe(2);
  });
});

describe('stopping the poster', () => {
  test('a stop lets the current post finish and starts no other', async () => {
    const service = new MemoryService();
    const poster = new LogPoster({
      client: service.client,
      clock: { now: () => new Date(), sleep: () => new Promise(() => undefined) },
    });
    const stopping = new AbortController();
    service.hold();
    const settled = poster.settle([proposal(0), proposal(2)], 'r/a', stopping.signal);
    const outcome = expect(settled).rejects.toThrow('stopped');
    while (service.posts < 1) await turn();
    stopping.abort(new Error('stopped'));
    const drained = poster.drained(3000);
    service.release();
    await drained;
    await outcome;
    expect(service.rows).toHaveLength(1);
    expect(service.posts).toBe(1);
  });

  test('a stop during a read of the log prevents the next post', async () => {
    const service = new MemoryService();
    const poster = new LogPoster({ client: service.client, clock: new QuickClock() });
    const stopping = new AbortController();
    const settled = poster.settle([proposal(0)], 'r/a', stopping.signal);
    const outcome = expect(settled).rejects.toThrow('stopped');
    while (service.lists < 1) await Promise.resolve();
    stopping.abort(new Error('stopped'));
    await outcome;
    expect(service.posts).toBe(0);
  });

  test('a stop aborts a post that hangs, and a later read of the log shows whether the event was stored', async () => {
    const service = new MemoryService();
    const poster = new LogPoster({ client: service.client, clock: new QuickClock() });
    const stopping = new AbortController();
    service.hold();
    const settled = poster.settle([proposal(0)], 'r/a', stopping.signal);
    const outcome = expect(settled).rejects.toThrow('stopped');
    while (service.posts < 1) await turn();
    stopping.abort(new Error('stopped'));
    await poster.drained(3000);
    await outcome;
    service.release();
    expect(await poster.settle([proposal(0)], 'r/a', never)).toEqual(['posted']);
    expect(service.rows).toHaveLength(1);
  });
});

test('a row stored while its deployment is being read is in the cache afterwards', async () => {
  const service = new MemoryService();
  const poster = new LogPoster({ client: service.client, clock: new QuickClock() });
  const [lost, stored] = [proposal(0, { service: 'a' }), proposal(3, { service: 'b' })];
  service.hold();
  const settled = [poster.settle([lost], 'r/a', never), poster.settle([stored], 'r/a', never)];
  while (service.held < 2) await turn();
  service.fates.push('lost before');
  service.releaseOne();
  // The second read doesn't return the row of the other post; the lost event is posted again.
  while (service.held < 2) await turn();
  service.release();
  await Promise.all(settled);
  expect(await poster.settle([lost, stored], 'r/a', never)).toEqual(['known', 'known']);
  expect(service.rows).toHaveLength(2);
});

test('slots take turns in posting', async () => {
  const queue = new SlotQueue(1);
  const ran: string[] = [];
  await new Promise<void>((resolve) => {
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) {
      queue.add({
        slot: name.slice(0, 1),
        before: () => false,
        run: async () => {
          if (ran.push(name) === 5) resolve();
        },
      });
    }
  });
  expect(ran).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

test('changes of a slot are posted by time and then by `order`, across deployments', async () => {
  const service = new MemoryService();
  const poster = new LogPoster({ client: service.client, clock: new QuickClock() });
  const at = '2026-01-01T10:00:00Z';
  const changes = [
    proposal(4, { service: 's', happened_at: at, ref: 'second' }, { order: 2 }),
    proposal(5, { service: 's', happened_at: '2026-01-01T10:00:00.1Z', ref: 'third' }),
    proposal(6, { service: 's', happened_at: at, ref: 'first', status: 'queued' }, { order: 1 }),
  ];
  await poster.settle(changes, 'r/a', never);
  expect(service.rows.map(({ ref }) => ref)).toEqual(['first', 'second', 'third']);
});

test.each(['service', 'environment'])(
  'eight slots with different %s are posted in parallel, and a waiting slot does not delay others',
  async (field) => {
    const service = new MemoryService();
    const poster = new LogPoster({ client: service.client, clock: new QuickClock() });
    service.hold();
    const changes = Array.from({ length: 20 }, (_, n) =>
      proposal(n, { deployment_id: `d-${n}`, service: 's', [field]: `x-${n}` }),
    );
    const settled = poster.settle(changes, 'r/a', never);
    for (let n = 0; n < 20; n++) await turn();
    expect(service.posts).toBe(8);
    service.release();
    await settled;
    expect(service.rows).toHaveLength(20);
  },
);

const fate = fc.constantFrom<Fate>('stored', 'stored', 'away', 'lost before', 'lost after', 'down after');

test("the log has each change once, and each slot's changes in order, whatever calls fail", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.nat(25), { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 }),
      fc.array(fate, { maxLength: 40 }),
      fc.array(fc.constantFrom('answered' as const, 'away' as const), { maxLength: 20 }),
      fc.constantFrom(2, 500),
      fc.boolean(),
      async (rounds, fates, listFates, pageRows, restarts) => {
        const service = new MemoryService(pageRows);
        service.fates.push(...fates);
        service.listFates.push(...listFates);
        let poster = new LogPoster({ client: service.client, clock: new QuickClock() });
        for (const round of rounds) {
          if (restarts) poster = new LogPoster({ client: service.client, clock: new QuickClock() });
          // Both rounds run concurrently, like a poll and a webhook.
          const both = [round, round.toReversed()];
          await Promise.all(
            both.map((numbers) =>
              poster.settle(
                numbers.map((n) => proposal(n)),
                'r/a',
                never,
              ),
            ),
          );
        }
        const wanted = new Set(rounds.flat().map((n) => proposal(n).event.happened_at));
        expect(service.rows.map(({ happened_at }) => happened_at).sort()).toEqual([...wanted].sort());
      },
    ),
    { numRuns: 200 },
  );
});
