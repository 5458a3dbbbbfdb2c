import { expect, test } from 'vitest';
import { markdownCode, markdownText } from '../src/markdown.ts';

const broken = '\u200b';

test.each([
  ['pay-api 1.4.2', 'pay-api 1.4.2'],
  ['@team', `\\@${broken}team`],
  ['ann@acme.com', `ann\\@${broken}acme.com`],
  ['https://evil.example', `https:${broken}//evil.example`],
  ['www.evil.example', `www${broken}.evil.example`],
  ['WWW.evil.example', `WWW${broken}.evil.example`],
  ['awww.x', 'awww.x'],
  ['#1 acme/shop#7', `\\#${broken}1 acme/shop\\#${broken}7`],
  ['GH-7', `GH${broken}-7`],
  ['!7 ~label &3', `\\!${broken}7 \\~${broken}label \\&${broken}3`],
  ['_a_ ~~b~~ *c* `d`', '\\_a\\_ \\~\\~b\\~\\~ \\*c\\* \\`d\\`'.replace('\\~b', `\\~${broken}b`)],
  ['[x](javascript:1) <b> {y} a|b \\', '\\[x\\](javascript:1) \\<b\\> \\{y\\} a\\|b \\\\'],
  ['&#64;team', `\\&\\#${broken}64;team`],
  ['- item', '\\- item'],
  ['a\r\n\u2028b', 'a b'],
  ['\u202egnp\u0000', '\uFFFDgnp\uFFFD'],
])('the text %j is written in Markdown as %j', (text, expected) => {
  expect(markdownText(text)).toBe(expected);
});

test.each([
  ['1.4.2', '`1.4.2`'],
  ['a`b\n', '`a\ufffdb\ufffd`'],
  ['*x*', '`*x*`'],
])('the text %j is written as inline code as %j', (text, expected) => {
  expect(markdownCode(text)).toBe(expected);
});
