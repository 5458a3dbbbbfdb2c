import { headerBytes } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { unique } from '../support/api.ts';
import { aReport, Control } from '../support/control.ts';
import { expectFaults } from '../support/refusals.ts';
import { componentStates, knownEventTypes, uuid7 } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

const detailMax = 32_768;
const eventTypeMax = 128;
const nameMax = 128;

suite('control: component events', (api) => {
  const control = new Control(api);

  test('§4: a report returns 204 and is recorded with its fields, its sender, an id and its arrival time', async () => {
    const component_id = unique('component');
    const headers = { 'X-Component-Id': component_id, 'X-Correlation-Id': 'run 7' };
    const report = aReport({ event_type: 'error', state: 'error', detail: 'no quota', payload: { tries: 3 } });
    expect((await control.report(report, headers)).status).toBe(204);
    const [record] = (await control.list({ component_id })).items;
    expect(record).toEqual({
      ...report,
      id: expect.stringMatching(uuid7),
      component_id,
      correlation_id: 'run 7',
      received_at: expect.stringMatching(/Z$/),
    });
  });

  test('reading 7.2: a record always has correlation_id, but detail and payload only if they were sent', async () => {
    expect(Object.keys(await control.record()).sort()).toEqual([
      'component_id',
      'correlation_id',
      'event_type',
      'id',
      'occurred_at',
      'received_at',
      'state',
    ]);
    const full = await control.record({ detail: '', payload: {} }, { 'X-Correlation-Id': 'x' });
    expect(full).toMatchObject({ detail: '', payload: {}, correlation_id: 'x' });
  });

  test('§2 ComponentEventRecord: a later record has a greater id and the same or a later received_at', async () => {
    const records = [await control.record(), await control.record(), await control.record()];
    expect(records.map((record) => record.id).sort()).toEqual(records.map((record) => record.id));
    const times = records.map((record) => Date.parse(record.received_at));
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  test.each(componentStates)('reading 7.1: the state %s is recorded', async (state) => {
    expect((await control.record({ state })).state).toBe(state);
  });

  test.each(['', 'Running', 'RUNNING', ' running', 'stopped', 'draining', 7, null, ['running']])(
    'reading 7.1: the state %j is rejected',
    async (state) => {
      expectFaults(await control.report(aReport({ state })), ['/state']);
    },
  );

  test.each([...knownEventTypes, 'drain-complete', 'x', 'Ω', 'a b', '__proto__'])(
    '§9 rule 6: the event_type %s is accepted',
    async (event_type) => {
      expect((await control.record({ event_type })).event_type).toBe(event_type);
    },
  );

  test('readings 1.6 and 7.1: event_type has 1 to 128 code points, and detail has at most 32,768', async () => {
    for (const letter of ['x', '😀']) {
      const fields = { event_type: letter.repeat(eventTypeMax), detail: letter.repeat(detailMax) };
      expect(await control.record(fields)).toMatchObject(fields);
      expectFaults(
        await control.report(
          aReport({ event_type: letter.repeat(eventTypeMax + 1), detail: letter.repeat(detailMax + 1) }),
        ),
        ['/event_type', '/detail'],
      );
    }
    expectFaults(await control.report(aReport({ event_type: '' })), ['/event_type']);
  });

  test.each([
    '2026-05-04T09:12:02Z',
    '2026-05-04t09:12:02.120z',
    '2026-05-04T11:12:02.123456789+02:00',
    '2026-05-04T09:12:02-00:00',
    '2016-12-31T23:59:60Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.9999999Z',
  ])('reading 7.1: occurred_at %s is returned as posted', async (occurred_at) => {
    expect((await control.record({ occurred_at })).occurred_at).toBe(occurred_at);
  });

  test.each(['', 'now', '2026-05-04', '2026-05-04T09:12:02', '2026-02-30T09:12:02Z', '0000-01-01T00:00:00Z', 7])(
    'readings 1.7 and 7.1: occurred_at %j is rejected',
    async (occurred_at) => {
      expectFaults(await control.report(aReport({ occurred_at })), ['/occurred_at']);
    },
  );

  test.each([
    ['NUL', 'a\u0000b'],
    ['a lone high surrogate', '\ud83d'],
    ['a lone low surrogate', 'x\ude00'],
  ])('reading 1.6: %s in event_type and detail is rejected', async (_, text) => {
    const answer = await control.report(aReport({ event_type: text, detail: text }));
    expectFaults(answer, ['/event_type', '/detail']);
  });

  test('readings 1.2 and 3.2: all type errors are reported together', async () => {
    for (const value of [7, true, ['x'], { x: 1 }]) {
      const answer = await control.report({ event_type: value, state: value, detail: value, occurred_at: value });
      expectFaults(answer, ['/event_type', '/state', '/detail', '/occurred_at']);
    }
  });

  test('reading 3.2: a null detail or payload counts as absent, and a null required field is rejected', async () => {
    const record = await control.record({ detail: null, payload: null });
    expect(record).not.toHaveProperty('detail');
    expect(record).not.toHaveProperty('payload');
    const answer = await control.report({ event_type: null, state: null, detail: null, occurred_at: null });
    expectFaults(answer, ['/event_type', '/state', '/occurred_at']);
  });

  test.each([
    ['an array', [{}]],
    ['a string', '{}'],
    ['a number', 7],
    ['a boolean', true],
  ])('reading 7.1: %s is rejected as a payload', async (_, payload) => {
    expectFaults(await control.report(aReport({ payload })), ['/payload']);
  });

  test.each(['a', '0', 'a.b-c.', 'a-', '0.9', 'x'.repeat(nameMax)])(
    '§4: the X-Component-Id %s is stored as component_id',
    async (id) => {
      expect((await control.record({}, { 'X-Component-Id': id })).component_id).toBe(id);
    },
  );

  test.each([
    '',
    '.a',
    '-a',
    'A',
    'aB',
    'a_b',
    'a b',
    'a/b',
    'a,b',
    '*',
    headerBytes('é'),
    '\xff',
    'x'.repeat(nameMax + 1),
  ])('§4: the X-Component-Id %j is rejected', async (id) => {
    expectFaults(await control.report(aReport(), { 'X-Component-Id': id }), ['/X-Component-Id']);
  });

  test('§4: a report without X-Component-Id, or with two, is rejected', async () => {
    const headers = { 'X-Api-Key': api.keys.api };
    const request = { method: 'POST', path: '/api/control/events', body: JSON.stringify(aReport()) };
    expectFaults(await control.send({ ...request, headers }), ['/X-Component-Id']);
    expectFaults(await control.send({ ...request, headers: { ...headers, 'X-Component-Id': ['a', 'b'] } }), [
      '/X-Component-Id',
    ]);
  });

  test.each(knownEventTypes)('§4, reading 7.2: a %s without X-Correlation-Id is recorded with null', async (type) => {
    expect((await control.record({ event_type: type })).correlation_id).toBeNull();
    const empty = await control.record({ event_type: type }, { 'X-Correlation-Id': '' });
    expect(empty.correlation_id).toBeNull();
  });

  test.each([
    ['a token', 'run-7', 'run-7'],
    ['inner spaces and commas', 'a  b, c', 'a  b, c'],
    ['a string that looks like JSON', '{"a":"\\u0041"}', '{"a":"\\u0041"}'],
    ['a uuid in upper case', 'AAAAAAAA-0000-7000-8000-000000000000', 'AAAAAAAA-0000-7000-8000-000000000000'],
    ['the word null', 'null', 'null'],
    ['UTF-8', headerBytes('grüße-😀'), 'grüße-😀'],
    ['Latin-1', 'gr\xfc\xdfe', 'grüße'],
    ['128 characters', 'x'.repeat(nameMax), 'x'.repeat(nameMax)],
    ['128 characters of UTF-8', headerBytes('😀'.repeat(nameMax)), '😀'.repeat(nameMax)],
    ['128 characters of Latin-1', '\xe9'.repeat(nameMax), 'é'.repeat(nameMax)],
  ])('§4, reading 7.2: an X-Correlation-Id of %s is stored verbatim', async (_, sent, stored) => {
    const record = await control.record({}, { 'X-Correlation-Id': sent });
    expect(record.correlation_id).toBe(stored);
    expect((await control.list({ correlation_id: stored })).items).toContainEqual(record);
  });

  test.each([
    ['129 characters', 'x'.repeat(nameMax + 1)],
    ['129 characters of UTF-8', headerBytes('😀'.repeat(nameMax + 1))],
    ['129 characters of Latin-1', '\xe9'.repeat(nameMax + 1)],
  ])('§4: an X-Correlation-Id of %s is rejected', async (_, sent) => {
    expectFaults(await control.report(aReport(), { 'X-Correlation-Id': sent }), ['/X-Correlation-Id']);
  });

  test('reading 1.2: errors in the headers and the body are reported together', async () => {
    const headers = { 'X-Component-Id': 'BAD', 'X-Correlation-Id': 'x'.repeat(nameMax + 1) };
    expectFaults(await control.report({ event_type: 7, occurred_at: 'now', payload: [], reset_id: 'x' }, headers), [
      '/X-Component-Id',
      '/X-Correlation-Id',
      '/event_type',
      '/state',
      '/occurred_at',
      '/payload',
      '/reset_id',
    ]);
  });

  test('§2: a body with an id or a time that only the service sets is rejected', async () => {
    const identity = { component_id: 'x', correlation_id: 'x', id: 'x', received_at: 'x' };
    expectFaults(
      await control.report(aReport(identity)),
      Object.keys(identity).map((field) => `/${field}`),
    );
  });

  test('§6: a repeated report is recorded twice', async () => {
    const component_id = unique('component');
    const [report, headers] = [aReport(), { 'X-Component-Id': component_id }];
    await Promise.all(Array.from({ length: 5 }, () => control.report(report, headers)));
    const { items } = await control.list({ component_id });
    expect(new Set(items.map((item) => item.id)).size).toBe(5);
  });

  test('reading 3.6: a rejected report does not affect concurrent reports', async () => {
    const component_id = unique('component');
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const report = aReport(n % 3 === 0 ? { state: 'gone' } : { detail: String(n) });
        return (await control.report(report, { 'X-Component-Id': component_id })).status;
      }),
    );
    expect(answers).toEqual(answers.map((_, n) => (n % 3 === 0 ? 422 : 204)));
    const { items } = await control.list({ component_id });
    expect(items.map((item) => Number(item.detail)).sort((a, b) => a - b)).toEqual(
      answers.flatMap((status, n) => (status === 204 ? [n] : [])),
    );
  });
});
