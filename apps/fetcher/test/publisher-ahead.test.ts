import { TestClock } from '@shiplog/testing';
import { expect, test } from 'vitest';
import type { Change } from '../src/change.ts';
import { Publisher } from '../src/sources/publisher.ts';

test.each([
  ['2026-05-04T09:04:59Z', []],
  ['2026-05-04T09:05:00Z', [5]],
  ['2026-05-05T09:00:00Z', [1440]],
])(
  'an event dated %s is posted, with a warning if it is at least five minutes in the future',
  async (happenedAt, due) => {
    const warned: number[] = [];
    const posted: string[] = [];
    const event = { service: 'api', environment: 'prod', version: '1' };
    const publisher = new Publisher({
      source: {},
      mapping: { artifactsOf: () => [], map: () => ({ kind: 'events', events: [event] }) } as never,
      idPrefix: '',
      reporter: 'fetcher/x',
      poster: {
        settle: async (proposals) => {
          posted.push(...proposals.map((proposal) => proposal.event.happened_at));
          return proposals.map(() => 'posted');
        },
      },
      clock: new TestClock(),
      onResult: () => undefined,
      onFutureEvent: (_, minutes) => warned.push(minutes),
    });
    const change = {
      id: '1',
      status: 'success',
      at: happenedAt,
      parents: [],
      order: 0,
      identity: 'x',
      vars: {},
    };
    await publisher.publish([change as unknown as Change], new AbortController().signal);
    expect({ posted, warned }).toEqual({ posted: [happenedAt], warned: due });
  },
);
