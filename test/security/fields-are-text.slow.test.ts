import { driverStreams, ingestStream } from '@shiplog/companions';
import { type DeploymentEventIngest, endpoints, streams } from '@shiplog/contract';
import { anEvent, RawClient, StreamReader, testDatabase, testKeys, testService } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { scenarioFolder, TestDriver } from '../../apps/demo-driver/test/support/driver.ts';
import { testMock } from '../../apps/mock/test/support/mock.ts';

/**
 * Text with special characters for browsers, terminals, headers, frames, databases and objects; at most 50 characters.
 */
const hostileTexts = {
  markup: '<script>alert(1)</script><img src=x onerror=alert>',
  'an attribute': `" onmouseover="alert(1)" x='`,
  'a forged frame': 'x\r\n\r\nid: 1\nevent: deployment\ndata: {"forged":1}\n\n',
  'every kind of line break': 'a\rb\nc\u2028d\u2029e\u0085f\u000bg',
  'a forged header': 'x\r\nSet-Cookie: a=b\r\n\r\n<html>',
  'terminal control sequences': '\u001b[2J\u001b]0;owned\u0007\u009b1A\u202e',
  SQL: `'; drop table deployments; --`,
  'a template': '{{7*7}} #{7*7} <%= 7*7 %> %s %n',
  'the name of a prototype': '__proto__',
  'the name of a method': 'constructor',
  'a path': '../../../etc/passwd',
} as const;

const frameForm = /^id: [0-9a-f-]{36}\nevent: deployment\ndata: [^\r\n]*$/;

/** An event with this text in all text fields and a URL that a browser could execute. */
function hostileEvent(text: string): DeploymentEventIngest {
  const fields = { deployment_id: text, service: text, environment: text, version: text, run_number: text };
  const run_url = `javascript:alert(1)//${encodeURIComponent(text)}`;
  return anEvent({ ...fields, actor: text, ref: text, sha: text, parent_deployments: [text], run_url });
}

/** The frames of a stream as received, without `retry` and pings. */
function rawFrames(stream: StreamReader): string[] {
  return stream.text.split('\n\n').filter((text) => text !== '' && !/^(retry:|:)/.test(text));
}

async function send(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'X-Api-Key': testKeys.api, 'X-Control-API-Key': testKeys.control, ...init.headers };
  return fetch(url, { ...init, headers });
}

/** Reads JSON and checks that no browser can interpret the response as another type. */
async function jsonOf(response: Response): Promise<unknown> {
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  return response.json();
}

const post = (url: string, event: unknown) =>
  send(`${url}${endpoints.appendDeployment.path}`, { method: 'POST', body: JSON.stringify(event) });

async function startedService(log: string[] = []): Promise<string> {
  const database = await testDatabase();
  return (await testService({ databaseUrl: database.url, log: { write: (line) => void log.push(line) } })).url;
}

