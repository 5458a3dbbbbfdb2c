import { expect, test } from 'vitest';
import { drivenUpstream } from './support/driver.ts';

test.each(['/', '/demo', '/demo?x=1'])('GET %s redirects to the panel', async (path) => {
  const { driver } = await drivenUpstream();
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await driver.call(method, path);
    expect([method, status]).toEqual([method, 302]);
    expect(new URL(headers.get('location') ?? '', `${driver.url}${path}`).href).toBe(`${driver.url}/demo/`);
  }
  const panel = await fetch(`${driver.url}${path}`);
  expect([panel.status, panel.url, await panel.text()]).toEqual([
    200,
    `${driver.url}/demo/`,
    expect.stringContaining('<title>Shiplog demo driver</title>'),
  ]);
});

test('behind a proxy with a base path, the redirect to the panel stays below that path', async () => {
  const { driver } = await drivenUpstream();
  const proxied = 'https://tools.example/driver';
  for (const path of ['/', '/demo']) {
    const { headers } = await driver.call('GET', path);
    expect(new URL(headers.get('location') ?? '', `${proxied}${path}`).href).toBe(`${proxied}/demo/`);
  }
});
