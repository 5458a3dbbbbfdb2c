import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { hangs, ProgramProcess, StreamReader, sends, testKeys } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { routes, Upstream } from './support/upstream.ts';

async function spawned(environment: Readonly<Record<string, string>> = {}) {
  const upstream = await Upstream.open();
  const program = ProgramProcess.spawn('demo-driver', {
    PORT: '0',
    WRITE_API_URL: upstream.url,
    API_KEY: testKeys.api,
    CONTROL_API_KEY: testKeys.control,
    ...environment,
  });
  return { upstream, program };
}

test('the driver logs the address of its panel, serves it, and exits with 0 on SIGINT during a run', async () => {
  const { upstream, program } = await spawned();
  const url = await program.ready();
  expect(program.output).toContain(`ready: open ${url}/demo/`);
  const panel = await fetch(`${url}/demo/`);
  expect([panel.status, panel.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(panel.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
  expect((await fetch(`${url}/docs`)).status).toBe(200);
  upstream.script(routes.deployments, sends());
  const reader = await StreamReader.open({ url: `${url}/demo/deployments-stream` });
  await fetch(`${url}/demo/ingest`, { method: 'POST', body: '{"delay_ms":60000}' });
  await fetch(`${url}/demo/emit`, { method: 'POST' });
  await upstream.until(() => upstream.posts.length === 1 && upstream.reports.length === 2);
  program.child.kill('SIGINT');
  expect(await program.exited()).toBe(0);
  await reader.until(({ ended }) => ended);
  expect(upstream.reports.map((line) => line.split(' ')[1])).toEqual(['running', 'running', 'idle', 'idle']);
  expect(program.output).not.toMatch(/secret-of-/);
});

test('the driver exits with 0 on SIGTERM even while the service hangs', async () => {
  const { upstream, program } = await spawned();
  const url = await program.ready();
  upstream.script(routes.post, hangs);
  await fetch(`${url}/demo/ingest`, { method: 'POST' });
  await upstream.until(() => upstream.posts.length === 1);
  expect(await program.terminate()).toBe(0);
});

test('invalid settings prevent the start, with a sentence for each', async () => {
  const { program } = await spawned({ PORT: 'http', WRITE_API_URL: 'nowhere', COMPONENT_ID: 'not one' });
  expect(await program.exited()).toBe(1);
  expect(program.output).toMatch(/Shiplog cannot start\./);
  for (const variable of ['PORT', 'WRITE_API_URL', 'COMPONENT_ID']) {
    expect(program.output).toMatch(new RegExp(`^${variable} is .*\\.$`, 'm'));
  }
  expect(program.output).not.toMatch(/"stack"/);
});

test.each<[string, (port: number) => Record<string, string>, RegExp]>([
  ['a port in use', (port) => ({ PORT: String(port) }), /^Port \d+ on 127\.0\.0\.1 is in use/m],
  ['a missing folder', () => ({ SCENARIOS_DIR: 'nowhere' }), /^SCENARIOS_DIR is "nowhere", .*\.$/m],
])('%s prevents the start, with a sentence', async (_, environment, sentence) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { program } = await spawned(environment((taken.address() as AddressInfo).port));
  expect(await program.exited()).toBe(1);
  expect(program.output).toMatch(sentence);
  expect(program.output).not.toMatch(/"stack"/);
});
