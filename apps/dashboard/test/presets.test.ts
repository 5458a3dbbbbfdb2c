import { readFileSync } from 'node:fs';
import type { CatalogPreset } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { addressOf, searchOf, unknownIn } from '../src/state/address.ts';
import { presetsOf, sharedPresets, withPresets } from '../src/state/presets.ts';

describe('presets', () => {
  const presets = [
    { name: 'a', search: '?only=failed' },
    { name: 'b', search: '' },
  ];
  test('stored presets with another target or an invalid address are left out', () => {
    const stored = [{ name: 'x', search: 'https://example.com' }, null, { name: '' }, presets[0]];
    expect(presetsOf(stored)).toEqual([presets[0]]);
  });

  test('a later preset replaces an earlier one with the same name', () => {
    expect(withPresets(presets, [{ name: 'a', search: '?q=x' }])).toEqual([{ name: 'a', search: '?q=x' }, presets[1]]);
  });

  test.each([
    ['the view and its query', { view: 'feed', query: 'q=x&teams=a' }, '?view=changes&environment=*&teams=a&q=x'],
    [
      'a query with a leading question mark',
      { view: 'swimlanes', query: '?service=api-*' },
      '?service=api-*&layout=progress',
    ],
    ['a query alone', { view: null, query: 'only=failed' }, '?only=failed'],
    ['a view alone', { view: 'analytics', query: null }, '?view=analytics'],
    ['an unknown view', { view: 'javascript:alert(1)', query: 'only=failed' }, '?only=failed'],
    ['a query without valid parameters', { view: 'board', query: '%E0%A4%A&only=all&javascript:alert(1)#x' }, ''],
    [
      'the view of the preset, not the view in its query',
      { view: 'feed', query: 'view=analytics' },
      '?view=changes&environment=*',
    ],
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
    const due = searchOf(addressOf(`?${asked.join('&')}`));
    expect(shared?.search).toBe(due);
    expect(unknownIn(`?${asked.join('&')}`)).toEqual([]);
  }
});
