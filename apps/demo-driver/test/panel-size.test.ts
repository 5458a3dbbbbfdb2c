import { readdirSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testMock } from '../../mock/test/support/mock.ts';
import { appFolder } from '../src/config.ts';
import { driverOf } from './support/driver.ts';

/** The size of a body as sent to browsers, which all accept gzip. */
function bytesOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => resolve(bytes));
    }).on('error', reject);
  });
}

test('a panel loads less than 30 kB, compressed', async () => {
  const mock = await testMock();
  const driver = await driverOf(mock.url);
  for (const [panel, url] of [
    ['panel/dist', `${driver.url}/demo/`],
    ['../mock/panel/dist', `${mock.url}/`],
  ] as const) {
    const files = readdirSync(join(appFolder, panel), { recursive: true, encoding: 'utf8' });
    const paths = files.filter((path) => path.includes('.'));
    const bytes = await Promise.all(paths.map((path) => bytesOf(new URL(path, url).href)));
    expect(Math.min(...bytes)).toBeGreaterThan(100);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000);
  }
});
