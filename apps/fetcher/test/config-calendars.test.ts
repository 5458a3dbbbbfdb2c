import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFaults, testFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { configOf, mistakesIn } from './support/config.ts';

const places = 'services: ["*"], environments: [prod, "prod-*"]';
const https = 'url: "https://calendar.example.com/private-1f3c/basic.ics?key=s3cret"';

async function settingsOf(entry: string) {
  const path = join(await testFolder(), 'fetcher.yaml');
  writeFileSync(path, `version: 1\ncalendars: [{ ${entry} }]\n`);
  return { FETCHER_CONFIG: path };
}

test('an entry names a calendar, where it is read and what it freezes', () => {
  const [fromUrl, fromFile] = configOf(
    'calendars:',
    `  - { name: christmas, ${https}, kind: freeze, ${places}, zone: Europe/Berlin }`,
    '  - { name: audits, file: /etc/shiplog/audits.ics, services: pay-*, environments: "*" }',
  ).calendars;
  expect(fromUrl).toEqual({
    ...{ name: 'christmas', services: ['*'], environments: ['prod', 'prod-*'], zone: 'Europe/Berlin' },
    place: { url: new URL('https://calendar.example.com/private-1f3c/basic.ics?key=s3cret') },
  });
  expect(fromFile).toEqual({
    ...{ name: 'audits', services: ['pay-*'], environments: ['*'], zone: undefined },
    place: { file: '/etc/shiplog/audits.ics' },
  });
});

test.each(['fetcher.md', 'holds.md'])('the examples in docs/%s are valid', (name) => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8');
  const files = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, file = '']) => file);
  const [file = ''] = files.filter((text) => text.includes('calendars:'));
  expect(mistakesIn(file)).toBe('none');
  expect(file).toContain('christmas');
});

test.each<[string, string]>([
  ['[]', 'calendars is empty; list a calendar or remove it'],
  ['{}', 'calendars must be a list'],
  [`[{ ${https}, ${places} }]`, 'calendars[0] needs name'],
  [`[{ name: A, ${https}, ${places} }]`, 'calendars[0].name must be 1 to 55 characters long'],
  [`[{ name: ${'a'.repeat(56)}, ${https}, ${places} }]`, 'calendars[0].name must be 1 to 55 characters long'],
  [`[{ name: a, ${https}, ${places} }, { name: a, file: b, ${places} }]`, 'calendars[1].name is the name of another'],
  [`[{ name: a, ${places} }]`, 'calendars[0] needs url or file'],
  [`[{ name: a, ${https}, file: b, ${places} }]`, 'calendars[0] has url and file; use one of them'],
  [`[{ name: a, url: "webcal://a.example/b", ${places} }]`, 'write https:// for webcal://'],
  [`[{ name: a, url: "https://u:p@a.example/b", ${places} }]`, 'calendars[0].url must begin with https://'],
  [`[{ name: a, ${https}, kind: lock, ${places} }]`, 'calendars[0].kind must be freeze'],
  [`[{ name: a, ${https}, services: ["*"] }]`, 'calendars[0] needs environments'],
  [`[{ name: a, ${https}, services: [], environments: ["*"] }]`, 'calendars[0].services must have 1 to 100 globs'],
  [`[{ name: a, ${https}, services: ['a\\'], environments: ["*"] }]`, 'calendars[0].services[0] must be a glob'],
  [
    `[{ name: a, ${https}, services: [${'x'.repeat(129)}], environments: ["*"] }]`,
    'calendars[0].services[0] must be a glob of at most 128 characters',
  ],
  [`[{ name: a, ${https}, ${places}, zone: Mars }]`, 'calendars[0].zone must be a time zone such as Europe/Berlin'],
  [
    `[{ name: a, ${https}, ${places}, token: b }]`,
    'calendars[0].token is not known here; known names: name, url, file',
  ],
])('refuses the calendars %s: %s', (calendars, sentence) => {
  const told = mistakesIn(`version: 1\ncalendars: ${calendars}`);
  expect(told).toContain(sentence);
  expect(told).toMatch(/^line 2, column \d+: /);
  expect(told).not.toContain('s3cret');
});

test('calendars alone are enough to start', async () => {
  const { calendars, sources } = readConfig(await settingsOf(`name: christmas, ${https}, ${places}`));
  expect([calendars.length, sources.length]).toEqual([1, 0]);
});

test('a secret address is not requested without TLS, except on this machine and allowed hosts', async () => {
  const plain = await settingsOf(`name: a, url: "http://calendar.example.com/private/a.ics?key=s3cret", ${places}`);
  expect(settingsFaults(() => readConfig(plain))).toEqual([
    "The calendar a is read from http://calendar.example.com, which doesn't use HTTPS. Use https, or add calendar.example.com to CI_ALLOW_HTTP_HOSTS.",
  ]);
  expect(readConfig({ ...plain, CI_ALLOW_HTTP_HOSTS: 'calendar.example.com' }).calendars).toHaveLength(1);
  expect(readConfig(await settingsOf(`name: a, url: "http://127.0.0.1/a.ics", ${places}`)).calendars).toHaveLength(1);
});
