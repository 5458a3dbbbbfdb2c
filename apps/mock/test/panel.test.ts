import { readdirSync } from 'node:fs';
import { sharedPanelFolder } from '@shiplog/panels';
import { expect, test } from 'vitest';
import { testMock } from './support/mock.ts';

test('the panel is at /, with a policy that lets it load what the mock itself serves and nothing else', async () => {
  const mock = await testMock();
  const { status, headers, body } = await mock.send<string>('/');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe-');
  const loaded = [...body.matchAll(/<(?:link|script|img)\b[^>]*(?:href|src)="([^"]*)"/g)].map(([, url = '']) => url);
  for (const url of loaded.filter((address) => !address.startsWith('data:'))) {
    expect(new URL(url, mock.url).origin).toBe(mock.url);
    expect((await mock.send(new URL(url, `${mock.url}/`).pathname)).status, url).toBe(200);
  }
});

test('what the panels share is below /shared/', async () => {
  const mock = await testMock();
  const files = readdirSync(sharedPanelFolder);
  expect(files).not.toEqual([]);
  for (const file of files) expect((await mock.send(`/shared/${file}`)).status, file).toBe(200);
});

test('the page of the API names what the mock has, and nothing of what it does without', async () => {
  const mock = await testMock();
  const page = await mock.get<string>('/docs');
  for (const path of ['/_mock/status', '/_mock/demo/reset', '/api/matrix'])
    expect(page).toContain(`<code>${path}</code>`);
  expect(page).not.toMatch(/\/api\/(control|analytics)/);
});
