import type { DeploymentEvent } from '@shiplog/contract';
import { headerBytes } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { freshEvent, unique } from '../support/api.ts';
import { expectFaults } from '../support/refusals.ts';
import { allStatuses, parentLengthMax, parentsMax, runUrlMax, textFields, uuid7 } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

const parents = (count: number) => Array.from({ length: count }, (_, n) => `parent-${n}`);

suite('ingest', (api) => {
  test('§4: storing an event returns 201, its fields, an id and its Location', async () => {
    const event = freshEvent({
      version: '1.4.2',
      run_url: 'https://ci.example.com/runs/7421',
      run_number: '7421',
      actor: 'alice',
      ref: 'refs/heads/main',
      sha: '9f1c2ab',
      parent_deployments: ['b', 'a'],
    });
    const answer = await api.ingest(event, { 'X-Progress-Reporter': 'deploy-action/github' });
    const stored = answer.json as DeploymentEvent;
    expect(answer.status).toBe(201);
    expect(stored).toEqual({ ...event, id: stored.id, progress_reporter: 'deploy-action/github' });
    expect(answer.headers.location).toBe(`/api/deployments/${stored.id}`);
    expect((await api.get(answer.headers.location ?? '')).json).toEqual(stored);
  });

  test('reading 3.2, §1 rule 3: the response has only the sent fields and an id', async () => {
    const event = freshEvent();
    const stored = await api.append(event);
    expect(stored).toEqual({ ...event, id: stored.id });
  });

  test('reading 3.4: the id is a UUIDv7, and a later event has a greater id', async () => {
    const ids = (await api.appendAll([{}, {}, {}])).map((event) => event.id);
    for (const id of ids) expect(id).toMatch(uuid7);
    expect([...ids].sort()).toEqual(ids);
  });

  test('§1 rule 1: sending the same post twice appends two rows', async () => {
    const event = freshEvent();
    const [first, second] = [await api.append(event), await api.append(event)];
    expect(second.id).not.toBe(first.id);
    expect((await api.list({ service: event.service })).items).toEqual([second, first]);
  });

  test('§1 rule 2: rows of one deployment share its deployment_id and have separate statuses', async () => {
    const event = freshEvent({ status: 'in-progress' });
    await api.appendAll([event, { ...event, status: 'success', happened_at: '2026-05-04T09:20:00Z' }]);
    const { items } = await api.list({ deployment_id: event.deployment_id });
    expect(items.map((item) => item.status)).toEqual(['success', 'in-progress']);
  });

  test('reading 3.6: each of several concurrent posts gets its own response', async () => {
    const service = unique();
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        if (n % 3 === 0) return (await api.ingest(freshEvent({ service, version: 'x'.repeat(51) }))).status;
        const deployment_id = unique(`deployment-${n}`);
        const event = await api.append({ service, deployment_id, version: String(n) });
        expect(event).toMatchObject({ deployment_id, version: String(n) });
        expect((await api.get(`/api/deployments/${event.id}`)).json).toEqual(event);
        return 201;
      }),
    );
    expect(answers).toEqual(answers.map((_, n) => (n % 3 === 0 ? 422 : 201)));
    expect((await api.list({ service })).items).toHaveLength(40);
  });

  test.each(api.statuses)('§2 Status, §3: %s is accepted after any other status', async (status) => {
    const event = freshEvent({ status: 'success' });
    await api.append(event);
    expect((await api.append({ ...event, status })).status).toBe(status);
  });

  test.each([
    ...allStatuses.filter((status) => !api.statuses.includes(status)),
    'Success',
    'SUCCESS',
    ' success',
    'in_progress',
    'in progress',
    'canceled',
    'failed',
    '',
    'null',
  ])('§2 Status: %j is rejected as a status', async (status) => {
    expectFaults(await api.ingest({ ...freshEvent(), status }), ['/status']);
  });

  test.each(textFields)('§8, reading 1.6: %s accepts %i to %i code points', async (field, min, max) => {
    for (const character of ['x', 'ä', '\u{1f600}']) {
      const atLimit = character.repeat(max);
      const stored = await api.append({ [field]: atLimit });
      expect(stored[field]).toBe(atLimit);
      expectFaults(await api.ingest({ ...freshEvent(), [field]: `${atLimit}x` }), [`/${field}`]);
    }
    if (min === 0) expect((await api.append({ [field]: '' }))[field]).toBe('');
    else expectFaults(await api.ingest({ ...freshEvent(), [field]: '' }), [`/${field}`]);
  });

  test('reading 1.6: each combining character counts as a code point', async () => {
    expect((await api.append({ version: 'e\u0301'.repeat(25) })).version).toBe('e\u0301'.repeat(25));
    expectFaults(await api.ingest(freshEvent({ version: `${'e\u0301'.repeat(25)}e` })), ['/version']);
  });

  test.each(textFields)('reading 1.6: U+0000 or a lone surrogate in %s is rejected', async (field) => {
    const json = (text: string) => JSON.stringify(freshEvent({ [field]: '@' })).replace('"@"', `"${text}"`);
    for (const text of ['\\u0000', 'a\\u0000b', '\\ud83d', 'a\\ude00', '\\ude00\\ud83d', '\\ud83d\\ud83d\\ude00']) {
      expectFaults(await api.ingest(json(text)), [`/${field}`]);
    }
    const stored = await api.ingest(json('\\ud83d\\ude00\\u0001\\uffff'));
    expect(stored.json).toMatchObject({ [field]: '😀\u0001\uffff' });
  });

  test.each(textFields)('§2: %s is returned unchanged', async (field) => {
    const letters = `" \\ / \b\f\n\r\t ' < & \u007f\u2028\u2029\ufeff é e\u0301 Ω`;
    expect((await api.append({ [field]: letters }))[field]).toBe(letters);
  });

  test('reading 3.1: run_number is a string and is not converted to a number', async () => {
    for (const run_number of ['007', '1e3', '12345678901234567890', '#7']) {
      expect((await api.append({ run_number })).run_number).toBe(run_number);
    }
    expectFaults(await api.ingest({ ...freshEvent(), run_number: 7421 }), ['/run_number']);
  });

  test.each([
    'https://ci.example.com/runs/7421?attempt=2&x=%20#step:3',
    'http://[::1]:8080/x',
    'HTTPS://CI.EXAMPLE.COM',
    'urn:ci:run:7',
    'mailto:ci@example.com',
    'a+b-c.1://x',
    'file:///x',
  ])('reading 1.8: run_url %s is accepted as an absolute URI', async (run_url) => {
    expect((await api.append({ run_url })).run_url).toBe(run_url);
  });

  test.each([
    '',
    'ci.example.com/runs/7',
    '/runs/7',
    '//ci.example.com/runs/7',
    '?run=7',
    '#7',
    '://x',
    '1http://x/',
    'http://ci example.com/',
    'https://ci.example.com/a b',
    'https://ci.example.com/%zz',
    'https://ci.example.com/<7>',
    'https://ci.example.com/{run}',
    'https://ci.exämple.com/',
    'https://ci.example.com/\u0000',
    'https://ci.example.com/\n',
  ])('reading 1.8: run_url %j is rejected because it is not an absolute URI', async (run_url) => {
    expectFaults(await api.ingest({ ...freshEvent(), run_url }), ['/run_url']);
  });

  test('§8: run_url accepts 2048 characters', async () => {
    const run_url = 'https://ci.example.com/'.padEnd(runUrlMax, 'x');
    expect((await api.append({ run_url })).run_url).toBe(run_url);
    expectFaults(await api.ingest(freshEvent({ run_url: `${run_url}x` })), ['/run_url']);
  });

  test('§2: parent_deployments is returned as sent, in order, even if empty', async () => {
    for (const parent_deployments of [
      [],
      ['z', 'a', 'm'],
      parents(parentsMax),
      ['\u{1f600}'.repeat(parentLengthMax)],
    ]) {
      expect((await api.append({ parent_deployments })).parent_deployments).toEqual(parent_deployments);
    }
  });

  test('§1 rule 5, §2: parents need not exist, may include the deployment itself, and are never inferred', async () => {
    const event = freshEvent();
    expect((await api.append({ ...event, parent_deployments: [event.deployment_id, unique()] })).status).toBe(
      'success',
    );
    expect(await api.append(event)).not.toHaveProperty('parent_deployments');
  });

  test.each<[string, unknown[], string[]]>([
    ['33 items', parents(parentsMax + 1), ['/parent_deployments']],
    ['equal items', ['a', 'b', 'a'], ['/parent_deployments']],
    ['an empty item', ['a', ''], ['/parent_deployments/1']],
    ['an item of 201 characters', ['x'.repeat(parentLengthMax + 1)], ['/parent_deployments/0']],
    ['an item of 201 code points', ['\u{1f600}'.repeat(parentLengthMax + 1)], ['/parent_deployments/0']],
    ['an item that is a number', ['a', 7, null], ['/parent_deployments/1', '/parent_deployments/2']],
    ['an item with U+0000', ['a\u0000'], ['/parent_deployments/0']],
    ['an item with a lone surrogate', ['ok', '\ud83d'], ['/parent_deployments/1']],
    ['33 items, one of them empty', [...parents(parentsMax), ''], ['/parent_deployments', '/parent_deployments/32']],
  ])(
    'reading 3.10: parent_deployments with %s is rejected with its pointers',
    async (_, parent_deployments, pointers) => {
      expectFaults(await api.ingest({ ...freshEvent(), parent_deployments }), pointers);
    },
  );

  test.each(['a', '7', 'deploy-action/github', 'a.b-c/d/', `a${'x'.repeat(127)}`])(
    '§4, reading 3.5: X-Progress-Reporter %s is stored with the event',
    async (reporter) => {
      const event = await api.append({}, { 'X-Progress-Reporter': reporter });
      expect(event.progress_reporter).toBe(reporter);
      expect((await api.get(`/api/deployments/${event.id}`)).json).toEqual(event);
      expect((await api.list({ service: event.service })).items).toEqual([event]);
    },
  );

  test.each(['', ' ', '\t'])('reading 3.5: the X-Progress-Reporter %j counts as absent', async (reporter) => {
    const event = await api.append({}, { 'X-Progress-Reporter': reporter });
    expect(event).not.toHaveProperty('progress_reporter');
  });

  test.each<[string, string | string[]]>([
    ['129 characters', `a${'x'.repeat(128)}`],
    ['an upper case letter', 'Deploy-action/github'],
    ['a slash at the start', '/github'],
    ['a hyphen at the start', '-a'],
    ['white space inside', 'a b'],
    ['an underscore', 'a_b'],
    ['a non-ASCII letter', headerBytes('zoë')],
    ['an invalid UTF-8 byte', 'a\xff'],
    ['two lines', ['a', 'b']],
  ])('reading 3.5: an X-Progress-Reporter with %s is rejected', async (_, reporter) => {
    const event = freshEvent();
    expectFaults(await api.ingest(event, { 'X-Progress-Reporter': reporter }), ['/X-Progress-Reporter']);
    expect((await api.list({ service: event.service })).items).toEqual([]);
  });
});
