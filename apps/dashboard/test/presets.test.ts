import { readFileSync } from 'node:fs';
import type { CatalogPreset } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { presetsIn, presetsText, sharedPresets, withPresets } from '../src/state/presets.ts';

describe('presets', () => {
  const presets = [
    { name: 'a', search: '?only=failed' },
    { name: 'b', search: '' },
  ];
  test('presets survive export and import', () => {
    expect(presetsIn(presetsText(presets))).toEqual(presets);
  });

  test.each([
    ['no JSON', "This file isn't JSON. Choose one that was exported here."],
    ['{"a":1}', 'This file has no presets. Choose one that was exported here.'],
    ['null', 'This file has no presets. Choose one that was exported here.'],
  ])('a presets file with %s is rejected with an explanation', (text, sentence) => {
    expect(() => presetsIn(text)).toThrow(sentence);
  });

  test('presets with another target or an invalid address are left out', () => {
    const text = JSON.stringify({
      shiplog_presets: [{ name: 'x', search: 'https://example.com' }, null, { name: '' }, presets[0]],
    });
    expect(presetsIn(text)).toEqual([presets[0]]);
  });

  test('a later preset replaces an earlier one with the same name', () => {
    expect(withPresets(presets, [{ name: 'a', search: '?q=x' }])).toEqual([{ name: 'a', search: '?q=x' }, presets[1]]);
  });

  test.each([
    ['the view and its query', { view: 'feed', query: 'q=x&teams=a' }, '?view=feed&teams=a&q=x'],
    [
      'a query with a leading question mark',
      { view: 'swimlanes', query: '?service=api-*' },
      '?view=swimlanes&service=api-*',
    ],
    ['a query alone', { view: null, query: 'only=failed' }, '?only=failed'],
    ['a view alone', { view: 'analytics', query: null }, '?view=analytics'],
    ['an unknown view', { view: 'javascript:alert(1)', query: 'only=failed' }, '?only=failed'],
    ['a query without valid parameters', { view: 'board', query: '%E0%A4%A&only=all&javascript:alert(1)#x' }, ''],
    ['the view of the preset, not the view in its query', { view: 'feed', query: 'view=analytics' }, '?view=feed'],
  ])('computes the address of a catalog preset: %s', (_, preset, search) => {
    expect(sharedPresets([{ name: 'a', ...preset }])).toEqual([{ name: 'a', search }]);
  });

  test('presets from the catalog keep their order, and the first preset with a name is used', () => {
    const only = (what: string) => ({ name: what[0] ?? '', view: 'board', query: `only=${what}` });
    expect(sharedPresets([only('running'), only('failed'), only('r')])).toEqual([
      { name: 'r', search: '?only=running' },
      { name: 'f', search: '?only=failed' },
    ]);
  });
});

test('the presets of the demo open the views that they describe', () => {
  const { presets } = parse(readFileSync(new URL('../../../demo/catalog.yaml', import.meta.url), 'utf8')) as {
    presets: CatalogPreset[];
  };
  for (const { view, query } of presets) {
    const [shared] = sharedPresets([{ name: 'a', view, query }]);
    const asked = [
      ...(view === 'board' ? [] : [`view=${view}`]),
      ...new URLSearchParams(query ?? '').toString().split('&'),
    ];
    expect(shared?.search.slice(1).split('&').sort()).toEqual(asked.sort());
  }
});
