import type { ControlStreamEvent } from '@shiplog/contract';
import { expect } from 'vitest';
import { type Api, eventsOf } from '../support/api.ts';
import { aReport, Control, typesOf } from '../support/control.ts';
import { nil } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

const ackTimeoutMs = 1000;
const hourMs = 3_600_000;

interface Drain {
  /** The time from the acceptance of a reset to `reset-started`, by the clock of the service. */
  readonly waitedMs: number;
  readonly types: readonly string[];
}

/** Resets a separate log, sends reports while the reset drains, and returns how long the reset waited for acks. */
async function drain(
  api: Api,
  settings: { readonly expected: readonly string[]; readonly timeoutMs: number },
  report: (control: Control, correlationId: string) => Promise<unknown>,
): Promise<Drain> {
  const control = await Control.onOwnLog(api, {
    ackTimeoutSeconds: settings.timeoutMs / 1000,
    expectedComponents: settings.expected,
  });
  const stream = await control.stream();
  const { correlation_id, accepted_at } = await control.startReset();
  await report(control, correlation_id);
  const frames = eventsOf<ControlStreamEvent>(await stream.take(3));
  const waitedMs = Date.parse(frames[1]?.occurred_at ?? '') - Date.parse(accepted_at);
  return { waitedMs, types: typesOf(frames) };
}

const whole = ['reset-initiated', 'reset-started', 'reset-completed'];

suite('control: reset acks', (api, { testOwnInstance }) => {
  /** Starts a drain that ends only when all acks arrive. Its timeout is much longer than the test's. */
  const endsByAcks = async (expected: readonly string[], acks: (control: Control, id: string) => Promise<unknown>) => {
    const { types, waitedMs } = await drain(api, { expected, timeoutMs: hourMs }, acks);
    expect(types).toEqual(whole);
    expect(waitedMs).toBeLessThan(hourMs);
  };

  /** A drain that these reports must not end early, although the service checks on every ack from another component. */
  const endsByTime = async (expected: readonly string[], acks: (control: Control, id: string) => Promise<unknown>) => {
    const { types, waitedMs } = await drain(api, { expected, timeoutMs: ackTimeoutMs }, async (control, id) => {
      await acks(control, id);
      await control.ack('somebody-else', id);
    });
    expect(types).toEqual(whole);
    expect(waitedMs).toBeGreaterThanOrEqual(ackTimeoutMs);
  };

  testOwnInstance('§3: a reset starts when all expected components have acked', async () => {
    await endsByAcks(['one', 'two'], async (control, id) => {
      await control.ack('two', id);
      await control.ack('one', id);
    });
  });

  testOwnInstance('§3: without acks, a reset starts after the ack timeout', async () => {
    await endsByTime(['one'], () => Promise.resolve());
  });

  testOwnInstance('reading 7.4: with a timeout of 0, or no expected components, a reset does not wait', async () => {
    const nothing = () => Promise.resolve();
    for (const [expected, timeoutMs] of [
      [['one'], 0],
      [[], hourMs],
    ] as const) {
      expect((await drain(api, { expected, timeoutMs }, nothing)).types).toEqual(whole);
    }
  });

  testOwnInstance(
    '§3, reading 7.4: a reset waits for all acks, and each counts once and only for its exact component id',
    async () => {
      await endsByTime(['one', 'one.two', 'three'], async (control, id) => {
        for (const component of ['three', 'one', 'one', 'one', 'two', 'one-two', 'one.tw', 'one.two.three']) {
          await control.ack(component, id);
        }
      });
    },
  );

  testOwnInstance('§4: an ack with a missing or different correlation id is recorded but does not count', async () => {
    await endsByTime(['one'], async (control, id) => {
      const others = [nil, 'no-uuid', `${id} `.repeat(2).trim(), id.slice(0, -1), `${id}0`, `{${id}}`, '*'];
      for (const other of others) {
        expect((await control.ack('one', other)).correlation_id).toBe(other);
      }
      // The body has no reset id.
      for (const fields of [{}, { payload: { correlation_id: id } }, { detail: id }]) {
        const ack = { event_type: 'reset-ack', state: 'paused', ...fields };
        expect((await control.record(ack, { 'X-Component-Id': 'one' })).correlation_id).toBeNull();
      }
    });
  });

  testOwnInstance('reading 7.4: an ack counts in any state', async () => {
    const states = ['paused', 'running', 'idle', 'error'];
    await endsByAcks(states, async (control, id) => {
      for (const state of states) expect((await control.ack(state, id, { state })).state).toBe(state);
    });
  });

  testOwnInstance('§2: only a report of the type reset-ack counts as an ack', async () => {
    await endsByTime(['one'], async (control, id) => {
      for (const event_type of ['status', 'heartbeat', 'error', 'rate-limit', 'Reset-Ack', 'reset-ack ']) {
        expect((await control.ack('one', id, { event_type })).event_type).toBe(event_type);
      }
    });
  });

  testOwnInstance('§4: a refused ack does not count', async () => {
    await endsByTime(['one'], async (control, id) => {
      const headers = { 'X-Component-Id': 'one', 'X-Correlation-Id': id };
      const ack = { event_type: 'reset-ack', state: 'paused' };
      expect((await control.report(aReport({ ...ack, colour: 'red' }), headers)).status).toBe(422);
      const large = aReport({ ...ack, payload: { text: 'x'.repeat(9000) } });
      expect((await control.report(large, headers)).status).toBe(413);
      expect((await control.report(aReport(ack), { ...headers, 'X-Api-Key': 'wrong' })).status).toBe(401);
    });
  });

  testOwnInstance('§3: an ack of the previous reset does not count for the next', async () => {
    const control = await Control.onOwnLog(api, { ackTimeoutSeconds: 1, expectedComponents: ['one'] });
    const stream = await control.stream();
    const first = await control.startReset();
    await control.ack('one', first.correlation_id);
    await stream.take(3);
    const second = await control.startReset();
    await control.ack('one', first.correlation_id);
    const frames = eventsOf<ControlStreamEvent>(await stream.take(6));
    const waitedMs = Date.parse(frames[4]?.occurred_at ?? '') - Date.parse(second.accepted_at);
    expect(waitedMs).toBeGreaterThanOrEqual(ackTimeoutMs);
  });

  testOwnInstance('§4: a correct ack counts after incorrect ones', async () => {
    await endsByAcks(['one'], async (control, id) => {
      await control.ack('one', nil);
      await control.ack('one', id, { state: 'running' });
      await control.ack('two', id);
      await control.ack('one', id, { payload: { done: true }, detail: 'drained' });
    });
  });

  testOwnInstance('§1 rule 7: acks to any instance count', async () => {
    await endsByAcks(['one', 'two'], async (control, id) => {
      const other = await control.beside();
      await other.ack('one', id);
      await control.ack('two', id);
    });
  });

  testOwnInstance('§4: an ack after the reset is still recorded', async () => {
    const control = await Control.onOwnLog(api);
    const [initiated] = await control.reset();
    const record = await control.ack('late', initiated?.id ?? '');
    expect(record).toMatchObject({ event_type: 'reset-ack', correlation_id: initiated?.id });
    await control.reset();
  });
});
