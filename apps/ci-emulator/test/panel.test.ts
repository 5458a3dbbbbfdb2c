import { expect, test } from 'vitest';
import { testEmulator } from './support/emulator.ts';

test('the panel is at /_ci/, with a content security policy that allows only files of the emulator', async () => {
  const emulator = await testEmulator();
  const { status, headers, body } = await emulator.send<string>('/_ci/');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe-');
  const loaded = [...body.matchAll(/<(?:link|script|img)\b[^>]*(?:href|src)="([^"]*)"/g)].map(([, url = '']) => url);
  for (const address of loaded) {
    const url = new URL(address, `${emulator.url}/_ci/`);
    expect(url.origin).toBe(emulator.url);
    expect((await emulator.send(url.pathname)).status, address).toBe(200);
  }
});

test('/ redirects to the panel', async () => {
  const emulator = await testEmulator();
  for (const path of ['/', '/_ci']) {
    const { status, headers } = await emulator.send(path);
    expect([status, new URL(headers.get('location') ?? '', `${emulator.url}/`).pathname]).toEqual([302, '/_ci/']);
  }
});

test('an unknown path or method of the emulator gets a problem with the allowed methods', async () => {
  const emulator = await testEmulator();
  expect((await emulator.send('/_ci/nothing')).body).toMatchObject({ type: '/problems/not-found' });
  for (const path of ['/_ci/status', '/healthz', '/docs']) {
    const { status, headers } = await emulator.send(path, { method: 'POST' });
    expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
  }
  expect(await emulator.requests()).toEqual([]);
});

test('the API page lists the control endpoints', async () => {
  const emulator = await testEmulator();
  const page = (await emulator.send<string>('/docs')).body;
  for (const path of ['/_ci/status', '/_ci/deliveries/{id}/redeliver']) expect(page).toContain(`<code>${path}</code>`);
});
