import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ProgramProcess, StreamReader } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';

test('the mock logs its address, accepts the documented key, ends cleanly on SIGTERM, and starts empty again', async () => {
  const mock = ProgramProcess.spawn('mock', { PORT: '0' });
  const url = await mock.ready();
  expect(mock.output).toContain(`ready: open ${url}`);
  const stream = await StreamReader.open({ url: `${url}/_mock/stream` });
  const body =
    '{"deployment_id":"a","service":"a","environment":"dev","status":"success","happened_at":"2026-05-04T09:12:02Z"}';
  const answer = await fetch(`${url}/api/deployments`, {
    method: 'POST',
    headers: { 'X-Api-Key': 'dev-api-key' },
    body,
  });
  expect(answer.status).toBe(201);
  await stream.take(1);
  await fetch(`${url}/_mock/demo`, { method: 'POST', body: '{"enabled":false}' });
  expect(await mock.terminate()).toBe(0);
  await stream.until(({ ended }) => ended);
  expect(mock.output).not.toMatch(/dev-api-key|"level":(50|60)/);
  const next = ProgramProcess.spawn('mock', { PORT: '0' });
  const status = await fetch(`${await next.ready()}/_mock/status`);
  expect(await status.json()).toMatchObject({ demo_enabled: true, event_count: 47 });
});

test('invalid settings and a port in use each prevent the start with a sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  for (const [environment, sentences] of [
    [{ PORT: 'x', LOG_LEVEL: 'loud' }, [/^PORT is "x"/m, /^LOG_LEVEL is "loud"/m]],
    [{ PORT: String(port) }, [/^Port \d+ on 127\.0\.0\.1 is in use by another program\. .*\.$/m]],
  ] as const) {
    const mock = ProgramProcess.spawn('mock', environment);
    expect(await mock.exited()).toBe(1);
    for (const sentence of sentences) expect(mock.output).toMatch(sentence);
    expect(mock.output).not.toMatch(/"stack"|\n\s+at /);
  }
});
