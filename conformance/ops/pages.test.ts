import { expect, test } from 'vitest';
import { unique } from '../support/api.ts';
import { expectRefusal } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

suite('pages', (api, { testWith }) => {
  test('addition: the API page at /docs lists every documented operation', async () => {
    const { status, headers, text } = await api.get('/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html; charset=utf-8$/i);
    for (const path of Object.keys(api.document.paths)) expect(text, path).toContain(`<code>${path}</code>`);
  });

  test.each(['/docs', '/problems/validation'])(
    'addition: the page %s loads nothing from other origins',
    async (path) => {
      const { text, headers } = await api.get(path);
      const loaded = [...text.matchAll(/<(?:link|script|img|iframe)\b[^>]*(?:href|src)="([^"]*)"/g)].map(
        ([, url = '']) => url,
      );
      expect(loaded.length).toBeGreaterThan(0);
      for (const url of loaded.filter((address) => !address.startsWith('data:'))) {
        expect(url).toMatch(/^\/(?!\/)/);
        expect((await api.get(url)).status, url).toBe(200);
      }
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe-');
    },
  );

  test('addition, reading 8.4: the problem links of the API page point to existing pages', async () => {
    const { text } = await api.get('/docs');
    const links = new Set([...text.matchAll(/href="(\/problems\/[^"]*)"/g)].map(([, url = '']) => url));
    expect(links.size).toBeGreaterThanOrEqual(10);
    for (const url of links) expect((await api.get(url)).status, url).toBe(200);
  });

  test('addition: an unknown path outside /api returns an HTML page to browsers and a problem to other clients', async () => {
    const path = '/nothing/<b>here</b>';
    const browsers = ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'TEXT/HTML'];
    for (const accept of browsers) {
      const { status, headers, text } = await api.send({ path, headers: { accept } });
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(text).toContain('<code>/nothing/&lt;b&gt;here&lt;/b&gt;</code>');
      for (const [, url = ''] of text.matchAll(/(?:href|src)="(\/[^"]*)"/g))
        expect((await api.get(url)).status, url).toBe(200);
    }
    const others = ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/event-stream', ''];
    for (const accept of others) expectRefusal(await api.send({ path, headers: { accept } }), 'not-found');
    expectRefusal(await api.send({ path }), 'not-found');
    expectRefusal(await api.send({ method: 'POST', path, headers: { accept: 'text/html' } }), 'not-found');
    const head = await api.send({ method: 'HEAD', path, headers: { accept: 'text/html' } });
    expect([head.status, head.headers['content-type'], head.text]).toEqual([404, 'text/html; charset=utf-8', '']);
  });

  test.each(['/api', '/api/nothing?a=1', '/api/matrix/', '/%61pi/nothing', '/api/deployments/none'])(
    '§7, reading 1.9: %s returns a problem even to a browser',
    async (path) => {
      const refusal = await api.send({ path, headers: { accept: 'text/html' } });
      expectRefusal(refusal, 'not-found');
      expect(refusal.headers['content-type']).toBe('application/problem+json');
    },
  );

  testWith('metrics')('addition: metrics are text and contain no values from requests', async () => {
    const name = unique('made-up');
    await api.send({ path: `/${name}` });
    await api.get(`/api/deployments/${name}`, { service: name });
    await api.append({ service: name });
    const { status, headers, text } = await api.get('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toMatch(/^# TYPE \w+ \w+$/m);
    expect(text).not.toContain(name);
  });
});
