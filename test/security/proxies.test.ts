import { answers, RawClient, sends } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { drivenUpstream } from '../../apps/demo-driver/test/support/driver.ts';
import { routes, Upstream } from '../../apps/demo-driver/test/support/upstream.ts';

/** The only targets to which the driver forwards browser calls: the emulator and the deployment stream. */
const targets = [
  ...['GET /_ci/status', 'POST /_ci/seed', 'POST /_ci/clear', 'GET /_ci/emit', 'POST /_ci/emit'],
  routes.deployments,
];
/** The calls that the driver makes on its own. */
const ownCalls = [routes.control, routes.components, 'GET /healthz', 'GET /health'];

/** Request lines that try to divert the driver's proxy or file server to another host, `{evil}`. */
const detours = [
  'GET /demo/ci/status/../../evil',
  'GET /demo/ci/../ci/status',
  'GET /demo/ci/status/../../../_ci/reset',
  'GET /demo/ci//status',
  'GET /demo/ci/%2e%2e/%2e%2e/evil',
  'GET /demo/ci/status%2f..%2f..%2fevil',
  'GET /demo/ci/status;@{evil}/',
  'GET /demo/ci/status@{evil}/',
  'GET /demo/ci/status?url=http://{evil}/&target=//{evil}/',
  'GET /demo/ci/status#@{evil}/',
  'GET /demo/ci/{evil}',
  'GET //{evil}/demo/ci/status',
  'GET http://{evil}/demo/ci/status',
  'GET http://{evil}@127.0.0.1/demo/ci/emit',
  'GET http://{evil}/',
  'CONNECT {evil}',
  'POST /demo/ci/seed?path=/../evil',
  'POST /demo/ci/reset',
  'POST /_ci/reset',
  'GET /demo/deployments-stream?service=../../evil&last_event_id=http://{evil}/',
  'GET /demo/deployments-stream?service=a%0d%0aHost:%20{evil}%0d%0a%0d%0aGET%20/evil',
  'GET /demo/deployments-stream?service=a%26component%3dx%23',
  'GET /demo/deployments-stream/../../api/control/stream',
  'GET /demo/../package.json',
  'GET /demo/..%2fpackage.json',
  'GET /demo/%2e%2e/package.json',
  'GET /demo/assets/..%2f..%2f..%2fpackage.json',
  'GET /demo/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  'GET /demo/..\\..\\package.json',
  'GET /demo//etc/passwd',
  'POST /demo/scenarios/..%2f..%2fpackage/run',
];

test("no request makes the driver call other targets or serve files outside the panel's folder", async () => {
  const { driver, upstream } = await drivenUpstream();
  const elsewhere = await Upstream.open();
  const evil = new URL(elsewhere.url).host;
  for (const target of targets) upstream.script(target, answers(200, '{}'));
  upstream.script(routes.deployments, sends(': hello\n\n'), answers(200));
  for (const detour of detours) {
    const client = await RawClient.open(driver.url);
    const lines = [`Host: ${evil}`, `X-Forwarded-Host: ${evil}`, `Forwarded: host=${evil}`, `Referer: http://${evil}/`];
    const request = `${detour.replaceAll('{evil}', evil)} HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;
    client.send(request);
    await client.until((text) => text.includes('\r\n\r\n'));
    if (!detour.includes('-stream?')) await client.closed();
    client.close();
    expect([detour, client.text]).toEqual([detour, expect.stringMatching(/^HTTP\/1\.1 (200|302|4\d\d) /)]);
    // Redirects point to the panel, not to a host from the request.
    if (client.text.includes(' 302 ')) expect(client.text).toContain('\r\nlocation: demo/\r\n');
    expect(client.text).not.toMatch(/"dependencies"|root:/);
  }
  expect(elsewhere.received).toEqual([]);
  const reached = upstream.received.filter(({ method, path }) => !ownCalls.includes(`${method} ${path}`));
  expect(reached.map(({ method, path }) => `${method} ${path}`).filter((route) => !targets.includes(route))).toEqual(
    [],
  );
  for (const { headers } of reached) expect(headers.host).toBe(new URL(upstream.url).host);
  // Some of the requests were legitimate and reached the targets.
  expect(reached.length).toBeGreaterThan(3);
});
