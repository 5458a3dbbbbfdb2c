import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { developmentKeys } from '@shiplog/server';
import { expect, test } from 'vitest';
import { testMock } from './support/mock.ts';

const panelFolder = fileURLToPath(new URL('../panel/dist/', import.meta.url));

test('the panel is at /, with a content security policy that allows only files of the mock', async () => {
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

test('no panel file contains a key, not even the development key', async () => {
  const mock = await testMock();
  const files = readdirSync(panelFolder, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('.'));
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    const { body } = await mock.send(`/${file}`);
    for (const key of Object.values(developmentKeys))
      expect([file, body]).toEqual([file, expect.not.stringContaining(key)]);
  }
});

test('the API page lists exactly the endpoints of the mock', async () => {
  const mock = await testMock();
  const page = await mock.get<string>('/docs');
  for (const path of ['/_mock/status', '/_mock/demo/reset', '/api/matrix'])
    expect(page).toContain(`<code>${path}</code>`);
  expect(page).not.toMatch(/\/api\/(control|analytics)/);
});
