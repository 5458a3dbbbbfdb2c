import { escapeMarkdown } from '@shiplog/text';
import { expect, test } from 'vitest';
import { entity, linkOf, plain, shown } from '../src/domain/shown.ts';
import { hostileTexts } from './support/events.ts';

test.each([
  ['pay-api', 'pay-api'],
  ['a@b', 'a@\u200bb'],
  ['https://evil.example', 'https:\u200b//evil.example'],
  ['a:b//c', 'a:b//c'],
  ['www.evil.example', 'www\u200b.evil.example'],
  ['awww.x', 'awww.x'],
  ['a\r\nb', 'a\\u{d}\\u{a}b'],
  ['\u202egnp', '\\u{202e}gnp'],
  ['\u2028', '\\u{2028}'],
  ['日本語 😀', '日本語 😀'],
])('shows the event text %j as %j', (text, expected) => {
  expect(shown(text, plain)).toBe(expected);
});

test('characters that are special to a target are escaped', () => {
  expect(shown('<a&b>', entity('&<>'))).toBe('&lt;a&amp;b&gt;');
  expect(shown('*a*\\', escapeMarkdown)).toBe('\\*a\\*\\\\');
});

test.each(hostileTexts)('the text for %j is limited in length and never cut within an escape', (text) => {
  const made = shown(text.repeat(20), entity('&<>'));
  expect(made.length).toBeLessThanOrEqual(301);
  expect(made.replace(/&(amp|lt|gt);/g, '')).not.toMatch(/[&<>]/);
});

test.each([
  ['https://ci.acme/runs/7', 'https://ci.acme/runs/7'],
  ['http://ci.acme/runs/7?a=b&c=d', 'http://ci.acme/runs/7?a=b&c=d'],
  ['https://ci.acme/a(b)|c>d', 'https://ci.acme/a%28b%29%7Cc%3Ed'],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['https://u:p@ci.acme/', undefined],
  ['nothing', undefined],
  [undefined, undefined],
  [`https://ci.acme/${'é'.repeat(1000)}`, undefined],
])('the URL %j is linked as %j', (url, link) => {
  expect(linkOf(url)).toBe(link);
});
