import { expect, test } from 'vitest';
import { expectRefusal } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const allChecks = ['db', 'listen', 'deployment_events', 'control_events', 'component_acks', 'component_events'];

suite('probes', (api, { testOwnInstance }) => {
  const checks = api.target.differences.readinessChecks?.value ?? allChecks;
  const allOk = Object.fromEntries(checks.map((check) => [check, 'ok']));

  test('§2, §4 Ops: /healthz returns { status: ok }', async () => {
    const answer = await api.get('/healthz');
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: 'ok' });
  });

  test('reading 8.2: /readyz lists every check', async () => {
    const answer = await api.get('/readyz');
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: 'ready', checks: allOk });
  });

  test('reading 8.6: /api/version returns the running version and its contract, without a key', async () => {
    const answer = await api.get('/api/version');
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), contract: '1.0.0' });
    expect(api.document.info.version).toBe('1.0.0');
  });

  test('reading 1.3: probes ignore a query', async () => {
    for (const path of ['/healthz?x=1&x=2', '/readyz?verbose=%zz']) expect((await api.send({ path })).status).toBe(200);
  });

  testOwnInstance('reading 8.2: while shutting down, /readyz returns 503 with the checks', async () => {
    const { url, stop } = await api.instance();
    const wire = await api.wire(url);
    // A request that is still incomplete when the shutdown begins. The second connection proves that its bytes have
    // arrived.
    await wire.send('GET /readyz HTTP/1.1\r\nHost: x\r\n');
    expect((await api.send({ path: '/readyz' }, url)).status).toBe(200);
    const stopped = stop();
    await wire.send('\r\n');
    const answer = await wire.answer();
    expect(expectRefusal(answer, 'unavailable').checks).toEqual(allOk);
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    wire.close();
    await stopped;
  });
});