describe.each([
  ['service', startedService],
  ['mock', async () => (await testMock()).url],
] as const)('on the %s', (_, start) => {
  test('event fields stay plain text in every response, and each event is one frame', async () => {
    const url = await start();
    const read = async (path: string) => jsonOf(await send(`${url}${path}`));
    const stream = await StreamReader.open({ url: `${url}${streams.deployments.path}` });
    const events: unknown[] = [];
    for (const [name, text] of Object.entries(hostileTexts)) {
      const sent = hostileEvent(text);
      const answered = await post(url, sent);
      expect(answered.status, name).toBe(201);
      const stored = (await jsonOf(answered)) as { id: string };
      events.push(stored);
      expect(stored).toEqual({ ...sent, id: stored.id });
      expect(answered.headers.get('location')).toBe(`/api/deployments/${stored.id}`);
      expect(answered.headers.has('set-cookie')).toBe(false);
      expect(await read(`/api/deployments/${stored.id}`)).toEqual(stored);
      const filter = encodeURIComponent(text);
      expect(await read(`/api/deployments?service=${filter}&environment=${filter}&deployment_id=${filter}`)).toEqual({
        items: [stored],
        next_cursor: null,
      });
      const { rows } = (await read(`/api/matrix?service=${filter}`)) as { rows: { service: string; slots: object }[] };
      const slots = rows.map((row) => [row.service, Object.entries(row.slots)]);
      expect(slots).toEqual([[text, [[text, { current: stored }]]]]);
      for (const path of ['/api/services', '/api/environments']) {
        expect(await read(path)).toMatchObject({ items: expect.arrayContaining([text]) });
      }
    }
    await stream.take(events.length);
    expect(rawFrames(stream).filter((frame) => !frameForm.test(frame))).toEqual([]);
    expect(stream.frames.map(({ data }) => JSON.parse(data))).toEqual(events);
  });

  test('a browser does not treat other responses as HTML pages, whatever their paths contain', async () => {
    const url = await start();
    for (const path of [
      '/%3Cscript%3Ealert(1)%3C/script%3E',
      `/api/deployments/<img src=x>?a="'<script>`,
      '/docs/<b>',
    ]) {
      const client = await RawClient.open(url);
      client.send(`GET ${path.replace(' ', '%20')} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      await client.closed();
      expect(client.text).toMatch(/^HTTP\/1\.1 404 /);
      expect(client.text).toMatch(/^content-type: application\/problem\+json\r$/im);
      expect(client.text).toMatch(/^x-content-type-options: nosniff\r$/im);
    }
  });

  test('the API page shows a hostile host name in its commands as text', async () => {
    const client = await RawClient.open(await start());
    client.send(`GET /docs HTTP/1.1\r\nHost: a'&b;$(c)\r\nConnection: close\r\n\r\n`);
    await client.closed();
    expect(client.text).toContain('http://a&#39;&amp;b;$(c)/');
    expect(client.text).not.toContain(`a'&b`);
  });
});

test('reports and cursors are returned as unchanged text, each report in one frame', async () => {
  const url = await startedService();
  const stream = await StreamReader.open({ url: `${url}${streams.components.path}` });
  for (const text of Object.values(hostileTexts)) {
    const report = {
      ...{ event_type: text, state: 'error', detail: text, occurred_at: '2026-05-04T09:12:02Z' },
      payload: Object.fromEntries([[text, text]]),
    };
    const { status } = await send(`${url}${endpoints.reportComponentEvent.path}`, {
      method: 'POST',
      headers: { 'X-Component-Id': 'reporter', 'X-Correlation-Id': '<b>"\u00a0\u0085' },
      body: JSON.stringify(report),
    });
    expect(status).toBe(204);
    await stream.until(({ frames }) => frames.some(({ data }) => JSON.parse(data).detail === text));
    expect(JSON.parse(stream.frames.at(-1)?.data ?? '')).toMatchObject(report);
    const cursor = `${url}/api/fetcher/state/hostile`;
    await send(cursor, { method: 'PUT', body: JSON.stringify({ cursor: text }) });
    expect(await jsonOf(await send(cursor))).toMatchObject({ cursor: text });
  }
  expect(rawFrames(stream)).toHaveLength(Object.keys(hostileTexts).length);
  const { items } = (await jsonOf(await send(`${url}/api/control/events`))) as { items: unknown[] };
  expect(items).toHaveLength(Object.keys(hostileTexts).length);
});

test('the streams of the driver and the mock have one frame per event', async () => {
  const service = await startedService();
  const mock = await testMock();
  const events = Object.values(hostileTexts).map((text) => {
    const { happened_at: _, ...fields } = hostileEvent(text);
    return { ...fields, elapsed_minutes: 0 };
  });
  const driver = await TestDriver.start({
    config: {
      neighbours: { writeApiUrl: service, emulatorUrl: service, fetcherUrl: service },
      keys: testKeys,
      scenariosDir: await scenarioFolder({ 'hostile.json': { events } }),
    },
  });
  const read = await Promise.all([
    StreamReader.open({ url: `${service}${streams.deployments.path}` }),
    StreamReader.open({ url: `${driver.url}${driverStreams.deployments.path}` }),
    driver.feed('posted'),
    mock.stream(ingestStream.path),
  ]);
  const [direct, passed, posted, ingest] = read;
  await driver.post('/demo/scenarios/hostile/run');
  for (const text of Object.values(hostileTexts)) await mock.append(hostileEvent(text));
  for (const stream of read) await stream.take(events.length);
  for (const stream of read) expect(rawFrames(stream)).toHaveLength(events.length);
  expect(rawFrames(passed)).toEqual(rawFrames(direct));
  for (const frame of rawFrames(direct)) expect(frame).toMatch(frameForm);
  for (const frame of rawFrames(posted)) expect(frame).toMatch(/^event: posted\ndata: [^\r\n]*$/);
  for (const frame of rawFrames(ingest)) expect(frame).toMatch(/^id: [0-9a-f-]{36}\nevent: ingest\ndata: [^\r\n]*$/);
});

test('a log entry is one line of JSON without values from requests', async () => {
  const lines: string[] = [];
  const url = await startedService(lines);
  for (const text of Object.values(hostileTexts)) {
    await post(url, hostileEvent(text));
    await send(`${url}/${encodeURIComponent(text)}`);
    await send(`${url}/api/deployments?status=${encodeURIComponent(text)}`);
  }
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(() => JSON.parse(line)).not.toThrow();
    expect(line).not.toMatch(/\p{Cc}./u);
    expect(line).not.toMatch(/alert|Cookie|drop table|passwd|7\*7|forged/);
  }
});
